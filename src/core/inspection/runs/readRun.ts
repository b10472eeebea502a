/** Reads a directory of checkpoints: each as itself, and their accounts put together. */
import { loadChecker } from '../../loading/checkLoad.js';
import { throwIfCancelled } from '../../bytes/formatError.js';
import { baseName, joinPath } from '../../files/paths.js';
import { subTree } from '../../files/subTree.js';
import { moveArraysBesideRun } from '../../checkpoints/arraysBeside.js';
import type { CheckpointReport, RunCheckpoint } from '../../checkpoints/checkpointReport.js';
import type { Finding } from '../../findings/finding.js';
import type { Layout } from '../../checkpoints/layout.js';
import { newestCheckpoint } from '../../checkpoints/newestCheckpoint.js';
import { placeReport } from '../../checkpoints/placeReport.js';
import { TensorTable } from '../../tensors/tensorTable.js';
import { buildReport } from '../../checkpoints/buildReport.js';
import { compareCopies } from '../../checkpoints/compareCopies.js';
import { nameTensors } from '../../checkpoints/tensorScopes.js';
import { kindOfTag, missingPointersOf, tagPointerFinding } from '../../frameworks/deepspeed/tagPointers.js';
import { Listing } from '../../files/listing.js';
import { openFile } from '../../files/openFiles.js';
import { unknownLayout } from '../../frameworks/looseFiles/layout.js';
import { layoutOfMember } from './memberLayout.js';
import { mergeReports, withAddedAlone, type ReadMember } from './mergeReports.js';
import type { LoadContext } from '../../loading/loadContext.js';
import type { Run, RunMember } from './run.js';
import { findCopiedCheckpoints, namedOriginals, type CopiedCheckpoint } from './copiedCheckpoints.js';
import { isOlderThan, pointerFindings, pointerToLatest } from './pointerFindings.js';
import { readPointers } from './runPointers.js';
import { isTemporaryName, stepOfName } from '../../checkpoints/runs/stepOfName.js';

/** Members that are called as copies of others. */
type NamedCopies = ReadonlyMap<string, string>;

/** The report of a run, with the tensors of all its checkpoints. */
export async function readRun(
  context: LoadContext,
  run: Run,
  found: readonly Finding[],
  path: string,
): Promise<{ report: CheckpointReport; tensors: TensorTable }> {
  const tensors = new TensorTable();
  const members: ReadMember[] = [];
  let newest: ReadMember<CheckpointReport> | undefined;
  let pointed: ReadMember<CheckpointReport> | undefined;
  let files = 0;
  const pointers = await readPointers(context, run.members, (name) => openFile(context, name));
  const pointer = pointerToLatest(pointers, run.members);
  const copies = await findCopiedCheckpoints(context, run.members);
  const saves = new Map([...copies].filter(([root, { original }]) => isSameSave(root, original)));
  const named = new Map([...namedOriginals(run.members), ...[...saves].map(([root, { original }]) => [root, original] as const)]);
  for (const member of run.members) {
    const { root, listing } = member;
    const report = await readMember(context, member, layoutOfMember(member, run.members), { tensors, files });
    const place = (name: string): string => (listing.isSingleFile ? root : joinPath(root, name));
    const placed = placeReport(report, place);
    // What concerns a checkpoint as a whole says which one it is.
    placed.findings = placed.findings.map((finding) => ({ ...finding, path: finding.path ?? (root === '' ? null : root) }));
    const read = { root, report: placed, checkpoint: checkpointOf(root, listing, report, saves.get(root)?.original) };
    members.push(withAddedAlone(read));
    newest = newest === undefined ? read : newestOf([newest, read], named);
    if (root === pointer?.root) pointed = read;
    files += report.files.length;
  }
  const rest = await readRest(context, run, tensors, files);
  const byStep = inOrderOfSteps(members, named);
  const finished = byStep.filter(({ checkpoint }) => checkpoint.finished);
  const isOlder = pointed !== undefined && isOlderThan(pointed, newest as ReadMember<CheckpointReport>);
  const current = (isOlder ? pointed : newest) as ReadMember<CheckpointReport>;
  const noted = [
    ...found,
    ...(finished.length === 0 ? [{ code: 'run-without-checkpoint' as const }] : []),
    ...pointerFindings(pointers, byStep, newest as ReadMember<CheckpointReport>),
    ...tagPointerFindings(run),
    ...copyFindings(copies),
    ...lostStateFindings(current, byStep),
  ];
  const report = mergeReports({ members, newest: current, rest, copies }, noted, path);
  report.run = {
    checkpoints: byStep.map(({ checkpoint }) => checkpoint),
    pointers,
    ...(isOlder ? { loaded: { path: current.root, pointer: pointer?.path ?? '' } } : {}),
  };
  report.io = { bytesRead: context.counter.bytesRead, reads: context.counter.reads, elapsedMs: 0 };
  return { report, tensors };
}

/**
 * The steps from the first on; checkpoints without one come last, those of the same step in the order in which they were read, behind
 * what is called as a copy.
 */
function inOrderOfSteps<Report>(members: readonly ReadMember<Report>[], named: NamedCopies): ReadMember<Report>[] {
  const stepOf = ({ checkpoint }: ReadMember<Report>): number => checkpoint.step ?? Number.MAX_VALUE;
  const rankOf = ({ root }: ReadMember<Report>): number => (named.has(root) ? 0 : 1);
  return [...members].sort((a, b) => stepOf(a) - stepOf(b) || rankOf(a) - rankOf(b));
}

function newestOf<Report>(members: readonly ReadMember<Report>[], named: NamedCopies): ReadMember<Report> {
  const byStep = inOrderOfSteps(members, named);
  const newest = newestCheckpoint(byStep.map(({ checkpoint }) => checkpoint));
  return byStep.find(({ checkpoint }) => checkpoint === newest) as ReadMember<Report>;
}

/** Whether a copy is called after the step of its original, or after none: under the name of another step loaders take it for that step. */
function isSameSave(root: string, original: string): boolean {
  const step = stepOfName(baseName(root));
  return step === null || step === stepOfName(baseName(original));
}

/** What each copy would free. */
function copyFindings(copies: ReadonlyMap<string, CopiedCheckpoint>): Finding[] {
  return [...copies].map(([path, facts]) => ({ code: 'checkpoint-copied', path, facts: { ...facts } }));
}

/** A newest checkpoint of weights alone among others that have optimizer state; none where its own findings have named it. */
function lostStateFindings(
  { root, report, checkpoint }: ReadMember<CheckpointReport>,
  members: readonly ReadMember[],
): Finding[] {
  if (root === '' || checkpoint.verdict !== 'weights-only') return [];
  if (report.findings.some(({ code }) => code === 'optimizer-missing')) return [];
  const other = members.findLast((member) => member.checkpoint.verdict === 'complete' || member.checkpoint.verdict === 'partial');
  return other === undefined ? [] : [{ code: 'optimizer-lost', path: root, facts: { other: other.root } }];
}

/** DeepSpeed's tags, each a checkpoint of the run, have their pointer beside them. */
function tagPointerFindings({ members, rest }: Run): Finding[] {
  const tags = members.flatMap(({ root, listing }) => {
    const kind = root === '' ? undefined : kindOfTag(listing.entries.map(({ path }) => path));
    return kind === undefined ? [] : [{ directory: root, isUniversal: kind === 'universal' }];
  });
  // Where a model is beside the tags, their pointer is among its files.
  const beside = members.flatMap(({ root, listing }) => (root === '' ? listing.entries : []));
  return missingPointersOf(tags, new Set([...rest, ...beside].map(({ path }) => path))).map(tagPointerFinding);
}

async function readMember(
  context: LoadContext,
  { root, listing }: RunMember,
  layout: Layout,
  { tensors, files: filesBefore }: { tensors: TensorTable; files: number },
): Promise<CheckpointReport> {
  throwIfCancelled(context.signal);
  const own: LoadContext = {
    ...context,
    tree: subTree(context.tree, root, listing.entries),
    entries: listing.entries,
    onFile: (file, done) => context.onFile(joinPath(root, file), filesBefore + done, context.entries.length),
  };
  const result = await layout.read(own, listing);
  const copies = await compareCopies(own, result.parts);
  const report = await buildReport(result, root, context.counter, copies, loadChecker(own));
  tensors.append(result.parts.tensors, filesBefore);
  return report;
}

/** Files beside the checkpoints: counted by what they are, and not looked at as a checkpoint. */
async function readRest(context: LoadContext, run: Run, tensors: TensorTable, filesBefore: number): Promise<CheckpointReport> {
  const result = await unknownLayout.read({ ...context, entries: run.rest }, new Listing(context.tree.rootName, run.rest));
  result.parts.isBesideRun = true;
  moveArraysBesideRun(result.parts);
  const report = await buildReport(result, '', context.counter, { ...nameTensors(result.parts), pairs: [] });
  tensors.append(result.parts.tensors, filesBefore);
  return report;
}

function checkpointOf(root: string, listing: Listing, report: CheckpointReport, copyOf: string | undefined): RunCheckpoint {
  const times = listing.entries.map((entry) => entry.modifiedMs).filter((time) => time !== null);
  const newest = times.reduce((latest, time) => Math.max(latest, time), -Infinity);
  const name = listing.rootName;
  const isUnfinished = isTemporaryName(name) || report.findings.some(({ code }) => code === 'save-unfinished');
  return {
    path: root,
    layout: report.layout,
    step: report.step ?? (root === '' ? null : stepOfName(name)),
    bytes: report.totalBytes,
    files: report.files.length,
    modified: Number.isFinite(newest) ? new Date(newest).toISOString() : null,
    verdict: report.resume.verdict,
    finished: !isUnfinished,
    ...(copyOf === undefined ? {} : { copyOf }),
  };
}
