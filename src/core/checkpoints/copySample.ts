/**
 * Which tensors of two files with the same names are compared, and where. Half of the budget goes to the largest, which hold most of the
 * bytes; the other half to tensors of all sizes, as a model that was trained on may differ in its norms or biases alone.
 */
import { limits } from '../bytes/limits.js';
import { evenly, type SampledPlaces } from '../bytes/sampledBytes.js';

/** The same tensor in both files, as rows of the table. */
export type CopiedRows = readonly [row: number, copy: number];

/** A tensor that is compared, and the offsets in its data at which `length` bytes are. */
export interface SampledCopy extends SampledPlaces {
  rows: CopiedRows;
}

/** Bytes of one of the largest tensors that are compared at each of its places. */
const LARGE_WINDOW_BYTES = 16 * 1024;
const LARGE_PLACES = 3;

/** Bytes of any other tensor: whole norms of most models. */
const SPREAD_WINDOW_BYTES = 4 * 1024;

/**
 * The sample of a pair of files, which takes at most `limits.copyBytes` of both together.
 * @param bytesOf size of what is stored of a tensor, in bytes, by its row
 */
export function sampleCopies(pairs: readonly CopiedRows[], bytesOf: (row: number) => number): SampledCopy[] {
  const half = limits.copyBytes / 2;
  const bySize = pairs.map((rows) => ({ rows, bytes: bytesOf(rows[0]) })).sort((a, b) => b.bytes - a.bytes);
  const large = Math.floor(half / (2 * LARGE_PLACES * LARGE_WINDOW_BYTES));
  const spread = evenly(bySize.slice(large), Math.floor(half / (2 * SPREAD_WINDOW_BYTES)));
  return [
    ...bySize.slice(0, large).map(({ rows, bytes }) => ({ rows, ...beginningMiddleEnd(bytes) })),
    ...spread.map(({ rows, bytes }) => ({ rows, ...middle(bytes) })),
  ];
}

/** A short tensor as a whole. */
function beginningMiddleEnd(bytes: number): SampledPlaces {
  const length = Math.min(LARGE_WINDOW_BYTES, bytes);
  return { length, offsets: [...new Set([0, Math.floor((bytes - length) / 2), bytes - length])] };
}

function middle(bytes: number): SampledPlaces {
  const length = Math.min(SPREAD_WINDOW_BYTES, bytes);
  return { length, offsets: [Math.floor((bytes - length) / 2)] };
}
