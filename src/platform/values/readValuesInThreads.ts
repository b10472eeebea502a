import { availableParallelism } from 'node:os';
import { FormatError, throwIfCancelled } from '../../core/bytes/formatError.js';
import type { ReadingHooks, StoredSummary } from '../../core/values/readTask.js';
import { readTasks } from '../../core/values/readTasks.js';
import type { ValueTask } from '../../core/values/valueTask.js';
import type { ValuesReading } from '../../app/platform.js';
import type { RootPaths } from '../readableRoots.js';
import { unpackSummaries } from './packedSummaries.js';
import { startValuesThread, type ValuesThread } from './startValuesThread.js';

/** Below this a thread takes longer to start than it reads. */
const leastTasks = 2;
/** A thread takes some 40 MB, and eight read faster than most file systems give. */
const mostThreads = 8;
/**
 * Reads tasks in threads, each the next one that no other has.
 * @param threadFile a bundle that runs `runValuesThread` where `isValuesThread` says so
 * @param rootPaths where links may lead, for the trees that threads open
 * @throws FormatError `cancelled`, and `io` where a thread ended
 */
export async function readValuesInThreads(
  threadFile: string,
  { path, tree, tasks }: ValuesReading,
  hooks: ReadingHooks,
  rootPaths: RootPaths = null,
): Promise<StoredSummary[]> {
  const count = Math.min(tasks.length, availableParallelism(), mostThreads);
  if (tasks.length < leastTasks || count < 2) return readTasks(tree, tasks, hooks);
  const threads = Array.from({ length: count }, () => startValuesThread(threadFile, { path, rootPaths }, hooks.onBytes));
  const results: StoredSummary[][] = [];
  let next = 0;
  const work = async (thread: ValuesThread): Promise<void> => {
    for (let index = next++; index < tasks.length; index = next++) {
      const summaries = await answerOf(thread, tasks[index] as ValueTask, hooks);
      hooks.onTask?.(index, summaries);
      results[index] = summaries;
    }
  };
  try {
    await Promise.all(threads.map(work));
  } finally {
    for (const thread of threads) thread.dispose();
  }
  return results.flat();
}

async function answerOf({ endpoint }: ValuesThread, task: ValueTask, { signal }: ReadingHooks): Promise<StoredSummary[]> {
  try {
    return unpackSummaries(await endpoint.request('read', { task }, signal));
  } catch (error) {
    throwIfCancelled(signal);
    throw new FormatError('io', `a thread that reads values ended: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}
