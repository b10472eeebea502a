import { limits } from '../../core/bytes/limits.js';
import type { RangeReader } from './rangeSource.js';

/**
 * Reads a file whose beginning and end are fetched in one piece each, and kept: what a file is stands there, and formats ask for it a few bytes at a time.
 * A round trip takes as long as some hundred kilobytes.
 */
export function endsReader(sizeBytes: number, fetched: RangeReader): RangeReader {
  const length = Math.min(limits.remoteEndBytes, sizeBytes);
  const ends = [new KeptRange(0, length, fetched), new KeptRange(sizeBytes - length, length, fetched)];
  return (offset, wanted, signal) => {
    const end = ends.find((each) => each.has(offset, wanted));
    return end === undefined ? fetched(offset, wanted, signal) : end.read(offset, wanted, signal);
  };
}

class KeptRange {
  #bytes: Promise<Uint8Array> | undefined;

  constructor(
    private readonly offset: number,
    private readonly length: number,
    private readonly fetched: RangeReader,
  ) {}

  has(offset: number, length: number): boolean {
    return offset >= this.offset && offset + length <= this.offset + this.length;
  }

  async read(offset: number, length: number, signal: AbortSignal | undefined): Promise<Uint8Array> {
    if (this.#bytes === undefined) {
      const bytes = this.fetched(this.offset, this.length, signal);
      this.#bytes = bytes;
      // Whoever asks next asks again.
      bytes.catch(() => (this.#bytes = undefined));
    }
    return (await this.#bytes).slice(offset - this.offset, offset - this.offset + length);
  }
}
