/** Blocks of Zstandard (RFC 8878, 3.1.1.2) before they are decompressed. */
import { FormatError } from './formatError.js';

/**
 * Refuses a block whose Huffman weights never end. Weights are coded by a table of states (RFC 8878, 4.2.1.2); where one symbol has all
 * of its probability, a state takes no bits and follows itself, and fzstd reads weights forever. Compressors never write this.
 * @param block with its header of three bytes
 * @throws FormatError `corrupt`
 */
export function checkZstdBlock(block: Uint8Array): void {
  const kind = ((block[0] as number) >> 1) & 3;
  const literals = block[3];
  if (kind !== 2 || literals === undefined || (literals & 3) !== 2) return;
  const sizeFormat = (literals >> 2) & 3;
  const treeAt = 3 + ([3, 3, 4, 5][sizeFormat] as number);
  // From 128 on the weights are stored directly.
  if ((block[treeAt] ?? 128) < 128 && hasCertainSymbol(block, treeAt + 1))
    throw new FormatError('corrupt', 'a Zstandard block has Huffman weights of one symbol');
}

/** Whether one symbol has all of the probability: those before it have none (RFC 8878, 4.1.1). */
function hasCertainSymbol(bytes: Uint8Array, at: number): boolean {
  let bit = 8 * at;
  const take = (count: number): number => {
    const byte = bit >> 3;
    const value = ((bytes[byte] ?? 0) | ((bytes[byte + 1] ?? 0) << 8)) >> (bit & 7);
    bit += count;
    return value & ((1 << count) - 1);
  };
  const log = take(4) + 5;
  // Weights have at most 64 states, and the decoder refuses more.
  if (log > 6) return false;
  const states = 1 << log;
  // Values up to `states + 1` take `log` bits where they are small, one more otherwise.
  const small = 2 ** (log + 1) - 2 - states;
  for (let symbol = 0; symbol < 256; symbol++) {
    const low = take(log);
    const value = low < small || take(1) === 0 ? low : low + 2 ** log - small;
    if (value !== 1) return value === states + 1;
    for (let repeat = take(2); ; repeat = take(2)) {
      symbol += repeat;
      if (repeat !== 3 || symbol > 255) break;
    }
  }
  return false;
}

/** Length of a block by its first three bytes: a repeated byte takes one (RFC 8878, 3.1.1.2). */
export function zstdBlockBytes(header: number): number {
  return 3 + (((header >> 1) & 3) === 1 ? 1 : header >> 3);
}
