import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { PathStats, Platform } from '../app/platform.js';
import { FormatError } from '../core/bytes/formatError.js';
import { FolderCache } from './folderCache.js';
import { FolderCacheFile } from './folderCacheFile.js';
import { describeIoError } from './ioError.js';
import { createNodeFileTree } from './nodeFileTree.js';
import { createNodeFolders } from './nodeFolders.js';
import { Owners } from './owners.js';
import { readRegularFile, readRegularText } from './regularFile.js';

/** Files of this machine, by local paths. */
export const nodeFiles = {
  nameOf: (file) => path.basename(file),
  folderOf: (file) => path.dirname(file),
  pathIn: (folder, name) => path.join(folder, name),
  stat: statsOf,
  readText: readRegularText,
  readBytes: readRegularFile,
  openTree: createNodeFileTree,
  openFolders: (folder, cacheFile) =>
    createNodeFolders(
      folder,
      cacheFile === null ? {} : { cacheOf: (root) => FolderCache.of(root, new FolderCacheFile(path.resolve(cacheFile), root)) },
    ),
  userName: () => new Owners().ownName(),
} satisfies Partial<Platform>;

async function statsOf(file: string): Promise<PathStats> {
  try {
    const stats = await stat(file);
    return { kind: stats.isDirectory() ? 'folder' : stats.isFile() ? 'file' : 'other', sizeBytes: stats.size };
  } catch (error) {
    throw new FormatError('io', describeIoError(error), { cause: error });
  }
}
