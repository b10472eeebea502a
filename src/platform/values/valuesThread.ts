/** Entry of the threads that read values. */
import { parentPort, workerData } from 'node:worker_threads';
import { readTask } from '../../core/values/readTask.js';
import { RpcEndpoint, type RpcHandlers } from '../../protocol/rpc.js';
import { createNodeFileTree } from '../nodeFileTree.js';
import type { ValuesThreadData, ValuesThreadEvents, ValuesThreadRequests } from './valuesThreadData.js';

/** Answers tasks until it is ended. */
export function runValuesThread({ path }: ValuesThreadData = workerData as ValuesThreadData): void {
  const port = parentPort;
  if (port === null) return;
  const tree = createNodeFileTree(path);
  const handlers: RpcHandlers<ValuesThreadRequests> = {
    read: async ({ task }, signal) =>
      readTask(await tree, task, { signal, onBytes: (bytes) => endpoint.send('bytes', { bytes }) }),
  };
  const endpoint = new RpcEndpoint<Record<never, never>, ValuesThreadEvents, Record<never, never>>(
    { post: (message) => port.postMessage(message) },
    handlers,
  );
  port.on('message', (message) => endpoint.receive(message));
}
