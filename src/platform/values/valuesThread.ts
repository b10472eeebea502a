/** Entry of the threads that read values. */
import { parentPort, workerData } from 'node:worker_threads';
import { readPairs } from '../../core/comparison/values/readPairs.js';
import { readTask } from '../../core/values/readTask.js';
import { RpcEndpoint, type RpcHandlers } from '../../protocol/rpc.js';
import { createNodeFileTree } from '../nodeFileTree.js';
import { packSummaries } from './packedSummaries.js';
import type { ValuesThreadData, ValuesThreadEvents, ValuesThreadRequests } from './valuesThreadData.js';

/** A message takes as long as counting a megabyte. */
const saidBytes = 32 * 1024 * 1024;

/** Answers tasks until it is ended. */
export function runValuesThread({ path, rootPaths, otherPath }: ValuesThreadData = workerData as ValuesThreadData): void {
  const port = parentPort;
  if (port === null) return;
  const tree = createNodeFileTree(path, rootPaths);
  const other = otherPath === undefined ? tree : createNodeFileTree(otherPath, rootPaths);
  const reported = async <Results>(read: (onBytes: (bytes: number) => void) => Promise<Results>): Promise<Results> => {
    let unsaid = 0;
    const results = await read((bytes) => {
      unsaid += bytes;
      if (unsaid < saidBytes) return;
      endpoint.send('bytes', { bytes: unsaid });
      unsaid = 0;
    });
    endpoint.send('bytes', { bytes: unsaid });
    return results;
  };
  const handlers: RpcHandlers<ValuesThreadRequests> = {
    read: ({ task }, signal) => reported(async (onBytes) => packSummaries(await readTask(await tree, task, { signal, onBytes }))),
    readPairs: ({ task }, signal) =>
      reported(async (onBytes) => readPairs({ a: await tree, b: await other }, task, { signal, onBytes })),
  };
  const endpoint = new RpcEndpoint<Record<never, never>, ValuesThreadEvents, Record<never, never>>(
    { post: (message) => port.postMessage(message) },
    handlers,
  );
  port.on('message', (message) => endpoint.receive(message));
}
