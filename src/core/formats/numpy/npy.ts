/** Arrays in NumPy's .npy: one tensor, or a pickle of objects behind the header. */
import type { ByteSource } from '../../bytes/byteSource.js';
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { FileImports } from '../pickle/imports/fileImports.js';
import type { FileSink } from '../sink/fileSink.js';
import { readNpyHeader } from './npyHeader.js';

/** What the pickle behind the header of an array of objects imports. */
async function objectImports(source: ByteSource, headerBytes: number, sink: FileSink): Promise<FileImports> {
  const imports = new FileImports(sink);
  const bytes = source.sizeBytes - headerBytes;
  const read = Math.min(bytes, limits.largePickleScanBytes);
  imports.scan(await source.read(headerBytes, read, sink.signal), headerBytes);
  if (bytes > read) imports.leaveOut('the array', bytes - read, 'more than is read', headerBytes + read);
  return imports;
}

/**
 * Lists the array as one tensor named after the file.
 * @throws FormatError `not-this-format`, `truncated`, `corrupt` or `limit-exceeded`
 */
export async function readNpy(source: ByteSource, sink: FileSink): Promise<string> {
  const { sizeBytes } = source;
  const header = await readNpyHeader((length) => source.read(0, Math.min(length, sizeBytes), sink.signal));
  const imports = header?.isObject === true ? await objectImports(source, header.headerBytes, sink) : undefined;
  await sink.turn();
  await imports?.report(sink);
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
