import { patternValues } from '../patternValues.js';

/** A type that exists in blocks: a few bytes of scales, and codes of a few bits. */
export interface BlockType {
  /** Values of a block. */
  elements: number;
  bytes: number;
  /** Writes the values of the block that begins at `at` into `out` from `to`. */
  decode(bytes: Uint8Array, at: number, out: Float32Array, to: number): void;
}

/** A half at a place that need not be aligned. */
export function halfAt(bytes: Uint8Array, at: number): number {
  return patternValues('f16')[word16(bytes, at)] as number;
}

export function word16(bytes: Uint8Array, at: number): number {
  return (bytes[at] as number) | ((bytes[at + 1] as number) << 8);
}

export function word32(bytes: Uint8Array, at: number): number {
  return (word16(bytes, at) | (word16(bytes, at + 2) << 16)) >>> 0;
}

/** A signed byte. */
export function signedAt(bytes: Uint8Array, at: number): number {
  return ((bytes[at] as number) << 24) >> 24;
}
