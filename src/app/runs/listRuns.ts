import type { FileTree } from '../../core/files/fileTree.js';
import { runsReport, type RunsReport } from '../../core/runs/runsReport.js';

/** Where runs are, and what is known of the storage. */
export interface RunsPlace {
  /** What to call it in the report. */
  path: string;
  /** @throws FormatError `io` */
  openTree(): Promise<FileTree>;
  /** To a user, of its file system; null where it is not known. */
  freeBytes(): Promise<number | null>;
}

/**
 * The runs below a directory, by the names, sizes and times of their files: nothing is opened.
 * @throws FormatError `io` where it cannot be listed, `cancelled`
 */
export async function listRuns(place: RunsPlace, signal?: AbortSignal): Promise<RunsReport> {
  const tree = await place.openTree();
  const listing = await tree.list(signal);
  return runsReport(place.path, tree.rootName, listing, { freeBytes: await place.freeBytes(), nowMs: Date.now() });
}
