/** Reads tasks one after the other, in the thread that calls. */
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
  for (const task of tasks) for (const result of await readTask(tree, task, hooks)) results.push(result);
  return results;
}
