import type { RunningHash } from './hash.js';

const STRIPE_BYTES = 32;
const MASK = 0xffff_ffff_ffff_ffffn;
const P1 = 0x9e3779b185ebca87n;
const P2 = 0xc2b2ae3d27d4eb4fn;
const P3 = 0x165667b19e3779f9n;
const P4 = 0x85ebca77c2b2ae63n;
const P5 = 0x27d4eb2f165667c5n;

/** A product of 64 bits out of halves: the low word and the high one. */
interface Words {
  low: number;
  high: number;
}

function wordsOf(value: bigint): Words {
  return { low: Number(value & 0xffff_ffffn) | 0, high: Number(value >> 32n) | 0 };
}

function bigOf({ low, high }: Words): bigint {
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
}

const p1 = wordsOf(P1);
const p2 = wordsOf(P2);

/**
 * XXH64 with seed 0 (github.com/Cyan4973/xxHash, doc/xxhash_spec.md), whose low half is the checksum of a Zstandard frame. Stripes are computed in halves of
 * 32 bits, 30 times as fast as with BigInt; the end is.
 */
export class Xxh64 implements RunningHash {
  private readonly lanes: [Words, Words, Words, Words] = [
    wordsOf((P1 + P2) & MASK),
    wordsOf(P2),
    wordsOf(0n),
    wordsOf(-P1 & MASK),
  ];
  private readonly pending = new Uint8Array(STRIPE_BYTES);
  private pendingBytes = 0;
  private sizeBytes = 0;

  update(bytes: Uint8Array): void {
    this.sizeBytes += bytes.byteLength;
    let from = 0;
    if (this.pendingBytes > 0) {
      from = Math.min(bytes.byteLength, STRIPE_BYTES - this.pendingBytes);
      this.pending.set(bytes.subarray(0, from), this.pendingBytes);
      this.pendingBytes += from;
      if (this.pendingBytes < STRIPE_BYTES) return;
      this.stripes(this.pending, 0, STRIPE_BYTES);
    }
    const to = from + Math.floor((bytes.byteLength - from) / STRIPE_BYTES) * STRIPE_BYTES;
    this.stripes(bytes, from, to);
    this.pending.set(bytes.subarray(to));
    this.pendingBytes = bytes.byteLength - to;
  }

  digest(): string {
    let hash = this.sizeBytes < STRIPE_BYTES ? P5 : this.merged();
    hash = (hash + BigInt(this.sizeBytes)) & MASK;
    return avalanche(this.withRest(hash)).toString(16).padStart(16, '0');
  }

  private stripes(bytes: Uint8Array, from: number, to: number): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const [a, b, c, d] = this.lanes;
    for (let at = from; at < to; at += STRIPE_BYTES) {
      round(a, view.getInt32(at, true), view.getInt32(at + 4, true));
      round(b, view.getInt32(at + 8, true), view.getInt32(at + 12, true));
      round(c, view.getInt32(at + 16, true), view.getInt32(at + 20, true));
      round(d, view.getInt32(at + 24, true), view.getInt32(at + 28, true));
    }
  }

  private merged(): bigint {
    const lanes = this.lanes.map(bigOf);
    let hash = 0n;
    for (const [index, bits] of [1n, 7n, 12n, 18n].entries()) hash += rotated(lanes[index] as bigint, bits);
    hash &= MASK;
    for (const lane of lanes) hash = ((hash ^ roundOf(0n, lane)) * P1 + P4) & MASK;
    return hash;
  }

  private withRest(value: bigint): bigint {
    const view = new DataView(this.pending.buffer, 0, this.pendingBytes);
    let hash = value;
    let at = 0;
    for (; at + 8 <= this.pendingBytes; at += 8)
      hash = (rotated(hash ^ roundOf(0n, view.getBigUint64(at, true)), 27n) * P1 + P4) & MASK;
    if (at + 4 <= this.pendingBytes) {
      hash = (rotated(hash ^ ((BigInt(view.getUint32(at, true)) * P1) & MASK), 23n) * P2 + P3) & MASK;
      at += 4;
    }
    for (; at < this.pendingBytes; at++) hash = (rotated(hash ^ ((BigInt(view.getUint8(at)) * P5) & MASK), 11n) * P1) & MASK;
    return hash;
  }
}

/** `rotl(lane + input * P2, 31) * P1`, in place. */
function round(lane: Words, low: number, high: number): void {
  const product = times(low, high, p2);
  const sum = (lane.low >>> 0) + (product.low >>> 0);
  const sumLow = sum | 0;
  const sumHigh = (lane.high + product.high + (sum > 0xffffffff ? 1 : 0)) | 0;
  const turnedHigh = (sumHigh << 31) | (sumLow >>> 1);
  const turnedLow = (sumLow << 31) | (sumHigh >>> 1);
  const { low: newLow, high: newHigh } = times(turnedLow, turnedHigh, p1);
  lane.low = newLow;
  lane.high = newHigh;
}

/** The low 64 bits of a product. */
function times(low: number, high: number, by: Words): Words {
  const a0 = low & 0xffff;
  const a1 = low >>> 16;
  const b0 = by.low & 0xffff;
  const b1 = by.low >>> 16;
  const small = a0 * b0;
  const middle = a1 * b0 + (small >>> 16);
  const other = a0 * b1 + (middle & 0xffff);
  const carried = a1 * b1 + Math.floor(middle / 65_536) + Math.floor(other / 65_536);
  return {
    low: ((other & 0xffff) << 16) | (small & 0xffff),
    high: (carried + Math.imul(low, by.high) + Math.imul(high, by.low)) | 0,
  };
}

function rotated(value: bigint, bits: bigint): bigint {
  return ((value << bits) | (value >> (64n - bits))) & MASK;
}

function roundOf(lane: bigint, input: bigint): bigint {
  return (rotated((lane + input * P2) & MASK, 31n) * P1) & MASK;
}

function avalanche(value: bigint): bigint {
  let hash = value;
  hash = ((hash ^ (hash >> 33n)) * P2) & MASK;
  hash = ((hash ^ (hash >> 29n)) * P3) & MASK;
  return hash ^ (hash >> 32n);
}
