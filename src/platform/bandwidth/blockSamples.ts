/** Bytes of a sample: enough that another block's are never the same by chance. */
const sampleBytes = 64;
/** Samples that are kept: 1 MiB a stream. Of more blocks every second, third, ... is sampled. */
const mostSamples = 16_384;
/** Coprime with any number of samples that fits a block, so that samples lie at ever other places. */
const placeStep = 7_919;

/** A few bytes of the blocks that a stream wrote, to compare with what it reads back in the same order. */
export class BlockSamples {
  private kept = new Uint8Array(0);
  private every = 1;
  private position = 0;

  /** Forgets all, before writing so many blocks at most. */
  clear(blocks: number): void {
    this.every = Math.max(1, Math.ceil(blocks / mostSamples));
    this.kept = new Uint8Array(Math.ceil(blocks / this.every) * sampleBytes);
    this.position = 0;
  }

  /** Before reading: the first block comes next. */
  rewind(): void {
    this.position = 0;
  }

  keep(block: Uint8Array): void {
    const at = this.next();
    if (at !== null) this.kept.set(sampleOf(block, at), at);
  }

  /** `not-kept`: no sample was taken of this one. */
  compare(block: Uint8Array): 'equal' | 'differs' | 'not-kept' {
    const at = this.next();
    if (at === null) return 'not-kept';
    return sampleOf(block, at).every((byte, index) => byte === this.kept[at + index]) ? 'equal' : 'differs';
  }

  /** Where the sample of the next block is kept; null where it has none. */
  private next(): number | null {
    const index = this.position++;
    return index % this.every === 0 ? (index / this.every) * sampleBytes : null;
  }
}

function sampleOf(block: Uint8Array, at: number): Uint8Array {
  const places = Math.max(1, Math.floor(block.length / sampleBytes));
  const place = (((at / sampleBytes) * placeStep) % places) * sampleBytes;
  return block.subarray(place, place + sampleBytes);
}
