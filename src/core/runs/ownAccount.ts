/** What the names of a checkpoint's own files say that it must have: whatever other checkpoints of the run lack. */
import type { FileEntry } from '../files/fileTree.js';
import { joinPath, parentPath } from '../files/paths.js';

/** `model-00002-of-00004.safetensors`. */
const shard = /^(.*-)(\d{1,6})-of-(\d{1,6})(\.\w+)$/s;
/** No save has more shards of one file; a name could say anything. */
const mostShards = 100_000;

/**
 * Files that are not there: shards of a set that counts them, and the `.metadata` without which no `.distcp` can be loaded, as it is written last
 * (torch/distributed/checkpoint/filesystem.py: FileSystemWriter.finish).
 */
export function unaccountedFiles(entries: readonly FileEntry[]): number {
  const paths = new Set(entries.map(({ path }) => path));
  const directories = new Set<string>();
  const sets = new Map<string, { shards: Set<number>; of: number }>();
  for (const path of paths) {
    if (path.endsWith('.distcp')) directories.add(parentPath(path));
    const [, name = '', number = '', of = '', ending = ''] = (path.includes('-of-') && shard.exec(path)) || [];
    if (of === '' || Number(of) > mostShards) continue;
    const key = `${name}#-of-${of}${ending}`;
    const set = sets.get(key) ?? { shards: new Set(), of: Number(of) };
    sets.set(key, set);
    set.shards.add(Number(number));
  }
  const uncommitted = [...directories].filter((directory) => !paths.has(joinPath(directory, '.metadata')));
  const missing = [...sets.values()].map(({ shards, of }) => Math.max(0, of - shards.size));
  return missing.reduce((sum, count) => sum + count, uncommitted.length);
}
