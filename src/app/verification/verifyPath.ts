import { limits } from '../../core/bytes/limits.js';
import type { FileTree } from '../../core/files/fileTree.js';
import { verificationPage } from '../../core/pages/verification/verificationPage.js';
import { compareManifests } from '../../core/verification/compareManifests.js';
import type { Manifest } from '../../core/verification/expected.js';
import { sumListLine } from '../../core/verification/lists/sumList.js';
import {
  manifestName,
  manifestText,
  parseManifest,
  parsePartial,
  partialHead,
  partialLine,
  sumListName,
} from '../../core/verification/manifest/manifestFile.js';
import { loggedVerification } from '../../core/verification/log/loggedVerification.js';
import { isFailure, type VerificationReport } from '../../core/verification/verification.js';
import {
  verifyTree,
  type DatedOutcome,
  type NewManifest,
  type VerifiedTree,
  type VerifyProgress,
} from '../../core/verification/verifyTree.js';
import type { Answer } from '../answer.js';
import { comparisonAnswer } from '../comparisonAnswer.js';
import { ofPath } from '../ofPath.js';
import type { Hooks, Platform } from '../platform.js';
import { InputError, PathError } from '../useCaseError.js';
import type { VerifyInput } from '../useCaseInputs.js';
import { folderBeside, placeOf } from './besidePath.js';
import { manifestAt, manifestOf, type Known } from './knownManifest.js';
import { besideFile } from './besideFile.js';
import { withDamagedTensors } from './damagedTensors.js';
import { logCheck } from './logCheck.js';
import type { ManifestFolder } from './manifestFolder.js';

/** What is needed of the machine that files are on. */
export type VerificationPlatform = Pick<
  Platform,
  'nameOf' | 'folderOf' | 'pathIn' | 'stat' | 'readText' | 'openTree' | 'openFolders' | 'passes' | 'manifestFolder' | 'logFile'
>;

/**
 * Compares the files below a path with all sums that there are of them, and writes a manifest where that is asked for.
 * @throws PathError where the path cannot be listed, or a manifest cannot be read, is refused, or cannot be written
 */
export async function verifyPath(
  platform: VerificationPlatform,
  input: VerifyInput,
  hooks: VerifyHooks = {},
): Promise<Answer<VerificationReport>> {
  const report = await reportOf(platform, input, hooks);
  return comparisonAnswer(report, verificationPage(report));
}

/** With what other machines found of the files. */
export interface VerifyHooks extends Hooks<VerifyProgress> {
  outcomes?: ReadonlyMap<string, DatedOutcome>;
}

async function reportOf(platform: VerificationPlatform, input: VerifyInput, hooks: VerifyHooks): Promise<VerificationReport> {
  const { path, against } = input;
  if (against !== undefined) return comparison(platform, input, against);
  const tree = await verifiable(path, () => platform.openTree(path));
  // As it is before any of its bytes are read.
  if (input.log === true) await verifiable(path, () => tree.list(hooks.signal));
  const report = await reportOfTree(platform, tree, input, hooks);
  if (input.log !== true) return report;
  return { ...report, log: await logCheck(platform, tree, placeOf(tree, path), loggedVerification(report)) };
}

async function reportOfTree(
  platform: VerificationPlatform,
  tree: FileTree,
  input: VerifyInput,
  hooks: Hooks<VerifyProgress>,
): Promise<VerificationReport> {
  if (input.create === true) return created(platform, tree, input, hooks);
  const manifest = await manifestOf(platform, tree, input);
  return verified(platform, tree, { path: input.path, ...manifest, listing: null }, hooks);
}

/**
 * Verifies some of the files for one who gathers what several machines found; writes nothing.
 * @param paths of these files
 * @param onOutcome called for each of them
 * @throws PathError, FormatError `cancelled`
 */
export async function verifyFiles(
  platform: VerificationPlatform,
  input: VerifyInput,
  paths: ReadonlySet<string>,
  onOutcome: (path: string, outcome: DatedOutcome) => void,
  signal: AbortSignal,
): Promise<void> {
  const { path, create } = input;
  const tree = await verifiable(path, () => platform.openTree(path));
  const known =
    create === true
      ? { manifest: await earlierManifest(platform, newPlace(platform, tree, input), input), manifestPath: null, notes: [] }
      : await manifestOf(platform, tree, input);
  const listing: NewManifest | null = create === true ? { known: new Map(), add: () => Promise.resolve() } : null;
  const beside = await besideFile(platform, tree);
  const passes = await platform.passes();
  const task = {
    path,
    tree,
    passes,
    ...known,
    ...(beside && { beside }),
    listing,
    only: paths,
    onOutcome,
    clock: () => 0,
    onProgress: () => undefined,
  };
  try {
    await verifiable(path, () => verifyTree({ ...task, signal }));
  } finally {
    await passes.close();
  }
}

async function verified(
  platform: VerificationPlatform,
  tree: FileTree,
  task: Known & { path: string; listing: NewManifest | null },
  hooks: VerifyHooks,
  finish?: (verified: VerifiedTree) => Promise<VerificationReport>,
): Promise<VerificationReport> {
  const { signal, outcomes, onProgress = () => undefined } = hooks;
  const beside = await besideFile(platform, tree);
  const passes = await platform.passes();
  try {
    const result = await verifiable(task.path, () =>
      verifyTree({
        ...task,
        ...(outcomes && { outcomes }),
        ...(beside && { beside }),
        ...{ tree, passes, onProgress, signal },
        clock: () => performance.now(),
      }),
    );
    const found = (await finish?.(result)) ?? result.report;
    const report = { ...found, notes: [...found.notes, ...task.notes] };
    return await verifiable(task.path, () => withDamagedTensors(report, tree, signal));
  } finally {
    await passes.close();
  }
}

async function created(
  platform: VerificationPlatform,
  tree: FileTree,
  input: VerifyInput,
  hooks: VerifyHooks,
): Promise<VerificationReport> {
  const { path } = input;
  const place = newPlace(platform, tree, input);
  const folder = platform.manifestFolder(place);
  const manifestPath = platform.pathIn(place, manifestName);
  await refuseOtherList(platform, place, manifestPath);
  const manifest = await earlierManifest(platform, place, input);
  const partial = await writable(place, () => folder.readPartial());
  const known = new Map(parsePartial(partial ?? '').map((file) => [file.path, file]));
  // One that was cut within a line goes on behind a whole one.
  await writable(place, () => folder.beginPartial(partialHead() + [...known.values()].map(partialLine).join('')));
  const listing: NewManifest = {
    known,
    add: (file) => folder.addToPartial(partialLine(file)),
  };
  const task = { path, manifest, manifestPath, listing, notes: [] };
  try {
    return await verified(platform, tree, task, hooks, (result) => writable(place, () => finished(folder, manifest, result)));
  } finally {
    await writable(place, () => folder.flushPartial());
  }
}

/** Where a new manifest goes. @throws InputError */
function newPlace(platform: VerificationPlatform, tree: FileTree, { path, inside, output }: VerifyInput): string {
  const within = placeOf(tree, path);
  if (inside === true) return within;
  const place = output ?? folderBeside(platform, tree, path);
  if (isWithin(platform, place, within) || isWithin(platform, place, tree.location ?? path))
    throw InputError.ofInput('output', 'is inside of what is verified: say --inside for that');
  return place;
}

/** The manifest that a new one takes the place of, to be compared first; null where there is none, or where it is to be replaced unseen. */
async function earlierManifest(
  platform: VerificationPlatform,
  place: string,
  { replace }: VerifyInput,
): Promise<Manifest | null> {
  const file = platform.pathIn(place, manifestName);
  if (replace === true || (await platform.stat(file).catch(() => null)) === null) return null;
  const text = await ofPath(file, 'cannot be compared first', () => platform.readText(file, limits.manifestFileBytes));
  return ofPath(file, 'stays, as it is refused (--replace writes over it)', () => parseManifest(text));
}

/** A list that stands there without a manifest is somebody else's. @throws PathError */
async function refuseOtherList(platform: VerificationPlatform, place: string, manifestPath: string): Promise<void> {
  const list = platform.pathIn(place, sumListName);
  const [ofList, ofManifest] = await Promise.all([list, manifestPath].map((file) => platform.stat(file).catch(() => null)));
  if (ofList != null && ofManifest == null)
    throw new PathError(list, 'is there and of somebody else: name another directory with --output');
}

/** Writes the new manifest, unless files fail that the one before has: it is what is known of them. */
async function finished(
  folder: ManifestFolder,
  earlier: Manifest | null,
  { report, listed }: VerifiedTree,
): Promise<VerificationReport> {
  const isKept = report.files.some(({ path, status }) => isFailure(status) && earlier?.files.has(path) === true);
  if (isKept) {
    await folder.finish({});
    return { ...report, created: false, notes: [keptNote, ...report.notes] };
  }
  if (report.files.length === 0) {
    await folder.finish({});
    return { ...report, manifest: null, created: false, notes: ['No manifest was written.', ...report.notes] };
  }
  const named = listed.filter(({ path }) => !isEscaped(path));
  const sums = named.map(({ sha256, path }) => sumListLine(sha256, path)).join('');
  // The manifest first: where a run is killed between both, a list alone would be somebody else's.
  await folder.finish({ [manifestName]: manifestText(listed, Date.now()), [sumListName]: sums });
  return named.length === listed.length ? report : { ...report, notes: [...report.notes, notNamedNote] };
}

/** True for a name whose bytes are not UTF-8, which a listing writes as `\xff`. One that has these four letters is taken for one, too. */
function isEscaped(path: string): boolean {
  return /\\x[89a-f][0-9a-f]/.test(path);
}

const notNamedNote = 'Files whose names are not UTF-8 are in the manifest, and not in SHA256SUMS.';

const keptNote =
  'The earlier manifest stays, as files that it has failed: restore them, or have `stowage verify --create --replace` list them as they are.';

/** Whether a path is a directory or lies in it, by its text. */
function isWithin(platform: VerificationPlatform, path: string, directory: string): boolean {
  for (let at = path; ; at = platform.folderOf(at)) {
    if (at === directory) return true;
    if (platform.folderOf(at) === at) return false;
  }
}

async function comparison(
  platform: VerificationPlatform,
  { path, manifest }: VerifyInput,
  against: string,
): Promise<VerificationReport> {
  const own = await ownManifest(platform, path, manifest);
  return compareManifests(path, own, await manifestAt(platform, against), against);
}

/** That of a path, which may be a manifest itself. */
async function ownManifest(platform: VerificationPlatform, path: string, named: string | undefined): Promise<Manifest> {
  const { kind } = await verifiable(path, () => platform.stat(path));
  if (named === undefined && kind === 'file' && platform.nameOf(path).endsWith('.json')) return manifestAt(platform, path);
  const tree = await verifiable(path, () => platform.openTree(path));
  const found = await manifestOf(platform, tree, { path, ...(named === undefined ? {} : { manifest: named }) });
  if (found.manifest === null) throw new PathError(path, 'has no manifest: `stowage verify --create` writes one');
  return found.manifest;
}

/** @throws PathError, FormatError `cancelled` */
function writable<Result>(place: string, work: () => Promise<Result>): Promise<Result> {
  return ofPath(place, 'takes no manifest', work);
}

/** @throws PathError, FormatError `cancelled` */
function verifiable<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  return ofPath(path, 'cannot be verified', work);
}
