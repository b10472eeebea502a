/** What a job gets to an object store, where that is not given. */
import type { PlanInputs } from '../inputs/planInputs.js';
import { objectSystemOf } from '../systems/storageSystems.js';

/** A virtual machine's usual way to an object store: 10 Gb/s. Larger ones reach more with many requests at once. */
const nodeBytesPerSecond = 1.25e9;
/** Of a part of an upload, as libraries for checkpoints choose it. */
const partBytes = 16 * 2 ** 20;
/** S3 takes so many writes a second into one prefix until it has split it, which takes half an hour (AWS, Optimizing S3 performance, 2026). */
const usualWritesPerSecond = 3500;

type RateInputs = Pick<PlanInputs, 'gpus' | 'gpusPerNode' | 'store' | 'objectStore'>;

/** Bytes a second from all nodes of a job: what each of them carries, until the store takes no more parts. */
export function usualObjectRate(inputs: RateInputs): number {
  const writesPerSecond = objectSystemOf(inputs)?.objects?.writesPerSecond ?? usualWritesPerSecond;
  return Math.min(Math.ceil(inputs.gpus / inputs.gpusPerNode) * nodeBytesPerSecond, writesPerSecond * partBytes);
}
