import { startWorker, type StartedWorker } from '../startedWorker.js';
import type { ValuesThreadData, ValuesThreadEvents, ValuesThreadRequests } from './valuesThreadData.js';

/** Of objects alone; blocks and counters are outside of it. */
const heapBytes = 512 * 1024 * 1024;
/** What a thread makes for a tensor goes with it: in as much room as V8 takes by itself 40 MB of that would lie in each thread. */
const youngBytes = 4 * 1024 * 1024;

export type ValuesThread = StartedWorker<ValuesThreadRequests, ValuesThreadEvents>;

/** @param onBytes called with what it has read */
export function startValuesThread(
  threadFile: string,
  place: Omit<ValuesThreadData, 'kind'>,
  onBytes: ((bytes: number) => void) | undefined,
): ValuesThread {
  const workerData: ValuesThreadData = { kind: 'stowage-values', ...place };
  const thread: ValuesThread = startWorker(threadFile, { heapBytes, youngBytes, workerData });
  thread.endpoint.on('bytes', ({ bytes }) => onBytes?.(bytes));
  return thread;
}
