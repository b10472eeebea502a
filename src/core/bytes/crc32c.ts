/** CRC-32C (Castagnoli, RFC 3720 appendix B.4), the checksum of TensorStore and TensorFlow files. */

const POLYNOMIAL = 0x82f63b78;

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? POLYNOMIAL : 0);
  return value;
});

/** The checksum of the bytes as an unsigned 32-bit number. */
export function crc32c(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (let at = 0; at < bytes.length; at++) value = (value >>> 8) ^ (table[(value ^ (bytes[at] as number)) & 0xff] as number);
  return (value ^ 0xffffffff) >>> 0;
}
