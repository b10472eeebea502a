/** What a job gets to an object store, where that is not given. */
import type { PlanInputs } from '../inputs/planInputs.js';

/** A virtual machine's usual way to an object store: 10 Gb/s. Larger ones reach more with many requests at once. */
const nodeBytesPerSecond = 1.25e9;
/** S3 takes 3,500 writes a second into one prefix until it has split it, which takes half an hour: of 16 MiB each (AWS, Optimizing S3 performance, 2026). */
const prefixBytesPerSecond = 3500 * 16 * 2 ** 20;

/** Bytes a second from all nodes of a job: what each of them carries, until one prefix takes no more. */
export function usualObjectRate({ gpus, gpusPerNode }: Pick<PlanInputs, 'gpus' | 'gpusPerNode'>): number {
  return Math.min(Math.ceil(gpus / gpusPerNode) * nodeBytesPerSecond, prefixBytesPerSecond);
}
