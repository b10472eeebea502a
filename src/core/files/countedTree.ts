import { countReads, type ReadCounter } from '../bytes/countingSource.js';
import { ReadMemory } from '../bytes/readMemory.js';
import type { FileTree } from './fileTree.js';

/**
 * The tree of one inspection: what is read of its files is counted, and of small ones kept, so that it is read once.
 * @param open opens its files, where the tree itself does not
 */
export function countedTree(tree: FileTree, counter: ReadCounter, open = tree.open.bind(tree)): FileTree {
  const memory = new ReadMemory();
  return {
    rootName: tree.rootName,
    ...(tree.location === undefined ? {} : { location: tree.location }),
    list: (signal) => tree.list(signal),
    open: async (path, signal) => memory.over(path, countReads(await open(path, signal), counter)),
  };
}
