import { FormatError } from '../../core/bytes/formatError.js';
import type { ReadCounter } from '../../core/bytes/countingSource.js';
import type { CheckpointReport } from '../../core/checkpoints/checkpointReport.js';
import { newestCheckpoint } from '../../core/checkpoints/newestCheckpoint.js';
import type { ComparedCheckpoint } from '../../core/comparison/comparedCheckpoint.js';
import { countedTree } from '../../core/files/countedTree.js';
import type { FileEntry, FileTree } from '../../core/files/fileTree.js';
import { baseName, joinPath } from '../../core/files/paths.js';
import { subTree } from '../../core/files/subTree.js';
import { inspect, type InspectOptions } from '../../core/inspection/inspect.js';
import { ofPath } from '../ofPath.js';
import type { Platform } from '../platform.js';
import { PathError } from '../useCaseError.js';

/** How an inspection of a side is cancelled, tells how far it is, and lets other work run. */
export type SideHooks = Pick<InspectOptions, 'signal' | 'onProgress' | 'pause'>;

/**
 * Inspects one side. Of a run the checkpoint is taken that a resume loads: small files are read once for both.
 * @param counter is added what is read of its files
 * @throws PathError for what cannot be read and for what is no single checkpoint; FormatError `cancelled`
 */
export function openSide(
  platform: Pick<Platform, 'openTree'>,
  path: string,
  counter: ReadCounter,
  hooks: SideHooks,
): Promise<ComparedCheckpoint> {
  return ofPath(path, 'cannot be read', async () => {
    const opened = await platform.openTree(path);
    const tree = countedTree(opened, counter);
    const options = { ...hooks, path };
    const { report, tensors: table } = await inspect(tree, options);
    if (report.kind === 'dataset') throw new PathError(path, 'is a data set: only checkpoints are compared');
    if (report.kind === 'collection') throw new PathError(path, 'has several things in it: name one of them');
    if (report.run !== undefined) return memberOf(opened, tree, report, options);
    if (report.resume.verdict === 'none' && table.size + table.absentTensors.length === 0)
      throw new PathError(path, 'is no checkpoint: nothing in it is known as one');
    return { report, table, tree, opened: { path, tree: opened, place: (file) => file }, run: null };
  });
}

/** The checkpoint of a run that a resume loads. */
async function memberOf(
  opened: FileTree,
  tree: FileTree,
  run: CheckpointReport,
  options: InspectOptions,
): Promise<ComparedCheckpoint> {
  const checkpoints = run.run?.checkpoints ?? [];
  const chosen = run.run?.loaded?.path ?? newestCheckpoint(checkpoints)?.path;
  if (chosen === undefined) throw new PathError(options.path, 'has no checkpoint');
  const { entries } = await tree.list(options.signal);
  const inspectMember = async (member: string): Promise<Pick<ComparedCheckpoint, 'report' | 'table' | 'tree'>> => {
    const others = checkpoints.map(({ path }) => path).filter((path) => path !== member);
    const own = subTree(tree, member, entriesOf(entries, member, others));
    const path = member === '' ? options.path : `${options.path.replace(/[\\/]+$/, '')}/${member}`;
    const { report, tensors: table } = await inspect(own, { ...options, path });
    if (report.kind !== 'checkpoint') throw new FormatError('unsupported', `${member} is no checkpoint`);
    return { report, table, tree: own };
  };
  // Both orders of a comparison ask for the same ones.
  const reports = new Map<string, CheckpointReport>();
  const reportOf = async (member: string): Promise<CheckpointReport> => {
    const known = reports.get(member) ?? (await inspectMember(member)).report;
    reports.set(member, known);
    return known;
  };
  const isFile = entries.some((entry) => entry.path === chosen);
  const place = (file: string): string => (isFile ? chosen : joinPath(chosen, file));
  return {
    ...(await inspectMember(chosen)),
    opened: { path: options.path, tree: opened, place },
    run: { report: run, inspectMember: reportOf },
  };
}

/** Those below a checkpoint, as paths from there; of the checkpoint at the root those that no other one has. */
function entriesOf(entries: readonly FileEntry[], root: string, others: readonly string[]): FileEntry[] {
  if (root === '') return entries.filter(({ path }) => !others.some((other) => path === other || path.startsWith(`${other}/`)));
  return entries.flatMap((entry) => {
    if (entry.path === root) return [{ ...entry, path: baseName(root) }];
    return entry.path.startsWith(`${root}/`) ? [{ ...entry, path: entry.path.slice(root.length + 1) }] : [];
  });
}
