/**
 * NumPy's .npy: magic `\x93NUMPY`, version, header length (u16 in version 1, u32 in 2 and 3), a Python dict literal, the data.
 * numpy/lib/format.py.
 */
import { elementCount } from '../../bytes/checkedInteger.js';
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { decodeLatin1 } from '../../bytes/text.js';
import type { TensorExtra } from '../../tensors/tensorTable.js';
import { dataBytesOf, numpyTypeOf } from './numpyType.js';
import { parsePythonLiteral, type PythonLiteral } from './pythonLiteral.js';

const magic = '\x93NUMPY';
const PREFIX_BYTES = 12;
const USUAL_HEADER_BYTES = 256;
/** NumPy itself refuses header literals above 10,000 characters unless asked (max_header_size). */
const MAX_HEADER_BYTES = 64 * 1024;

const kinds: Record<string, string> = {
  f8: 'f64',
  f4: 'f32',
  f2: 'f16',
  i8: 'i64',
  i4: 'i32',
  i2: 'i16',
  i1: 'i8',
  u8: 'u64',
  u4: 'u32',
  u2: 'u16',
  u1: 'u8',
  b1: 'bool',
  c8: 'c64',
  c16: 'c128',
};

/** Our name of a NumPy type string such as `<f4` or `|b1`; the string itself for one that this version does not know. */
export function numpyDtype(descr: string): string {
  const kind = descr.replace(/^[<>|=]/, '');
  // Texts by their number of characters or bytes: `<U128` is no unsigned integer.
  if (/^[USa]\d*$/.test(kind)) return 'string';
  return Object.hasOwn(kinds, kind) ? (kinds[kind] as string) : kind.toLowerCase();
}

/** True for bytes that begin as an array. */
export function isNpy(head: Uint8Array): boolean {
  return decodeLatin1(head, 0, Math.min(magic.length, head.byteLength)) === magic;
}

/** What the header of an array says. */
export interface NpyHeader {
  dtype: string;
  isBigEndian: boolean;
  /** True where the first axis varies fastest. */
  isFortran: boolean;
  /** True for an array of Python objects, whose data are a pickle. */
  isObject: boolean;
  /** False for a header that NumPy would not write: what is behind it may be a pickle all the same. */
  isUsual: boolean;
  shape: number[];
  /** Magic to padding: where the data begin. */
  headerBytes: number;
  /** Bytes of the data; undefined for structured dtypes and pickled objects. */
  dataBytes: number | undefined;
}

/**
 * Parses the header at the beginning of `bytes`; undefined where they end before the header does.
 * @throws FormatError `not-this-format`, `corrupt` or `limit-exceeded`
 */
export function parseNpyHeader(bytes: Uint8Array): NpyHeader | undefined {
  if (!isNpy(bytes)) throw new FormatError('not-this-format', 'no NumPy magic', { offset: 0 });
  if (bytes.byteLength < PREFIX_BYTES) return undefined;
  const isFirstVersion = bytes[6] === 1;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const textOffset = isFirstVersion ? 10 : 12;
  const version = bytes[6] as number;
  if (version < 1 || version > 3) throw new FormatError('unsupported', `version ${version} of the format`, { offset: 6 });
  const textBytes = isFirstVersion ? view.getUint16(8, true) : view.getUint32(8, true);
  if (textBytes > MAX_HEADER_BYTES) throw new FormatError('limit-exceeded', `the header takes ${textBytes} bytes`, { offset: 8 });
  const headerBytes = textOffset + textBytes;
  if (headerBytes > bytes.byteLength) return undefined;
  return { ...parseText(decodeLatin1(bytes, textOffset, headerBytes)), headerBytes };
}

/** Where the data of an array begin by the lengths in front of its header; undefined where these are not there. */
export function npyDataOffset(head: Uint8Array): number | undefined {
  if (!isNpy(head) || head.byteLength < PREFIX_BYTES) return undefined;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  return head[6] === 1 ? 10 + view.getUint16(8, true) : 12 + view.getUint32(8, true);
}

/** What of an array's layout in memory is not usual. */
export function layoutOf({ isBigEndian, isFortran, shape }: NpyHeader): { extra?: TensorExtra } {
  const extra: TensorExtra = {
    ...(isBigEndian ? { isBigEndian } : {}),
    // Of one axis there is no other order.
    ...(isFortran && shape.length > 1 ? { strides: shape.map((_, axis) => elementCount(shape.slice(0, axis)) ?? 0) } : {}),
  };
  return Object.keys(extra).length === 0 ? {} : { extra };
}

/** What `numpy.load` refuses is refused: other keys, a dtype that is none, a shape of other things than sizes (numpy/lib/format.py). */
function parseText(text: string): Omit<NpyHeader, 'headerBytes'> {
  const fail = (detail: string): never => {
    throw new FormatError('corrupt', detail, { offset: TEXT_OFFSET });
  };
  const literal = parsePythonLiteral(text);
  const members = literal instanceof Map ? literal : fail('the header is no dict of Python');
  const descr = members.get('descr');
  if (descr === undefined) return fail('the header has no dtype');
  if (typeof members.get('fortran_order') !== 'boolean') return fail('the header has no order of axes');
  const sizes = members.get('shape');
  if (sizes === undefined) return fail('the header has no shape');
  if (members.size > 3) return fail('the header has more keys than three');
  const shape = shapeOf(sizes) ?? fail(`(${shownSizes(sizes)}) is no shape`);
  if (shape.length > limits.tensorRank)
    throw new FormatError('limit-exceeded', `an array of ${shape.length} dimensions`, { offset: TEXT_OFFSET });
  const elements = elementCount(shape) ?? fail(`(${shownSizes(sizes)}) has more elements than any file`);
  const { text: type, isObject, isKnown } = numpyTypeOf(descr);
  if (!isKnown) return fail(`'${String(type).slice(0, 40)}' is no dtype of NumPy`);
  const dataBytes = type === undefined ? undefined : dataBytesOf(type, elements);
  if (dataBytes !== undefined && !Number.isSafeInteger(dataBytes))
    return fail(`${elements} elements take more than any file has`);
  return {
    dtype: type === undefined ? 'structured' : numpyDtype(type),
    isBigEndian: type?.startsWith('>') === true,
    isFortran: members.get('fortran_order') === true,
    isObject,
    isUsual: usualText.test(text),
    shape,
    dataBytes,
  };
}

/** What NumPy itself writes: three keys in order, no escapes, padding. */
const usualText = /^\{'descr': [^\\#]*, 'fortran_order': (?:True|False), 'shape': \([\d, L]*\),? \} *\n?$/;

/** Where the text begins in version 1. */
const TEXT_OFFSET = 10;

function shapeOf(value: PythonLiteral): number[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const isSize = (size: PythonLiteral): size is number => Number.isSafeInteger(size) && (size as number) >= 0;
  return value.every(isSize) ? value : undefined;
}

function shownSizes(value: PythonLiteral): string {
  const items = Array.isArray(value) ? value.slice(0, 20) : [value];
  return items
    .map((item) => (typeof item === 'object' ? '…' : String(item)))
    .join(', ')
    .slice(0, 80);
}

/** The header of an array, of which `read` gives any number of bytes from its beginning; undefined where the array ends in it. */
export async function readNpyHeader(read: (length: number) => Promise<Uint8Array>): Promise<NpyHeader | undefined> {
  // numpy pads headers to 64 bytes; nearly all take 128.
  for (const length of [USUAL_HEADER_BYTES, MAX_HEADER_BYTES + PREFIX_BYTES]) {
    const bytes = await read(length);
    const header = parseNpyHeader(bytes);
    if (header !== undefined || bytes.byteLength < length) return header;
  }
  return undefined;
}
