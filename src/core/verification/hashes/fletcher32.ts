import { hexOf32, type RunningHash } from './hash.js';

/** Words after which the sums are folded: 360 keep both within 32 bits. */
const MOST_WORDS = 360;

/**
 * Fletcher's checksum over big-endian words of 16 bits, as HDF5 has it (H5checksum.c, H5_checksum_fletcher32): a last byte alone is the upper half
 * of a word.
 */
export class Fletcher32 implements RunningHash {
  private first = 0;
  private second = 0;
  /** A byte whose other half has not come; -1 without one. */
  private half = -1;

  update(bytes: Uint8Array): void {
    let from = 0;
    if (this.half >= 0 && bytes.byteLength > 0) {
      this.add(this.half * 256 + (bytes[0] as number));
      this.half = -1;
      from = 1;
    }
    const words = (bytes.byteLength - from) >>> 1;
    let { first, second } = this;
    for (let done = 0; done < words; done += MOST_WORDS) {
      const end = from + 2 * Math.min(words, done + MOST_WORDS);
      for (let at = from + 2 * done; at < end; at += 2) {
        first += ((bytes[at] as number) << 8) | (bytes[at + 1] as number);
        second += first;
      }
      first = folded(first);
      second = folded(second);
    }
    this.first = first;
    this.second = second;
    if (from + 2 * words < bytes.byteLength) this.half = bytes[from + 2 * words] as number;
  }

  digest(): string {
    if (this.half >= 0) this.add(this.half * 256);
    return hexOf32(folded(this.second) * 65_536 + folded(this.first));
  }

  private add(word: number): void {
    this.first = folded(this.first + word);
    this.second = folded(this.second + this.first);
  }
}

/** Into 16 bits, by adding what is above them: twice, as the sum may have a carry. */
function folded(sum: number): number {
  const once = (sum & 0xffff) + (sum >>> 16);
  return (once & 0xffff) + (once >>> 16);
}
