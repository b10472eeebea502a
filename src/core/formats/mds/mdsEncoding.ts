/**
 * How MosaicML Streaming encodes values (streaming/base/format/mds/encodings.py). Arrays: `ndarray[:dtype[:shape]]`; without a dtype
 * its code comes first (u8), without a shape a byte `dimensions << 2 | log2(width)` and the dimensions, each of that width.
 */
import { numpyDtype } from '../numpy/npyHeader.js';
import { bytesOfElements } from '../../tensors/dtype.js';

export interface MdsArray {
  /** Our name of the dtype; null where each value states its own. */
  dtype: string | null;
  /** Null where each value states its own. */
  shape: number[] | null;
}

const dtypes: Record<string, string> = {
  uint8: 'u8',
  int8: 'i8',
  uint16: 'u16',
  int16: 'i16',
  uint32: 'u32',
  int32: 'i32',
  uint64: 'u64',
  int64: 'i64',
  float16: 'f16',
  float32: 'f32',
  float64: 'f64',
};

const dtypeCodes: Record<number, string> = {
  8: 'u8',
  9: 'i8',
  16: 'u16',
  17: 'i16',
  18: 'f16',
  32: 'u32',
  33: 'i32',
  34: 'f32',
  64: 'u64',
  65: 'i64',
  66: 'f64',
};

/** Our name of a scalar's dtype (`int` is int64); undefined for what is no number of a fixed width. */
export function mdsScalar(encoding: string): string | undefined {
  return encoding === 'int' ? 'i64' : Object.hasOwn(dtypes, encoding) ? dtypes[encoding] : undefined;
}

/** What `ndarray:...` says; undefined for other encodings, and for a dtype or shape that no writer gives. */
export function mdsArray(encoding: string): MdsArray | undefined {
  const [kind, dtypeName, shapeText, ...more] = encoding.split(':');
  if (kind !== 'ndarray' || more.length > 0) return undefined;
  if (dtypeName === undefined) return { dtype: null, shape: null };
  if (!Object.hasOwn(dtypes, dtypeName)) return undefined;
  const dtype = dtypes[dtypeName] ?? numpyDtype(dtypeName);
  if (shapeText === undefined) return { dtype, shape: null };
  const shape = shapeText.split(',').map(Number);
  const elements = shape.reduce((product, size) => product * size, 1);
  return shape.every((size) => Number.isInteger(size) && size > 0) && Number.isSafeInteger(elements)
    ? { dtype, shape }
    : undefined;
}

/** dtype and number of dimensions of an array that states them itself, from its first bytes; undefined where they cannot be. */
export function beginningOfArray(array: MdsArray, bytes: Uint8Array): { dtype: string; dimensions: number } | undefined {
  const dtype = array.dtype ?? dtypeCodes[bytes[0] ?? -1];
  const shapeByte = bytes[array.dtype === null ? 1 : 0];
  const dimensions = array.shape?.length ?? (shapeByte === undefined ? 0 : shapeByte >> 2);
  return dtype === undefined || dimensions === 0 ? undefined : { dtype, dimensions };
}

/** Values up to which a dimension takes 1, 2, 4 or 8 bytes: the narrowest that holds the largest is taken. */
const widths: readonly (readonly [bytes: number, below: number])[] = [
  [1, 2 ** 8],
  [2, 2 ** 16],
  [4, 2 ** 32],
  [8, Infinity],
];

/**
 * Elements of an array that takes `sizeBytes` with what it states itself. Of one dimension the width of its length follows from
 * the size; undefined where no width fits.
 */
export function elementsOfArray(array: MdsArray, dtype: string, dimensions: number, sizeBytes: number): number | undefined {
  const itemBytes = bytesOfElements(dtype, 1) ?? 1;
  const ownBytes = array.dtype === null ? 1 : 0;
  if (array.shape !== null) return (sizeBytes - ownBytes) / itemBytes;
  let atLeast = 0;
  for (const [width, below] of widths) {
    const elements = (sizeBytes - ownBytes - 1 - dimensions * width) / itemBytes;
    const fits = dimensions > 1 ? elements >= 0 : elements >= atLeast && elements < below;
    if (Number.isInteger(elements) && fits) return elements;
    atLeast = below;
  }
  return undefined;
}

/** Fewest and most elements of `count` arrays that take `sizeBytes` together. */
export function elementsBetween(
  array: MdsArray,
  dtype: string,
  dimensions: number,
  sizeBytes: number,
  count: number,
): [number, number] {
  const itemBytes = bytesOfElements(dtype, 1) ?? 1;
  const ownBytes = array.dtype === null ? 1 : 0;
  const most = (sizeBytes - count * (ownBytes + 1 + dimensions)) / itemBytes;
  const fewest = (sizeBytes - count * (ownBytes + 1 + 4 * dimensions)) / itemBytes;
  return [Math.max(0, Math.ceil(fewest)), Math.max(0, Math.floor(most))];
}
