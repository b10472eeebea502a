import { hexOf32, type MakeHash, type RunningHash } from '../hashes/hash.js';
import { RawInflate } from '../rawInflate.js';
import type { Damage, Extent } from '../verification.js';
import type { SumStream } from './sumStream.js';

const HEAD_BYTES = 10;
const TAIL_BYTES = 8;
/** Precision to which damaged data are located. */
const PIECE_BYTES = 16 * 1024;
/** Names and comments end in a zero: one that does not come within so many bytes is none. */
const MOST_HEAD_BYTES = 256 * 1024;

/**
 * gzip (RFC 1952): members one behind the other, each with the CRC-32 of its content and the length modulo 2^32 at its end. Zeros behind the last one
 * are padding. Headers have no sum.
 */
export class GzipStream implements SumStream {
  private readonly damage: Damage[] = [];
  private pending: Uint8Array = new Uint8Array(0);
  private inflate: RawInflate | null = null;
  private hash: RunningHash;
  private contentBytes = 0;
  private memberAt = 0;
  /** Behind the header of the member, which no sum covers. */
  private bodyAt = 0;
  private readonly covered: Extent[] = [];
  private at = 0;
  private isLost = false;
  private isPadding = false;

  constructor(private readonly makeHash: MakeHash) {
    this.hash = makeHash('crc32');
  }

  push(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.byteLength; from += PIECE_BYTES) {
      const piece = bytes.subarray(from, from + PIECE_BYTES);
      this.at += piece.byteLength;
      if (!this.isLost) this.take(piece);
    }
  }

  end(): { damage: Damage[]; covered: Extent[] } {
    const isWithin = this.inflate !== null || this.pending.byteLength > 0;
    if (!this.isLost && isWithin) this.lose('cut off by the end of the file');
    return { damage: this.damage, covered: this.covered };
  }

  private take(piece: Uint8Array): void {
    if (this.isPadding) {
      if (piece.some((byte) => byte !== 0)) this.lose('something else than a member of gzip');
      return;
    }
    let rest: Uint8Array = piece;
    try {
      while (rest.byteLength > 0 && !this.isLost && !this.isPadding)
        rest = this.inflate === null ? this.head(rest) : this.body(this.inflate, rest);
    } catch {
      this.lose('the compressed data are damaged');
    }
  }

  /** Looks for the end of a header; answers what follows it, nothing where it has not come. */
  private head(piece: Uint8Array): Uint8Array {
    const bytes = joined(this.pending, piece);
    if (bytes[0] === 0 && this.memberAt > 0) {
      this.isPadding = true;
      if (bytes.some((byte) => byte !== 0)) this.lose('something else than a member of gzip');
      return new Uint8Array(0);
    }
    const length = headBytes(bytes);
    if (length === null) {
      // A copy, as the block that it is in is used again.
      this.pending = bytes.slice();
      if (bytes.byteLength > MOST_HEAD_BYTES) this.lose('its header does not end');
      return new Uint8Array(0);
    }
    this.pending = new Uint8Array(0);
    this.contentBytes = 0;
    this.bodyAt = this.at - (bytes.byteLength - length);
    this.hash = this.makeHash('crc32');
    this.inflate = new RawInflate({
      isFull: false,
      add: (block) => {
        this.contentBytes += block.byteLength;
        this.hash.update(block);
      },
    });
    return bytes.subarray(length);
  }

  /** Unpacks, and compares with what follows the last block; answers what is behind that. */
  private body(inflate: RawInflate, piece: Uint8Array): Uint8Array {
    const rest = piece.subarray(inflate.take(piece));
    if (!inflate.isEnded) return rest;
    const tail = joined(this.pending, rest);
    if (tail.byteLength < TAIL_BYTES) {
      this.pending = tail.slice();
      return new Uint8Array(0);
    }
    this.pending = new Uint8Array(0);
    this.close(new DataView(tail.buffer, tail.byteOffset, TAIL_BYTES), this.at - (tail.byteLength - TAIL_BYTES));
    return tail.subarray(TAIL_BYTES);
  }

  /** @param end of the member in the file */
  private close(tail: DataView, end: number): void {
    this.inflate = null;
    this.covered.push({ offset: this.bodyAt, length: end - this.bodyAt });
    if (hexOf32(tail.getUint32(0, true)) !== this.hash.digest() || tail.getUint32(4, true) !== this.contentBytes % 2 ** 32)
      this.damage.push({
        offset: this.memberAt,
        length: end - this.memberAt,
        what: 'a member of gzip: CRC-32 or length does not match',
      });
    this.memberAt = end;
  }

  private lose(problem: string): void {
    this.isLost = true;
    if (this.inflate !== null) this.covered.push({ offset: this.bodyAt, length: this.at - this.bodyAt });
    this.damage.push({
      offset: this.memberAt,
      length: Math.max(1, this.at - this.memberAt),
      what: `a member of gzip: ${problem}`,
    });
  }
}

/** Length of the header of a member; null where its end is not there yet. @throws Error for what is none */
function headBytes(bytes: Uint8Array): number | null {
  if (bytes.byteLength < HEAD_BYTES) return null;
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b || bytes[2] !== 8) throw new Error('no member of gzip');
  const flags = bytes[3] as number;
  // 2.3.1.2: a reader must refuse bits that it does not know.
  if ((flags & 0xe0) !== 0) throw new Error('reserved flags');
  let at = HEAD_BYTES;
  if ((flags & 4) !== 0) {
    if (bytes.byteLength < at + 2) return null;
    at += 2 + (bytes[at] as number) + 256 * (bytes[at + 1] as number);
  }
  for (const flag of [8, 16]) {
    if ((flags & flag) === 0) continue;
    const zero = bytes.indexOf(0, at);
    if (zero === -1) return null;
    at = zero + 1;
  }
  if ((flags & 2) !== 0) at += 2;
  return at <= bytes.byteLength ? at : null;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.byteLength === 0) return second;
  const bytes = new Uint8Array(first.byteLength + second.byteLength);
  bytes.set(first);
  bytes.set(second, first.byteLength);
  return bytes;
}
