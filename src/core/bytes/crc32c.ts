/** CRC-32C (Castagnoli, RFC 3720 appendix B.4), the checksum of TensorStore and TensorFlow files. */
import { crcTables, updateCrc } from './slicedCrc.js';

export const crc32cTables = crcTables(0x82f63b78);

/** The checksum of the bytes as an unsigned 32-bit number. */
export function crc32c(bytes: Uint8Array): number {
  return ~updateCrc(crc32cTables, 0xffffffff, bytes) >>> 0;
}
