/**
 * NumPy's .npy: magic `\x93NUMPY`, version, header length (u16 in version 1, u32 in 2 and 3), a Python dict literal, the data.
 * numpy/lib/format.py.
 */
import type { ByteSource } from '../bytes/byteSource.js';
import { elementCount } from '../bytes/checkedInteger.js';
import { FormatError } from '../bytes/formatError.js';
import { limits } from '../bytes/limits.js';
import { decodeLatin1 } from '../bytes/text.js';
import { bytesOfElements } from '../tensors/dtype.js';
import type { FileSink } from './fileSink.js';

const PREFIX_BYTES = 12;
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
  return Object.hasOwn(kinds, kind) ? (kinds[kind] as string) : kind.toLowerCase();
}

export function isNpy(head: Uint8Array): boolean {
  return head[0] === 0x93 && decodeLatin1(head, 1, 6) === 'NUMPY';
}

/**
 * Lists the array as one tensor named after the file.
 * @throws FormatError `not-this-format`, `truncated` or `corrupt`
 */
export async function readNpy(source: ByteSource, sink: FileSink): Promise<void> {
  const prefix = await source.read(0, Math.min(PREFIX_BYTES, source.sizeBytes), sink.signal);
  if (!isNpy(prefix)) throw new FormatError('not-this-format', 'no NumPy magic', { offset: 0 });
  if (prefix.byteLength < PREFIX_BYTES)
    throw new FormatError('truncated', 'the file ends in its header', { offset: source.sizeBytes });
  const isFirstVersion = prefix[6] === 1;
  const view = new DataView(prefix.buffer, prefix.byteOffset, prefix.byteLength);
  const headerOffset = isFirstVersion ? 10 : 12;
  const headerBytes = isFirstVersion ? view.getUint16(8, true) : view.getUint32(8, true);
  if (headerBytes > MAX_HEADER_BYTES)
    throw new FormatError('limit-exceeded', `the header takes ${headerBytes} bytes`, { offset: 8 });
  if (headerOffset + headerBytes > source.sizeBytes)
    throw new FormatError('truncated', 'the file ends in its header', { offset: source.sizeBytes });
  const header = decodeLatin1(await source.read(headerOffset, headerBytes, sink.signal));
  await sink.turn();
  list(header, headerOffset + headerBytes, source.sizeBytes, sink);
}

function list(header: string, dataOffset: number, fileBytes: number, sink: FileSink): void {
  const descr = /'descr'\s*:\s*'([<>|=]?[a-zA-Z]\d*)'/.exec(header);
  const shape = /'shape'\s*:\s*\(([\d\s,]*)\)/.exec(header);
  if (shape === null) throw new FormatError('corrupt', 'the header has no shape', { offset: 10 });
  const sizes = (shape[1] ?? '')
    .split(',')
    .filter((part) => part.trim() !== '')
    .map(Number)
    .slice(0, limits.tensorRank);
  const dtype = numpyDtype(descr?.[1] ?? 'structured');
  const wanted = bytesOfElements(dtype, elementCount(sizes) ?? 0);
  const present = fileBytes - dataOffset;
  const name = sink.path.slice(sink.path.lastIndexOf('/') + 1).replace(/\.npy$/, '');
  sink.tensor({
    keyPath: [name],
    dtype,
    shape: sizes,
    bytes: wanted ?? present,
    pieces: [{ offset: dataOffset, bytes: wanted ?? present }],
  });
  if (wanted === undefined) return;
  if (wanted > present) {
    sink.finding({
      code: 'file-truncated',
      offset: fileBytes,
      facts: { expectedBytes: dataOffset + wanted, bytes: fileBytes, tensors: 1 },
    });
  } else if (wanted < present) {
    sink.unexplained(dataOffset + wanted, present - wanted);
    sink.finding({
      code: 'file-too-long',
      offset: dataOffset + wanted,
      facts: { expectedBytes: dataOffset + wanted, bytes: fileBytes },
    });
  }
}
