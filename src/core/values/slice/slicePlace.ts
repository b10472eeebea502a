/** Where single elements of a tensor are, by their index. */
import { bitsOfDtype, bytesOfElements } from '../../tensors/dtype.js';
import type { TensorTable } from '../../tensors/tensorTable.js';
import { basisOf } from '../accumulatorOf.js';
import { scalingOf, type FindRow, type Scaling } from '../scaled/scaling.js';
import { piecesOf, sizeProblem, type NotReadCode } from '../storedPlace.js';
import { usualStrides } from '../viewRuns.js';

/** A tensor in one stretch of one file. */
export interface SlicePlace {
  dtype: string;
  isBigEndian: boolean;
  shape: number[];
  /** In elements of the storage, as is `first`. */
  strides: number[];
  /** The element that index 0 of all axes leads to. */
  first: number;
  path: string;
  /** Of the storage. */
  offset: number;
  bytes: number;
  /** Of packed values whose scales are beside them. */
  scaling?: Scaling;
}

/** Why elements have no known places: `empty` where there is none, `parts` for those whose order is not known. */
export interface NoPlace {
  code: NotReadCode | 'empty' | 'parts';
  detail: string;
}

/** The place of a row with elements, or why it has none. */
export function slicePlace(
  table: TensorTable,
  files: readonly { path: string }[],
  row: number,
  find: FindRow,
): SlicePlace | NoPlace {
  const dtype = table.dtypeOf(row);
  const shape = table.shapeOf(row);
  const { strides, storageOffset = 0, isBigEndian = false, isEncoded, inner } = table.extraOf(row) ?? {};
  if (table.elementsOf(row) === 0) return { code: 'empty', detail: '' };
  const wanted = bytesOfElements(dtype, table.elementsOf(row)) ?? 0;
  const none = problemOf(table, row, wanted);
  if (none !== null) return none;
  if (isEncoded === true) return { code: 'encoded', detail: '' };
  const pieces = piecesOf(table, files, row);
  if (pieces === undefined) return { code: 'chunks', detail: '' };
  const [piece, ...others] = pieces;
  if (piece === undefined) return { code: 'no-file', detail: '' };
  const sum = pieces.reduce((bytes, each) => bytes + each.bytes, 0);
  const areParts = others.some(({ bytes }) => bytes !== piece.bytes) || sum <= wanted;
  if (others.length > 0 && areParts) return { code: 'parts', detail: `${pieces.length} parts` };
  if ((inner?.length ?? 0) > 0) return { code: 'parts', detail: '' };
  const own = strides ?? usualStrides(shape);
  const isPlain = strides === undefined && storageOffset === 0;
  const isBlock = bitsOfDtype(dtype) === undefined;
  if (!isPlain && isBlock) return { code: 'scattered', detail: '' };
  const end = isPlain ? wanted : endOf(shape, own, storageOffset, dtype);
  if (end === undefined) return { code: 'overlapping', detail: '' };
  if (end > piece.bytes) return sizeProblem(piece.bytes, end);
  const { path, offset, bytes } = piece;
  const scaling = others.length === 0 ? scalingOf(table, files, row, find) : undefined;
  return { dtype, isBigEndian, shape, strides: own, first: storageOffset, path, offset, bytes, ...(scaling && { scaling }) };
}

function problemOf(table: TensorTable, row: number, wanted: number): NoPlace | null {
  const dtype = table.dtypeOf(row);
  const { isBigEndian = false, inner, wrapper } = table.extraOf(row) ?? {};
  if (basisOf(dtype, isBigEndian) === undefined) return { code: 'dtype', detail: isBigEndian ? `${dtype}, big-endian` : dtype };
  if (inner !== undefined && (inner.length > 1 || (inner.length === 1 && inner[0]?.dtype !== dtype)))
    return { code: 'wrapper', detail: wrapper ?? '' };
  return wanted === table.bytesOf(row) ? null : sizeProblem(table.bytesOf(row), wanted);
}

/** Bytes of the storage up to the last element of a view; undefined for strides that lead to nowhere. */
function endOf(shape: readonly number[], strides: readonly number[], first: number, dtype: string): number | undefined {
  const areWhole = [first, ...strides].every((value) => Number.isSafeInteger(value) && value >= 0);
  if (!areWhole || strides.length !== shape.length) return undefined;
  const last = shape.reduce((place, size, axis) => place + Math.max(0, size - 1) * (strides[axis] ?? 0), first);
  return ((last + 1) * (bitsOfDtype(dtype) ?? 8)) / 8;
}
