import { workerData } from 'node:worker_threads';
import type { SideName } from '../../core/comparison/comparedCheckpoint.js';
import type { RootPaths } from '../readableRoots.js';

/** A side: all of its target that can be sent to a thread. */
export interface SideData {
  kind: 'local' | 'virtual' | 'remote';
  path: string;
}

/** What a thread that compares is started with. */
export interface ComparisonWorkerData extends Record<SideName, SideData> {
  kind: 'stowage-comparison';
  /** Where links of both sides may lead. */
  rootPaths: RootPaths;
}

/** True in a thread that compares: the bundle of inspections asks this first. */
export function isComparisonThread(data: unknown = workerData): data is ComparisonWorkerData {
  return typeof data === 'object' && data !== null && (data as { kind?: unknown }).kind === 'stowage-comparison';
}
