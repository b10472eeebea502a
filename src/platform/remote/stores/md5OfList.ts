import { decodeBase64 } from '../../../core/bytes/base64.js';
import type { StatedDigest } from '../../../core/files/fileTree.js';

/** An MD5 as lists of stores have it, in base64; undefined where there is none. */
export function md5OfList(text: unknown, source: string): StatedDigest | undefined {
  const bytes = typeof text === 'string' && text.length === 24 ? decodeBase64(text) : undefined;
  if (bytes?.length !== 16) return undefined;
  return { algorithm: 'md5', digest: Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(''), source };
}
