/** What `stowage verify` reports. */
import type { LogOutcome } from '../findings/loggedCheck.js';

/** Where bytes of a file are not what a sum says. */
export interface Damage {
  offset: number;
  length: number;
  /** A phrase: `data of weights/0 in the archive`. */
  what: string;
  /** The first tensors that have bytes there, and how many more; absent where none is known. */
  tensors?: { names: string[]; more: number };
}

/** A stretch of a file. */
export interface Extent {
  offset: number;
  length: number;
}

/**
 * `same` says that all sums that there are match, of the bytes that they cover; `unverifiable` that there are none. `missing` and `extra` are by a list of
 * files. A list of files that is damaged is `unreadable`.
 */
export type FileStatus = 'same' | 'changed' | 'missing' | 'extra' | 'unreadable' | 'unverifiable';

/** What a file was compared with: the sums of its container, of a list of files, or of its name. */
export type SumKind =
  | 'zip-crc32'
  | 'gzip-crc32'
  | 'zlib-adler32'
  | 'zstd-xxh64'
  | 'snappy-crc32c'
  | 'tfrecord-crc32c'
  | 'tensor-bundle-crc32c'
  | 'ocdbt-crc32c'
  | 'zarr-crc32c'
  | 'hdf5-fletcher32'
  | 'hdf5-lookup3'
  | 'parquet-crc32'
  | 'array-record-hash'
  | 'tar-sum'
  | 'mds-hash'
  | 'md5'
  | 'sha1'
  | 'sha256'
  | 'sha512'
  | 'git-blob'
  | 'xxh64'
  | 'block-crc32c'
  | 'size';

export interface VerifiedFile {
  /** Relative to the directory that was verified. */
  path: string;
  bytes: number;
  status: FileStatus;
  by: SumKind[];
  /** Bytes that a sum covers, of all. */
  coverage: { bytes: number; of: number };
  damage: Damage[];
  /** Why it is unreadable or unverifiable, or what stands against its being the same; null where there is nothing to say. */
  reason: string | null;
}

export interface VerificationReport {
  kind: 'verification';
  schemaVersion: 2;
  path: string;
  /** The manifest that it was compared with, or that was written; null without one. */
  manifest: string | null;
  /** True where that manifest was written. */
  created: boolean;
  files: VerifiedFile[];
  /** Files that are changed, missing or unreadable. */
  failed: number;
  unverifiable: number;
  /** Bytes that were read and hashed; holes of sparse files that were not read are not counted. */
  bytesHashed: number;
  /** Null where nothing was hashed, and where several nodes did. */
  bytesPerSecond: number | null;
  /** What the reader should know of all of it, a sentence each. */
  notes: string[];
  /** Present where it was to be entered into the log. */
  log?: LogOutcome;
}

/** Whether a status lets the command fail. */
export function isFailure(status: FileStatus): boolean {
  return status === 'changed' || status === 'missing' || status === 'unreadable';
}
