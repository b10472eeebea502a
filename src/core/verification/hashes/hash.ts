/** Checksums and digests by name. Those of the core are here; the platform has the others, and may have faster ones. */

/** In lower-case hexadecimal digits, big-endian, whatever order a format stores them in. */
export type Digest = string;

export interface RunningHash {
  update(bytes: Uint8Array): void;
  /** Once, at the end. */
  digest(): Digest;
}

/** What the core computes itself. `riegeli` is HighwayHash-64 with the key of that format. */
export type CheckName = 'crc32' | 'crc32c' | 'adler32' | 'fletcher32' | 'lookup3' | 'riegeli' | 'xxh64';
/** Digests of whole files. `git-blob` is SHA-1 behind a header with the size (git hash-object). */
export type FileDigestName = 'md5' | 'sha1' | 'sha256' | 'sha512' | 'git-blob' | 'xxh64';
export type HashName = CheckName | Exclude<FileDigestName, 'git-blob'>;

export type MakeHash = (name: HashName) => RunningHash;

/** A number of 32 bits as a digest. */
export function hexOf32(value: number): Digest {
  return (value >>> 0).toString(16).padStart(8, '0');
}
