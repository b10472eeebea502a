import type { ByteSource } from './byteSource.js';

/** What an inspection has read so far. Shared by all sources of one inspection. */
export interface ReadCounter {
  bytesRead: number;
  reads: number;
}

/** What an inspection read and how long it took. */
export interface IoReport {
  bytesRead: number;
  reads: number;
  elapsedMs: number;
}

/** Counts what is read through a source: the "read 41 KB of 1.2 GB, 9 reads" of every report, and what tests hold budgets on. */
export function countReads(source: ByteSource, counter: ReadCounter): ByteSource {
  return {
    name: source.name,
    sizeBytes: source.sizeBytes,
    async read(offset, length, signal) {
      // Of an empty file there is nothing to ask a disk or a server for.
      if (length === 0 && offset >= 0 && offset <= source.sizeBytes) return new Uint8Array(0);
      const bytes = await source.read(offset, length, signal);
      counter.reads += 1;
      counter.bytesRead += bytes.byteLength;
      return bytes;
    },
    close: () => source.close(),
  };
}
