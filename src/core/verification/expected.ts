/** What is known of whole files beforehand: out of lists, manifests and names. */
import type { Digest, FileDigestName } from './hashes/hash.js';

export interface ExpectedDigest {
  algorithm: FileDigestName;
  digest: Digest;
  /** Who says so: the path of a list, `its name`. */
  source: string;
}

/** Of one file, by a manifest. */
export interface ManifestFile {
  path: string;
  bytes: number;
  /** Milliseconds since 1970; null where unknown. */
  modifiedMs: number | null;
  sha256: Digest;
  /** CRC-32C of each block. */
  crc32c: Digest[];
}

export interface Manifest {
  blockBytes: number;
  files: ReadonlyMap<string, ManifestFile>;
  /** Directories and files that it is of; absent where it is of all that is verified. */
  within?: readonly string[];
}

/** All that is known of one file. */
export interface Expected {
  digests: ExpectedDigest[];
  manifest: ManifestFile | null;
}
