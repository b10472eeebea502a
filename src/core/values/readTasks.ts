/** Reads tasks one after the other, in the thread that calls. */
import { appendAll } from '../bytes/appendAll.js';
import { reachableFiles } from '../files/reachableFiles.js';
import type { FileTree } from '../files/fileTree.js';
import { readTask, type ReadingHooks, type StoredSummary } from './readTask.js';
import type { ValueTask } from './valueTask.js';

/** @throws FormatError `cancelled`, `io` where a file of a store was not fetched */
export async function readTasks(
  tree: Pick<FileTree, 'open'>,
  tasks: readonly ValueTask[],
  hooks: ReadingHooks,
): Promise<StoredSummary[]> {
  const files = reachableFiles(tree);
  const results: StoredSummary[] = [];
  for (const [index, task] of tasks.entries()) {
    const summaries = await readTask(files, task, hooks);
    files.check();
    hooks.onTask?.(index, summaries);
    appendAll(results, summaries);
  }
  return results;
}
