import type { TensorTable } from '../tensors/tensorTable.js';
import { rowFinder } from '../values/scaled/rowFinder.js';
import { floatScaleRow } from '../values/scaled/scaling.js';

/**
 * Rows without those that have the scales of floats of 8 bits: they belong to a tensor that the other side has in another type.
 * @param rows of one side alone
 * @param matched rows of the same side that the other one has as well
 */
export function withoutScales(table: TensorTable, rows: Uint32Array, matched: Uint32Array): Uint32Array {
  if (rows.length === 0) return rows;
  const find = rowFinder(table);
  const scales = new Set<number>();
  for (const row of matched) if (table.dtypeOf(row).startsWith('f8_')) scales.add(floatScaleRow(table, row, find));
  return scales.size === 0 ? rows : rows.filter((row) => !scales.has(row));
}
