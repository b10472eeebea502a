/**
 * The directory of a zip archive (PKWARE APPNOTE 6.3), zip64 included. Only the directory is read: PyTorch's writer leaves sizes and
 * checksums out of the local headers (caffe2/serialize/inline_container.cc), so they could not be trusted anyway.
 *
 *   ... records ... | central directory | zip64 end (56 B) | zip64 locator (20 B) | end (22 B + comment)
 *
 * Two readers load models from archives, and look for the directory in two ways. miniz (torch) takes the offset that the end declares. Python's zipfile
 * (NumPy, Keras, joblib) takes the bytes in front of the end, and moves all offsets by the difference, so that an archive may stand behind other bytes.
 * Both take the last end record, whatever follows it.
 */
import type { ByteSource } from '../bytes/byteSource.js';
import { toSafeInteger } from '../bytes/checkedInteger.js';
import { FormatError } from '../bytes/formatError.js';
import { limits } from '../bytes/limits.js';
import { decodeText } from '../bytes/text.js';

export interface ZipEntry {
  name: string;
  /** 0 stored, 8 deflated; see `zipRecord.ts`. */
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
  /** Behind the end record and its comment: what follows is of no record. */
  endOffset: number;
  /** What only the other kind of reader finds, where the file has a directory in both places. */
  otherEntries: ZipEntry[];
  /** How two readers of the archive differ; undefined where all list the same. */
  conflict: string | undefined;
}

/** Which of the two kinds of readers loads the file. */
type ZipReader = 'miniz' | 'zipfile';

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

/** True when the bytes begin like a zip archive. */
export function isZip(head: Uint8Array): boolean {
  return head[0] === 0x50 && head[1] === 0x4b && ((head[2] === 3 && head[3] === 4) || (head[2] === 5 && head[3] === 6));
}

/**
 * Reads the directory: one read of the last page, and one of the directory where that begins before.
 * @param reader whose directory it is, where the file has two; `any` takes that of an archive within a file that is cut off, too
 * @throws FormatError `truncated` when there is no end of central directory, `corrupt` when the directory contradicts itself
 */
export async function readZipDirectory(
  source: ByteSource,
  signal?: AbortSignal,
  reader: ZipReader | 'any' = 'zipfile',
): Promise<ZipDirectory> {
  const end = await findEnd(source, signal);
  const { miniz, zipfile } = end.places;
  if (reader !== 'any' && end.isFollowed && zipfile.startOffset !== 0) throw withoutEnd(source);
  const [own, other] = reader === 'miniz' ? [miniz, zipfile] : [zipfile, miniz];
  const ownEntries = await attempt(() => readEntries(source, end, own, limits.zipEntries, signal));
  if (FormatError.is(ownEntries, 'limit-exceeded')) throw ownEntries;
  const room = limits.zipEntries - (FormatError.is(ownEntries) ? 0 : ownEntries.length);
  const otherEntries = isSamePlace(end.places) ? [] : await attempt(() => readEntries(source, end, other, room, signal));
  const outerEntries = await entriesAround(source, end, room, signal);
  if (FormatError.is(ownEntries)) {
    // torch does not look for a directory in front of the end. Programs that unpack archives take the one that is there.
    const found = FormatError.is(otherEntries) || otherEntries.length === 0 ? outerEntries : otherEntries;
    if (reader === 'miniz' || found.length === 0) throw ownEntries;
    return {
      entries: found,
      directoryOffset: other.directoryOffset,
      endOffset: end.endOffset,
      otherEntries: [],
      conflict: undefined,
    };
  }
  return {
    entries: ownEntries,
    directoryOffset: own.directoryOffset,
    endOffset: end.endOffset,
    otherEntries: [...(FormatError.is(otherEntries) ? [] : otherEntries), ...outerEntries],
    conflict: conflictOf(ownEntries.length, otherEntries, own) ?? conflictAround(outerEntries),
  };
}

/** Records of the directory whose comment has the end record that readers take in it: programs that go by the length of the comment list these. */
async function entriesAround(
  source: ByteSource,
  end: DirectoryEnd,
  room: number,
  signal: AbortSignal | undefined,
): Promise<ZipEntry[]> {
  const { around } = end;
  if (around === undefined) return [];
  const entries = await attempt(() => readEntries(source, end, around.zipfile, room, signal));
  return FormatError.is(entries) ? [] : entries;
}

function conflictAround(outerEntries: readonly ZipEntry[]): string | undefined {
  return outerEntries.length === 0
    ? undefined
    : `the comment of a directory of ${outerEntries.length} records has another end of a directory in it`;
}

function isSamePlace({ miniz, zipfile }: DirectoryEnd['places']): boolean {
  return (
    zipfile.startOffset === 0 &&
    miniz.directoryOffset === zipfile.directoryOffset &&
    miniz.directoryBytes === zipfile.directoryBytes
  );
}

function conflictOf(records: number, others: ZipEntry[] | FormatError, { entries }: DirectoryPlace): string | undefined {
  if (FormatError.is(others, 'limit-exceeded')) return 'it has two directories, of which one is too large to be read';
  if (!FormatError.is(others) && others.length > 0) return `it has two directories, of ${records} and ${others.length} records`;
  if (records !== entries) return `its directory has ${records} records and declares ${entries}`;
  return undefined;
}

interface DeclaredDirectory {
  directoryOffset: number;
  directoryBytes: number;
  entries: number;
}

/** Where a directory is, and what is added to the offsets in it. */
interface DirectoryPlace extends DeclaredDirectory {
  startOffset: number;
  /** False for a reader that goes by the bytes of the directory alone. */
  isCounted: boolean;
}

interface DirectoryEnd {
  places: Record<ZipReader, DirectoryPlace>;
  /** The same of an end record that has this one in its comment; undefined without one. */
  around: Record<ZipReader, DirectoryPlace> | undefined;
  /** True where bytes follow it. Of an archive that does not begin with the file, it is that of an archive within another one, which is cut off. */
  isFollowed: boolean;
  endOffset: number;
  /** The end of the file, which may have the directory in it. */
  tail: Uint8Array;
  tailOffset: number;
}

function withoutEnd({ sizeBytes }: ByteSource): FormatError {
  return new FormatError('truncated', 'there is no end of the zip directory', { offset: sizeBytes });
}

async function attempt(read: () => Promise<ZipEntry[]>): Promise<ZipEntry[] | FormatError> {
  try {
    return await read();
  } catch (error) {
    if (!FormatError.is(error) || error.code === 'cancelled' || error.code === 'io') throw error;
    return error;
  }
}

async function readEntries(
  source: ByteSource,
  end: DirectoryEnd,
  place: DirectoryPlace,
  maxEntries: number,
  signal: AbortSignal | undefined,
): Promise<ZipEntry[]> {
  const { directoryOffset: offset, directoryBytes } = place;
  if (directoryBytes > limits.zipDirectoryBytes)
    throw new FormatError('limit-exceeded', `the directory takes ${directoryBytes} bytes`, { offset });
  if (offset < 0 || offset + directoryBytes > source.sizeBytes)
    throw new FormatError('truncated', 'the directory lies behind the end of the file', { offset: Math.max(0, offset) });
  const inTail = offset - end.tailOffset;
  const bytes =
    inTail >= 0 ? end.tail.subarray(inTail, inTail + directoryBytes) : await source.read(offset, directoryBytes, signal);
  return parseEntries(bytes, place, maxEntries);
}

async function findEnd(source: ByteSource, signal: AbortSignal | undefined): Promise<DirectoryEnd> {
  for (const wanted of [TAIL_BYTES, END_RECORDS_BYTES + MAX_COMMENT_BYTES]) {
    const length = Math.min(wanted, source.sizeBytes);
    const tail = await source.read(source.sizeBytes - length, length, signal);
    const at = lastEnd(tail);
    if (at !== -1) {
      const places = await parseEnd(tail, at, source, signal);
      const tailOffset = source.sizeBytes - length;
      const endInTail = at + END_BYTES + viewOf(tail).getUint16(at + 20, true);
      const endOffset = tailOffset + Math.min(endInTail, length);
      const outer = endAround(tail, at);
      const around = outer === -1 ? undefined : await parseEnd(tail, outer, source, signal);
      return { places, around, isFollowed: endInTail !== length, endOffset, tail, tailOffset };
    }
    if (length === source.sizeBytes) break;
  }
  throw withoutEnd(source);
}

/** The last place that looks like the end record, as readers take it; -1 without one. */
function lastEnd(tail: Uint8Array): number {
  const view = viewOf(tail);
  for (let at = tail.byteLength - END_BYTES; at >= 0; at--) if (view.getUint32(at, true) === END) return at;
  return -1;
}

/** An end record in front of the one at `at` whose comment goes to the end of the file; -1 without one. */
function endAround(tail: Uint8Array, at: number): number {
  const view = viewOf(tail);
  for (let outer = at - END_BYTES; outer >= 0; outer--) {
    if (view.getUint32(outer, true) !== END) continue;
    if (outer + END_BYTES + view.getUint16(outer + 20, true) === tail.byteLength) return outer;
  }
  return -1;
}

/** Both readers take the zip64 end whether or not the short fields are full: miniz where the locator leads, zipfile in front of the locator. */
async function parseEnd(
  tail: Uint8Array,
  at: number,
  source: ByteSource,
  signal: AbortSignal | undefined,
): Promise<DirectoryEnd['places']> {
  const view = viewOf(tail);
  const tailOffset = source.sizeBytes - tail.byteLength;
  const short = {
    entries: view.getUint16(at + 10, true),
    directoryBytes: view.getUint32(at + 12, true),
    directoryOffset: view.getUint32(at + 16, true),
  };
  const locatorAt = at - LOCATOR_BYTES;
  if (locatorAt < 0 || view.getUint32(locatorAt, true) !== LOCATOR) return placesOf(short, short, tailOffset + at);
  const behind = tailOffset + locatorAt - END64_BYTES;
  const located = await readEnd64(tail, toOffset(view.getBigUint64(locatorAt + 8, true)), source, signal);
  const before = await readEnd64(tail, behind, source, signal);
  const needsZip64 = short.entries === 0xffff || short.directoryBytes === 0xffffffff || short.directoryOffset === 0xffffffff;
  if (needsZip64 && located === undefined && before === undefined)
    throw new FormatError('corrupt', 'the zip64 end is not where its locator says', { offset: tailOffset + locatorAt });
  return placesOf(located ?? short, before ?? short, before === undefined ? tailOffset + at : behind);
}

/** @param endOffset where the end records begin, which zipfile expects behind the directory */
function placesOf(declared: DeclaredDirectory, behind: DeclaredDirectory, endOffset: number): DirectoryEnd['places'] {
  const directoryOffset = endOffset - behind.directoryBytes;
  return {
    miniz: { ...declared, startOffset: 0, isCounted: true },
    zipfile: { ...behind, directoryOffset, startOffset: directoryOffset - behind.directoryOffset, isCounted: false },
  };
}

/** An offset that a file declares; behind every file where it is no number that counts bytes. */
function toOffset(value: bigint): number {
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : Number.MAX_SAFE_INTEGER;
}

async function readEnd64(
  tail: Uint8Array,
  offset: number,
  source: ByteSource,
  signal: AbortSignal | undefined,
): Promise<DeclaredDirectory | undefined> {
  if (offset < 0 || offset + END64_BYTES > source.sizeBytes) return undefined;
  const inTail = offset - (source.sizeBytes - tail.byteLength);
  const record = inTail >= 0 ? tail.subarray(inTail, inTail + END64_BYTES) : await source.read(offset, END64_BYTES, signal);
  const view = viewOf(record);
  if (record.byteLength < END64_BYTES || view.getUint32(0, true) !== END64) return undefined;
  return {
    entries: toSafeInteger(view.getBigUint64(32, true), 'the number of zip entries', offset),
    directoryBytes: toSafeInteger(view.getBigUint64(40, true), 'the size of the zip directory', offset),
    directoryOffset: toSafeInteger(view.getBigUint64(48, true), 'the offset of the zip directory', offset),
  };
}

function parseEntries(bytes: Uint8Array, end: DirectoryPlace, maxEntries: number): ZipEntry[] {
  const view = viewOf(bytes);
  const entries: ZipEntry[] = [];
  let at = 0;
  while (at + ENTRY_BYTES <= bytes.byteLength && view.getUint32(at, true) === ENTRY) {
    const nameBytes = view.getUint16(at + 28, true);
    const extraBytes = view.getUint16(at + 30, true);
    const next = at + ENTRY_BYTES + nameBytes + extraBytes + view.getUint16(at + 32, true);
    if (next > bytes.byteLength) break;
    if (entries.length === maxEntries)
      throw new FormatError('limit-exceeded', `the directory declares ${end.entries} entries, of which ${maxEntries} are read`, {
        offset: end.directoryOffset,
      });
    entries.push(parseEntry(bytes, view, at, nameBytes, extraBytes, end));
    at = next;
  }
  if (end.isCounted ? entries.length !== end.entries : at !== bytes.byteLength) {
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
  end: DirectoryPlace,
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
  entry.headerOffset += end.startOffset;
  if (entry.headerOffset < 0) throw new FormatError('corrupt', `${entry.name} begins before the file`, { offset: 0 });
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

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
