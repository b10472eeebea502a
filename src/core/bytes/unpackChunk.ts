import { unpackBlosc } from './blosc.js';
import { isStreamCodec, type ChunkCodec } from './chunkCodec.js';
import { decompressLzf } from './lzf.js';
import { unshuffle } from './shuffle.js';
import { unpackStream, wrongLength } from './unpackStream.js';

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

function undo(bytes: Uint8Array, codec: ChunkCodec, mostBytes: number): Uint8Array {
  if (isStreamCodec(codec)) return unpackStream(bytes, codec, mostBytes);
  if (codec === 'lzf') return decompressLzf(bytes, mostBytes);
  if (codec === 'blosc') return unpackBlosc(bytes, mostBytes);
  if (typeof codec === 'object') return unshuffle(bytes, codec.shuffledBytes);
  return bytes.subarray(0, Math.max(0, bytes.byteLength - CHECKSUM_BYTES));
}
