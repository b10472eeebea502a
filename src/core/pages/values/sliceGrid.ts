/** A slice of a tensor as a grid of texts. */
import type { ValueBasis } from '../../values/accumulatorOf.js';
import type { Slice } from '../../values/slice/readSlice.js';
import type { SliceAxis } from '../../values/slice/sliceAxes.js';
import { cellText, isOdd } from './cellText.js';

/** A grid has at most so many: a screen of them. */
export const mostGridRows = 32;
export const mostGridColumns = 16;

export interface SliceGrid {
  /** Indices of the rows and columns. */
  rows: number[];
  columns: number[];
  cells: GridCell[][];
  basis: ValueBasis;
}

export interface GridCell {
  text: string;
  /** Whether it is NaN or infinite. */
  isOdd: boolean;
}

/** @param basis of what is stored */
export function sliceGrid(slice: Slice, [rows, columns]: [SliceAxis, SliceAxis], dtype: string, basis: ValueBasis): SliceGrid {
  const elementAt = (row: number, column: number): number[] => {
    const from = (row * columns.count + column) * slice.parts;
    return [...slice.numbers.subarray(from, from + slice.parts)];
  };
  const digitsAt = (row: number, column: number): string | undefined => slice.digits.get(row * columns.count + column);
  const own = slice.isScaled ? 'scaled' : dtype;
  return {
    rows: indicesOf(rows),
    columns: indicesOf(columns),
    cells: indicesOf({ ...rows, start: 0, step: 1 }).map((row) =>
      indicesOf({ ...columns, start: 0, step: 1 }).map((column) => {
        const numbers = elementAt(row, column);
        const exact = digitsAt(row, column);
        return { text: cellText(exact === undefined ? numbers : [exact], own), isOdd: isOdd(numbers) };
      }),
    ),
    basis: slice.isScaled ? 'values' : basis,
  };
}

function indicesOf({ start, count, step }: SliceAxis): number[] {
  return Array.from({ length: count }, (_, at) => start + at * step);
}
