/** What follows the end of a zip archive: readers take the last end record, and ignore what is behind it. */
import type { ByteSource } from '../bytes/byteSource.js';
import type { FileSink } from './sink/fileSink.js';
import type { ZipDirectory } from './zip.js';

/** Call in the file's turn. */
export function noteBytesBehindArchive(source: ByteSource, { endOffset }: ZipDirectory, sink: FileSink): void {
  const { sizeBytes } = source;
  if (sizeBytes <= endOffset) return;
  sink.unexplained(endOffset, sizeBytes - endOffset);
  sink.finding({ code: 'bytes-behind-end', offset: endOffset, facts: { expectedBytes: endOffset, bytes: sizeBytes } });
}
