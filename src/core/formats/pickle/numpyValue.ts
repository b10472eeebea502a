/** NumPy arrays and scalars in pickles (numpy/core/src/multiarray/methods.c, array_reduce; numpy 2 says `numpy._core`). */
import { decodeLatin1 } from '../../bytes/text.js';
import { argumentsOf, floatText, itemsOf, numbersOf } from './pickleAccess.js';
import { calleeName, PickleBytes, PickleCall, type PickleValue } from './pickleValue.js';

export interface NumpyArray {
  dtype: string;
  shape: number[];
}

const reconstructNames = new Set([
  'numpy.core.multiarray._reconstruct',
  'numpy._core.multiarray._reconstruct',
  'numpy._core.numeric._frombuffer',
  'numpy.core.numeric._frombuffer',
]);
const scalarNames = new Set(['numpy.core.multiarray.scalar', 'numpy._core.multiarray.scalar']);

/** The array that a value stands for; its data stay in the pickle. */
export function numpyArrayOf(value: PickleValue): NumpyArray | undefined {
  const name = calleeName(value);
  if (!(value instanceof PickleCall) || name === undefined || !reconstructNames.has(name)) return undefined;
  if (name.endsWith('_frombuffer')) {
    const [, dtype, shape] = argumentsOf(value);
    return { dtype: dtypeText(dtype), shape: numbersOf(shape) ?? [] };
  }
  const [, shape, dtype] = itemsOf(value.state) ?? [];
  return { dtype: dtypeText(dtype), shape: numbersOf(shape) ?? [] };
}

/** A NumPy scalar as text, e.g. `0.001`; undefined for anything else. */
export function numpyScalarText(value: PickleValue): string | undefined {
  const name = calleeName(value);
  if (!(value instanceof PickleCall) || name === undefined || !scalarNames.has(name)) return undefined;
  const [dtype, data] = argumentsOf(value);
  const bytes = bytesOf(data);
  return bytes === undefined ? dtypeText(dtype) : scalarText(dtypeText(dtype), bytes);
}

/** Bytes of a value: bytes as such, or protocol 2's `_codecs.encode(text, 'latin1')`. */
export function bytesOf(value: PickleValue | undefined): Uint8Array | undefined {
  if (value instanceof PickleBytes) return value.bytes;
  if (!(value instanceof PickleCall) || calleeName(value) !== '_codecs.encode') return undefined;
  const [text] = argumentsOf(value);
  return typeof text === 'string' ? Uint8Array.from(text, (character) => character.charCodeAt(0) & 0xff) : undefined;
}

/** `numpy.dtype('f8', False, True)` as `f8`. */
function dtypeText(value: PickleValue | undefined): string {
  const [name] = value instanceof PickleCall ? argumentsOf(value) : [];
  return typeof name === 'string' ? name : 'object';
}

function scalarText(dtype: string, bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = Number(dtype.slice(1));
  if (bytes.byteLength < size || size === 0) return dtype;
  switch (dtype) {
    case 'f8':
      return floatText(view.getFloat64(0, true));
    case 'f4':
      return floatText(Number(view.getFloat32(0, true).toPrecision(7)));
    case 'i8':
      return String(view.getBigInt64(0, true));
    case 'u8':
      return String(view.getBigUint64(0, true));
    case 'i4':
      return String(view.getInt32(0, true));
    case 'u4':
      return String(view.getUint32(0, true));
    case 'i2':
      return String(view.getInt16(0, true));
    case 'u2':
      return String(view.getUint16(0, true));
    case 'i1':
      return String(view.getInt8(0));
    case 'u1':
      return String(view.getUint8(0));
    case 'b1':
      return view.getUint8(0) === 0 ? 'False' : 'True';
    default:
      return dtype.startsWith('S') ? decodeLatin1(bytes) : dtype;
  }
}
