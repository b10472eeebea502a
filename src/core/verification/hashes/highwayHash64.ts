/**
 * HighwayHash of 64 bits (J. Alakuijala, B. Cox and J. Wassenberg, Fast keyed hash/pseudo-random function using SIMD multiply and permute, 2016;
 * github.com/google/highwayhash, c/highwayhash.c). Numbers of 64 bits are two of 32 here, the lower half first: JavaScript's own of that size are slow.
 */
import { hexOf32, type RunningHash } from './hash.js';

const PACKET_BYTES = 32;
/** Where the four lanes of each vector begin. */
const V0 = 0;
const V1 = 8;
const MUL0 = 16;
const MUL1 = 24;

const initial = Int32Array.of(
  ...[0xfe4cce2f, 0xdbe6d5d5, 0x299f31d0, 0xa4093822, 0x03707344, 0x13198a2e, 0x85a308d3, 0x243f6a88],
  ...[0xcb0ef593, 0x3bd39e10, 0xb5f18a8c, 0xc0acf169, 0x34e90c6c, 0xbe5466cf, 0x38d01377, 0x452821e6],
);

export class HighwayHash64 implements RunningHash {
  private readonly state = new Int32Array(32);
  private readonly held = new Uint8Array(PACKET_BYTES);
  private heldBytes = 0;
  private readonly lanes = new Int32Array(8);

  /** @param key of 32 bytes */
  constructor(key: Uint8Array) {
    const words = wordsOf(key, 0, new Int32Array(8));
    const { state } = this;
    state.set(initial, MUL0);
    for (let at = 0; at < 8; at++) {
      state[V0 + at] = (initial[at] as number) ^ (words[at] as number);
      // The halves of the key the other way round.
      state[V1 + at] = (initial[8 + at] as number) ^ (words[at ^ 1] as number);
    }
  }

  update(bytes: Uint8Array): void {
    let at = 0;
    if (this.heldBytes > 0) {
      at = Math.min(PACKET_BYTES - this.heldBytes, bytes.byteLength);
      this.held.set(bytes.subarray(0, at), this.heldBytes);
      this.heldBytes += at;
      if (this.heldBytes < PACKET_BYTES) return;
      this.mix(wordsOf(this.held, 0, this.lanes));
      this.heldBytes = 0;
    }
    for (; at + PACKET_BYTES <= bytes.byteLength; at += PACKET_BYTES) this.mix(wordsOf(bytes, at, this.lanes));
    this.held.set(bytes.subarray(at));
    this.heldBytes = bytes.byteLength - at;
  }

  digest(): string {
    if (this.heldBytes > 0) this.mixRemainder();
    for (let round = 0; round < 4; round++) this.permute();
    const sum = Int32Array.of(0, 0);
    for (const vector of [V0, V1, MUL0, MUL1]) add(sum, 0, this.state[vector] as number, this.state[vector + 1] as number);
    return hexOf32(sum[1] as number) + hexOf32(sum[0] as number);
  }

  private mix(lanes: Int32Array): void {
    const { state } = this;
    for (let at = 0; at < 8; at += 2) {
      add(state, V1 + at, state[MUL0 + at] as number, state[MUL0 + at + 1] as number);
      add(state, V1 + at, lanes[at] as number, lanes[at + 1] as number);
      multiplyInto(state, MUL0 + at, state[V1 + at] as number, state[V0 + at + 1] as number);
      add(state, V0 + at, state[MUL1 + at] as number, state[MUL1 + at + 1] as number);
      multiplyInto(state, MUL1 + at, state[V0 + at] as number, state[V1 + at + 1] as number);
    }
    zip(state, V1, V0);
    zip(state, V1 + 4, V0 + 4);
    zip(state, V0, V1);
    zip(state, V0 + 4, V1 + 4);
  }

  /** What is left of less than a packet, with its length. */
  private mixRemainder(): void {
    const { state, held, heldBytes: left } = this;
    const odd = left & 3;
    const whole = left - odd;
    for (let at = 0; at < 8; at += 2) add(state, V0 + at, left, left);
    for (let at = V1; at < V1 + 8; at++)
      state[at] = ((state[at] as number) << left) | ((state[at] as number) >>> (PACKET_BYTES - left));
    const packet = new Uint8Array(PACKET_BYTES);
    packet.set(held.subarray(0, whole));
    if ((left & 16) !== 0) packet.set(held.subarray(left - 4, left), 28);
    else if (odd > 0) packet.set([held[whole], held[whole + (odd >> 1)], held[whole + odd - 1]] as number[], 16);
    this.mix(wordsOf(packet, 0, this.lanes));
  }

  private permute(): void {
    const { state, lanes } = this;
    // The lanes two further on, with their halves the other way round.
    for (let at = 0; at < 8; at++) lanes[at] = state[V0 + (at ^ 1 ^ 4)] as number;
    this.mix(lanes);
  }
}

function wordsOf(bytes: Uint8Array, from: number, words: Int32Array): Int32Array {
  for (let word = 0, at = from; word < 8; word++, at += 4)
    words[word] =
      (bytes[at] as number) |
      ((bytes[at + 1] as number) << 8) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 24);
  return words;
}

function add(numbers: Int32Array, at: number, low: number, high: number): void {
  const sum = ((numbers[at] as number) + low) | 0;
  // A sum below one of its terms has lost 2^32, which the upper half gets.
  const carry = sum >>> 0 < low >>> 0 ? 1 : 0;
  numbers[at] = sum;
  numbers[at + 1] = ((numbers[at + 1] as number) + high + carry) | 0;
}

/** Puts the product of two numbers of 32 bits into one of 64 by exclusive or. */
function multiplyInto(numbers: Int32Array, at: number, a: number, b: number): void {
  const aLow = a & 0xffff;
  const aHigh = a >>> 16;
  const bLow = b & 0xffff;
  const bHigh = b >>> 16;
  const first = (Math.imul(aHigh, bLow) + (Math.imul(aLow, bLow) >>> 16)) | 0;
  const second = (Math.imul(aLow, bHigh) + (first & 0xffff)) | 0;
  const high = (Math.imul(aHigh, bHigh) + (first >>> 16) + (second >>> 16)) | 0;
  numbers[at] = (numbers[at] as number) ^ Math.imul(a, b);
  numbers[at + 1] = (numbers[at + 1] as number) ^ high;
}

/** Adds the bytes of two lanes to two others, in an order in which those of a product that change most are apart. */
function zip(state: Int32Array, from: number, to: number): void {
  const aLow = state[from] as number;
  const aHigh = state[from + 1] as number;
  const bLow = state[from + 2] as number;
  const bHigh = state[from + 3] as number;
  add(
    state,
    to,
    (aLow >>> 24) | ((bHigh & 0xff) << 8) | (aLow & 0xff_0000) | ((aHigh & 0xff00) << 16),
    ((bHigh >>> 16) & 0xff) | (aLow & 0xff00) | ((bHigh >>> 8) & 0xff_0000) | (aLow << 24),
  );
  add(
    state,
    to + 2,
    (bLow >>> 24) | ((aHigh & 0xff) << 8) | (bLow & 0xff_0000) | ((bHigh & 0xff00) << 16),
    ((bLow >>> 8) & 0xff) | ((aHigh >>> 8) & 0xff00) | ((bLow & 0xff) << 16) | (aHigh & 0xff00_0000),
  );
}
