/** What one pass over a file computes. Plain data, as it may go to a thread. */
import type { Digest, FileDigestName, HashName } from './hashes/hash.js';
import type { Damage, Extent } from './verification.js';

/** How stored bytes become those that a sum is over. */
export type Packing = 'deflate' | 'zlib' | 'gzip' | 'zstd' | 'tensorflow-strings';

/** A stretch with one sum. */
export interface Region extends Extent {
  algorithm: HashName;
  /** Any of these is right: HDF5 has files of two byte orders. */
  expected: readonly Digest[];
  what: string;
  /** Absent for bytes that are stored as they are. */
  packing?: Packing;
  /** The sum is over these parts of the stretch alone, in order. */
  parts?: readonly Extent[];
  /** Bytes that come out, where they are packed. */
  unpackedBytes?: number;
  /** Texts that are packed together. */
  items?: number;
  /** Bytes at the end of the stretch that are the sum itself: covered, and not in what it is over. */
  sumBytes?: number;
}

/** Formats whose sums stand between the data, so that they are found while they pass. */
export type StreamName = 'tfrecord' | 'riegeli' | 'snappy' | 'gzip' | 'zstd';

export interface PassSpec {
  sizeBytes: number;
  /** In order of their offsets. */
  regions: readonly Region[];
  streams: readonly StreamName[];
  digests: readonly FileDigestName[];
  /** Length of the blocks that get a CRC-32C each; null for none. */
  blockBytes: number | null;
}

export interface PassResult {
  damage: Damage[];
  /** Covered by a sum that matches or does not. */
  covered: Extent[];
  digests: Partial<Record<FileDigestName, Digest>>;
  /** CRC-32C of each block. */
  blocks: Digest[];
}
