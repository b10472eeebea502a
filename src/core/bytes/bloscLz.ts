/** Blosc's own compressor, a form of FastLZ (github.com/Blosc/c-blosc, blosc/blosclz.c): runs of literals, and copies of what was put out before. */
import { FormatError } from './formatError.js';

/** Copies from further back have two more bytes of distance. */
const NEAR_DISTANCE = 8191;
const LONG_LENGTH = 7;
const LEAST_COPY_BYTES = 2;
const MOST_LITERALS = 32;

/** @throws FormatError `corrupt`, also where other than `plainBytes` come out */
export function decompressBloscLz(packed: Uint8Array, plainBytes: number): Uint8Array {
  const output = new Uint8Array(plainBytes);
  let [at, to] = [0, 0];
  const next = (): number => {
    const byte = packed[at++];
    if (byte === undefined) throw corrupt();
    return byte;
  };
  while (at < packed.byteLength) {
    // It begins with literals.
    const control = at === 0 ? next() & (MOST_LITERALS - 1) : next();
    if (control < MOST_LITERALS) {
      const literals = packed.subarray(at, at + control + 1);
      if (literals.byteLength <= control || to + literals.byteLength > plainBytes) throw corrupt();
      output.set(literals, to);
      at += literals.byteLength;
      to += literals.byteLength;
      continue;
    }
    let length = control >> 5;
    if (length === LONG_LENGTH)
      for (let more = 255; more === 255;) {
        more = next();
        length += more;
      }
    length += LEAST_COPY_BYTES;
    const high = (control & 31) << 8;
    const low = next();
    const isFar = low === 255 && high === 31 << 8;
    const distance = 1 + (isFar ? NEAR_DISTANCE + next() * 256 + next() : high + low);
    if (distance > to || to + length > plainBytes) throw corrupt();
    // A copy may reach into itself: each byte after the one before it.
    for (const end = to + length; to < end; to++) output[to] = output[to - distance] as number;
  }
  if (to !== plainBytes) throw corrupt();
  return output;
}

function corrupt(): FormatError {
  return new FormatError('corrupt', 'a block of BloscLZ cannot be unpacked');
}
