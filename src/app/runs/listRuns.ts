import type { FileTree } from '../../core/files/fileTree.js';
import type { SearchedFolders } from '../../core/files/folders.js';
import type { RetentionPlatform } from '../retention/retentionOf.js';
import { runsReport, type RunsReport } from '../../core/runs/runsReport.js';
import type { StorageRoom } from '../../core/runs/storageRoom.js';
import { searchRuns } from '../../core/runs/search/searchRuns.js';

/** Where runs are, and what is known of the storage. */
export interface RunsPlace {
  /** What to call it in the report. */
  path: string;
  /** @throws FormatError `io` */
  openTree(): Promise<FileTree>;
  /** @throws FormatError `io` */
  openFolders(): Promise<SearchedFolders>;
  /** The same for a run that is looked at again and again: what has not changed may be what it was. @throws FormatError `io` */
  openFollowed(): Promise<SearchedFolders>;
  /** What a retention policy needs; null where files are reached through the editor. */
  local: RetentionPlatform | null;
  /** What may still be written there. */
  room(): Promise<StorageRoom>;
}

/**
 * The runs below a directory, by the names, sizes and times of their files: nothing is opened.
 * @throws FormatError `io` where it cannot be listed, `cancelled`
 */
export async function listRuns(
  place: Pick<RunsPlace, 'path' | 'openFolders' | 'room'>,
  signal?: AbortSignal,
): Promise<RunsReport> {
  const folders = await place.openFolders();
  let isDone = false;
  try {
    const nowMs = Date.now();
    const found = await searchRuns(folders, { signal, nowMs });
    isDone = found.coverage.isWhole;
    const unchanged = folders.unchanged?.() ?? 0;
    return runsReport(place.path, found, { room: await place.room(), nowMs, unchanged });
  } finally {
    await folders.close?.(isDone);
  }
}
