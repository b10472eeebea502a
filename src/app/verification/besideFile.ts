import { FormatError } from '../../core/bytes/formatError.js';
import type { FileTree } from '../../core/files/fileTree.js';
import type { Platform } from '../platform.js';

/** The directory of a single file, with the files that are directly in it; undefined for a directory, and for one that cannot be listed. */
export async function besideFile(
  { openFolders, folderOf }: Pick<Platform, 'openFolders' | 'folderOf'>,
  { isFile, location }: FileTree,
): Promise<FileTree | undefined> {
  if (isFile !== true || location === undefined) return undefined;
  const folder = folderOf(location);
  try {
    const folders = await openFolders(folder, null);
    const listing = await folders.list('', () => false);
    return {
      rootName: folders.rootName,
      location: folder,
      list: () => Promise.resolve(listing),
      open: (path, signal) => folders.open(path, signal),
    };
  } catch (error) {
    if (!FormatError.is(error)) throw error;
    return undefined;
  }
}
