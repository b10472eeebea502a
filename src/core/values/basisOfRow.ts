import type { TensorTable } from '../tensors/tensorTable.js';
import { floatScaleRow, type FindRow } from './scaled/scaling.js';
import { basisOf, type ValueBasis } from './accumulatorOf.js';
import { isPackedName } from './usualValues.js';

/**
 * What is stored of a row. Integers with the name of a weight are codes of it: their scales are elsewhere, or of a form that is not known.
 * Floats of 8 bits with scales beside them are codes as well.
 */
export function basisOfRow(table: TensorTable, row: number, find: FindRow): ValueBasis {
  const dtype = table.dtypeOf(row);
  if (floatScaleRow(table, row, find) !== -1) return 'codes';
  const isCode = table.componentOf(row) === 'weights' && /^[iu]\d+$/.test(dtype) && isPackedName(table.nameOf(row));
  return isCode ? 'codes' : (basisOf(dtype) ?? 'codes');
}
