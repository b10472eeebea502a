/** First and last bytes of the ranks' files: a block that never reached the disk is mostly at one of the ends. */
import { limits } from '../../bytes/limits.js';
import { runOrdered } from '../../files/orderedPool.js';
import type { FileExtent, Saved } from './distributedSave.js';
import type { FileSetAccess } from './fileSet.js';

/** A file whose first or last item is no archive. */
export interface DamagedEdge {
  path: string;
  offset: number;
  isZero: boolean;
}

const LOCAL_HEADER = [0x50, 0x4b, 0x03, 0x04];
const ZSTD_FRAME = [0x28, 0xb5, 0x2f, 0xfd];
const END_RECORD = [0x50, 0x4b, 0x05, 0x06];
/** The end of a zip archive without a comment, as torch writes it. */
const END_BYTES = 22;

/** Looks at both ends of every file that items refer to; four and 22 bytes each. */
export async function findDamagedEdges(saved: readonly Saved[], access: FileSetAccess): Promise<DamagedEdge[]> {
  const damaged: DamagedEdge[] = [];
  const files = saved
    .flatMap(({ paths, extents }) => paths.map((path, file) => ({ path, ...(extents[file] as FileExtent) })))
    .filter(({ path, end }) => end >= END_BYTES && end <= (access.entry(path)?.sizeBytes ?? 0));
  await runOrdered(files, limits.concurrentReads, async (file, _, turn) => {
    const { path, end } = file;
    const ends = access.withSource(path, async (source) => ({
      head: await source.read(0, LOCAL_HEADER.length, access.signal),
      tail: await source.read(end - END_BYTES, END_BYTES, access.signal),
    }));
    await ends.catch(() => undefined);
    await turn();
    await access.guard(path, async () => {
      const { head, tail } = await ends;
      if (!beginsWith(head, file.isFirstCompressed ? ZSTD_FRAME : LOCAL_HEADER))
        damaged.push({ path, offset: 0, isZero: isZero(head) });
      if (!file.isLastCompressed && !beginsWith(tail, END_RECORD))
        damaged.push({ path, offset: end - END_BYTES, isZero: isZero(tail) });
    });
  });
  return damaged;
}

function beginsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, index) => bytes[index] === byte);
}

function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}
