import { FormatError } from '../../core/bytes/formatError.js';
import type { ComparedCheckpoint, SideName } from '../../core/comparison/comparedCheckpoint.js';
import type { ComparisonFinding } from '../../core/comparison/comparisonReport.js';
import type { FileEntry } from '../../core/files/fileTree.js';
import { describeFinding } from '../../core/findings/describeFindings.js';
import type { Platform } from '../platform.js';

/**
 * What was written on a side since it was listed for its inspection: none, or one finding.
 * @throws FormatError `cancelled`
 */
export async function changesMeanwhile(
  platform: Pick<Platform, 'openTree'>,
  { opened }: ComparedCheckpoint,
  side: SideName,
  signal: AbortSignal | undefined,
): Promise<ComparisonFinding[]> {
  const { entries } = await opened.tree.list(signal);
  const after = new Map((await entriesNow(platform, opened.path, signal)).map((entry) => [entry.path, entry]));
  const before = new Set(entries.map(({ path }) => path));
  const changed = [
    ...entries.filter((entry) => !areAlike(entry, after.get(entry.path))),
    ...[...after.values()].filter(({ path }) => !before.has(path)),
  ];
  const [first] = changed;
  if (first === undefined) return [];
  return [{ ...describeFinding({ code: 'changed-while-compared', facts: { files: changed.length, first: first.path } }), side }];
}

/** None of what is gone or cannot be listed any more. @throws FormatError `cancelled` */
async function entriesNow(
  platform: Pick<Platform, 'openTree'>,
  path: string,
  signal: AbortSignal | undefined,
): Promise<readonly FileEntry[]> {
  try {
    return (await (await platform.openTree(path)).list(signal)).entries;
  } catch (error) {
    if (!FormatError.is(error) || error.code === 'cancelled') throw error;
    return [];
  }
}

function areAlike({ sizeBytes, modifiedMs }: FileEntry, now: FileEntry | undefined): boolean {
  return now?.sizeBytes === sizeBytes && now.modifiedMs === modifiedMs;
}
