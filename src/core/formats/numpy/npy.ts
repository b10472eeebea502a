/**
 * NumPy's .npy: magic `\x93NUMPY`, version, header length (u16 in version 1, u32 in 2 and 3), a Python dict literal, the data.
 * numpy/lib/format.py.
 */
import type { ByteSource } from '../../bytes/byteSource.js';
import { elementCount } from '../../bytes/checkedInteger.js';
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { decodeLatin1 } from '../../bytes/text.js';
import { bytesOfElements } from '../../tensors/dtype.js';
import type { FileSink } from '../sink/fileSink.js';

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
  shape: number[];
  /** Magic to padding: where the data begin. */
  headerBytes: number;
  /** Bytes of the data; undefined for a dtype that is not known, such as a structured one. */
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
  const textBytes = isFirstVersion ? view.getUint16(8, true) : view.getUint32(8, true);
  if (textBytes > MAX_HEADER_BYTES) throw new FormatError('limit-exceeded', `the header takes ${textBytes} bytes`, { offset: 8 });
  const headerBytes = textOffset + textBytes;
  if (headerBytes > bytes.byteLength) return undefined;
  return { ...parseText(decodeLatin1(bytes, textOffset, headerBytes)), headerBytes };
}

function parseText(text: string): Omit<NpyHeader, 'headerBytes'> {
  const descr = /'descr'\s*:\s*'([<>|=]?[a-zA-Z]\d*)'/.exec(text);
  const sizes = /'shape'\s*:\s*\(([\d\s,]*)\)/.exec(text)?.[1];
  if (sizes === undefined) throw new FormatError('corrupt', 'the header has no shape', { offset: 10 });
  const shape = sizes
    .split(',')
    .filter((part) => part.trim() !== '')
    .map(Number)
    .slice(0, limits.tensorRank);
  const dtype = numpyDtype(descr?.[1] ?? 'structured');
  return {
    dtype,
    isBigEndian: descr?.[1]?.startsWith('>') === true,
    shape,
    dataBytes: dtype === 'string' ? textBytes(descr?.[1] ?? '', shape) : bytesOfElements(dtype, elementCount(shape) ?? 0),
  };
}

/** Texts take the same number of bytes each: four a character in `U`, one in `S`. */
function textBytes(descr: string, shape: readonly number[]): number | undefined {
  const [, kind, length] = /([USa])(\d{1,9})$/.exec(descr) ?? [];
  const elements = elementCount(shape);
  if (length === undefined || elements === undefined) return undefined;
  const bytes = elements * Number(length) * (kind === 'U' ? 4 : 1);
  return Number.isSafeInteger(bytes) ? bytes : undefined;
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

/**
 * Lists the array as one tensor named after the file.
 * @throws FormatError `not-this-format`, `truncated`, `corrupt` or `limit-exceeded`
 */
export async function readNpy(source: ByteSource, sink: FileSink): Promise<string> {
  const { sizeBytes } = source;
  const header = await readNpyHeader((length) => source.read(0, Math.min(length, sizeBytes), sink.signal));
  await sink.turn();
  if (header === undefined) throw new FormatError('truncated', 'the file ends in its header', { offset: sizeBytes });
  const { dtype, shape, headerBytes, dataBytes } = header;
  const present = sizeBytes - headerBytes;
  const bytes = dataBytes ?? present;
  const name = sink.path.slice(sink.path.lastIndexOf('/') + 1).replace(/\.npy$/, '');
  sink.tensor({ keyPath: [name], dtype, shape, bytes, pieces: [{ offset: headerBytes, bytes }] });
  const expectedBytes = headerBytes + bytes;
  if (bytes > present) {
    sink.finding({ code: 'file-truncated', offset: sizeBytes, facts: { expectedBytes, bytes: sizeBytes } });
  } else if (bytes < present) {
    sink.unexplained(expectedBytes, present - bytes);
    sink.finding({ code: 'file-too-long', offset: expectedBytes, facts: { expectedBytes, bytes: sizeBytes } });
  }
  return 'npy';
}
