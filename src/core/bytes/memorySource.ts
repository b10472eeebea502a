import type { ByteSource } from './byteSource.js';
import { FormatError } from './formatError.js';

/** A source over bytes that are in memory already: nested files, and tests. */
export function memorySource(name: string, bytes: Uint8Array): ByteSource {
  return {
    name,
    sizeBytes: bytes.byteLength,
    read(offset, length) {
      if (offset < 0 || length < 0 || offset + length > bytes.byteLength) {
        return Promise.reject(
          new FormatError('truncated', `${length} bytes wanted at ${offset} of ${bytes.byteLength}`, { offset }),
        );
      }
      return Promise.resolve(bytes.subarray(offset, offset + length));
    },
    close: () => Promise.resolve(),
  };
}
