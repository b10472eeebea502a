/** What a checkpoint asks of an object store: parts of a multipart upload against the limits, requests against the rates. */
import type { SavePlan } from '../saving/savePlan.js';
import type { PlannedSize } from '../size/plannedSize.js';
import type { ObjectLimits } from '../systems/storageSystem.js';

export interface ObjectRequests {
  largestFileBytes: number;
  /** The smallest part with which the largest file fits into the number of parts that is allowed. */
  leastPartBytes: number;
  /** The part to upload in: a power of two of MiB, at least 16 MiB where limits allow, and more where requests would take longer than the bytes. */
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

/**
 * @param limits of the store; parts and rates are its documentation's
 * @param byteSeconds how long the bytes of a checkpoint take: requests should take no longer
 */
export function objectRequests(
  size: PlannedSize,
  writers: SavePlan['writers'],
  limits: ObjectLimits,
  byteSeconds: number,
): ObjectRequests {
  const files = filesOf(size, writers);
  const largestFileBytes = files.reduce((largest, { bytes }) => Math.max(largest, bytes), 0);
  const leastPartBytes = Math.max(limits.smallestPartBytes, Math.ceil(largestFileBytes / limits.mostParts));
  const usual = Math.min(limits.largestPartBytes, Math.max(usualPartBytes, powerOfTwo(leastPartBytes)));
  const partBytes = raisedPart(usual, files, limits, byteSeconds);
  const writes = writesOf(files, partBytes);
  return {
    largestFileBytes,
    leastPartBytes,
    partBytes,
    partsOfLargest: partsOf(largestFileBytes, partBytes),
    writesPerCheckpoint: writes,
    readsPerCheckpoint: files.reduce((sum, { count, bytes }) => sum + count * partsOf(bytes, partBytes), 0),
    requestSeconds: secondsOf(writes, limits),
    problem: problemOf(largestFileBytes, leastPartBytes, limits),
  };
}

/** Larger parts are kept in memory, and sent once more, as a whole. */
const largestRaisedBytes = 512 * MiB;

/** Parts are doubled while their requests take longer than the bytes, and fewer of them help. */
function raisedPart(usual: number, files: readonly Files[], limits: ObjectLimits, byteSeconds: number): number {
  const most = Math.min(largestRaisedBytes, limits.largestPartBytes);
  let part = usual;
  while (
    2 * part <= most &&
    secondsOf(writesOf(files, part), limits) > byteSeconds &&
    writesOf(files, 2 * part) < writesOf(files, part)
  )
    part *= 2;
  return part;
}

function partsOf(bytes: number, partBytes: number): number {
  return Math.max(1, Math.ceil(bytes / partBytes));
}

function writesOf(files: readonly Files[], partBytes: number): number {
  return files.reduce((sum, { count, bytes }) => {
    const parts = partsOf(bytes, partBytes);
    return sum + count * (parts > 1 ? parts + 2 : parts);
  }, 0);
}

function secondsOf(writes: number, { writesPerSecond }: ObjectLimits): number {
  return writesPerSecond === null ? 0 : writes / writesPerSecond;
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
