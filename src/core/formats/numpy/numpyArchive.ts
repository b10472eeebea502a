/**
 * NumPy's .npz (numpy.savez, numpy.savez_compressed): a zip archive with one .npy for each array, stored or deflated. Read: the
 * archive's directory, and the first bytes of each array for its header.
 */
import type { ByteSource } from '../../bytes/byteSource.js';
import { FormatError } from '../../bytes/formatError.js';
import { BUDGET_USED_UP, type UnpackBudget } from '../../bytes/unpackBudget.js';
import { inflateBeginning } from '../../bytes/inflate.js';
import { limits } from '../../bytes/limits.js';
import { decodeText } from '../../bytes/text.js';
import { FileImports } from '../pickle/imports/fileImports.js';
import type { FileSink } from '../sink/fileSink.js';
import { parseNpyHeader, readNpyHeader, type NpyHeader } from './npyHeader.js';
import { isZip, readZipDirectory, type ZipEntry } from '../zip.js';

const STORED = 0;
const DEFLATED = 8;

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
  const { members, others } = await readNumpyMembers(source, sink.signal);
  const imports = new FileImports(sink);
  for (const { entry, header } of members)
    if (!FormatError.is(header) && header.isObject) await scanObjects(source, entry, header, imports, sink.unpackBudget);
  await imports.scanMembers(source, others);
  await sink.turn();
  await imports.report(sink);
  if (members.length === 0 && others.length > 0) throw new FormatError('not-this-format', 'a zip archive without NumPy arrays');
  for (const member of members) list(member, sink);
  // Anything but arrays is not NumPy's.
  for (const entry of others) sink.unexplained(entry.headerOffset, entry.endOffset - entry.headerOffset);
  return 'npz';
}

/** What the pickle of an array of objects imports. */
async function scanObjects(
  source: ByteSource,
  entry: ZipEntry,
  header: NpyHeader,
  imports: FileImports,
  budget: UnpackBudget,
): Promise<void> {
  const { dataOffset, compressedBytes, method, bytes } = entry;
  const leaveOut = (detail: string): void => imports.leaveOut(entry.name, compressedBytes, detail, entry.headerOffset);
  if (dataOffset === undefined || Math.max(compressedBytes, bytes) > limits.pickleUnpackedBytes)
    return leaveOut('more than is read');
  const stored = await source.read(dataOffset, Math.min(compressedBytes, source.sizeBytes - dataOffset));
  if (method === DEFLATED && bytes > budget.roomBytes) return leaveOut(BUDGET_USED_UP);
  const array = method === DEFLATED ? inflateBeginning(stored, Math.min(bytes, stored.byteLength * 1_032 + 64)) : stored;
  if (method === DEFLATED) budget.charge(array.byteLength);
  imports.scan(array, method === STORED ? dataOffset : undefined, { start: header.headerBytes });
}

/**
 * The arrays of an archive with their headers, and what else is in it.
 * @throws FormatError `truncated` without a directory, `corrupt`
 */
export async function readNumpyMembers(
  source: ByteSource,
  signal: AbortSignal | undefined,
): Promise<{ members: NumpyMember[]; others: ZipEntry[] }> {
  const { entries } = await readZipDirectory(source, signal);
  const members: NumpyMember[] = [];
  const others: ZipEntry[] = [];
  for (const entry of entries) {
    if (!entry.name.endsWith('.npy')) others.push(entry);
    else members.push({ entry, name: entry.name.slice(0, -'.npy'.length), header: await headerOf(source, entry, signal) });
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

async function headerOf(source: ByteSource, entry: ZipEntry, signal: AbortSignal | undefined): Promise<NpyHeader | FormatError> {
  const { dataOffset, method, compressedBytes, headerOffset: offset } = entry;
  try {
    if (dataOffset === undefined) throw new FormatError('corrupt', 'there is no room for it', { offset });
    if (method !== STORED && method !== DEFLATED) throw new FormatError('unsupported', `zip method ${method}`, { offset });
    const header = await readNpyHeader(async (length) => {
      const stored = await source.read(dataOffset, Math.min(length, compressedBytes, source.sizeBytes - dataOffset), signal);
      return method === DEFLATED ? inflateBeginning(stored, length) : stored;
    });
    return header ?? new FormatError('truncated', 'it ends in its header', { offset: dataOffset });
  } catch (error) {
    if (!FormatError.is(error) || error.code === 'cancelled' || error.code === 'io') throw error;
    return error;
  }
}

function list({ entry, name, header }: NumpyMember, sink: FileSink): void {
  const { dataOffset = entry.headerOffset, compressedBytes, method, bytes } = entry;
  if (FormatError.is(header)) {
    sink.finding({ code: 'header-corrupt', offset: dataOffset, facts: { detail: `${entry.name}: ${header.detail}` } });
    sink.unexplained(entry.headerOffset, entry.endOffset - entry.headerOffset);
    return;
  }
  const { dtype, shape, headerBytes } = header;
  const present = Math.max(0, bytes - headerBytes);
  const wanted = header.dataBytes ?? present;
  const piece =
    method === STORED
      ? { offset: dataOffset + headerBytes, bytes: Math.min(wanted, present) }
      : { offset: dataOffset, bytes: compressedBytes, logicalBytes: wanted };
  sink.tensor({ keyPath: [name], dtype, shape, bytes: wanted, pieces: [piece] });
  if (wanted !== present)
    sink.finding({
      code: 'tensor-size-mismatch',
      offset: dataOffset,
      facts: { tensor: name, expectedBytes: wanted, bytes: present },
    });
}
