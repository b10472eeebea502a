import type { TensorTable } from './tensorTable.js';

/** Whether two rows have the same dtype and shape. */
export function sameForm(table: TensorTable, row: number, other: number): boolean {
  if (table.dtypeOf(row) !== table.dtypeOf(other)) return false;
  const [shape, otherShape] = [table.shapeOf(row), table.shapeOf(other)];
  return shape.length === otherShape.length && shape.every((size, index) => size === otherShape[index]);
}
