/** Slices of the panel's sample, as the worker answers them: values of a formula, with one NaN in the first matrix. */
import { heatMap, type HeatMap } from '../../src/core/pages/values/heatMap.js';
import { sliceGrid, type SliceGrid } from '../../src/core/pages/values/sliceGrid.js';
import type { Slice } from '../../src/core/values/slice/readSlice.js';
import type { SliceAxis } from '../../src/core/values/slice/sliceAxes.js';

/** A wave, in the precision of f32. */
function valueAt(row: number, column: number): number {
  if (row === 17 && column === 2044) return NaN;
  if (row === 32 && column === 2048) return -Infinity;
  return Math.fround(0.03 * Math.sin(row / 300) * Math.cos((column * (1 + row / 4096)) / 200) + 0.01 * Math.sin(row * column));
}

function sliceOf(rows: SliceAxis, columns: SliceAxis): Slice {
  const numbers = Float64Array.from({ length: rows.count * columns.count }, (_, at) =>
    valueAt(rows.start + Math.floor(at / columns.count) * rows.step, columns.start + (at % columns.count) * columns.step),
  );
  return { numbers, digits: new Map(), parts: 1, isScaled: false, reads: 1, bytesRead: numbers.length * 2 };
}

/** Of a tensor of one or two axes. */
export function sampleGrid(
  shape: readonly number[],
  { index, rows, columns }: { index: readonly number[]; rows: number; columns: number },
): SliceGrid {
  const axis = (at: number, count: number): SliceAxis => {
    const start = index[at] ?? 0;
    return { start, count: Math.min(count, (shape[at] ?? 1) - start), step: 1 };
  };
  const [down, across] = [axis(0, rows), axis(1, columns)];
  return sliceGrid(sliceOf(down, across), [down, across], 'bf16', 'values');
}

/** Of a tensor of two axes. */
export function sampleHeatMap([rows = 1, columns = 1]: readonly number[]): HeatMap {
  const axis = (size: number): SliceAxis => {
    const step = Math.ceil(size / 128);
    return { start: 0, count: Math.ceil(size / step), step };
  };
  return heatMap(sliceOf(axis(rows), axis(columns)), [axis(rows), axis(columns)], [rows, columns], 'bf16');
}
