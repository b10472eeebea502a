/** Compressed bytes that are in memory, unpacked within a bound. */
import { decompressBzip2 } from './bzip2.js';
import { decompressBeginning } from './decompressBeginning.js';
import { decompressLz4FrameBeginning } from './lz4.js';
import { decompressLzmaAlone, decompressXz } from './lzma.js';
import { memorySource } from './memorySource.js';
import type { Unpacking } from './unpackBudget.js';

/** Compressions of files that are unpacked in memory. */
export type PackedFormat = 'gzip' | 'zlib' | 'zstd' | 'lz4' | 'bzip2' | 'lzma' | 'xz' | 'zfile';

export interface Unpacked {
  bytes: Uint8Array;
  /** False where there is more than `maxBytes` or than the budget has left, or the input ends before it does. */
  isWhole: boolean;
}

/**
 * Unpacks a file, up to `maxBytes`. What a damaged one holds before the damage is lost with gzip, zlib and Zstandard.
 * @throws FormatError `corrupt`, `truncated`, `limit-exceeded`, `unsupported`, `cancelled`
 */
export async function unpack(
  packed: Uint8Array,
  compression: PackedFormat,
  maxBytes: number,
  unpacking: Unpacking,
): Promise<Unpacked> {
  if (compression === 'zfile')
    return decompressBeginning(memorySource('packed', packed.subarray(zfileHeaderBytes(packed))), 'zlib', maxBytes, unpacking);
  if (compression === 'gzip' || compression === 'zlib' || compression === 'zstd')
    return decompressBeginning(memorySource('packed', packed), compression, maxBytes, unpacking);
  const { unpackBudget } = unpacking;
  const unpacked = unpackAtOnce(packed, compression, Math.min(maxBytes, unpackBudget.roomBytes));
  unpackBudget.charge(Math.max(unpacked.bytes.byteLength, unpacked.workBytes ?? 0));
  return unpacked;
}

/**
 * joblib before 0.10 (numpy_pickle_compat.py, read_zfile): `ZF`, the length in hexadecimal with spaces up to 19 characters, 20 in versions up to 0.8.4
 * with Python 2, and a stream of zlib.
 */
function zfileHeaderBytes(packed: Uint8Array): number {
  const SPACE = 0x20;
  return packed[ZFILE_HEADER_BYTES] === SPACE ? ZFILE_HEADER_BYTES + 1 : ZFILE_HEADER_BYTES;
}

const ZFILE_HEADER_BYTES = 21;

function unpackAtOnce(
  packed: Uint8Array,
  compression: 'lz4' | 'bzip2' | 'lzma' | 'xz',
  maxBytes: number,
): Unpacked & { workBytes?: number } {
  switch (compression) {
    case 'lz4':
      return decompressLz4FrameBeginning(packed, maxBytes);
    case 'bzip2':
      return decompressBzip2(packed, maxBytes);
    case 'lzma':
      return decompressLzmaAlone(packed, maxBytes);
    case 'xz':
      return decompressXz(packed, maxBytes);
  }
}
