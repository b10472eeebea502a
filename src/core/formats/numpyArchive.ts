/**
 * NumPy's .npz (numpy.savez, numpy.savez_compressed): a zip archive with one .npy for each array, stored or deflated. Read: the
 * archive's directory, and the first bytes of each array for its header.
 */
import type { ByteSource } from '../bytes/byteSource.js';
import { FormatError } from '../bytes/formatError.js';
import { inflateBeginning } from '../bytes/inflate.js';
import type { FileSink } from './fileSink.js';
import { readNpyHeader, type NpyHeader } from './npy.js';
import { readZipDirectory, type ZipEntry } from './zip.js';

const STORED = 0;
const DEFLATED = 8;

interface Member {
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
  const directory = await readZipDirectory(source, sink.signal);
  const arrays = directory.entries.filter((entry) => entry.name.endsWith('.npy'));
  const members: Member[] = [];
  for (const entry of arrays) {
    members.push({ entry, name: entry.name.slice(0, -'.npy'.length), header: await headerOf(source, entry, sink.signal) });
  }
  await sink.turn();
  if (arrays.length === 0 && directory.entries.length > 0)
    throw new FormatError('not-this-format', 'a zip archive without NumPy arrays');
  for (const member of members) list(member, sink);
  // Anything but arrays is not NumPy's.
  for (const entry of directory.entries)
    if (!entry.name.endsWith('.npy')) sink.unexplained(entry.headerOffset, entry.endOffset - entry.headerOffset);
  return 'npz';
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

function list({ entry, name, header }: Member, sink: FileSink): void {
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
