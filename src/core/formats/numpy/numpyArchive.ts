/**
 * NumPy's .npz (numpy.savez, numpy.savez_compressed): a zip archive with one .npy for each array, stored or deflated. Read: the
 * archive's directory, and the first bytes of each array for its header.
 */
import { noteBytesBehindArchive } from '../zipTail.js';
import type { ByteSource } from '../../bytes/byteSource.js';
import { FormatError } from '../../bytes/formatError.js';
import { inflateBeginning } from '../../bytes/inflate.js';
import { decodeText } from '../../bytes/text.js';
import type { Unpacking } from '../../bytes/unpackBudget.js';
import { directoryOfArchive } from '../pickle/imports/damagedArchive.js';
import { FileImports } from '../pickle/imports/fileImports.js';
import type { FileSink } from '../sink/fileSink.js';
import { layoutOf, parseNpyHeader, readNpyHeader, type NpyHeader } from './npyHeader.js';
import { isZip, readZipDirectory, type ZipDirectory, type ZipEntry } from '../zip.js';
import { beginningBytes, codecOfRecord, isNotRead, isStored, openZipRecord, unpackZipRecord } from '../zipRecord.js';

const DEFLATED = 8;
/** The header of an array with few dimensions. */
const NEAR_BYTES = 256;

/** An array of an archive. */
export interface NumpyMember {
  entry: ZipEntry;
  name: string;
  /** The header, or why it could not be read. */
  header: NpyHeader | FormatError;
}

/**
 * Lists the arrays, named as in the archive.
 * @throws FormatError `not-this-format` for an archive without arrays, `truncated` without a directory
 */
export async function readNumpyArchive(source: ByteSource, sink: FileSink): Promise<string> {
  const directory = await directoryOfArchive(source, sink);
  const { members, others } = await readMembers(source, directory, sink);
  const imports = new FileImports(sink);
  const plain = new Set(
    members.filter(({ header }) => !FormatError.is(header) && !header.isObject && header.isUsual).map(({ entry }) => entry),
  );
  await imports.scanArchive(source, directory, (entry) => plain.has(entry));
  await sink.turn();
  noteBytesBehindArchive(source, directory, sink);
  await imports.report(sink);
  if (members.length === 0 && others.length > 0) throw new FormatError('not-this-format', 'a zip archive without NumPy arrays');
  for (const member of members) list(member, sink);
  // Anything but arrays is not NumPy's.
  for (const entry of others) sink.unexplained(entry.headerOffset, entry.endOffset - entry.headerOffset);
  return 'npz';
}

/**
 * The arrays of an archive with their headers, and what else is in it.
 * @throws FormatError `truncated` without a directory, `corrupt`
 */
export async function readNumpyMembers(source: ByteSource, unpacking: Unpacking): Promise<NumpyMembers> {
  return readMembers(source, await readZipDirectory(source, unpacking.signal), unpacking);
}

interface NumpyMembers {
  members: NumpyMember[];
  others: ZipEntry[];
}

async function readMembers(source: ByteSource, directory: ZipDirectory, unpacking: Unpacking): Promise<NumpyMembers> {
  const members: NumpyMember[] = [];
  const others: ZipEntry[] = [];
  for (const entry of directory.entries) {
    if (!entry.name.endsWith('.npy')) others.push(entry);
    else members.push({ entry, name: entry.name.slice(0, -'.npy'.length), header: await headerOf(source, entry, unpacking) });
  }
  return { members, others };
}

/** Name and header of the first array of an archive by the archive's first bytes; undefined where they do not hold it. */
export function firstArrayOf(head: Uint8Array): { name: string; header: NpyHeader } | undefined {
  if (!isZip(head) || head.byteLength < 30) return undefined;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const nameEnd = 30 + view.getUint16(26, true);
  const dataAt = nameEnd + view.getUint16(28, true);
  const data = head.subarray(Math.min(dataAt, head.byteLength));
  try {
    const header = parseNpyHeader(view.getUint16(8, true) === DEFLATED ? inflateBeginning(data, 256) : data);
    const name = decodeText(head.subarray(30, nameEnd)).replace(/\.npy$/, '');
    return header === undefined ? undefined : { name, header };
  } catch (error) {
    if (!FormatError.is(error)) throw error;
    return undefined;
  }
}

async function headerOf(source: ByteSource, entry: ZipEntry, unpacking: Unpacking): Promise<NpyHeader | FormatError> {
  const { headerOffset: offset, isEncrypted } = entry;
  try {
    if (isEncrypted) throw new FormatError('unsupported', 'encrypted', { offset });
    if (entry.dataOffset === undefined) throw new FormatError('corrupt', 'there is no room for it', { offset });
    const record = await openZipRecord(source, entry, NEAR_BYTES, unpacking.signal);
    const header = await readNpyHeader(async (length) =>
      unpackZipRecord(entry, await record.read(beginningBytes(entry, length)), length, unpacking),
    );
    return header ?? new FormatError('truncated', 'it ends in its header', { offset: record.dataOffset });
  } catch (error) {
    if (!FormatError.is(error) || error.code === 'cancelled' || error.code === 'io') throw error;
    return error;
  }
}

function list({ entry, name, header }: NumpyMember, sink: FileSink): void {
  const { dataOffset = entry.headerOffset, compressedBytes, bytes } = entry;
  if (FormatError.is(header)) {
    const detail = `${entry.name}: ${header.detail}`;
    sink.finding({ code: isNotRead(header) ? 'unsupported-version' : 'header-corrupt', offset: dataOffset, facts: { detail } });
    sink.unexplained(entry.headerOffset, entry.endOffset - entry.headerOffset);
    return;
  }
  const { dtype, shape, headerBytes } = header;
  const present = Math.max(0, bytes - headerBytes);
  const wanted = header.dataBytes ?? present;
  const piece = isStored(entry)
    ? { offset: dataOffset + headerBytes, bytes: Math.min(wanted, present) }
    : { offset: dataOffset, bytes: compressedBytes, logicalBytes: wanted };
  const codec = codecOfRecord(entry);
  const packed = isStored(entry)
    ? {}
    : { isEncoded: true as const, ...(codec !== undefined && { packing: { codecs: [codec], headerBytes } }) };
  const extra = { ...layoutOf(header).extra, ...packed };
  sink.tensor({
    keyPath: [name],
    dtype,
    shape,
    bytes: wanted,
    pieces: [piece],
    ...(Object.keys(extra).length > 0 && { extra }),
  });
  if (wanted !== present)
    sink.finding({
      code: 'tensor-size-mismatch',
      offset: dataOffset,
      facts: { tensor: name, expectedBytes: wanted, bytes: present },
    });
}
