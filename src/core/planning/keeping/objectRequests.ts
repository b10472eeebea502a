/** What a checkpoint asks of an object store: parts of a multipart upload against the limits, requests against the rates. */
import type { SavePlan } from '../saving/savePlan.js';
import type { PlannedSize } from '../size/plannedSize.js';
import type { ObjectLimits } from '../systems/storageSystem.js';

export interface ObjectRequests {
  largestFileBytes: number;
  /** The smallest part with which the largest file fits into the number of parts that is allowed. */
  leastPartBytes: number;
  /** The part to upload in: a power of two of MiB, at least 16 MiB where limits allow. */
  partBytes: number;
  /** Of the largest file. */
  partsOfLargest: number;
  /** Of one checkpoint: all parts, and a beginning and an end for each file in several parts. */
  writesPerCheckpoint: number;
  readsPerCheckpoint: number;
  /** How long the requests take at the rate that is documented; 0 where none is. */
  requestSeconds: number;
  /** Null where everything fits. */
  problem: 'object-too-large' | 'part-too-large' | null;
}

const MiB = 2 ** 20;
/** Below some 8 to 16 MiB a request's latency outweighs its bytes (AWS, performance guidelines for S3). */
const usualPartBytes = 16 * MiB;

/** Bytes of the files that one kind of writer writes, and how many there are. */
interface Files {
  count: number;
  bytes: number;
}

/** @param limits of the store; parts and rates are its documentation's */
export function objectRequests(size: PlannedSize, writers: SavePlan['writers'], limits: ObjectLimits): ObjectRequests {
  const files = filesOf(size, writers);
  const largestFileBytes = files.reduce((largest, { bytes }) => Math.max(largest, bytes), 0);
  const leastPartBytes = Math.max(limits.smallestPartBytes, Math.ceil(largestFileBytes / limits.mostParts));
  const partBytes = Math.min(limits.largestPartBytes, Math.max(usualPartBytes, powerOfTwo(leastPartBytes)));
  const partsOf = (bytes: number) => Math.max(1, Math.ceil(bytes / partBytes));
  const writes = files.reduce((sum, { count, bytes }) => sum + count * (partsOf(bytes) + (partsOf(bytes) > 1 ? 2 : 0)), 0);
  return {
    largestFileBytes,
    leastPartBytes,
    partBytes,
    partsOfLargest: partsOf(largestFileBytes),
    writesPerCheckpoint: writes,
    readsPerCheckpoint: files.reduce((sum, { count, bytes }) => sum + count * partsOf(bytes), 0),
    requestSeconds: limits.writesPerSecond === null ? 0 : writes / limits.writesPerSecond,
    problem: problemOf(largestFileBytes, leastPartBytes, limits),
  };
}

function filesOf(
  { weightBytes, checkpointBytes }: PlannedSize,
  { weightWriters, optimizerWriters }: SavePlan['writers'],
): Files[] {
  const rest = checkpointBytes - weightBytes;
  return [
    { count: weightWriters, bytes: Math.ceil(weightBytes / weightWriters) },
    ...(rest > 0 ? [{ count: optimizerWriters, bytes: Math.ceil(rest / optimizerWriters) }] : []),
  ];
}

function powerOfTwo(bytes: number): number {
  return MiB * 2 ** Math.max(0, Math.ceil(Math.log2(bytes / MiB)));
}

function problemOf(fileBytes: number, partBytes: number, limits: ObjectLimits): ObjectRequests['problem'] {
  if (fileBytes > limits.largestObjectBytes) return 'object-too-large';
  return partBytes > limits.largestPartBytes ? 'part-too-large' : null;
}
