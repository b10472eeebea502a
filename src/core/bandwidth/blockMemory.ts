/** The memory that a check of a directory takes for its blocks: those made ahead for each stream, and one more to read into. */
import { limits } from '../bytes/limits.js';
import type { CheckShape } from './checkShape.js';

/** More keep a stream from waiting for its data; fewer than two would let it wait for each block. */
const slotsOfStream = [4, 2];

/** Streams that have a file to write. */
export function busyStreams({ streams, files }: Pick<CheckShape, 'streams' | 'files'>): number {
  return Math.max(1, Math.min(streams, files.length));
}

/** How many blocks are made ahead for each stream; null where even the fewest take more memory than a check may. */
export function blockSlots(shape: CheckShape): number | null {
  const streams = busyStreams(shape);
  return slotsOfStream.find((slots) => streams * (slots + 1) * shape.blockBytes <= limits.checkBufferBytes) ?? null;
}

/** Why a shape without `blockSlots` is refused, in words. */
export function tooMuchMemory(shape: CheckShape): string {
  return `${busyStreams(shape)} streams with blocks of ${shape.blockBytes} bytes take too much memory`;
}
