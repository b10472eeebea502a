/** What a bandwidth check writes: files with the names and sizes of a checkpoint, scaled to the space it may take. */

/** A file of a checkpoint, or one that is written in its place. */
export interface ShapeFile {
  name: string;
  sizeBytes: number;
}

export interface CheckShape {
  /** The checkpoint that is replayed; null where only a size was told. */
  like: string | null;
  /** Bytes and files of a whole save, of which `files` are the scaled copy. */
  realBytes: number;
  realFiles: number;
  /** Written share of the whole save, above 0 and up to 1. */
  scale: number;
  /** Names are safe, flat and unique; sizes are multiples of `sectorBytes`, so that each file can be written past the cache. */
  files: ShapeFile[];
  totalBytes: number;
  /** Threads that write at the same time. */
  streams: number;
  /** Bytes of one write and one read. */
  blockBytes: number;
}
