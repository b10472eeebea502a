import type { ByteSource } from '../../src/core/bytes/byteSource.js';

/** A file of the same bytes over and over, none of it in memory as a whole. */
export function repeatedSource(name: string, unit: Uint8Array, times: number): ByteSource {
  return {
    name,
    sizeBytes: unit.byteLength * times,
    read(offset, length) {
      const bytes = new Uint8Array(length);
      let filled = Math.min(length, unit.byteLength - (offset % unit.byteLength));
      bytes.set(unit.subarray(offset % unit.byteLength, (offset % unit.byteLength) + filled));
      for (; filled < length; filled += unit.byteLength) bytes.set(unit.subarray(0, length - filled), filled);
      return Promise.resolve(bytes);
    },
    close: () => Promise.resolve(),
  };
}
