/** Decompresses a stretch as it is read: nothing of it is held but what the format needs. */
import { createDecoder, type Decoder, type DecodedOutput } from '../bytes/decoders.js';
import { FormatError } from '../bytes/formatError.js';
import type { ValueExtent } from './valueExtent.js';

/** What is handed to a decoder at once: DEFLATE gives at most 1,032 bytes for one. */
const pushBytes = 16 * 1024;

export class Unpacking implements DecodedOutput {
  isFull = false;
  private readonly decoder: Decoder;
  private sizeBytes = 0;
  private hasFailed = false;

  /** @param onBytes called with what comes out, and no more than the stretch is to hold */
  constructor(
    private readonly packed: NonNullable<ValueExtent['packed']>,
    private readonly onBytes: (bytes: Uint8Array) => void,
  ) {
    this.decoder = createDecoder(packed.codec, this);
  }

  add(block: Uint8Array): void {
    if (this.sizeBytes + block.byteLength > this.packed.bytes) this.isFull = true;
    else if (block.byteLength > 0) this.onBytes(block);
    this.sizeBytes += block.byteLength;
  }

  /** Answers what is wrong, once; null where nothing is. */
  push(bytes: Uint8Array, isLast: boolean): string | null {
    if (this.hasFailed) return null;
    const problem = this.problemOf(bytes, isLast);
    this.hasFailed = problem !== null;
    return problem;
  }

  private problemOf(bytes: Uint8Array, isLast: boolean): string | null {
    try {
      for (let from = 0; from < bytes.byteLength && !this.isFull; from += pushBytes)
        this.decoder.push(bytes.subarray(from, from + pushBytes), isLast && from + pushBytes >= bytes.byteLength);
    } catch (error) {
      return FormatError.is(error) ? error.detail : 'the compressed data are damaged';
    }
    const isShort = isLast && this.sizeBytes < this.packed.bytes;
    return this.isFull || isShort
      ? `the compressed data hold ${this.isFull ? 'more' : 'fewer'} bytes than the shape needs`
      : null;
  }
}
