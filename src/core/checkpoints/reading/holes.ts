/** Files that take less on the disk than their size: what of them was never written. */
import type { ByteSource } from '../../bytes/byteSource.js';
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import type { FileEntry } from '../../files/fileTree.js';
import { withFile } from '../../files/openFiles.js';
import { findHoles, findMissingSpace, isHollow } from '../../formats/impostor.js';
import type { FilePart } from '../parts.js';
import type { PartsSink } from '../partsSink.js';
import { areTensorsOfZeros, tensorStarts } from '../zeroTensors.js';
import type { ReadState } from './readState.js';

export class HoleSearch {
  /** Files of sets that may still be opened to look for holes. */
  private sparseFilesLeft: number = limits.sparseFilesOfSets;

  constructor(private readonly state: ReadState) {}

  /** A file that takes less on the disk than its size, and reads as zeros over a stretch of its data. */
  async noteHoles(source: ByteSource, entry: FileEntry, sink: PartsSink): Promise<void> {
    const { allocatedBytes = 0, sizeBytes } = entry;
    if (!isSparse(entry) || source.sizeBytes !== sizeBytes) return;
    const found = await findHoles(source, 0, allocatedBytes, sink.signal);
    await sink.turn();
    if (found === undefined || (await this.isWritten(source, entry, found.offset, sink.signal))) {
      // Zeros that are values were left out by git or a copy.
      const less = found === undefined ? findMissingSpace(sizeBytes, allocatedBytes) : undefined;
      // Not of the sink, which would look for what is in place of the data: nothing is read for it.
      if (less !== undefined) this.state.parts.findings.push({ ...less, path: entry.path });
      return;
    }
    const facts = { bytes: sizeBytes, missingBytes: sizeBytes - allocatedBytes };
    sink.finding({ code: 'file-has-holes', ...(found.offset === undefined ? {} : { offset: found.offset }), facts });
  }

  /** Whether a stretch of zeros is tensors of zeros, in a file that has other data as well. */
  private async isWritten(
    source: ByteSource,
    { path, allocatedBytes = 0, sizeBytes }: FileEntry,
    offset = 0,
    signal?: AbortSignal,
  ): Promise<boolean> {
    const file = this.state.parts.files.findIndex((part) => part.path === path);
    if (file === -1 || isHollow(sizeBytes, allocatedBytes)) return false;
    return areTensorsOfZeros(source, tensorStarts(this.state.parts.tensors, file), offset, signal);
  }

  /** Holes of files of a set that take less on the disk than their size, the largest first: only these are opened, within a budget for all sets. */
  async noteHolesOfSet(parts: readonly FilePart[], sinkOf: (path: string) => PartsSink): Promise<void> {
    const sparse = parts
      .filter(({ isUnreadable }) => isUnreadable !== true)
      .map(({ path }) => this.state.context.entries[this.state.numbers.get(path) as number] as FileEntry)
      .filter(isSparse)
      .sort((a, b) => b.sizeBytes - a.sizeBytes);
    const looked = sparse.slice(0, this.sparseFilesLeft);
    this.sparseFilesLeft -= looked.length;
    for (const entry of looked) {
      try {
        await withFile(this.state.context, entry.path, (source) => this.noteHoles(source, entry, sinkOf(entry.path)));
      } catch (error) {
        // One that cannot be opened has a finding of its own where it was to be read.
        if (!FormatError.is(error) || error.code === 'cancelled') throw error;
      }
    }
  }
}

/** A hard link counts 0 bytes where its file is listed under another name, and some file systems count none for any file. */
function isSparse({ allocatedBytes = 0, sizeBytes }: FileEntry): boolean {
  return allocatedBytes > 0 && allocatedBytes < sizeBytes;
}
