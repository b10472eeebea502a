/**
 * NumPy's .npy: magic `\x93NUMPY`, version, header length (u16 in version 1, u32 in 2 and 3), a Python dict literal, the data.
 * numpy/lib/format.py.
 */
import { elementCount } from '../../bytes/checkedInteger.js';
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { decodeLatin1 } from '../../bytes/text.js';

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

export function isNpy(head: Uint8Array): boolean {
  return decodeLatin1(head, 0, Math.min(magic.length, head.byteLength)) === magic;
}

/** What the header of an array says. */
export interface NpyHeader {
  dtype: string;
  isBigEndian: boolean;
  /** True for an array of Python objects, whose data are a pickle. */
  isObject: boolean;
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

/** What `numpy.load` refuses is refused: other keys, a dtype that is none, a shape of other things than sizes (numpy/lib/format.py). */
function parseText(text: string): Omit<NpyHeader, 'headerBytes'> {
  const fail = (detail: string): never => {
    throw new FormatError('corrupt', detail, { offset: TEXT_OFFSET });
  };
  const descr = /['"]descr['"]\s*:\s*(?:['"]([^'"]*)['"]|[[(])/.exec(text);
  if (descr === null) return fail('the header has no dtype');
  if (!/['"]fortran_order['"]\s*:\s*(True|False)\b/.test(text)) return fail('the header has no order of axes');
  const sizes = /['"]shape['"]\s*:\s*\(([^)]*)\)/.exec(text)?.[1];
  if (sizes === undefined) return fail('the header has no shape');
  const shape = shapeOf(sizes) ?? fail(`(${sizes.slice(0, 80)}) is no shape`);
  if (shape.length > limits.tensorRank)
    throw new FormatError('limit-exceeded', `an array of ${shape.length} dimensions`, { offset: TEXT_OFFSET });
  const elements = elementCount(shape) ?? fail(`(${sizes.slice(0, 80)}) has more elements than any file`);
  const type = descr[1];
  if (type !== undefined && !isNumpyType(type)) return fail(`'${type.slice(0, 40)}' is no dtype of NumPy`);
  const dataBytes = type === undefined ? undefined : dataBytesOf(type, elements);
  if (dataBytes !== undefined && !Number.isSafeInteger(dataBytes))
    return fail(`${elements} elements take more than any file has`);
  return {
    dtype: type === undefined ? 'structured' : numpyDtype(type),
    isBigEndian: type?.startsWith('>') === true,
    isObject: isObjectArray(text),
    shape,
    dataBytes,
  };
}

/** Where the text begins in version 1. */
const TEXT_OFFSET = 10;

/** Sizes with commas between them; Python 2 ended them with `L`. Undefined for anything else. */
function shapeOf(text: string): number[] | undefined {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.at(-1) === '') parts.pop();
  const isShape = parts.every((part) => /^\d{1,16}L?$/.test(part));
  const shape = parts.map((part) => Number.parseInt(part, 10));
  return isShape && shape.every((size) => Number.isSafeInteger(size)) ? shape : undefined;
}

/** Widths in bytes by kind: `longdouble` takes 12 or 16. Of texts and records any; `V1` and `V2` are what ml_dtypes are written as. */
const typeWidths: Readonly<Record<string, readonly number[]>> = {
  b: [1],
  i: [1, 2, 4, 8],
  u: [1, 2, 4, 8],
  f: [1, 2, 4, 8, 12, 16],
  c: [8, 16, 24, 32],
  M: [8],
  m: [8],
};

/** numpy.dtype.str: byte order, kind, width, and the unit of times. */
function isNumpyType(type: string): boolean {
  if (/^\|?O8?$/.test(type) || /^[<>|=]?[SUVa]\d{0,9}$/.test(type)) return true;
  const [, kind = '', width = '', unit] = /^[<>|=]?([a-zA-Z])(\d{1,2})(\[[\w/]{1,20}\])?$/.exec(type) ?? [];
  const isTime = kind === 'M' || kind === 'm';
  return Object.hasOwn(typeWidths, kind) && typeWidths[kind]?.includes(Number(width)) === true && (isTime || unit === undefined);
}

/** Bytes of the data of a type that `isNumpyType` knows; undefined for pickled objects. Characters of `U` take four bytes each. */
function dataBytesOf(type: string, elements: number): number | undefined {
  const [, kind = '', width = ''] = /^[<>|=]?([a-zA-Z])(\d*)/.exec(type) ?? [];
  return kind === 'O' ? undefined : elements * Number(width) * (kind === 'U' ? 4 : 1);
}

/** A dtype with a field of objects is pickled whole (numpy/lib/format.py, write_array: `dtype.hasobject`). */
function isObjectArray(text: string): boolean {
  const descr = text.slice(text.indexOf("'descr'"), text.indexOf("'shape'", text.indexOf("'descr'")));
  return /'[<>|=]?O\d*'/.test(descr.length === 0 ? text : descr);
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
