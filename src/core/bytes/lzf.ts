/** Blocks of LibLZF (lzf_d.c), as h5py's filter of that name writes them. */
import { FormatError } from './formatError.js';
import { GrowingOutput } from './growingOutput.js';

/**
 * Unpacks a block, up to `maxBytes`; of one whose input ends early what came before.
 * @throws FormatError `corrupt` for a reference to bytes in front of the block
 */
export function decompressLzf(packed: Uint8Array, maxBytes: number): Uint8Array {
  const out = new GrowingOutput(maxBytes);
  let at = 0;
  const next = (): number => packed[at++] ?? 0;
  while (at < packed.byteLength && !out.isFull) {
    const control = next();
    if (control < 32) {
      for (let left = control; left >= 0 && at < packed.byteLength; left--) out.push(next());
      continue;
    }
    const count = (control >> 5 === 7 ? 7 + next() : control >> 5) + 2;
    const distance = (((control & 31) << 8) | next()) + 1;
    if (distance > out.length) throw new FormatError('corrupt', 'LZF refers to bytes in front of its block', { offset: at });
    out.copy(distance, count);
  }
  return out.bytes();
}
