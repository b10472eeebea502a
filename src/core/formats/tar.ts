/**
 * Headers of tar archives: POSIX ustar and pax (IEEE Std 1003.1, pax), and GNU's long names and large sizes (tar.h). Each member is a header of
 * 512 bytes and its data, padded to 512; two blocks of zeros end the archive. Only headers are read.
 */
import type { ByteSource } from '../bytes/byteSource.js';
import { FormatError } from '../bytes/formatError.js';
import { limits } from '../bytes/limits.js';
import { ReadAhead } from '../bytes/readAhead.js';
import { decodeText } from '../bytes/text.js';

const BLOCK_BYTES = 512;
export const TAR_HEADER_BYTES = BLOCK_BYTES;
const CHECKSUM_AT = 148;

export interface TarMember {
  name: string;
  /** Where its headers begin. */
  headerOffset: number;
  /** Where its data begin. */
  offset: number;
  bytes: number;
  isFile: boolean;
}

export interface TarArchive {
  members: TarMember[];
  /** Where the file would end by what its headers declare. */
  expectedBytes: number;
}

/**
 * Lists all members.
 * @throws FormatError `not-this-format` without a header at the beginning, `truncated` within the headers of the first member, `corrupt`
 *   for a damaged one later, `limit-exceeded`
 */
export async function readTar(source: ByteSource, signal: AbortSignal | undefined): Promise<TarArchive> {
  const members: TarMember[] = [];
  const { expectedBytes } = await walkTar(source, signal, (member) => {
    members.push(member);
    if (members.length > limits.listedFiles) throw new FormatError('limit-exceeded', `more than ${limits.listedFiles} members`);
    return true;
  });
  return { members, expectedBytes };
}

export interface TarWalk {
  /** Where the file would end by what its headers declare. */
  expectedBytes: number;
  /** Where the walk ended: behind the last member. */
  end: number;
  /** True where blocks of zeros ended the archive. */
  isEnded: boolean;
}

/**
 * Hands member after member over, until `use` answers false. Data are stepped over; small members are read many headers at a time.
 * @param use may read the beginning of a member's data through `near`; undefined where the file ends before
 * @throws FormatError as `readTar`
 */
export async function walkTar(
  source: ByteSource,
  signal: AbortSignal | undefined,
  use: (member: TarMember, near: (length: number) => Promise<Uint8Array | undefined>) => boolean | Promise<boolean>,
): Promise<TarWalk> {
  const ahead = new ReadAhead(source, signal, BLOCK_BYTES);
  let long: Map<string, string> = new Map();
  let headerOffset = 0;
  let isEnded = false;
  let count = 0;
  let end = 0;
  /** Where the header of the member has to be that extended headers describe; undefined without any. */
  let memberAt: number | undefined;
  for (let at = 0; at + BLOCK_BYTES <= source.sizeBytes;) {
    const block = (await ahead.read(at, BLOCK_BYTES)) as Uint8Array;
    if (block.every((byte) => byte === 0)) {
      if (memberAt !== undefined) throw new FormatError('corrupt', 'an extended tar header without its member', { offset: at });
      isEnded = true;
      break;
    }
    if (!hasChecksum(block)) {
      if (at === 0) throw new FormatError('not-this-format', 'no tar header', { offset: 0 });
      throw new FormatError('corrupt', 'a tar header does not match its checksum', { offset: at });
    }
    const type = String.fromCharCode(block[156] as number);
    const stored = sizeOf(block, at);
    let dataAt = at + BLOCK_BYTES;
    if (type === SPARSE && block[SPARSE_MORE_AT] !== 0) dataAt = await behindSparseMap(ahead, dataAt);
    if (type === 'x' || type === 'L' || type === 'K' || type === 'g') {
      const records = await readExtension(ahead, type, dataAt, stored);
      if (type !== 'g') long = new Map([...long, ...records]);
      at = dataAt + padded(stored);
      if (type !== 'g') memberAt = at;
      continue;
    }
    const bytes = Number(long.get('size') ?? stored);
    if (!Number.isSafeInteger(bytes) || bytes < 0)
      throw new FormatError('corrupt', 'a size of a member is no number', { offset: at });
    const isFile = type === '0' || type === '\0' || type === '7';
    const member = {
      name: cleanName(long.get('path') ?? nameOf(block)),
      headerOffset,
      offset: dataAt,
      bytes: isFile ? bytes : 0,
      isFile,
    };
    count += 1;
    long = new Map();
    memberAt = undefined;
    // Links, devices and directories have none; types of vendors are files to others.
    at = dataAt + (/[1-6]/.test(type) ? 0 : padded(bytes));
    headerOffset = at;
    end = at;
    if (!(await use(member, (length) => ahead.read(dataAt, Math.min(length, member.bytes))))) {
      isEnded = true;
      break;
    }
  }
  if (memberAt !== undefined) {
    if (count === 0) throw new FormatError('truncated', 'the file ends before its first member', { offset: source.sizeBytes });
    return { expectedBytes: memberAt + 3 * BLOCK_BYTES, end, isEnded };
  }
  if (count === 0 && !isEnded) throw new FormatError('not-this-format', 'no tar header', { offset: 0 });
  return { expectedBytes: Math.max(source.sizeBytes, end + (isEnded ? 0 : 2 * BLOCK_BYTES)), end, isEnded };
}

/** GNU's sparse files: a header that says so is followed by more of the map of their data, before these. */
const SPARSE = 'S';
const SPARSE_MORE_AT = 482;
const SPARSE_MAP_MORE_AT = 504;

async function behindSparseMap(ahead: ReadAhead, start: number): Promise<number> {
  for (let at = start; ; at += BLOCK_BYTES) {
    const block = await ahead.read(at, BLOCK_BYTES);
    if (block === undefined || block[SPARSE_MAP_MORE_AT] === 0) return at + BLOCK_BYTES;
  }
}

function padded(bytes: number): number {
  return Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES;
}

/** True for bytes that begin with a header, or where they end before it does. */
export function hasTarHeader(head: Uint8Array): boolean {
  return head.byteLength < BLOCK_BYTES || hasChecksum(head.subarray(0, BLOCK_BYTES));
}

/** True for bytes that begin with a whole header. */
export function isTar(head: Uint8Array): boolean {
  return head.byteLength >= BLOCK_BYTES && hasTarHeader(head);
}

/** The sum of all bytes, with the checksum's own as spaces; early writers summed signed bytes. */
function hasChecksum(block: Uint8Array): boolean {
  let unsigned = 0;
  let signed = 0;
  for (let at = 0; at < BLOCK_BYTES; at++) {
    const byte = at >= CHECKSUM_AT && at < CHECKSUM_AT + 8 ? 0x20 : (block[at] as number);
    unsigned += byte;
    signed += byte > 127 ? byte - 256 : byte;
  }
  const stored = octal(block, CHECKSUM_AT, 8);
  return stored === unsigned || stored === signed;
}

function octal(block: Uint8Array, at: number, length: number): number | undefined {
  const text = decodeText(block, at, at + length)
    .replace(/\0.*$/s, '')
    .trim();
  return /^[0-7]{1,12}$/.test(text) ? parseInt(text, 8) : undefined;
}

/** Octal text, or a big-endian number whose first bit is set (GNU). */
function sizeOf(block: Uint8Array, offset: number): number {
  const first = block[124] as number;
  if (first < 0x80) {
    const size = octal(block, 124, 12);
    if (size === undefined) throw new FormatError('corrupt', 'a size of a member is no number', { offset });
    return size;
  }
  let size = first & 0x7f;
  for (let at = 125; at < 136; at++) size = size * 256 + (block[at] as number);
  if (!Number.isSafeInteger(size)) throw new FormatError('corrupt', 'a member is larger than any file', { offset });
  return size;
}

function textAt(block: Uint8Array, at: number, length: number): string {
  return decodeText(block, at, at + length).replace(/\0.*$/s, '');
}

function nameOf(block: Uint8Array): string {
  const isPosix = decodeText(block, 257, 263) === 'ustar\0';
  const prefix = isPosix ? textAt(block, 345, 155) : '';
  const name = textAt(block, 0, 100);
  return prefix === '' ? name : `${prefix}/${name}`;
}

/** `./a//b` as `a/b`. Names are only shown and compared, never opened. */
function cleanName(name: string): string {
  return name
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
}

/** Values for the next member: a long name (GNU), or records `<length> <key>=<value>\n` (pax). */
async function readExtension(ahead: ReadAhead, type: string, offset: number, bytes: number): Promise<Map<string, string>> {
  if (bytes > limits.metadataPayloadBytes) throw new FormatError('limit-exceeded', `a tar header of ${bytes} bytes`, { offset });
  const data = await ahead.read(offset, bytes);
  if (data === undefined) return new Map();
  if (type === 'L') return new Map([['path', textAt(data, 0, data.byteLength)]]);
  const records = new Map<string, string>();
  for (let at = 0; at < data.byteLength;) {
    const space = data.indexOf(0x20, at);
    const length = space === -1 ? NaN : Number(decodeText(data, at, space));
    if (!Number.isInteger(length) || length <= space - at || at + length > data.byteLength) break;
    const record = decodeText(data, space + 1, at + length - 1);
    const equals = record.indexOf('=');
    if (equals > 0 && type === 'x') records.set(record.slice(0, equals), record.slice(equals + 1));
    at += length;
  }
  return records;
}
