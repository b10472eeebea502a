/** Mutations of binary files: fields, lengths, cuts, repeats, and parts of other inputs. */
import type { Random } from './random.js';

/** Beyond it an input is cut back: a large file costs executions and finds little more. */
const maxBytes = 256 * 1024;

/** Values at which counts, lengths and offsets overflow or become negative. */
const edges: readonly bigint[] = [
  ...[0n, 1n, 2n, 3n, 7n, 8n, 16n, 32n, 64n, 100n, 127n, 128n, 255n, 256n, 1000n, 4096n, 32767n, 32768n, 65535n, 65536n],
  ...[10n ** 6n, 2n ** 24n, 2n ** 31n - 1n, 2n ** 31n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 40n, 2n ** 53n - 1n, 2n ** 53n],
  ...[2n ** 62n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 8n, 2n ** 64n - 1n],
];

type Mutation = (bytes: Uint8Array, random: Random, other: Uint8Array, words: readonly Uint8Array[]) => Uint8Array;

const mutations: readonly Mutation[] = [
  flipBit,
  setByte,
  setByte,
  setField,
  setField,
  setLength,
  addToField,
  remove,
  repeat,
  copyWithin,
  insertWord,
  overwriteWord,
  splice,
  cut,
  setDigits,
];

/**
 * A changed copy: one to four mutations, mostly few.
 * @param other another input, of which parts are taken
 */
export function mutateBytes(bytes: Uint8Array, random: Random, other: Uint8Array, words: readonly Uint8Array[]): Uint8Array {
  let changed: Uint8Array = bytes.slice();
  const times = 1 + (random.once(2) ? random.below(4) : 0);
  for (let time = 0; time < times; time++) changed = random.of(mutations)(changed, random, other, words);
  return changed.byteLength > Math.max(maxBytes, bytes.byteLength) ? changed.slice(0, maxBytes) : changed;
}

/** Headers are at the ends more often than in between. */
function placeIn(bytes: Uint8Array, random: Random): number {
  const size = bytes.byteLength;
  if (random.once(3)) return random.below(size);
  const near = Math.min(size, random.of([16, 64, 512, 4096]));
  return random.once(3) ? size - 1 - random.below(near) : random.below(near);
}

function flipBit(bytes: Uint8Array, random: Random): Uint8Array {
  if (bytes.byteLength > 0) {
    const at = placeIn(bytes, random);
    bytes[at] = (bytes[at] as number) ^ (1 << random.below(8));
  }
  return bytes;
}

function setByte(bytes: Uint8Array, random: Random): Uint8Array {
  if (bytes.byteLength > 0) bytes[placeIn(bytes, random)] = random.below(256);
  return bytes;
}

function setField(bytes: Uint8Array, random: Random): Uint8Array {
  return writeField(bytes, random, random.of(edges));
}

/** Lengths that just fit, and just do not. */
function setLength(bytes: Uint8Array, random: Random): Uint8Array {
  const size = random.once(2) ? bytes.byteLength : bytes.byteLength - placeIn(bytes, random);
  return writeField(bytes, random, BigInt(Math.max(0, size + random.below(17) - 8)));
}

function writeField(bytes: Uint8Array, random: Random, value: bigint): Uint8Array {
  const width = random.of([2, 4, 4, 8, 8]);
  if (bytes.byteLength < width) return bytes;
  const place = Math.min(placeIn(bytes, random), bytes.byteLength - width);
  const at = random.once(2) ? place - (place % width) : place;
  const isLittle = !random.once(4);
  for (let index = 0; index < width; index++)
    bytes[at + index] = Number((value >> BigInt(8 * (isLittle ? index : width - 1 - index))) & 255n);
  return bytes;
}

function addToField(bytes: Uint8Array, random: Random): Uint8Array {
  if (bytes.byteLength > 0) {
    const at = placeIn(bytes, random);
    bytes[at] = (bytes[at] as number) + random.below(33) - 16;
  }
  return bytes;
}

function remove(bytes: Uint8Array, random: Random): Uint8Array {
  if (bytes.byteLength === 0) return bytes;
  const at = placeIn(bytes, random);
  const length = lengthFrom(bytes, at, random);
  return joined(bytes.subarray(0, at), bytes.subarray(at + length));
}

function repeat(bytes: Uint8Array, random: Random): Uint8Array {
  if (bytes.byteLength === 0) return bytes;
  const at = placeIn(bytes, random);
  const part = bytes.subarray(at, at + lengthFrom(bytes, at, random));
  const times = random.once(8) ? random.of([8, 64, 512]) : 1;
  const room = Math.floor(maxBytes / Math.max(1, part.byteLength));
  return joined(
    bytes.subarray(0, at),
    ...Array.from({ length: Math.min(times, Math.max(1, room)) }, () => part),
    bytes.subarray(at),
  );
}

function copyWithin(bytes: Uint8Array, random: Random): Uint8Array {
  if (bytes.byteLength === 0) return bytes;
  const from = placeIn(bytes, random);
  bytes.copyWithin(placeIn(bytes, random), from, from + lengthFrom(bytes, from, random));
  return bytes;
}

function insertWord(bytes: Uint8Array, random: Random, _other: Uint8Array, words: readonly Uint8Array[]): Uint8Array {
  if (words.length === 0) return bytes;
  const at = bytes.byteLength === 0 ? 0 : placeIn(bytes, random);
  return joined(bytes.subarray(0, at), random.of(words), bytes.subarray(at));
}

function overwriteWord(bytes: Uint8Array, random: Random, _other: Uint8Array, words: readonly Uint8Array[]): Uint8Array {
  if (words.length === 0 || bytes.byteLength === 0) return bytes;
  const word = random.of(words);
  const at = placeIn(bytes, random);
  bytes.set(word.subarray(0, bytes.byteLength - at), at);
  return bytes;
}

function splice(bytes: Uint8Array, random: Random, other: Uint8Array): Uint8Array {
  if (bytes.byteLength === 0 || other.byteLength === 0) return bytes;
  const from = placeIn(other, random);
  const part = other.subarray(from, from + lengthFrom(other, from, random));
  const at = placeIn(bytes, random);
  const end = random.once(2) ? at : at + part.byteLength;
  return joined(bytes.subarray(0, at), part, bytes.subarray(end));
}

function cut(bytes: Uint8Array, random: Random): Uint8Array {
  return random.once(3) && bytes.byteLength > 0 ? bytes.slice(0, placeIn(bytes, random)) : bytes;
}

/** Numbers in text (JSON headers, names, tar fields). */
function setDigits(bytes: Uint8Array, random: Random): Uint8Array {
  if (bytes.byteLength === 0) return bytes;
  let at = placeIn(bytes, random);
  const end = Math.min(bytes.byteLength, at + 256);
  while (at < end && !isDigit(bytes[at])) at += 1;
  if (at === end) return bytes;
  let after = at;
  while (isDigit(bytes[after])) after += 1;
  const value = String(random.once(2) ? random.of(edges) : random.below(100));
  const digits = new TextEncoder().encode(random.once(6) ? `-${value}` : value);
  return joined(bytes.subarray(0, at), digits, bytes.subarray(after));
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

function lengthFrom(bytes: Uint8Array, at: number, random: Random): number {
  return Math.min(bytes.byteLength - at, 1 + random.below(random.of([4, 16, 64, 1024])));
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}
