/** Compressed bytes that are in memory, unpacked within a bound. */
import { decompressBeginning } from './decompressBeginning.js';
import { decompressLz4FrameBeginning } from './lz4.js';
import { memorySource } from './memorySource.js';

/** A compression of files that this module unpacks. */
export type UnpackedCompression = 'gzip' | 'zlib' | 'zstd' | 'lz4';

export interface Unpacked {
  bytes: Uint8Array;
  /** False where there is more than `maxBytes`, or the input ends before it does. */
  isWhole: boolean;
}

/**
 * Unpacks a file, up to `maxBytes`. What a damaged one holds before the damage is lost with gzip, zlib and Zstandard.
 * @throws FormatError `corrupt`, `truncated`, `limit-exceeded`, `unsupported`, `cancelled`
 */
export async function unpack(
  packed: Uint8Array,
  compression: UnpackedCompression,
  maxBytes: number,
  signal: AbortSignal | undefined,
): Promise<Unpacked> {
  if (compression === 'lz4') return decompressLz4FrameBeginning(packed, maxBytes);
  return decompressBeginning(memorySource('packed', packed), compression, maxBytes, signal);
}

/** True for a compression that `unpack` takes. */
export function isUnpackable(compression: string): compression is UnpackedCompression {
  return unpackable.has(compression);
}

const unpackable: ReadonlySet<string> = new Set(['gzip', 'zlib', 'zstd', 'lz4'] satisfies UnpackedCompression[]);
