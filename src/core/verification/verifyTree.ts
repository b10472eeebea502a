import { FormatError, throwIfCancelled } from '../bytes/formatError.js';
import type { FileEntry, FileListing, FileTree } from '../files/fileTree.js';
import { runOrdered } from '../files/orderedPool.js';
import { compareNatural } from '../files/naturalOrder.js';
import { counted, listed as listedTexts } from '../text/quantities.js';
import { visibleText } from '../text/visibleText.js';
import { attributeMismatches } from './attributeMismatches.js';
import type { Expected, Manifest, ManifestFile } from './expected.js';
import { findLists, type FoundLists } from './lists/findLists.js';
import { isOtherSumList } from './lists/listNames.js';
import { manifestBlockBytes, manifestName, sumListName } from './manifest/manifestFile.js';
import { isOwnFile } from './ownFiles.js';
import { listedDigests } from './names/namedDigests.js';
import { OtherFiles } from './otherFiles.js';
import type { Passes } from './passes.js';
import { type Extent, isFailure, type VerificationReport, type VerifiedFile } from './verification.js';
import { failedAs, type FileOutcome, verifyFile } from './verifyFile.js';

export interface VerifyTask {
  path: string;
  tree: FileTree;
  passes: Passes;
  /** To compare with, also the one that a new one is to replace; null without one. */
  manifest: Manifest | null;
  manifestPath: string | null;
  /** For a new manifest: what an earlier run has of it, and who takes what is new, in any order. */
  listing: NewManifest | null;
  /** The directory of a single file, with the files that are directly in it: its lists of digests are of that one too. */
  beside?: FileTree;
  /** These files alone; all without it. */
  only?: ReadonlySet<string>;
  /** Of files that were verified elsewhere, by their paths: they are not read again unless they have changed since. */
  outcomes?: ReadonlyMap<string, DatedOutcome>;
  /** Called for each file that was verified here. */
  onOutcome?: (path: string, outcome: DatedOutcome) => void;
  /** Of now, in milliseconds. */
  clock(): number;
  onProgress(progress: VerifyProgress): void;
  signal: AbortSignal | undefined;
}

/** What was found of a file as it was at that time. */
export interface DatedOutcome {
  modifiedMs: number | null;
  outcome: FileOutcome;
}

export interface NewManifest {
  known: ReadonlyMap<string, ManifestFile>;
  add(file: ManifestFile): Promise<void>;
}

export interface VerifyProgress {
  doneBytes: number;
  /** Of all files that are there. */
  totalBytes: number;
  doneFiles: number;
  totalFiles: number;
}

export interface VerifiedTree {
  report: VerificationReport;
  /** All files of a new manifest, in order of their paths. */
  listed: ManifestFile[];
  /** What sums cover of each file, by its path. */
  covered: ReadonlyMap<string, readonly Extent[]>;
}

/**
 * Verifies all files below a root.
 * @throws FormatError `io` where it cannot be listed, `cancelled`
 */
export async function verifyTree(task: VerifyTask): Promise<VerifiedTree> {
  const { tree, signal, only } = task;
  const listing = await tree.list(signal);
  const { entries, errors, truncated } = withoutOwnFiles(listing);
  const ofRoot = errors.find(({ path }) => path === '');
  if (ofRoot !== undefined && listing.entries.length === 0) throw new FormatError('io', ofRoot.detail);
  const verified = entries.filter((entry) => isVerified(entry) && (only === undefined || only.has(entry.path)));
  const startMs = task.clock();
  const around = await surroundings(task, listing.entries, entries);
  const run = new TreeRun(task, entries, around);
  const concurrency = task.passes.concurrency * 2;
  await runOrdered(verified, concurrency, (entry, index) => run.verify(entry, index));
  throwIfCancelled(signal);
  // Other machines took their own time.
  const seconds = task.outcomes === undefined ? (task.clock() - startMs) / 1000 : 0;
  const notes = [
    ...errors.map(({ path, detail }) => `${visibleText(path === '' ? '.' : path)} cannot be listed: ${detail}.`),
    ...notFollowed(listing.entries),
    ...around.notes,
    ...(truncated ? [`There are more files than ${entries.length}: the others were not verified.`] : []),
  ];
  return { report: run.report(seconds, notes, errors.length > 0 || truncated), listed: run.listed(), covered: run.covered() };
}

/** The files of a tree that are verified: a link to one of them is verified with it. @throws FormatError `io`, `cancelled` */
export async function filesToVerify(tree: FileTree, signal: AbortSignal | undefined): Promise<FileEntry[]> {
  return withoutOwnFiles(await tree.list(signal)).entries.filter(isVerified);
}

function withoutOwnFiles(listing: FileListing): FileListing {
  const entries = listing.entries.filter((entry) => !isOwnFile(entry.path) && entry.link?.isDirectory !== true);
  return { ...listing, entries };
}

/** What is known of the files beforehand, and what of that cannot be used. */
interface Surroundings {
  lists: FoundLists;
  named: ReadonlyMap<string, Expected['digests']>;
  notes: string[];
}

async function surroundings(task: VerifyTask, all: readonly FileEntry[], entries: readonly FileEntry[]): Promise<Surroundings> {
  const { tree, beside, signal } = task;
  if (beside === undefined) {
    const lists = await findLists(tree, entries.filter(isListOfOthers(task, all)), signal);
    return { lists, named: listedDigests(tree, entries), notes: notComputed(entries) };
  }
  const around = withoutOwnFiles(await beside.list(signal)).entries;
  const { digests, refused } = await findLists(beside, around, signal);
  const own = new Set(entries.map(({ path }) => path));
  return {
    lists: { digests: new Map([...digests].filter(([path]) => own.has(path))), refused: new Map() },
    named: listedDigests(beside, around),
    notes: [
      ...[...refused].map(([path, detail]) => `${visibleText(path)} is no list of digests that can be used: ${detail}.`),
      ...notComputed(around),
    ],
  };
}

function notComputed(entries: readonly FileEntry[]): string[] {
  const names = entries.filter(({ path }) => isOtherSumList(path)).map(({ path }) => visibleText(path));
  return names.length === 0 ? [] : [`Lists of digests that are not computed, and were not used: ${firstNames(names)}.`];
}

function notFollowed(entries: readonly FileEntry[]): string[] {
  const links = entries.filter(({ link }) => link?.isDirectory === true && !link.inside).map(({ path }) => visibleText(path));
  return links.length === 0 ? [] : [`Links to directories out of this one are not followed: ${firstNames(links)}.`];
}

function firstNames(names: readonly string[]): string {
  return `${listedTexts(names.slice(0, mostNames))}${names.length > mostNames ? ', …' : ''}`;
}

/** The list beside a manifest in the directory is of the files as they were: a new one goes by the manifest. */
function isListOfOthers({ listing, manifest }: VerifyTask, all: readonly FileEntry[]): (entry: FileEntry) => boolean {
  const isReplaced = listing !== null && manifest !== null && all.some(({ path }) => path === manifestName);
  return ({ path }) => !isReplaced || path !== sumListName;
}

function isVerified({ link }: FileEntry): boolean {
  return link?.entry === undefined;
}

/** FAT keeps times to 2 s, tar and others that restore files to 1 s. */
const coarsestTimeMs = 2_000;

/** Files that a note names. */
const mostNames = 3;

class TreeRun {
  private readonly outcomes: FileOutcome[] = [];
  private readonly byPath: ReadonlyMap<string, FileEntry>;
  /** Links to a file of the listing, which is verified under its own name, by what that is. */
  private readonly links = new Map<string, string[]>();
  private readonly others: OtherFiles;
  private doneBytes = 0;
  private doneFiles = 0;
  private readonly totalBytes: number;

  constructor(
    private readonly task: VerifyTask,
    private readonly entries: readonly FileEntry[],
    private readonly around: Pick<Surroundings, 'lists' | 'named'>,
  ) {
    this.byPath = new Map(entries.map((entry) => [entry.path, entry]));
    this.others = new OtherFiles(task.tree, entries, task.signal);
    for (const { path, link } of entries)
      if (link?.entry !== undefined) this.links.set(link.entry, [...(this.links.get(link.entry) ?? []), path]);
    this.totalBytes = entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  }

  async verify(entry: FileEntry, index: number): Promise<void> {
    throwIfCancelled(this.task.signal);
    this.outcomes[index] = this.outcomeOfElsewhere(entry) ?? (await this.outcomeHere(entry));
    this.doneFiles += 1;
    this.tell();
  }

  report(seconds: number, notes: string[], isPartial: boolean): VerificationReport {
    const { path, manifestPath } = this.task;
    const damaged = attributeMismatches(this.outcomes);
    const files = [...this.outcomes.map(({ file }) => file), ...this.missing(damaged)].sort((a, b) =>
      compareNatural(a.path, b.path),
    );
    const bytesHashed = this.outcomes.reduce((sum, { hashedBytes }) => sum + hashedBytes, 0);
    return {
      kind: 'verification',
      schemaVersion: 2,
      path,
      manifest: manifestPath,
      created: this.task.listing !== null,
      files,
      failed: files.filter(({ status }) => isFailure(status)).length + (isPartial ? 1 : 0),
      unverifiable: files.filter(({ status }) => status === 'unverifiable').length,
      bytesHashed,
      bytesPerSecond: bytesHashed > 0 && seconds > 0 ? Math.round(bytesHashed / seconds) : null,
      notes: [...notes, ...this.notes()],
    };
  }

  listed(): ManifestFile[] {
    return this.outcomes
      .flatMap(({ listed }) => (listed === null ? [] : [listed]))
      .sort((a, b) => compareNatural(a.path, b.path));
  }

  covered(): ReadonlyMap<string, readonly Extent[]> {
    return new Map(this.outcomes.map(({ file, covered }) => [file.path, covered]));
  }

  private notes(): string[] {
    const holes = this.outcomes.filter(({ isHole }) => isHole === true).map(({ file }) => visibleText(file.path));
    const damaged = this.outcomes.filter(({ file, listed }) => listed !== null && isFailure(file.status)).length;
    const rewritten = this.rewritten();
    return [
      ...(rewritten === 0
        ? []
        : [`${counted(rewritten, 'file')} ${rewritten === 1 ? 'was' : 'were'} written again since the earlier manifest.`]),
      ...(holes.length === 0 ? [] : [`One hole each, which was not read and counts as zeros: ${firstNames(holes)}.`]),
      ...(damaged === 0
        ? []
        : [`The manifest has the sums of ${counted(damaged, 'file')} as ${damaged === 1 ? 'it is' : 'they are'}: damaged.`]),
    ];
  }

  /** Files that a new manifest has otherwise than the one before, and that were written since. */
  private rewritten(): number {
    const { listing, manifest } = this.task;
    if (listing === null || manifest === null) return 0;
    return this.outcomes.filter(({ file, listed }) => {
      const before = manifest.files.get(file.path);
      return listed !== null && before !== undefined && before.sha256 !== listed.sha256 && !isFailure(file.status);
    }).length;
  }

  private outcomeOfElsewhere({ path, sizeBytes, modifiedMs }: FileEntry): FileOutcome | undefined {
    const known = this.task.outcomes?.get(path);
    if (known === undefined || known.outcome.file.bytes !== sizeBytes || known.modifiedMs !== modifiedMs) return undefined;
    this.addBytes(sizeBytes);
    return known.outcome;
  }

  private async outcomeHere(entry: FileEntry): Promise<FileOutcome> {
    const { listing, onOutcome } = this.task;
    const outcome = await this.outcomeOf(entry);
    onOutcome?.(entry.path, { modifiedMs: entry.modifiedMs, outcome });
    if (outcome.listed !== null && listing?.known.get(entry.path) !== outcome.listed) await listing?.add(outcome.listed);
    return outcome;
  }

  private async outcomeOf(entry: FileEntry): Promise<FileOutcome> {
    const { task } = this;
    const { link, path } = entry;
    if (link !== undefined && !this.around.named.has(path)) return failedAs(entry, 'unverifiable', outside);
    const refusal = this.around.lists.refused.get(path);
    if (refusal !== undefined) return failedAs(entry, 'unreadable', `it is no list of digests that can be used: ${refusal}`);
    const known = this.knownOf(entry);
    if (known !== undefined) {
      this.addBytes(entry.sizeBytes);
      return alreadyListed(known);
    }
    const isExtra =
      task.listing === null && isOf(task.manifest, path) && task.manifest?.files.has(path) !== true && path !== sumListName;
    const outcome = await verifyFile({
      entry,
      expected: this.expectedOf(path),
      blockBytes: task.listing === null ? (task.manifest?.blockBytes ?? null) : manifestBlockBytes,
      isListed: task.listing !== null && path !== sumListName,
      rewrittenMs: this.rewrittenMs(entry),
      passes: task.passes,
      open: (other) => task.tree.open(other, task.signal),
      others: this.others.forOne(),
      look: async (other) => (await task.tree.look?.(other)) ?? null,
      onBytes: (bytes) => this.addBytes(bytes),
      signal: task.signal,
    });
    if (isExtra && !isFailure(outcome.file.status)) {
      outcome.file.status = 'extra';
      outcome.file.reason = 'the manifest does not list it';
    }
    return outcome;
  }

  private expectedOf(path: string): Expected {
    const names = [path, ...(this.links.get(path) ?? [])];
    const digests = names.flatMap((name) => [
      ...(this.around.lists.digests.get(name) ?? []),
      ...(this.around.named.get(name) ?? []),
    ]);
    return { digests, manifest: this.ofManifest(path) };
  }

  /** Blocks of another length are not compared with those of a new manifest: their file's SHA-256 is. */
  private ofManifest(path: string): ManifestFile | null {
    const { manifest, listing } = this.task;
    const file = manifest?.files.get(path) ?? null;
    if (file === null || listing === null || manifest?.blockBytes === manifestBlockBytes) return file;
    return { ...file, crc32c: [] };
  }

  private rewrittenMs({ path, modifiedMs }: FileEntry): number | null {
    const before = this.task.manifest?.files.get(path)?.modifiedMs ?? null;
    const isSame = before === null || modifiedMs === null || Math.abs(modifiedMs - before) <= coarsestTimeMs;
    return isSame ? null : modifiedMs;
  }

  /** What an earlier run of the same manifest has of a file; what differs from the manifest before is read again. */
  private knownOf(entry: FileEntry): ManifestFile | undefined {
    const known = this.task.listing?.known.get(entry.path);
    if (known === undefined || known.bytes !== entry.sizeBytes || known.modifiedMs !== entry.modifiedMs) return undefined;
    const before = this.task.manifest?.files.get(entry.path);
    const isDifferent = before !== undefined && before.sha256 !== known.sha256 && this.rewrittenMs(entry) === null;
    return isDifferent ? undefined : known;
  }

  /** Files that a list or the manifest has and the directory has not. @param damaged lists that name nothing for certain */
  private missing(damaged: ReadonlySet<string>): VerifiedFile[] {
    const isHere = (path: string): boolean => this.byPath.has(path);
    const listed = [...this.around.lists.digests]
      .filter(([path]) => !isHere(path))
      .flatMap(([path, digests]) => {
        const by = digests.find(({ source }) => !damaged.has(source))?.source;
        return by === undefined ? [] : [{ path, bytes: 0, by }];
      });
    const names = new Set(listed.map(({ path }) => path));
    const ofManifest = [...(this.task.manifest?.files ?? [])]
      .filter(([path]) => !isHere(path) && !names.has(path) && !isOwnFile(path))
      .map(([path, { bytes }]) => ({ path, bytes, by: 'the manifest' }));
    const known = new Set([...listed, ...ofManifest].map(({ path }) => path));
    const gone = [...(this.task.outcomes?.keys() ?? [])].filter((path) => !isHere(path) && !known.has(path));
    return [
      ...[...listed, ...ofManifest].map(
        ({ path, bytes, by }) =>
          failedAs({ path, sizeBytes: bytes }, 'missing', `${visibleText(by)} lists it, and it is not there`).file,
      ),
      ...gone.map((path) => goneOutcome(path).file),
    ];
  }

  private addBytes(bytes: number): void {
    this.doneBytes += bytes;
    this.tell();
  }

  private tell(): void {
    const { doneBytes, totalBytes, doneFiles } = this;
    this.task.onProgress({ doneBytes, totalBytes, doneFiles, totalFiles: this.entries.length });
  }
}

/** Of a file that was there when several machines began to verify. */
export function goneOutcome(path: string): FileOutcome {
  return failedAs({ path, sizeBytes: 0 }, 'missing', 'it was there when the job was planned');
}

/** Whether a manifest is to have a path. */
function isOf(manifest: Manifest | null, path: string): boolean {
  if (manifest === null) return false;
  return manifest.within?.some((one) => path === one || path.startsWith(`${one}/`)) ?? true;
}

const outside = 'it is a link out of the directory, which is not followed';

/** A file that an earlier run of the same manifest has hashed, and that has not changed since. */
function alreadyListed(known: ManifestFile): FileOutcome {
  const { path, bytes } = known;
  const file: VerifiedFile = {
    path,
    bytes,
    status: 'unverifiable',
    by: [],
    coverage: { bytes: 0, of: bytes },
    damage: [],
    reason: 'an earlier run hashed it for this manifest',
  };
  return { file, hashedBytes: 0, covered: [], listed: known };
}
