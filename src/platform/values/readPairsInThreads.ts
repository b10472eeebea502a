import { availableParallelism } from 'node:os';
import type { PairsReading } from '../../app/platform.js';
import { FormatError, throwIfCancelled } from '../../core/bytes/formatError.js';
import { readPairs, type PairHooks } from '../../core/comparison/values/readPairs.js';
import type { PairResult, PairTask } from '../../core/comparison/values/pairTask.js';
import type { RootPaths } from '../readableRoots.js';
import { startValuesThread, type ValuesThread } from './startValuesThread.js';

/** Below this a thread takes longer to start than it reads. */
const leastTasks = 2;
/** As for the values of one checkpoint. */
const mostThreads = 8;

/**
 * Reads pairs in threads, each the next task that no other has.
 * @param threadFile a bundle that runs `runValuesThread` where `isValuesThread` says so
 * @param rootPaths where links of both sides may lead
 * @throws FormatError `cancelled`, and `io` where a thread ended
 */
export async function readPairsInThreads(
  threadFile: string,
  { a, b, tasks }: PairsReading,
  hooks: PairHooks,
  rootPaths: RootPaths = null,
): Promise<PairResult[]> {
  const count = Math.min(tasks.length, availableParallelism(), mostThreads);
  const results: PairResult[][] = [];
  if (tasks.length < leastTasks || count < 2) {
    for (const task of tasks) results.push(await readPairs({ a: a.tree, b: b.tree }, task, hooks));
    return results.flat();
  }
  const place = { path: a.path, otherPath: b.path, rootPaths };
  const threads = Array.from({ length: count }, () => startValuesThread(threadFile, place, hooks.onBytes));
  let next = 0;
  const work = async (thread: ValuesThread): Promise<void> => {
    for (let index = next++; index < tasks.length; index = next++)
      results[index] = await answerOf(thread, tasks[index] as PairTask, hooks);
  };
  try {
    await Promise.all(threads.map(work));
  } finally {
    for (const thread of threads) thread.dispose();
  }
  return results.flat();
}

async function answerOf({ endpoint }: ValuesThread, task: PairTask, { signal }: PairHooks): Promise<PairResult[]> {
  try {
    return await endpoint.request('readPairs', { task }, signal);
  } catch (error) {
    throwIfCancelled(signal);
    throw new FormatError('io', `a thread that reads values ended: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}
