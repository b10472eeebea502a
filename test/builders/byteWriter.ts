/** Little helpers the builders share: everything a file is made of becomes a Uint8Array. */

const encoder = new TextEncoder();

export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Each character as one byte, for raw bytes written as text. */
export function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0) & 0xff);
}

export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.byteLength;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}

export function bytes(...values: readonly number[]): Uint8Array {
  return Uint8Array.from(values);
}

/** An unsigned or negative integer of `width` bytes, little-endian, cut to that width as C would. */
export function integerLE(value: number | bigint, width: number): Uint8Array {
  const out = new Uint8Array(width);
  let rest = BigInt.asUintN(width * 8, BigInt(value));
  for (let at = 0; at < width; at++) {
    out[at] = Number(rest & 0xffn);
    rest >>= 8n;
  }
  return out;
}

export const u8 = (value: number | bigint) => integerLE(value, 1);
export const u16 = (value: number | bigint) => integerLE(value, 2);
export const u32 = (value: number | bigint) => integerLE(value, 4);
export const u64 = (value: number | bigint) => integerLE(value, 8);

/** Big-endian double, as pickle's BINFLOAT has it. */
export function f64BE(value: number): Uint8Array {
  const out = new Uint8Array(8);
  new DataView(out.buffer).setFloat64(0, value, false);
  return out;
}

/** A copy with some bytes replaced, to damage a valid file: `overwrite(file, 0, u64(2n ** 63n))`. */
export function overwrite(file: Uint8Array, offset: number, replacement: Uint8Array): Uint8Array {
  const copy = file.slice();
  copy.set(replacement, offset);
  return copy;
}

/** Repeatable pseudo-random bytes, so that payloads differ by seed and never look like a hole. */
export function patternBytes(length: number, seed = 1): Uint8Array {
  const out = new Uint8Array(length);
  let state = (seed * 2654435761) >>> 0 || 1;
  for (let at = 0; at < length; at++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    out[at] = state & 0xff;
  }
  return out;
}
