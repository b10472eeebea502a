import type { FileEntry } from '../files/fileTree.js';

/** Files with several names, in whichever checkpoints and runs these are: their blocks were written once, and count once. */
export class HardLinks {
  private readonly seen = new Set<string>();

  /** Whether no name of the file was asked for before; true for symbolic links, which have no blocks. */
  isFirstName({ fileId, link }: FileEntry): boolean {
    if (fileId === undefined || link !== undefined) return true;
    const isFirst = !this.seen.has(fileId);
    this.seen.add(fileId);
    return isFirst;
  }

  countOnce(entries: readonly FileEntry[]): void {
    for (const entry of entries) if (!this.isFirstName(entry)) entry.allocatedBytes = 0;
  }
}
