import type { ChunkCodec } from '../bytes/chunkCodec.js';

/** How the pieces of a tensor become its numbers, one after the other. */
export interface TensorPacking {
  /** What each piece passed, in the order in which it is undone. */
  codecs: readonly ChunkCodec[];
  /** Bytes before the numbers in what a piece unpacks to. */
  headerBytes?: number;
  /** Of pieces that are chunks of an array, of which some reach beyond it. Otherwise each holds an equal share of the tensor. */
  chunks?: {
    /** Elements of a chunk along each axis, the last one fastest. */
    shape: readonly number[];
    /** Those of each piece that belong to the array, axis by axis. */
    within: Uint32Array;
  };
}
