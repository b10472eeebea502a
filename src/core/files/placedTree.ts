import { FormatError } from '../bytes/formatError.js';
import type { FileEntry, FileTree } from './fileTree.js';

/**
 * Files of a tree under other paths, such as those of the links that name them.
 * @param places path in `tree` of each entry that can be opened
 */
export function placedTree(
  tree: FileTree,
  rootName: string,
  entries: readonly FileEntry[],
  places: ReadonlyMap<string, string>,
): FileTree {
  return {
    rootName,
    list: () => Promise.resolve({ entries: [...entries], errors: [], truncated: false }),
    open(path, signal) {
      const place = places.get(path);
      if (place === undefined) return Promise.reject(new FormatError('io', 'it has no file data here'));
      return tree.open(place, signal);
    },
  };
}
