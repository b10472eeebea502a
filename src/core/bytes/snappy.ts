/** Snappy (github.com/google/snappy, format_description.txt): a varint with the size uncompressed, then literals and copies. */
import { snappyUncompress } from 'hyparquet';
import { FormatError } from './formatError.js';

/** A copy of three bytes makes up to 64: no block grows more. */
const MOST_GROWTH = 64;

/**
 * Unpacks a whole block.
 * @throws FormatError `corrupt`, also for a size that the block cannot have, before anything is allocated
 */
export function decompressSnappy(block: Uint8Array, offset?: number): Uint8Array {
  const place = offset === undefined ? {} : { offset };
  const bytes = declaredBytes(block);
  if (bytes === undefined || bytes > block.byteLength * MOST_GROWTH)
    throw new FormatError('corrupt', 'a compressed block declares a size that it cannot have', place);
  const output = new Uint8Array(bytes);
  if (bytes === 0) return output;
  try {
    snappyUncompress(block, output);
  } catch (error) {
    throw new FormatError('corrupt', 'a block cannot be decompressed', { ...place, cause: error });
  }
  return output;
}

/** The varint at the beginning, of at most 32 bits. */
function declaredBytes(block: Uint8Array): number | undefined {
  let value = 0;
  for (let at = 0; at < 5; at++) {
    const byte = block[at];
    if (byte === undefined) return undefined;
    value += (byte & 0x7f) * 128 ** at;
    if (byte < 0x80) return value;
  }
  return undefined;
}
