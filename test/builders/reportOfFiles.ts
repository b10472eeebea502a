import type { FileEntry } from '../../src/core/files/fileTree.js';
import { listedFolders } from '../../src/core/files/listedFolders.js';
import { baseName } from '../../src/core/files/paths.js';
import { runsReport, type RunsReport } from '../../src/core/runs/runsReport.js';
import { unknownRoom, type StorageRoom } from '../../src/core/runs/storageRoom.js';
import { searchRuns } from '../../src/core/runs/search/searchRuns.js';

/** The report of runs of a directory with these files. */
export async function reportOfFiles(
  path: string,
  entries: FileEntry[],
  { nowMs, ...room }: Partial<StorageRoom> & { nowMs: number },
): Promise<RunsReport> {
  const tree = {
    rootName: baseName(path),
    list: () => Promise.resolve({ entries, errors: [], truncated: false }),
    open: () => Promise.reject(new Error('a listing alone')),
  };
  return runsReport(path, await searchRuns(listedFolders(tree), { nowMs }), { room: { ...unknownRoom, ...room }, nowMs });
}
