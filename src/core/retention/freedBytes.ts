/** What removing checkpoints frees on the disk. A file with several names is freed with the last of them. */
import type { RunMember } from '../inspection/runs/run.js';

export interface FreedBytes {
  /** By the path of the checkpoint; they add up to what all of them free. */
  byPath: Map<string, number>;
  /** `allocated`: blocks on the disk, holes left out. `size`: of the files, where the disk's are not known. */
  basis: 'allocated' | 'size';
}

/** A file with several names, as far as they are among those that go. */
interface Linked {
  names: number;
  links: number | undefined;
  bytes: number;
  path: string;
}

export function freedBytes(dropped: readonly RunMember[]): FreedBytes {
  const isAllocated = dropped.every(({ listing }) => listing.entries.every(({ allocatedBytes }) => allocatedBytes !== undefined));
  const byPath = new Map<string, number>();
  const linked = new Map<string, Linked>();
  for (const { root, listing } of dropped) {
    let bytes = 0;
    for (const { fileId, links, link, sizeBytes, allocatedBytes = 0 } of listing.entries) {
      if (link !== undefined) continue;
      // Of the names of one file only the first has its blocks; its size is that of each.
      if (fileId === undefined) bytes += isAllocated ? allocatedBytes : sizeBytes;
      else {
        const file = linked.get(fileId) ?? { names: 0, links, bytes: 0, path: root };
        linked.set(fileId, file);
        file.names += 1;
        file.bytes = isAllocated ? file.bytes + allocatedBytes : sizeBytes;
        file.path = root;
      }
    }
    byPath.set(root, bytes);
  }
  for (const { names, links, bytes, path } of linked.values())
    if (links !== undefined && names >= links) byPath.set(path, (byPath.get(path) ?? 0) + bytes);
  return { byPath, basis: isAllocated ? 'allocated' : 'size' };
}
