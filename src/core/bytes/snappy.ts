/**
 * Snappy (github.com/google/snappy, format_description.txt): a varint with the size uncompressed, then literals and copies. By hand, as the
 * format is small and every length in it has to be checked: lengths and offsets of four bytes are read as unsigned numbers.
 */
import { FormatError } from './formatError.js';

/** A copy of three bytes makes up to 64: no block grows more. */
const MOST_GROWTH = 64;
/** Literals of up to this length have it in their tag; of longer ones the tag has how many bytes the length takes. */
const SHORT_LITERAL_BYTES = 60;

/**
 * Unpacks a whole block.
 * @throws FormatError `corrupt`, also for a size that the block cannot have, before anything is allocated
 */
export function decompressSnappy(block: Uint8Array, offset?: number): Uint8Array {
  const place = offset === undefined ? {} : { offset };
  const { bytes, at } = declaredSize(block);
  if (bytes === undefined || bytes > block.byteLength * MOST_GROWTH)
    throw new FormatError('corrupt', 'a compressed block declares a size that it cannot have', place);
  const output = new Uint8Array(bytes);
  if (!unpack(block, at, output)) throw new FormatError('corrupt', 'a block cannot be decompressed', place);
  return output;
}

/** The varint at the beginning, of at most 32 bits, and where it ends. */
function declaredSize(block: Uint8Array): { bytes: number | undefined; at: number } {
  let value = 0;
  for (let at = 0; at < 5; at++) {
    const byte = block[at];
    if (byte === undefined) break;
    value += (byte & 0x7f) * 128 ** at;
    if (byte < 0x80) return { bytes: value, at: at + 1 };
  }
  return { bytes: undefined, at: 0 };
}

/** Fills the output; false where the elements do not fill it exactly, or reach outside of the block or of what was put out. */
function unpack(block: Uint8Array, start: number, output: Uint8Array): boolean {
  let to = 0;
  for (let at = start; at < block.byteLength;) {
    const tag = block[at++] as number;
    const kind = tag & 3;
    const short = tag >>> 2;
    if (kind === 0) {
      const lengthBytes = Math.max(0, short - (SHORT_LITERAL_BYTES - 1));
      const length = 1 + (lengthBytes === 0 ? short : unsigned(block, at, lengthBytes));
      at += lengthBytes;
      if (at + length > block.byteLength || to + length > output.byteLength) return false;
      output.set(block.subarray(at, at + length), to);
      at += length;
      to += length;
    } else {
      const offsetBytes = kind === 3 ? 4 : kind;
      const low = unsigned(block, at, offsetBytes);
      const back = kind === 1 ? low + 256 * (tag >>> 5) : low;
      const length = kind === 1 ? 4 + (short & 7) : 1 + short;
      at += offsetBytes;
      if (at > block.byteLength || back === 0 || back > to || to + length > output.byteLength) return false;
      copyBack(output, to, back, length);
      to += length;
    }
  }
  return to === output.byteLength;
}

/** A number of one to four bytes, little-endian; bytes behind the end count as 0, which the caller's check of `at` notices. */
function unsigned(block: Uint8Array, at: number, bytes: number): number {
  let value = 0;
  for (let index = bytes - 1; index >= 0; index--) value = value * 256 + (block[at + index] ?? 0);
  return value;
}

/** A copy may reach into itself: each byte after the one before it. */
function copyBack(output: Uint8Array, to: number, back: number, length: number): void {
  if (back >= length) output.copyWithin(to, to - back, to - back + length);
  else for (let index = to; index < to + length; index++) output[index] = output[index - back] as number;
}
