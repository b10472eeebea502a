/** Which of many files are looked at, where names leave open what they hold: the files of one directory are alike. */
import { limits } from '../bytes/limits.js';
import type { FileEntry } from '../files/fileTree.js';
import { parentPath } from '../files/paths.js';

/**
 * Paths of the files that are too many to look at each: none, up to `limits.sniffedFiles`. Beyond, the largest of each directory are
 * looked at, those with the most bytes first.
 */
export function filesBeyondSample(entries: readonly FileEntry[]): ReadonlySet<string> {
  if (entries.length <= limits.sniffedFiles) return new Set();
  const directories = [...byDirectory(entries)].sort((a, b) => b.sizeBytes - a.sizeBytes);
  const sampled = new Set(directories.flatMap(({ largest }) => largest.map(({ path }) => path)).slice(0, limits.sniffedFiles));
  return new Set(entries.flatMap(({ path }) => (sampled.has(path) ? [] : [path])));
}

interface Directory {
  sizeBytes: number;
  largest: FileEntry[];
}

function byDirectory(entries: readonly FileEntry[]): Iterable<Directory> {
  const directories = new Map<string, Directory>();
  for (const entry of entries) {
    const directory = parentPath(entry.path);
    const known = directories.get(directory) ?? { sizeBytes: 0, largest: [] };
    directories.set(directory, known);
    known.sizeBytes += entry.sizeBytes;
    const at = known.largest.findIndex(({ sizeBytes }) => sizeBytes < entry.sizeBytes);
    known.largest.splice(at === -1 ? known.largest.length : at, 0, entry);
    if (known.largest.length > limits.sniffedOfDirectory) known.largest.pop();
  }
  return directories.values();
}
