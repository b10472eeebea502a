/**
 * The beginning of a gzip (RFC 1952), zlib (RFC 1950) or Zstandard (RFC 8878) file of any size, decompressed piece by piece: what comes out is bounded
 * by the caller, what is held besides by the format's window. Several members or frames one after the other are one content.
 */
import type { ByteSource } from './byteSource.js';
import type { Compression } from './compression.js';
import type { Decoder } from './decoders.js';
import { FormatError, throwIfCancelled } from './formatError.js';
import type { Unpacking } from './unpackBudget.js';

export interface Decompressed {
  bytes: Uint8Array;
  /** False where there is more than `maxBytes`, or than the budget has left. */
  isWhole: boolean;
  /** Bytes of the file that were used up for it; a little more than belong to `bytes`. */
  consumedBytes: number;
}

const READ_BYTES = 256 * 1024;
/** DEFLATE gives at most 1,032 bytes for one: 17 MB a push. */
const PUSH_BYTES = 16 * 1024;

/**
 * Decompresses from the beginning until `maxBytes` are there or the file ends. With `isCut` the source is the beginning of a file, and its end no damage.
 * @throws FormatError `truncated`, `corrupt`, `limit-exceeded` for a window larger than zstd itself allows, `io` or `cancelled`
 */
export async function decompressBeginning(
  source: ByteSource,
  compression: Compression,
  maxBytes: number,
  { signal, unpackBudget, isCut = false }: Unpacking & { isCut?: boolean },
): Promise<Decompressed> {
  // Only when something is compressed: the tables of the decoders take longer to make than a small file takes to read.
  const { BoundedOutput, createDecoder } = await import('./decoders.js');
  const output = new BoundedOutput(maxBytes, unpackBudget);
  const decoder = createDecoder(compression, output);
  let at = 0;
  while (at < source.sizeBytes && !output.isFull) {
    throwIfCancelled(signal);
    const bytes = await source.read(at, Math.min(READ_BYTES, source.sizeBytes - at), signal);
    for (let from = 0; from < bytes.byteLength && !output.isFull; from += PUSH_BYTES) {
      const piece = bytes.subarray(from, from + PUSH_BYTES);
      push(decoder, piece, at, !isCut && at + from + piece.byteLength === source.sizeBytes);
      if (output.isFull) at += from + piece.byteLength - bytes.byteLength;
    }
    at += bytes.byteLength;
  }
  return { bytes: output.joined(), isWhole: !output.isFull, consumedBytes: at };
}

function push(decoder: Decoder, piece: Uint8Array, offset: number, isLast: boolean): void {
  try {
    decoder.push(piece, isLast);
  } catch (error) {
    if (FormatError.is(error)) throw error;
    const isCut = isLast && error instanceof Error && /EOF/i.test(error.message);
    const detail = isCut ? 'the compressed data end too early' : 'the compressed data are damaged';
    throw new FormatError(isCut ? 'truncated' : 'corrupt', detail, { offset, cause: error });
  }
}
