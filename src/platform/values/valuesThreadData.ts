import { workerData } from 'node:worker_threads';
import type { PairResult, PairTask } from '../../core/comparison/values/pairTask.js';
import type { ValueTask } from '../../core/values/valueTask.js';
import type { RootPaths } from '../readableRoots.js';
import type { PackedSummaries } from './packedSummaries.js';

/** What a thread that reads values is started with. */
export interface ValuesThreadData {
  kind: 'stowage-values';
  path: string;
  /** Where its links may lead. */
  rootPaths: RootPaths;
  /** Of a thread that compares values: the path of B. */
  otherPath?: string;
}

export interface ValuesThreadRequests {
  read(params: { task: ValueTask }): PackedSummaries;
  readPairs(params: { task: PairTask }): PairResult[];
}

export interface ValuesThreadEvents {
  bytes: { bytes: number };
}

/** True in a thread that reads values: a bundle that starts itself again as such a thread asks this first. */
export function isValuesThread(data: unknown = workerData): data is ValuesThreadData {
  return typeof data === 'object' && data !== null && (data as { kind?: unknown }).kind === 'stowage-values';
}
