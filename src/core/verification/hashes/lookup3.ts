import { hexOf32, type RunningHash } from './hash.js';

const WORDS_BYTES = 12;

/**
 * Bob Jenkins' lookup3 (hashlittle, 2006) with the initial value 0, the checksum of HDF5's metadata (H5_checksum_metadata). The length is a part of the
 * first value, so that it is computed at the end: it is for structures of some kilobytes.
 */
export class Lookup3 implements RunningHash {
  private readonly pieces: Uint8Array[] = [];
  private sizeBytes = 0;

  update(bytes: Uint8Array): void {
    this.pieces.push(bytes.slice());
    this.sizeBytes += bytes.byteLength;
  }

  digest(): string {
    const bytes = new Uint8Array(this.sizeBytes);
    let at = 0;
    for (const piece of this.pieces) {
      bytes.set(piece, at);
      at += piece.byteLength;
    }
    return hexOf32(lookup3(bytes));
  }
}

/** The hash of the bytes as an unsigned number of 32 bits. */
export function lookup3(bytes: Uint8Array): number {
  const state = new Uint32Array(3).fill(0xdeadbeef + bytes.byteLength);
  let at = 0;
  for (; bytes.byteLength - at > WORDS_BYTES; at += WORDS_BYTES) {
    add(state, bytes, at);
    mix(state);
  }
  if (at === bytes.byteLength) return state[2] as number;
  add(state, bytes, at);
  finish(state);
  return state[2] as number;
}

/** Adds up to twelve bytes as three little-endian words; those behind the end are zeros. */
function add(state: Uint32Array, bytes: Uint8Array, at: number): void {
  const end = Math.min(bytes.byteLength, at + WORDS_BYTES);
  for (let from = at; from < end; from++) {
    const place = from - at;
    state[place >> 2] = (state[place >> 2] as number) + ((bytes[from] as number) << (8 * (place & 3)));
  }
}

function rotated(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

function mix(state: Uint32Array): void {
  let [a, b, c] = state as unknown as [number, number, number];
  for (const [first, second, third] of [
    [4, 6, 8],
    [16, 19, 4],
  ] as const) {
    a = (a - c) ^ rotated(c, first);
    c = (c + b) | 0;
    b = (b - a) ^ rotated(a, second);
    a = (a + c) | 0;
    c = (c - b) ^ rotated(b, third);
    b = (b + a) | 0;
  }
  state.set([a, b, c]);
}

function finish(state: Uint32Array): void {
  let [a, b, c] = state as unknown as [number, number, number];
  c = ((c ^ b) - rotated(b, 14)) | 0;
  a = ((a ^ c) - rotated(c, 11)) | 0;
  b = ((b ^ a) - rotated(a, 25)) | 0;
  c = ((c ^ b) - rotated(b, 16)) | 0;
  a = ((a ^ c) - rotated(c, 4)) | 0;
  b = ((b ^ a) - rotated(a, 14)) | 0;
  c = ((c ^ b) - rotated(b, 24)) | 0;
  state.set([a, b, c]);
}
