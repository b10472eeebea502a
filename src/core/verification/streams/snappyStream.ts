import { FormatError } from '../../bytes/formatError.js';
import { decompressSnappy } from '../../bytes/snappy.js';
import { maskedOf } from '../../formats/tensorflow/tfRecord.js';
import type { MakeHash } from '../hashes/hash.js';
import type { Extent } from '../verification.js';
import { FramedStream, type NextPart } from './framedStream.js';

const HEAD_BYTES = 4;
const SUM_BYTES = 4;
const COMPRESSED = 0;
const PLAIN = 1;
const IDENTIFIER = 0xff;
/** Types from here to 0x7f a reader must not skip. */
const RESERVED = 2;
const SKIPPABLE = 0x80;
/** Of a chunk, unpacked; stored it may be a little more. */
const MOST_PLAIN_BYTES = 65_536;
const MOST_CHUNK_BYTES = MOST_PLAIN_BYTES + 16 * 1024;

/**
 * Snappy in frames (github.com/google/snappy, framing_format.txt): u8 type, u24 length, then in chunks of data a masked CRC-32C of what they unpack to.
 * Heads of chunks, and chunks of padding and of other programs, have none.
 */
export class SnappyStream extends FramedStream {
  private isHead = true;
  private chunkAt = 0;
  private type = IDENTIFIER;
  private readonly sums: Extent[] = [];

  constructor(private readonly makeHash: MakeHash) {
    super(HEAD_BYTES);
  }

  protected get isBetween(): boolean {
    return this.isHead && this.at === this.chunkAt;
  }

  protected get frame(): { offset: number; what: string } {
    return { offset: this.chunkAt, what: 'a chunk of Snappy' };
  }

  protected override coveredOf(): Extent[] {
    return this.sums;
  }

  protected onField(): NextPart {
    return this.isHead ? this.closeHead() : this.closeChunk();
  }

  protected onBytes(_: Uint8Array, isLast: boolean): NextPart | undefined {
    return isLast ? this.nextHead() : undefined;
  }

  private closeHead(): NextPart {
    const word = this.field.view.getUint32(0, true);
    const length = word >>> 8;
    this.type = word & 0xff;
    const isData = this.type === COMPRESSED || this.type === PLAIN;
    if ((this.type >= RESERVED && this.type < SKIPPABLE) || (isData && (length < SUM_BYTES || length > MOST_CHUNK_BYTES))) {
      this.say(this.chunkAt, HEAD_BYTES, 'a chunk of Snappy: there is no such chunk');
      return null;
    }
    this.isHead = false;
    if (isData) return { kind: 'field', bytes: length };
    return { kind: 'bytes', bytes: length };
  }

  private closeChunk(): NextPart {
    const { whole, view } = this.field;
    this.sums.push({ offset: this.chunkAt + HEAD_BYTES, length: whole.byteLength });
    const problem = this.problemOf(whole.subarray(SUM_BYTES), view.getUint32(0, true));
    if (problem !== null) this.say(this.chunkAt, HEAD_BYTES + whole.byteLength, `a chunk of Snappy: ${problem}`);
    return this.nextHead();
  }

  private problemOf(data: Uint8Array, stored: number): string | null {
    try {
      const hash = this.makeHash('crc32c');
      hash.update(this.type === COMPRESSED ? decompressSnappy(data) : data);
      return maskedOf(parseInt(hash.digest(), 16)) === stored ? null : 'CRC-32C does not match';
    } catch (error) {
      if (!FormatError.is(error)) throw error;
      return error.detail;
    }
  }

  private nextHead(): NextPart {
    this.chunkAt = this.at;
    this.isHead = true;
    return { kind: 'field', bytes: HEAD_BYTES };
  }
}
