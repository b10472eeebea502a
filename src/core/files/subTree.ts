import type { FileEntry, FileTree } from './fileTree.js';
import { baseName, joinPath } from './paths.js';

/** A part of a tree as a tree of its own: a directory, or a single file. */
export function subTree(tree: FileTree, root: string, entries: readonly FileEntry[]): FileTree {
  const isFile = entries.length === 1 && entries[0]?.path === baseName(root);
  return {
    rootName: root === '' ? tree.rootName : baseName(root),
    list: () => Promise.resolve({ entries: [...entries], errors: [], truncated: false }),
    open: (path, signal) => tree.open(isFile ? root : joinPath(root, path), signal),
  };
}
