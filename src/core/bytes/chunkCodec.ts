/** What is done to the bytes of an array before they are stored, by the names that HDF5, zarr and zip have for it. */
import type { Compression } from './compression.js';

/** A codec that is undone as bytes come. `deflate` has no header (RFC 1951). */
export type StreamCodec = Compression | 'deflate';

/** `fletcher32` and `crc32c` are checksums of four bytes behind the data; they are not compared here. */
export type ChunkCodec = StreamCodec | 'lzf' | 'blosc' | 'fletcher32' | 'crc32c' | { shuffledBytes: number };

const streamCodecs: ReadonlySet<ChunkCodec> = new Set<StreamCodec>(['gzip', 'zlib', 'zstd', 'deflate']);

export function isStreamCodec(codec: ChunkCodec | undefined): codec is StreamCodec {
  return codec !== undefined && streamCodecs.has(codec);
}
