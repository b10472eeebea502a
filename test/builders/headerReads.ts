import type { ReadLog } from './memoryTree.js';

/** Bytes that are read at each place where zeros may be, at the edges of zeros (checkpoints/writtenZeros.ts), and where a pickle may begin. */
const placeBytes: ReadonlySet<number> = new Set([256, 64]);

/** What was read of files but for the places that are looked at for zeros and pickles. */
export function headerReads({ reads }: ReadLog): ReadLog['reads'] {
  return reads.filter(({ length }) => !placeBytes.has(length));
}

export function bytesOfReads(reads: ReadLog['reads']): number {
  return reads.reduce((sum, { length }) => sum + length, 0);
}
