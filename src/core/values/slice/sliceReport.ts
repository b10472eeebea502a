import type { ValueBasis } from '../accumulatorOf.js';
import type { ExactNumber } from '../valueSummary.js';
import type { Slice } from './readSlice.js';
import type { SliceAxis } from './sliceAxes.js';

/** Values of a part of one tensor, as `stowage values --slice` reports them. */
export interface SliceReport {
  kind: 'tensor-slice';
  schemaVersion: 2;
  path: string;
  tensor: string;
  dtype: string;
  shape: number[];
  basis: ValueBasis;
  /** Of each axis: its first index, how many, and the step from one to the next. */
  axes: SliceAxis[];
  /** Numbers of each element: two of complex numbers, and of stored bytes that hold a pair of values. */
  parts: 1 | 2;
  /** The last axis varies fastest. JSON has no NaN and no infinities: these are texts, as are digits of integers beyond 2^53. */
  values: ExactNumber[];
  bytesRead: number;
}

/** Numbers as JSON has them. */
export function jsonNumbers({ numbers, digits }: Slice): SliceReport['values'] {
  return Array.from(numbers, (value, at) => {
    const exact = digits.get(at);
    if (exact !== undefined) return exact;
    if (Number.isNaN(value)) return 'NaN';
    if (Number.isFinite(value)) return value;
    return value > 0 ? '+Inf' : '-Inf';
  });
}
