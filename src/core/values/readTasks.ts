/** Reads tasks one after the other, in the thread that calls. */
import { appendAll } from '../bytes/appendAll.js';
import type { FileTree } from '../files/fileTree.js';
import { readTask, type ReadingHooks, type StoredSummary } from './readTask.js';
import type { ValueTask } from './valueTask.js';

/** @throws FormatError `cancelled` */
export async function readTasks(
  tree: Pick<FileTree, 'open'>,
  tasks: readonly ValueTask[],
  hooks: ReadingHooks,
): Promise<StoredSummary[]> {
  const results: StoredSummary[] = [];
  for (const [index, task] of tasks.entries()) {
    const summaries = await readTask(tree, task, hooks);
    hooks.onTask?.(index, summaries);
    appendAll(results, summaries);
  }
  return results;
}
