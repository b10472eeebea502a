/** The memory that a check of a directory takes for its blocks: those made ahead for each stream, and one more to read into. */
import { limits } from '../bytes/limits.js';
import type { CheckShape } from './checkShape.js';
import type { CheckRequest } from './measurement.js';
import { mostStreamsOf } from './sweep/sweepRequest.js';

/** More keep a stream from waiting for its data; fewer than two would let it wait for each block. */
const slotsOfStream = [4, 2];

/** Streams that have a file to write. */
export function busyStreams({ streams, files }: Pick<CheckShape, 'streams' | 'files'>): number {
  return Math.max(1, Math.min(streams, files.length));
}

/** Streams for which there are threads: as many as the part of the check with the most of them has. */
export function threadsOf({ shape, sweep }: Pick<CheckRequest, 'shape' | 'sweep'>): number {
  return Math.max(busyStreams(shape), mostStreamsOf(sweep));
}

/** How many blocks are made ahead for each stream; null where even the fewest take more memory than a check may. */
export function blockSlots(streams: number, blockBytes: number): number | null {
  return slotsOfStream.find((slots) => streams * (slots + 1) * blockBytes <= limits.checkBufferBytes) ?? null;
}

/** Why streams and blocks without `blockSlots` are refused, in words. */
export function tooMuchMemory(streams: number, blockBytes: number): string {
  return `${streams} streams with blocks of ${blockBytes} bytes take too much memory`;
}
