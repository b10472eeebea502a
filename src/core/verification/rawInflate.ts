import { Z_BUF_ERROR, Z_NO_FLUSH, Z_OK, Z_STREAM_END, zlibInflate, zlibInflateInit2, ZStream } from 'pako';
import { FormatError } from '../bytes/formatError.js';
import type { DecodedOutput, Decoder } from '../bytes/decoders.js';

/** Without a header, and a window of 32 KiB, the largest (zlib.h, inflateInit2). */
const rawWindowBits = -15;
/** What comes out is used before the next piece comes. */
const block = new Uint8Array(64 * 1024);

/**
 * DEFLATE without a header (RFC 1951), as members of zip archives and of gzip have it. Codes and lengths that zlib refuses are damage here as well: fflate takes
 * some of them, and unpacks what no other program reads.
 */
export class RawInflate implements Decoder {
  /** True behind the last block. */
  isEnded = false;
  private readonly stream = new ZStream();

  constructor(private readonly output: DecodedOutput) {
    zlibInflateInit2(this.stream, rawWindowBits);
  }

  push(piece: Uint8Array, isLast: boolean): void {
    this.take(piece);
    if (isLast && !this.isEnded && !this.output.isFull) throw new FormatError('truncated', 'the compressed data end too early');
  }

  /**
   * Unpacks what there is.
   * @returns bytes that were used: all but those behind the last block
   * @throws FormatError `corrupt`
   */
  take(piece: Uint8Array): number {
    const { stream } = this;
    stream.input = piece;
    stream.next_in = 0;
    stream.avail_in = piece.byteLength;
    do {
      if (this.isEnded || this.output.isFull) break;
      stream.output = block;
      stream.next_out = 0;
      stream.avail_out = block.byteLength;
      const status = zlibInflate(stream, Z_NO_FLUSH);
      if (stream.next_out > 0) this.output.add(block.subarray(0, stream.next_out));
      this.isEnded = status === Z_STREAM_END;
      if (!this.isEnded && status !== Z_OK && status !== Z_BUF_ERROR)
        throw new FormatError('corrupt', `the compressed data are damaged: ${stream.msg}`);
    } while (stream.avail_out === 0);
    return piece.byteLength - stream.avail_in;
  }
}
