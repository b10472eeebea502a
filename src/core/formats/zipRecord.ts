/**
 * The content of one record of a zip archive. It begins where the local header ends, wherever else there is room for it, and is compressed as the
 * directory says: this is how miniz and Python's zipfile read it.
 */
import type { ByteSource } from '../bytes/byteSource.js';
import type { StreamCodec } from '../bytes/chunkCodec.js';
import { FormatError } from '../bytes/formatError.js';
import { inflateBeginning } from '../bytes/inflate.js';
import { decompressLzmaOfZip } from '../bytes/lzma.js';
import { decodeText } from '../bytes/text.js';
import { unpack, type PackedFormat } from '../bytes/unpack.js';
import { BUDGET_USED_UP, type Unpacking } from '../bytes/unpackBudget.js';
import type { ZipEntry } from './zip.js';

const LOCAL = 0x04034b50;
const LOCAL_BYTES = 30;
/** What a local header seldom has more of, besides the name: torch pads to 64 bytes, zip64 sizes take 20. */
const EXTRA_BYTES = 128;
const MAX_FIELD_BYTES = 65_535;

const STORED = 0;
const DEFLATED = 8;
const BZIP2 = 12;
const LZMA = 14;
const ZSTD = 93;
const XZ = 95;

/** What one byte of DEFLATE unpacks to at most. */
const INFLATED_PER_BYTE = 1_032;
/** A block of bzip2 or Zstandard that does not shrink, with its tables. */
const BLOCK_BYTES = 1024 * 1024;

const packedFormats: Readonly<Record<number, PackedFormat>> = { [BZIP2]: 'bzip2', 20: 'zstd', [ZSTD]: 'zstd', [XZ]: 'xz' };

/** Methods by their names (APPNOTE 4.4.5), of those that are not stored. */
const methodNames: Readonly<Record<number, string>> = {
  1: 'Shrink',
  6: 'Implode',
  [DEFLATED]: 'Deflate',
  9: 'Deflate64',
  [BZIP2]: 'bzip2',
  [LZMA]: 'LZMA',
  20: 'Zstandard',
  [ZSTD]: 'Zstandard',
  [XZ]: 'xz',
  98: 'PPMd',
  99: 'encryption',
};

/** What a record is compressed with, in words. */
export function zipMethodName(method: number): string {
  return methodNames[method] ?? `method ${method}`;
}

/** True for a record whose bytes in the file are its content. */
export function isStored({ method }: ZipEntry): boolean {
  return method === STORED;
}

/** What undoes the compression of a record piece by piece; undefined for one that is stored, encrypted, or compressed otherwise. */
export function codecOfRecord({ method, isEncrypted }: ZipEntry): StreamCodec | undefined {
  if (isEncrypted) return undefined;
  if (method === DEFLATED) return 'deflate';
  return packedFormats[method] === 'zstd' ? 'zstd' : undefined;
}

/** True for a method that torch's reader has: none, or Deflate. */
export function isReadByTorch({ method }: ZipEntry): boolean {
  return method === STORED || method === DEFLATED;
}

/** The stored bytes of a record, compressed or not. */
export interface ZipRecord {
  dataOffset: number;
  /** Bytes that are there of what the directory declares. */
  storedBytes: number;
  /** How the local header contradicts the directory; undefined where they agree. */
  conflict: string | undefined;
  /** The first bytes, at most what is stored. */
  read(length: number): Promise<Uint8Array>;
}

/**
 * Finds a record by its local header, with one read that has its first bytes too.
 * @param nearBytes how many of them the caller is going to read first
 * @throws FormatError `corrupt` when the local header is none, `truncated`
 */
export async function openZipRecord(
  source: ByteSource,
  entry: ZipEntry,
  nearBytes: number,
  signal?: AbortSignal,
): Promise<ZipRecord> {
  const { headerOffset, compressedBytes, name } = entry;
  const available = source.sizeBytes - headerOffset;
  const near = Math.min(
    LOCAL_BYTES + Math.min(name.length, MAX_FIELD_BYTES) + EXTRA_BYTES + Math.min(nearBytes, compressedBytes),
    available,
  );
  if (near < LOCAL_BYTES) throw new FormatError('truncated', `${name} goes past the end`, { offset: headerOffset });
  let region = await source.read(headerOffset, near, signal);
  const view = new DataView(region.buffer, region.byteOffset, region.byteLength);
  if (view.getUint32(0, true) !== LOCAL) {
    const isCut = entry.endOffset - headerOffset < LOCAL_BYTES;
    throw isCut
      ? new FormatError('truncated', `${name} goes past the end`, { offset: headerOffset })
      : new FormatError('corrupt', `${name} has no local header`, { offset: headerOffset });
  }
  const nameBytes = view.getUint16(26, true);
  const dataAt = LOCAL_BYTES + nameBytes + view.getUint16(28, true);
  if (dataAt > available) throw new FormatError('truncated', `${name} goes past the end`, { offset: headerOffset + available });
  if (LOCAL_BYTES + nameBytes > region.byteLength) region = await source.read(headerOffset, LOCAL_BYTES + nameBytes, signal);
  const dataOffset = headerOffset + dataAt;
  const storedBytes = Math.min(compressedBytes, source.sizeBytes - dataOffset);
  return {
    dataOffset,
    storedBytes,
    conflict: conflictOf(entry, region, nameBytes),
    async read(wanted) {
      const length = Math.min(wanted, storedBytes);
      if (dataAt + length <= region.byteLength) return region.subarray(dataAt, dataAt + length);
      return source.read(dataOffset, length, signal);
    },
  };
}

/** A header in front of data whose size comes behind them leaves out sizes; torch's writer does so. */
function conflictOf(entry: ZipEntry, region: Uint8Array, nameBytes: number): string | undefined {
  const view = new DataView(region.buffer, region.byteOffset, region.byteLength);
  const name = decodeText(region, LOCAL_BYTES, LOCAL_BYTES + nameBytes);
  if (name !== entry.name) return `its local header has the name ${name}`;
  const method = view.getUint16(8, true);
  if (method !== entry.method)
    return `its local header declares ${method === STORED ? 'no compression' : zipMethodName(method)}, the directory ${isStored(entry) ? 'none' : zipMethodName(entry.method)}`;
  const isEncrypted = (view.getUint16(6, true) & 1) !== 0;
  if (isEncrypted !== entry.isEncrypted) return `it is encrypted by ${isEncrypted ? 'its local header' : 'the directory'} alone`;
  const [packedBytes, bytes] = [view.getUint32(18, true), view.getUint32(22, true)];
  const isOther = (size: number, listed: number): boolean => size !== listed && size !== 0 && size !== 0xffffffff;
  if (isOther(packedBytes, entry.compressedBytes))
    return `its local header declares ${packedBytes} bytes, the directory ${entry.compressedBytes}`;
  if (isOther(bytes, entry.bytes)) return `its local header declares ${bytes} bytes unpacked, the directory ${entry.bytes}`;
  return undefined;
}

/**
 * Unpacks stored bytes of a record, up to `maxBytes` and what the directory declares, as loaders do.
 * @param packed all of its stored bytes, or the first of them where the beginning is enough: see `beginningBytes`
 * @throws FormatError `unsupported` for another method, `limit-exceeded` where the budget is used up, `corrupt`, `truncated`
 */
export async function unpackZipRecord(
  entry: ZipEntry,
  packed: Uint8Array,
  maxBytes: number,
  unpacking: Unpacking,
): Promise<Uint8Array> {
  const { method, headerOffset: offset } = entry;
  const { unpackBudget } = unpacking;
  const most = Math.min(maxBytes, entry.bytes);
  if (method === STORED) return packed.subarray(0, maxBytes);
  if (unpackBudget.roomBytes === 0) throw new FormatError('limit-exceeded', BUDGET_USED_UP, { offset });
  const format = packedFormats[method];
  if (format !== undefined) return (await unpack(packed, format, most, unpacking)).bytes;
  if (method !== DEFLATED && method !== LZMA)
    throw new FormatError('unsupported', `compressed with ${zipMethodName(method)}`, { offset });
  const room = Math.min(most, unpackBudget.roomBytes);
  const bytes =
    method === LZMA
      ? decompressLzmaOfZip(packed, room)
      : inflateBeginning(packed, Math.min(room, packed.byteLength * INFLATED_PER_BYTE + 64));
  unpackBudget.charge(bytes.byteLength);
  return bytes;
}

/** Bytes of a record that unpack to its first `length` ones: a block of bzip2 or Zstandard unpacks as a whole. */
export function beginningBytes({ method }: ZipEntry, length: number): number {
  if (method === STORED) return length;
  return method === DEFLATED ? length * 2 : BLOCK_BYTES;
}

/** A record whose content is in memory. */
export interface ZipContent extends Pick<ZipRecord, 'dataOffset' | 'conflict'> {
  bytes: Uint8Array;
}

/**
 * The content of a record, unpacked.
 * @throws FormatError `limit-exceeded` for one that takes or declares more than `maxBytes` or than the budget has left, and what `openZipRecord` and
 * `unpackZipRecord` throw
 */
export async function readZipContent(
  source: ByteSource,
  entry: ZipEntry,
  maxBytes: number,
  unpacking: Unpacking,
): Promise<ZipContent> {
  const { name, compressedBytes, bytes, headerOffset: offset } = entry;
  const tooLarge = Math.max(compressedBytes, isStored(entry) ? 0 : bytes);
  if (tooLarge > maxBytes) throw new FormatError('limit-exceeded', `${name} takes ${tooLarge} bytes`, { offset });
  const record = await openZipRecord(source, entry, compressedBytes, unpacking.signal);
  if (record.storedBytes < compressedBytes)
    throw new FormatError('truncated', `${name} goes past the end`, { offset: record.dataOffset });
  if (!isStored(entry) && bytes > unpacking.unpackBudget.roomBytes)
    throw new FormatError('limit-exceeded', BUDGET_USED_UP, { offset });
  const { dataOffset, conflict } = record;
  return { bytes: await unpackZipRecord(entry, await record.read(compressedBytes), maxBytes, unpacking), dataOffset, conflict };
}

/** True for a reason that says nothing about the bytes of a record: they may be whole. */
export function isNotRead({ code, detail }: FormatError): boolean {
  return code === 'unsupported' || detail === BUDGET_USED_UP;
}
