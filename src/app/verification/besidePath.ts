import type { FileTree } from '../../core/files/fileTree.js';
import type { Platform } from '../platform.js';

/** Where a path is, in full where that is known. */
export function placeOf(tree: FileTree, path: string): string {
  return tree.location ?? path;
}

/** Where the manifest of a path is written and looked for: beside it, in `.stowage` of the directory that it is in. */
export function folderBeside(platform: Pick<Platform, 'pathIn' | 'folderOf' | 'nameOf'>, tree: FileTree, path: string): string {
  const place = placeOf(tree, path);
  return platform.pathIn(platform.pathIn(platform.folderOf(place), '.stowage'), platform.nameOf(place));
}
