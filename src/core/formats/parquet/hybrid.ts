/** The hybrid of runs and packed bits that levels and indices are in (Encodings.md of apache/parquet-format). */
import { FormatError } from '../../bytes/formatError.js';

/** Runs of one value, and groups of eight values packed into bits, the lowest first. */
export function decodeHybrid(bytes: Uint8Array, width: number, count: number): Uint32Array {
  const output = new Uint32Array(count);
  const runBytes = Math.ceil(width / 8);
  let at = 0;
  for (let filled = 0; filled < count && width > 0;) {
    let head = 0;
    for (let factor = 1, byte = 128; byte >= 128; factor *= 128) {
      byte = byteAt(bytes, at++);
      head += (byte & 127) * factor;
      if (factor > 2 ** 35) throw new FormatError('corrupt', 'a run without an end');
    }
    if (head % 2 === 0) {
      let value = 0;
      for (let index = 0; index < runBytes; index++) value += byteAt(bytes, at++) * 2 ** (8 * index);
      const end = Math.min(count, filled + head / 2);
      output.fill(value, filled, end);
      filled = end;
    } else {
      const values = Math.min(((head - 1) / 2) * 8, count - filled);
      unpack(bytes, at, width, output, filled, values);
      filled += values;
      at += ((head - 1) / 2) * width;
    }
  }
  return output;
}

function unpack(bytes: Uint8Array, start: number, width: number, output: Uint32Array, first: number, count: number): void {
  let bit = start * 8;
  for (let index = 0; index < count; index++) {
    let value = 0;
    for (let have = 0; have < width;) {
      const take = Math.min(width - have, 8 - (bit % 8));
      const part = (byteAt(bytes, Math.floor(bit / 8)) >> (bit % 8)) & ((1 << take) - 1);
      value += part * 2 ** have;
      have += take;
      bit += take;
    }
    output[first + index] = value;
  }
}

function byteAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at];
  if (byte === undefined) throw new FormatError('corrupt', 'a page ends within its levels or indices');
  return byte;
}
