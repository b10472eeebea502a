import { isStreamCodec, type ChunkCodec, type StreamCodec } from './chunkCodec.js';
import { createDecoder, type DecodedOutput } from './decoders.js';
import { FormatError } from './formatError.js';
import { decompressLzf } from './lzf.js';
import { unshuffle } from './shuffle.js';

const CHECKSUM_BYTES = 4;

/**
 * Undoes the codecs of a chunk that is whole in memory.
 * @param codecs in the order in which they are undone
 * @param plainBytes that come out at the end
 * @throws FormatError `corrupt`, `truncated`, also where another number of bytes comes out, or an error of the library for damaged data
 */
export function unpackChunk(chunk: Uint8Array, codecs: readonly ChunkCodec[], plainBytes: number): Uint8Array {
  // What is between two codecs may have checksums that go with the next ones.
  const mostBytes = plainBytes + CHECKSUM_BYTES * codecs.length;
  const plain = codecs.reduce((bytes, codec) => undo(bytes, codec, mostBytes), chunk);
  if (plain.byteLength !== plainBytes) throw wrongLength(plain.byteLength > plainBytes);
  return plain;
}

/** What unpacked to another number of bytes than there is room for. */
export function wrongLength(isMore: boolean): FormatError {
  return new FormatError('corrupt', `the compressed data hold ${isMore ? 'more' : 'fewer'} bytes than the shape needs`);
}

function undo(bytes: Uint8Array, codec: ChunkCodec, mostBytes: number): Uint8Array {
  if (isStreamCodec(codec)) return inflate(bytes, codec, mostBytes);
  if (codec === 'lzf') return decompressLzf(bytes, mostBytes);
  if (typeof codec === 'object') return unshuffle(bytes, codec.shuffledBytes);
  return bytes.subarray(0, Math.max(0, bytes.byteLength - CHECKSUM_BYTES));
}

/** DEFLATE gives at most 1,032 bytes for one: what is handed to a decoder at once bounds what comes out before it is looked at. */
export const pushBytes = 16 * 1024;

function inflate(bytes: Uint8Array, codec: StreamCodec, mostBytes: number): Uint8Array {
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
