/** Arrays in NumPy's .npy: one tensor, or a pickle of objects behind the header. */
import type { ByteSource } from '../../bytes/byteSource.js';
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { sliceSource } from '../../bytes/sliceSource.js';
import { FileImports } from '../pickle/imports/fileImports.js';
import type { FileSink } from '../sink/fileSink.js';
import { layoutOf, npyDataOffset, readNpyHeader, type NpyHeader } from './npyHeader.js';

const HEAD_BYTES = 64;

/** What the pickle behind the header of an array of objects imports. */
async function objectImports(source: ByteSource, headerBytes: number, sink: FileSink): Promise<FileImports> {
  const imports = new FileImports(sink);
  const bytes = source.sizeBytes - headerBytes;
  const read = Math.min(bytes, limits.largePickleScanBytes);
  imports.scan(await source.read(headerBytes, read, sink.signal), headerBytes);
  if (bytes > read) imports.leaveOut('the array', bytes - read, 'more than is read', headerBytes + read);
  return imports;
}

async function headerOf(source: ByteSource, sink: FileSink): Promise<NpyHeader | FormatError | undefined> {
  try {
    return await readNpyHeader((length) => source.read(0, Math.min(length, source.sizeBytes), sink.signal));
  } catch (error) {
    if (!FormatError.is(error) || error.code === 'cancelled' || error.code === 'io') throw error;
    return error;
  }
}

/** What is behind a header that NumPy would not write, or refuses, is a pickle where it begins as one. */
async function importsOf(
  source: ByteSource,
  header: NpyHeader | FormatError | undefined,
  sink: FileSink,
): Promise<FileImports | undefined> {
  if (header === undefined || (!FormatError.is(header) && !header.isObject && header.isUsual)) return undefined;
  if (!FormatError.is(header) && header.isObject) return objectImports(source, header.headerBytes, sink);
  const start = npyDataOffset(await source.read(0, Math.min(HEAD_BYTES, source.sizeBytes), sink.signal));
  if (start === undefined || start >= source.sizeBytes) return undefined;
  const imports = new FileImports(sink);
  await imports.scanPart(sliceSource(source, start, source.sizeBytes - start), 'the array', start);
  return imports;
}

/**
 * Lists the array as one tensor named after the file.
 * @throws FormatError `not-this-format`, `truncated`, `corrupt` or `limit-exceeded`
 */
export async function readNpy(source: ByteSource, sink: FileSink): Promise<string> {
  const { sizeBytes } = source;
  const header = await headerOf(source, sink);
  const imports = await importsOf(source, header, sink);
  await sink.turn();
  await imports?.report(sink);
  if (FormatError.is(header)) throw header;
  if (header === undefined) throw new FormatError('truncated', 'the file ends in its header', { offset: sizeBytes });
  const { dtype, shape, headerBytes, dataBytes } = header;
  const present = sizeBytes - headerBytes;
  const bytes = dataBytes ?? present;
  const name = sink.path.slice(sink.path.lastIndexOf('/') + 1).replace(/\.npy$/, '');
  sink.tensor({ keyPath: [name], dtype, shape, bytes, pieces: [{ offset: headerBytes, bytes }], ...layoutOf(header) });
  const expectedBytes = headerBytes + bytes;
  if (bytes > present) {
    sink.finding({ code: 'file-truncated', offset: sizeBytes, facts: { expectedBytes, bytes: sizeBytes } });
  } else if (bytes < present) {
    sink.unexplained(expectedBytes, present - bytes);
    sink.finding({ code: 'file-too-long', offset: expectedBytes, facts: { expectedBytes, bytes: sizeBytes } });
  }
  return 'npy';
}
