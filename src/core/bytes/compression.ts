/** Which compression a file is of, by its first bytes. */
export type Compression = 'gzip' | 'zlib' | 'zstd';

/** Which compression the first bytes of a file are of. */
export function compressionOf(head: Uint8Array): Compression | undefined {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip';
  if (isZstdMagic(head, 0) || isSkippable(head, 0)) return 'zstd';
  return undefined;
}

function isZstdMagic(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0x28 && bytes[at + 1] === 0xb5 && bytes[at + 2] === 0x2f && bytes[at + 3] === 0xfd;
}

/** Frames of user data, such as the table of a seekable file (RFC 8878, 3.1.2). */
export function isSkippable(bytes: Uint8Array, at: number): boolean {
  return ((bytes[at] ?? 0) & 0xf0) === 0x50 && bytes[at + 1] === 0x2a && bytes[at + 2] === 0x4d && bytes[at + 3] === 0x18;
}
