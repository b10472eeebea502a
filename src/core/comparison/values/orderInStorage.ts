import type { TensorTable } from '../../tensors/tensorTable.js';
import type { ValueExtent } from '../../values/valueExtent.js';

/** Elements one after the other, the last axis fastest. */
export const usual = 'rows';

/**
 * In which order the values of a row are read, as a key: of two rows of one shape with equal keys the n-th value of one is the n-th of the other. Parts of
 * which only the sizes are known are in one order where these are the same, as one layout lists them in one order.
 * @param bits of an element
 */
export function orderInStorage(
  table: TensorTable,
  row: number,
  extents: readonly ValueExtent[],
  layout: string,
  bits: number | undefined,
): string {
  const { strides, packing, arePiecesInOrder } = table.extraOf(row) ?? {};
  const shape = table.shapeOf(row);
  if (packing?.chunks !== undefined && extents.length > 1) return `chunks of ${packing.chunks.shape.join()} by ${layout}`;
  if (strides !== undefined && !areUsual(shape, strides)) return `strides ${strides.join()}`;
  const pieces = table.endPieceOf(row) - table.firstPieceOf(row);
  if (strides !== undefined || extents.length < 2 || pieces < 2 || arePiecesInOrder === true) return usual;
  return `parts of ${extents.map(({ bytes }) => (bytes * 8) / (bits ?? 8)).join()} by ${layout}`;
}

/** Whether the places in the storage rise with the elements. */
function areUsual(shape: readonly number[], strides: readonly number[]): boolean {
  const own = strides.filter((_, axis) => (shape[axis] ?? 0) > 1);
  return own.every((stride, at) => stride > 0 && (at === 0 || stride <= (own[at - 1] as number)));
}
