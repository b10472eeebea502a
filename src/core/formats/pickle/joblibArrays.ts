/**
 * joblib.dump writes arrays into the middle of its pickle (joblib/numpy_pickle.py, NumpyArrayWrapper.write_array): behind the BUILD of
 * a wrapper with shape and dtype come
 *
 *   padding length u8 | padding | the raw data          (no padding before joblib 1.1)
 *
 * or, for arrays of objects, another pickle.
 */
import { elementCount } from '../../bytes/checkedInteger.js';
import { FormatError } from '../../bytes/formatError.js';
import { argumentsOf, member, numbersOf } from './pickleAccess.js';
import { calleeName, PickleCall, type PickleValue } from './pickleValue.js';

const wrapperName = 'joblib.numpy_pickle.NumpyArrayWrapper';

/** What lies behind the wrapper of an array. */
export type JoblibData = { kind: 'raw'; bytes: number } | { kind: 'pickle' };

/** Undefined for an object that is no wrapper. @param at where the wrapper ends in `pickle` */
export function joblibDataBehind(object: PickleValue, pickle: Uint8Array, at: number): JoblibData | undefined {
  if (calleeName(object) !== wrapperName) return undefined;
  const dtype = dtypeOf(member(object, 'dtype'));
  if (dtype === undefined || dtype.startsWith('O')) return { kind: 'pickle' };
  const bytes = (elementCount(numbersOf(member(object, 'shape')) ?? []) ?? Infinity) * widthOf(dtype);
  const padding = typeof member(object, 'numpy_array_alignment_bytes') === 'number' ? 1 + (pickle[at] ?? 0) : 0;
  if (!Number.isSafeInteger(bytes) || padding + bytes > pickle.byteLength - at)
    throw new FormatError('truncated', `an array of ${bytes} bytes goes past the end`, { offset: at });
  return { kind: 'raw', bytes: padding + bytes };
}

/** `numpy.dtype('f8', False, True)` as `f8`. */
function dtypeOf(value: PickleValue | undefined): string | undefined {
  const [name] = value instanceof PickleCall ? argumentsOf(value) : [];
  return typeof name === 'string' ? name : undefined;
}

/** Bytes of an element: the number in the name, which counts characters of four bytes in texts. */
function widthOf(dtype: string): number {
  return Number(/\d{1,9}$/.exec(dtype)?.[0] ?? NaN) * (dtype.startsWith('U') ? 4 : 1);
}
