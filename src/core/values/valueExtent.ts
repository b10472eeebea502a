import type { Compression } from '../bytes/compression.js';

/** A stretch of a file that holds values of a tensor one after the other. */
export interface ValueExtent {
  path: string;
  offset: number;
  /** As stored. */
  bytes: number;
  /** Of a compressed stretch: by what, and what it holds. */
  packed?: { codec: Compression; bytes: number };
}
