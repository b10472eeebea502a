import type { MakeHash, RunningHash } from '../hashes/hash.js';
import type { Damage, Extent } from '../verification.js';
import { Collected } from './frames.js';
import type { SumStream } from './sumStream.js';

const BLOCK_BYTES = 64 * 1024;
const BLOCK_HEADER_BYTES = 24;
const CHUNK_HEADER_BYTES = 40;
const HASH_BYTES = 8;

/**
 * Riegeli (github.com/google/riegeli, doc/riegeli_records_file_format.md), of which ArrayRecord is a form. Each block of 64 KiB begins with the hash of
 * the rest of its header, in the middle of whatever chunk. A chunk has the hash of the rest of its header, and in it that of its data. A chunk takes a
 * byte for each record at least: what is missing is padding, which no sum covers.
 */
export class RiegeliStream implements SumStream {
  private readonly damage: Damage[] = [];
  private readonly covered: Extent[] = [];
  private readonly block = new Collected();
  private readonly header = new Collected();
  private part: 'header' | 'data' | 'padding' | 'lost' = 'header';
  private at = 0;
  private chunkAt = 0;
  private chunks = 0;
  /** Of data that have not come. */
  private left = 0;
  private padTo = 0;
  private expected = '';
  private coveredFrom = 0;
  private hash: RunningHash;

  constructor(private readonly makeHash: MakeHash) {
    this.block.begin(BLOCK_HEADER_BYTES);
    this.header.begin(CHUNK_HEADER_BYTES);
    this.hash = makeHash('riegeli');
  }

  push(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.byteLength;) {
      const inBlock = this.at % BLOCK_BYTES;
      const most = (inBlock < BLOCK_HEADER_BYTES ? BLOCK_HEADER_BYTES : BLOCK_BYTES) - inBlock;
      const piece = bytes.subarray(from, from + most);
      from += inBlock < BLOCK_HEADER_BYTES ? this.takeBlock(piece) : this.takeChunk(piece);
    }
  }

  end(): { damage: Damage[]; covered: Extent[] } {
    const isBetween = this.part === 'header' && this.at === this.chunkAt;
    if (this.part !== 'lost') {
      this.cover(this.at);
      if (!isBetween) this.say(this.chunkAt, this.at - this.chunkAt, `chunk ${this.chunks}: cut off by the end of the file`);
    }
    return { damage: this.damage, covered: this.covered };
  }

  private takeBlock(bytes: Uint8Array): number {
    const length = this.block.take(bytes, 0);
    this.at += length;
    if (this.block.isWhole) {
      if (!this.matches(this.block))
        this.say(this.at - BLOCK_HEADER_BYTES, BLOCK_HEADER_BYTES, 'header of a block: its hash does not match');
      this.block.begin(BLOCK_HEADER_BYTES);
    }
    return length;
  }

  /** Bytes between headers of blocks; answers how many of them were used. */
  private takeChunk(bytes: Uint8Array): number {
    switch (this.part) {
      case 'header': {
        const length = this.header.take(bytes, 0);
        this.at += length;
        if (this.header.isWhole) this.closeHeader();
        return length;
      }
      case 'data': {
        const piece = bytes.subarray(0, this.left);
        this.hash.update(piece);
        this.left -= piece.byteLength;
        this.at += piece.byteLength;
        if (this.left === 0) this.closeData();
        return piece.byteLength;
      }
      case 'padding': {
        // No chunk begins within the header of a block: padding up to there ends behind it.
        const length = Math.max(0, Math.min(this.padTo - this.at, bytes.byteLength));
        this.at += length;
        if (this.at >= this.padTo) {
          this.coveredFrom = this.at;
          this.begin();
        }
        return length;
      }
      case 'lost':
        this.at += bytes.byteLength;
        return bytes.byteLength;
    }
  }

  private closeHeader(): void {
    const { view } = this.header;
    const [bytes, records] = [Number(view.getBigUint64(8, true)), Number(view.getBigUint64(24, true) >> 8n)];
    if (!this.matches(this.header)) {
      this.say(this.chunkAt, this.at - this.chunkAt, `header of chunk ${this.chunks}: its hash does not match`);
      this.cover(this.at);
      this.part = 'lost';
      return;
    }
    this.part = 'data';
    this.left = bytes;
    this.padTo = this.chunkAt + records;
    this.expected = digestAt(view, 16);
    this.hash = this.makeHash('riegeli');
    if (bytes === 0) this.closeData();
  }

  private closeData(): void {
    if (this.hash.digest() !== this.expected)
      this.say(this.chunkAt, this.at - this.chunkAt, `data of chunk ${this.chunks}: their hash does not match`);
    if (this.padTo <= this.at) return this.begin();
    this.cover(this.at);
    this.part = 'padding';
  }

  private begin(): void {
    this.part = 'header';
    this.chunkAt = this.at;
    this.chunks += 1;
    this.header.begin(CHUNK_HEADER_BYTES);
  }

  /** Whether a header begins with the hash of the rest of it. */
  private matches({ view, whole }: Collected): boolean {
    const hash = this.makeHash('riegeli');
    hash.update(whole.subarray(HASH_BYTES));
    return hash.digest() === digestAt(view, 0);
  }

  private cover(end: number): void {
    if (end > this.coveredFrom) this.covered.push({ offset: this.coveredFrom, length: end - this.coveredFrom });
    this.coveredFrom = end;
  }

  private say(offset: number, length: number, what: string): void {
    this.damage.push({ offset, length, what });
  }
}

function digestAt(view: DataView, at: number): string {
  return view.getBigUint64(at, true).toString(16).padStart(16, '0');
}
