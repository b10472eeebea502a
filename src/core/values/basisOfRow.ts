import type { TensorTable } from '../tensors/tensorTable.js';
import { basisOf, type ValueBasis } from './accumulatorOf.js';
import { isPackedName } from './usualValues.js';

/** Integers with the name of a weight are codes of it: their scales are elsewhere, or of a form that is not known. */
export function basisOfRow(table: TensorTable, row: number): ValueBasis {
  const dtype = table.dtypeOf(row);
  const isCode = table.componentOf(row) === 'weights' && /^[iu]\d+$/.test(dtype) && isPackedName(table.nameOf(row));
  return isCode ? 'codes' : (basisOf(dtype) ?? 'codes');
}
