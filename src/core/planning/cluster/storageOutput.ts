/** What df and lfs print of a file system. Sizes are counted in KiB. */
import { limits } from '../../bytes/limits.js';

export interface StorageRoom {
  /** Of the kernel: `lustre`, `nfs4`; null where it is not said. */
  type: string | null;
  sizeBytes: number;
  usedBytes: number;
}

const KiB = 1024;

/** `df -P [-T] -k`: one line below the heads, which may be translated: the numbers are those before the first percentage. */
export function parseDf(text: string, hasType: boolean): StorageRoom | null {
  for (const line of text.split(/\r?\n/, limits.clusterLines).slice(1)) {
    // The name of a file system may have spaces, and so may the mount point, which comes last.
    const words = line.trim().split(/\s+/);
    const share = words.findIndex((word, index) => index >= 4 && /^(?:\d{1,3}%|-)$/.test(word) && index < words.length - 1);
    const [size, used] = words.slice(share - 3, share - 1).map(kibibytes);
    if (share < 0 || size == null || used == null || size === 0) continue;
    const type = hasType && share >= 5 ? (words[share - 4] ?? null) : null;
    return { type, sizeBytes: size, usedBytes: used };
  }
  return null;
}

function kibibytes(text: string): number | null {
  return /^\d{1,15}$/.test(text) ? Number(text) * KiB : null;
}

/** `lfs df`: its sum over the targets of data. */
export function parseLfsDf(text: string): StorageRoom | null {
  const [, size, used] =
    /^filesystem[_ ]summary:\s+(\d{1,15})\s+(\d{1,15})\s/m.exec(text.slice(0, limits.programOutputBytes)) ?? [];
  if (size === undefined || used === undefined || Number(size) === 0) return null;
  return { type: 'lustre', sizeBytes: Number(size) * KiB, usedBytes: Number(used) * KiB };
}
