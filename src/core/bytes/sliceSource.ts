import type { ByteSource } from './byteSource.js';
import { FormatError } from './formatError.js';

/** A stretch of a file as a source of its own: a file inside of an archive. Closing it leaves the file open. */
export function sliceSource(source: ByteSource, start: number, sizeBytes: number): ByteSource {
  return {
    name: source.name,
    sizeBytes,
    read(offset, length, signal) {
      if (offset < 0 || length < 0 || offset + length > sizeBytes)
        throw new FormatError('truncated', `${length} bytes go past the end of the part`, { offset: start + offset });
      return source.read(start + offset, length, signal);
    },
    close: () => Promise.resolve(),
  };
}
