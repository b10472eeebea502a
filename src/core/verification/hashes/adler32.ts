import { hexOf32, type RunningHash } from './hash.js';

const BASE = 65_521;
/** The most bytes after which neither sum has left 32 bits (RFC 1950, 8.2: NMAX of zlib). */
const MOST_BYTES = 5_552;

/** The checksum of zlib streams (RFC 1950, 8.2). */
export class Adler32 implements RunningHash {
  private low = 1;
  private high = 0;

  update(bytes: Uint8Array): void {
    let { low, high } = this;
    for (let from = 0; from < bytes.byteLength; from += MOST_BYTES) {
      const to = Math.min(bytes.byteLength, from + MOST_BYTES);
      for (let at = from; at < to; at++) {
        low += bytes[at] as number;
        high += low;
      }
      low %= BASE;
      high %= BASE;
    }
    this.low = low;
    this.high = high;
  }

  digest(): string {
    return hexOf32(this.high * 65_536 + this.low);
  }
}
