import type { StreamCodec } from './chunkCodec.js';
import { createDecoder, type DecodedOutput } from './decoders.js';
import { FormatError } from './formatError.js';

/** DEFLATE gives at most 1,032 bytes for one: what is handed to a decoder at once bounds what comes out before it is looked at. */
export const pushBytes = 16 * 1024;

/** For what unpacks to another number of bytes than there is room for. */
export function wrongLength(isMore: boolean): FormatError {
  return new FormatError('corrupt', `the compressed data hold ${isMore ? 'more' : 'fewer'} bytes than the shape needs`);
}

/**
 * Unpacks a stream that is in memory.
 * @throws FormatError `corrupt` for more than `mostBytes`, and what the decoder throws for damaged data
 */
export function unpackStream(bytes: Uint8Array, codec: StreamCodec, mostBytes: number): Uint8Array {
  const output = new ChunkOutput(mostBytes);
  const decoder = createDecoder(codec, output);
  for (let from = 0; from < bytes.byteLength && !output.isFull; from += pushBytes)
    decoder.push(bytes.subarray(from, from + pushBytes), from + pushBytes >= bytes.byteLength);
  if (output.isFull) throw wrongLength(true);
  return output.bytes();
}

class ChunkOutput implements DecodedOutput {
  isFull = false;
  private readonly buffer: Uint8Array;
  private length = 0;

  constructor(mostBytes: number) {
    this.buffer = new Uint8Array(mostBytes);
  }

  add(block: Uint8Array): void {
    this.isFull ||= this.length + block.byteLength > this.buffer.byteLength;
    if (this.isFull) return;
    this.buffer.set(block, this.length);
    this.length += block.byteLength;
  }

  bytes(): Uint8Array {
    return this.buffer.subarray(0, this.length);
  }
}
