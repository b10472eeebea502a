/** Text without records: stretches of it, whole characters each. */
import type { ByteSource } from '../../bytes/byteSource.js';
import { decodeText } from '../../bytes/text.js';
import type { TextCorpus } from './textCorpus.js';

/** A cut costs a token at most: one in some 16,000. */
const WINDOW_BYTES = 64 * 1024;

/** Positions are bytes. */
export function plainCorpus(source: ByteSource, path: string): TextCorpus {
  const { sizeBytes } = source;
  return {
    path,
    span: sizeBytes,
    reachable: sizeBytes,
    weightBytes: sizeBytes,
    textBytes: sizeBytes,
    documents: null,
    isCounted: true,
    window: WINDOW_BYTES,
    async draw(from, length, signal) {
      const end = Math.min(sizeBytes, from + length);
      const bytes = await source.read(from, end - from, signal);
      const start = from === 0 ? 0 : boundary(bytes);
      const stop = end === sizeBytes ? bytes.byteLength : bytes.byteLength - cutAtEnd(bytes);
      const text = decodeText(bytes, start, Math.max(start, stop));
      return { texts: [text], textBytes: stop - start, documents: 0, covered: end - from };
    },
  };
}

/** Bytes at the beginning that belong to a character before: at most three. */
function boundary(bytes: Uint8Array): number {
  let at = 0;
  while (at < 3 && at < bytes.byteLength && ((bytes[at] as number) & 0xc0) === 0x80) at += 1;
  return at;
}

/** Bytes at the end of a character that goes on behind. */
function cutAtEnd(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.byteLength; back++) {
    const byte = bytes[bytes.byteLength - back] as number;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
    if (byte < 0x80) return 0;
  }
  return 0;
}
