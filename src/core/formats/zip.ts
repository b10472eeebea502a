/**
 * The directory of a zip archive (PKWARE APPNOTE 6.3), zip64 included. Only the directory is read: PyTorch's writer leaves sizes and
 * checksums out of the local headers (caffe2/serialize/inline_container.cc), so they could not be trusted anyway.
 *
 *   ... records ... | central directory | zip64 end (56 B) | zip64 locator (20 B) | end (22 B + comment)
 */
import type { ByteSource } from '../bytes/byteSource.js';
import { toSafeInteger } from '../bytes/checkedInteger.js';
import { FormatError } from '../bytes/formatError.js';
import { limits } from '../bytes/limits.js';
import { decodeText } from '../bytes/text.js';

export interface ZipEntry {
  name: string;
  /** 0 stored, 8 deflated. */
  method: number;
  crc32: number;
  compressedBytes: number;
  bytes: number;
  /** Offset of the local header. */
  headerOffset: number;
  /** Where the next record or the directory begins: header, data and descriptor lie in [headerOffset, endOffset). */
  endOffset: number;
  hasDescriptor: boolean;
  /** True for data that only a password opens (APPNOTE 4.4.4, bit 0). */
  isEncrypted: boolean;
  /** Where the record's data begin; undefined when there is no room for what the directory says. */
  dataOffset: number | undefined;
}

export interface ZipDirectory {
  /** In the order in which they lie in the file. */
  entries: ZipEntry[];
  directoryOffset: number;
}

const END_BYTES = 22;
const LOCATOR_BYTES = 20;
const END64_BYTES = 56;
/** What torch writes behind the directory. */
const END_RECORDS_BYTES = END_BYTES + LOCATOR_BYTES + END64_BYTES;
/** A page: with it comes the whole directory of an archive of about 60 records, so that a rank's file is two reads. */
const TAIL_BYTES = 4096;
const MAX_COMMENT_BYTES = 65_535;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;

const END = 0x06054b50;
const LOCATOR = 0x07064b50;
const END64 = 0x06064b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;

/** True when the bytes begin like a zip archive. */
export function isZip(head: Uint8Array): boolean {
  return head[0] === 0x50 && head[1] === 0x4b && ((head[2] === 3 && head[3] === 4) || (head[2] === 5 && head[3] === 6));
}

/**
 * Reads the directory: one read of the last page, and one of the directory where that begins before.
 * @throws FormatError `truncated` when there is no end of central directory, `corrupt` when the directory contradicts itself
 */
export async function readZipDirectory(source: ByteSource, signal?: AbortSignal): Promise<ZipDirectory> {
  const end = await findEnd(source, signal);
  if (end.directoryBytes > limits.zipDirectoryBytes) {
    throw new FormatError('limit-exceeded', `the directory takes ${end.directoryBytes} bytes`, { offset: end.directoryOffset });
  }
  if (end.directoryOffset + end.directoryBytes > source.sizeBytes) {
    throw new FormatError('truncated', 'the directory lies behind the end of the file', { offset: end.directoryOffset });
  }
  const inTail = end.directoryOffset - end.tailOffset;
  const bytes =
    inTail >= 0
      ? end.tail.subarray(inTail, inTail + end.directoryBytes)
      : await source.read(end.directoryOffset, end.directoryBytes, signal);
  return { entries: parseEntries(bytes, end), directoryOffset: end.directoryOffset };
}

interface DirectoryEnd extends DirectoryPlace {
  /** The end of the file, which may have the directory in it. */
  tail: Uint8Array;
  tailOffset: number;
}

interface DirectoryPlace {
  directoryOffset: number;
  directoryBytes: number;
  entries: number;
}

async function findEnd(source: ByteSource, signal: AbortSignal | undefined): Promise<DirectoryEnd> {
  for (const wanted of [TAIL_BYTES, END_RECORDS_BYTES + MAX_COMMENT_BYTES]) {
    const length = Math.min(wanted, source.sizeBytes);
    const tail = await source.read(source.sizeBytes - length, length, signal);
    const at = lastEnd(tail);
    if (at !== -1) return { ...(await parseEnd(tail, at, source, signal)), tail, tailOffset: source.sizeBytes - length };
    if (length === source.sizeBytes) break;
  }
  throw new FormatError('truncated', 'there is no end of the zip directory', { offset: source.sizeBytes });
}

/** The last place that looks like the end record and whose comment fits; -1 without one. */
function lastEnd(tail: Uint8Array): number {
  const view = viewOf(tail);
  for (let at = tail.byteLength - END_BYTES; at >= 0; at--) {
    if (view.getUint32(at, true) === END && at + END_BYTES + view.getUint16(at + 20, true) === tail.byteLength) return at;
  }
  return -1;
}

async function parseEnd(
  tail: Uint8Array,
  at: number,
  source: ByteSource,
  signal: AbortSignal | undefined,
): Promise<DirectoryPlace> {
  const view = viewOf(tail);
  const end = {
    entries: view.getUint16(at + 10, true),
    directoryBytes: view.getUint32(at + 12, true),
    directoryOffset: view.getUint32(at + 16, true),
  };
  const needsZip64 = end.entries === 0xffff || end.directoryBytes === 0xffffffff || end.directoryOffset === 0xffffffff;
  const locatorAt = at - LOCATOR_BYTES;
  if (!needsZip64 || locatorAt < 0 || view.getUint32(locatorAt, true) !== LOCATOR) return end;
  const end64Offset = toSafeInteger(view.getBigUint64(locatorAt + 8, true), 'the offset of the zip64 end');
  const tailOffset = source.sizeBytes - tail.byteLength;
  const record =
    end64Offset >= tailOffset
      ? tail.subarray(end64Offset - tailOffset, end64Offset - tailOffset + END64_BYTES)
      : await source.read(end64Offset, END64_BYTES, signal);
  const end64 = viewOf(record);
  if (record.byteLength < END64_BYTES || end64.getUint32(0, true) !== END64) {
    throw new FormatError('corrupt', 'the zip64 end is not where its locator says', { offset: end64Offset });
  }
  return {
    entries: toSafeInteger(end64.getBigUint64(32, true), 'the number of zip entries', end64Offset),
    directoryBytes: toSafeInteger(end64.getBigUint64(40, true), 'the size of the zip directory', end64Offset),
    directoryOffset: toSafeInteger(end64.getBigUint64(48, true), 'the offset of the zip directory', end64Offset),
  };
}

function parseEntries(bytes: Uint8Array, end: DirectoryEnd): ZipEntry[] {
  const view = viewOf(bytes);
  const entries: ZipEntry[] = [];
  let at = 0;
  while (at + ENTRY_BYTES <= bytes.byteLength && view.getUint32(at, true) === ENTRY) {
    const nameBytes = view.getUint16(at + 28, true);
    const extraBytes = view.getUint16(at + 30, true);
    const next = at + ENTRY_BYTES + nameBytes + extraBytes + view.getUint16(at + 32, true);
    if (next > bytes.byteLength) break;
    if (entries.length === limits.zipEntries)
      throw new FormatError(
        'limit-exceeded',
        `the directory declares ${end.entries} entries, of which ${limits.zipEntries} are read`,
        {
          offset: end.directoryOffset,
        },
      );
    entries.push(parseEntry(bytes, view, at, nameBytes, extraBytes, end));
    at = next;
  }
  if (entries.length !== end.entries) {
    throw new FormatError('corrupt', `the directory has ${entries.length} of ${end.entries} entries`, {
      offset: end.directoryOffset + at,
    });
  }
  entries.sort((a, b) => a.headerOffset - b.headerOffset);
  entries.forEach((entry, index) => {
    entry.endOffset = entries[index + 1]?.headerOffset ?? end.directoryOffset;
    entry.dataOffset = findData(entry);
  });
  return entries;
}

function parseEntry(
  bytes: Uint8Array,
  view: DataView,
  at: number,
  nameBytes: number,
  extraBytes: number,
  end: DirectoryEnd,
): ZipEntry {
  const nameAt = at + ENTRY_BYTES;
  const entry: ZipEntry = {
    name: decodeText(bytes, nameAt, nameAt + nameBytes),
    method: view.getUint16(at + 10, true),
    crc32: view.getUint32(at + 16, true),
    compressedBytes: view.getUint32(at + 20, true),
    bytes: view.getUint32(at + 24, true),
    headerOffset: view.getUint32(at + 42, true),
    endOffset: end.directoryOffset,
    hasDescriptor: (view.getUint16(at + 8, true) & 8) !== 0,
    isEncrypted: (view.getUint16(at + 8, true) & 1) !== 0,
    dataOffset: undefined,
  };
  applyZip64(entry, view, nameAt + nameBytes, extraBytes);
  return entry;
}

/** The zip64 field holds, in this order, just those values whose 32-bit slot is full (APPNOTE 4.5.3). */
function applyZip64(entry: ZipEntry, view: DataView, extraAt: number, extraBytes: number): void {
  const end = extraAt + extraBytes;
  for (let at = extraAt; at + 4 <= end; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== 1) continue;
    const fieldEnd = Math.min(end, at + 4 + view.getUint16(at + 2, true));
    let value = at + 4;
    const next = (what: string): number => {
      if (value + 8 > fieldEnd) throw new FormatError('corrupt', `the zip64 field of ${what} is too short`);
      value += 8;
      return toSafeInteger(view.getBigUint64(value - 8, true), what);
    };
    if (entry.bytes === 0xffffffff) entry.bytes = next('a record size');
    if (entry.compressedBytes === 0xffffffff) entry.compressedBytes = next('a compressed size');
    if (entry.headerOffset === 0xffffffff) entry.headerOffset = next('a record offset');
    return;
  }
}

/** Lengths that a data descriptor can have: with its signature and 32- or 64-bit sizes, then without; 0 where it was left out. */
const descriptorLengths = [16, 24, 12, 20, 0];

/**
 * Where the data of a record begin, without reading its local header: data and descriptor end where the next record begins. torch
 * aligns data to 64 bytes, which tells the descriptor's lengths apart.
 */
function findData(entry: ZipEntry): number | undefined {
  const earliest = entry.headerOffset + LOCAL_BYTES;
  let first: number | undefined;
  for (const descriptorBytes of entry.hasDescriptor ? descriptorLengths : [0]) {
    const offset = entry.endOffset - descriptorBytes - entry.compressedBytes;
    if (offset < earliest) continue;
    if (offset % 64 === 0) return offset;
    first ??= offset;
  }
  return first;
}

/**
 * The stored bytes of one record, by one read that includes its local header.
 * @throws FormatError `corrupt` when the local header is none, `limit-exceeded`, `truncated`
 */
export async function readZipRecord(
  source: ByteSource,
  entry: ZipEntry,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  if (entry.compressedBytes > maxBytes) {
    throw new FormatError('limit-exceeded', `${entry.name} takes ${entry.compressedBytes} bytes`, { offset: entry.headerOffset });
  }
  // Name and extra field (torch's alignment padding) are at most 64 KiB each; beyond that the directory lies.
  const length = Math.min(entry.endOffset, source.sizeBytes) - entry.headerOffset;
  const most = LOCAL_BYTES + 2 * 65_535 + entry.compressedBytes;
  if (length < LOCAL_BYTES) throw new FormatError('truncated', `${entry.name} goes past the end`, { offset: entry.headerOffset });
  const region = await source.read(entry.headerOffset, Math.min(length, most), signal);
  const view = viewOf(region);
  if (view.getUint32(0, true) !== LOCAL)
    throw new FormatError('corrupt', `${entry.name} has no local header`, { offset: entry.headerOffset });
  const dataAt = LOCAL_BYTES + view.getUint16(26, true) + view.getUint16(28, true);
  if (dataAt + entry.compressedBytes > region.byteLength) {
    throw new FormatError('truncated', `${entry.name} goes past the end`, { offset: entry.headerOffset + dataAt });
  }
  return region.subarray(dataAt, dataAt + entry.compressedBytes);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
