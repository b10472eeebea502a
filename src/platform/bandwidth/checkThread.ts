/** Entry of the threads of a check. Each has its own synchronous input and output: Node's asynchronous one has four threads for all. */
import { parentPort, workerData } from 'node:worker_threads';
import { runFiller } from './fillerThread.js';
import type { SharedMemory } from './sharedMemory.js';
import { Stream } from './stream.js';
import type { StreamPlace } from './streamFiles.js';
import type { StreamJob, StreamReply } from './streamJobs.js';

export type CheckThreadData =
  { kind: 'stowage-bandwidth'; role: 'filler'; index: number; memory: SharedMemory } | StreamThreadData;
export interface StreamThreadData {
  kind: 'stowage-bandwidth';
  role: 'stream';
  index: number;
  memory: SharedMemory;
  place: StreamPlace;
}

/** True in a thread that a check has started: a bundle that starts itself again as such a thread asks this first. */
export function isCheckThread(data: unknown = workerData): data is CheckThreadData {
  return typeof data === 'object' && data !== null && (data as { kind?: unknown }).kind === 'stowage-bandwidth';
}

/** Runs this thread's part until the check ends it. */
export function runCheckThread(data: CheckThreadData = workerData as CheckThreadData): void {
  const port = parentPort;
  if (port === null) return;
  if (data.role === 'filler') return runFiller(data.memory, data.index);
  const stream = new Stream(data.memory, data.index, data.place);
  port.on('message', (job: StreamJob) => {
    const tellReady = (): void => port.postMessage({ kind: 'ready', turn: job.turn } satisfies StreamReply);
    port.postMessage(stream.run(job, tellReady));
  });
}
