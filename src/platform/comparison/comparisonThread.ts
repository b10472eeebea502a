/** Entry of the thread that compares two checkpoints. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Platform } from '../../app/platform.js';
import type { SideName } from '../../core/comparison/comparedCheckpoint.js';
import { readPairs } from '../../core/comparison/values/readPairs.js';
import type { PairResult } from '../../core/comparison/values/pairTask.js';
import { RpcEndpoint } from '../../protocol/rpc.js';
import { createNodeFileTree } from '../nodeFileTree.js';
import { readPairsInThreads } from '../values/readPairsInThreads.js';
import type { HostFiles } from '../hostFiles.js';
import { createRangedFileTree } from '../rangedFileTree.js';
import { createWorkspaceFileTree, rootNameOf } from '../workspaceFileTree.js';
import type { ComparerBackRequests, ComparerEvents } from './comparer.js';
import { createComparisonService } from './comparisonService.js';
import type { ComparisonWorkerData } from './comparisonWorkerData.js';

/**
 * Answers requests until it is ended.
 * @param threadFile the bundle that threads that read values run
 */
export function runComparisonThread(threadFile: string, data: ComparisonWorkerData = workerData as ComparisonWorkerData): void {
  const port = parentPort;
  if (port === null) return;
  const { a, b, rootPaths } = data;
  const openTree = async (side: SideName) => {
    const { kind, path } = data[side];
    if (kind === 'local') return createNodeFileTree(path, rootPaths);
    return kind === 'remote' ? createRangedFileTree(filesOf(side)) : createWorkspaceFileTree(filesOf(side), rootNameOf(path));
  };
  const areLocal = a.kind === 'local' && b.kind === 'local';
  const service = createComparisonService(
    {
      paths: { a: a.path, b: b.path },
      openTree,
      readPairs: areLocal ? (reading, hooks) => readPairsInThreads(threadFile, reading, hooks, rootPaths) : readPairsHere,
    },
    {
      inspecting: (progress) => endpoint.send('inspecting', progress),
      valuesRead: (progress) => endpoint.send('readingValues', progress),
    },
  );
  const endpoint = new RpcEndpoint<ComparerBackRequests, ComparerEvents, Record<never, never>>(
    { post: (message) => port.postMessage(message) },
    service,
  );
  const filesOf = (side: SideName): HostFiles => ({
    stat: (params) => endpoint.request('stat', { ...params, side }),
    readDirectory: (params) => endpoint.request('readDirectory', { ...params, side }),
    readFile: (params) => endpoint.request('readFile', { ...params, side }),
    listAll: (params) => endpoint.request('listAll', { ...params, side }),
    readRange: (params, signal) => endpoint.request('readRange', { ...params, side }, signal),
  });
  port.on('message', (message) => endpoint.receive(message));
}

/** In this thread: files of the editor's file systems come through it. */
const readPairsHere: Platform['readPairs'] = async ({ a, b, tasks }, hooks) => {
  const results: PairResult[][] = [];
  for (const task of tasks) results.push(await readPairs({ a: a.tree, b: b.tree }, task, hooks));
  return results.flat();
};
