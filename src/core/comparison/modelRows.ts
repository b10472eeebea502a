/** Which rows of an inspection are the tensors of the model. */
import { FlatParameters } from '../tensors/flatParameters.js';
import type { TensorTable } from '../tensors/tensorTable.js';
import type { TensorForm } from './comparisonReport.js';

export interface ModelRows {
  table: TensorTable;
  rows: Uint32Array;
  /** Master weights stand in where there are no others. */
  of: 'weights' | 'masterWeights' | null;
  /** True where ranks keep shares of one flat tensor and nothing lists what is in it. */
  isFlat: boolean;
}

/** DeepSpeed's shares of the master weights, of all parameters in a row. */
const flatGroups = /(?:^|\.)(?:fp32_flat_groups|single_partition_of_fp32_groups)(?:\.\d+)?$/;

export function modelRows(table: TensorTable): ModelRows {
  const weights = rowsOf(table, 'weights');
  // Placeholders alone: the weights themselves are in flat shares.
  const isPlaceholder = (row: number): boolean => table.elementsOf(row) === 0 && wholeShapeOf(table, row) === undefined;
  if (weights.length > 0 && !weights.every(isPlaceholder)) {
    const isFlat = FlatParameters.of(table) !== undefined;
    return { table, rows: weights, of: 'weights', isFlat };
  }
  const masters = rowsOf(table, 'masterWeights');
  if (masters.length === 0) return { table, rows: weights, of: null, isFlat: false };
  const isFlat = masters.every((row) => flatGroups.test(table.nameOf(row)));
  return { table, rows: masters, of: 'masterWeights', isFlat };
}

function rowsOf(table: TensorTable, component: 'weights' | 'masterWeights'): Uint32Array {
  const rows = new Uint32Array(table.size);
  let count = 0;
  for (let row = 0; row < table.size; row++)
    if (table.componentOf(row) === component && table.extraOf(row)?.isShare !== true) rows[count++] = row;
  return rows.slice(0, count);
}

/** The shape of the tensor that a row is a placeholder of; undefined for any other. */
export function wholeShapeOf(table: TensorTable, row: number): readonly number[] | undefined {
  return table.extraOf(row)?.wholeShape;
}

export function wholeElementsOf(table: TensorTable, row: number): number {
  return (wholeShapeOf(table, row) ?? table.shapeOf(row)).reduce((product, size) => product * size, 1);
}

/** The type of its values, which a placeholder has another one than the shares of its tensor. */
export function storedDtypeOf(table: TensorTable, row: number): string {
  return table.extraOf(row)?.shares?.groups.dtype ?? table.dtypeOf(row);
}

export function formOf(table: TensorTable, row: number): TensorForm {
  return { dtype: table.dtypeOf(row), shape: [...(wholeShapeOf(table, row) ?? table.shapeOf(row))] };
}
