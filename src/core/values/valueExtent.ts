import type { ChunkCodec } from '../bytes/chunkCodec.js';

/** A stretch of a file that holds values of a tensor one after the other. */
export interface ValueExtent {
  path: string;
  offset: number;
  /** As stored. */
  bytes: number;
  /** How it becomes values, where that takes more than reading it. */
  packed?: PackedStretch;
}

export interface PackedStretch {
  /** In the order in which they are undone. */
  codecs: readonly ChunkCodec[];
  /** What comes out. */
  bytes: number;
  /** Bytes of it at its beginning that are no values. */
  headerBytes: number;
  /** Of a chunk that reaches beyond its array. */
  box?: ChunkBox;
}

/** The part of a chunk that belongs to its array. */
export interface ChunkBox {
  /** Elements of the chunk along each axis, the last one fastest. */
  shape: readonly number[];
  /** Those that belong to the array. */
  within: readonly number[];
  elementBytes: number;
}
