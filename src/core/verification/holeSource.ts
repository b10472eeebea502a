import type { ByteSource } from '../bytes/byteSource.js';
import type { FileEntry } from '../files/fileTree.js';

/** Some file systems keep small files beside their names, and count no blocks for them. */
const smallestHoleBytes = 1024 * 1024;
const sampleBytes = 4096;

/**
 * Zeros in place of a file that takes nothing on the disk, so that a hole of 100 GB is not read; null for any other file. Of a file with holes in it, it is not
 * known where these are: Node has no SEEK_HOLE, and reading them costs no access to a disk. As some file systems count blocks late, three places are
 * looked at.
 */
export async function holeSource(
  { allocatedBytes, sizeBytes, link, fileId }: FileEntry,
  source: ByteSource,
  signal: AbortSignal | undefined,
): Promise<ByteSource | null> {
  // A second name of a file counts no blocks either.
  const isHole = allocatedBytes === 0 && sizeBytes >= smallestHoleBytes && link === undefined && fileId === undefined;
  if (!isHole || sizeBytes !== source.sizeBytes) return null;
  for (const offset of [0, Math.floor(sizeBytes / 2), sizeBytes - sampleBytes])
    if ((await source.read(offset, sampleBytes, signal)).some((byte) => byte !== 0)) return null;
  return {
    ...source,
    sizeBytes,
    name: source.name,
    read: (_, length) => Promise.resolve(new Uint8Array(length)),
    readInto: (target) => Promise.resolve(void target.fill(0)),
    close: () => source.close(),
  };
}
