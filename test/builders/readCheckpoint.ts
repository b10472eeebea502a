/** What a layout reads of files in memory, before anything is made of it. */
import { UnpackBudget } from '../../src/core/bytes/unpackBudget.js';
import type { ReadResult } from '../../src/core/checkpoints/readFiles.js';
import type { ReadContext } from '../../src/core/checkpoints/reading/readContext.js';
import { countedTree } from '../../src/core/files/countedTree.js';
import type { FileTree } from '../../src/core/files/fileTree.js';
import { Listing } from '../../src/core/files/listing.js';
import { detectLayout } from '../../src/core/frameworks/detectLayout.js';
import { fileRoles } from '../../src/core/frameworks/layouts.js';
import { memoryTree, type MemoryFile } from './memoryTree.js';

export interface ReadCheckpoint {
  read: ReadResult;
  context: ReadContext;
}

export const readCheckpoint = (files: Record<string, MemoryFile>, rootName = 'save'): Promise<ReadCheckpoint> =>
  readTree(memoryTree(rootName, files));

export async function readTree(tree: FileTree): Promise<ReadCheckpoint> {
  const { entries } = await tree.list();
  const counter = { bytesRead: 0, reads: 0 };
  const context: ReadContext = {
    tree: countedTree(tree, counter),
    roles: fileRoles,
    entries,
    counter,
    signal: undefined,
    unpackBudget: new UnpackBudget(counter),
    onFile: () => undefined,
  };
  const listing = new Listing(tree.rootName, entries);
  return { read: await detectLayout(listing).read(context, listing), context };
}
