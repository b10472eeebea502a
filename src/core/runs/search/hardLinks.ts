import type { FileEntry } from '../../files/fileTree.js';

/** Files with several names, in whichever runs these are: their blocks count once. */
export class HardLinks {
  private readonly seen = new Set<string>();

  countOnce(entries: readonly FileEntry[]): void {
    for (const entry of entries) {
      const { fileId, link } = entry;
      if (fileId === undefined || link !== undefined) continue;
      if (this.seen.has(fileId)) entry.allocatedBytes = 0;
      this.seen.add(fileId);
    }
  }
}
