import type { FileTree } from '../../core/files/fileTree.js';
import type { Platform } from '../platform.js';

/** Where a path is, in full where that is known. */
export function placeOf(tree: Pick<FileTree, 'location'>, path: string): string {
  return tree.location ?? path;
}

/**
 * Where the manifest of a path is written and looked for: beside it, in `.stowage` of the directory that it is in. Of a snapshot of the Hub's cache it is in
 * the directory of the repository: what stands beside snapshots is taken for one.
 */
export function folderBeside(
  platform: Pick<Platform, 'pathIn' | 'folderOf' | 'nameOf'>,
  tree: Pick<FileTree, 'location'>,
  path: string,
): string {
  const place = placeOf(tree, path);
  const around = platform.folderOf(place);
  const repository = platform.folderOf(around);
  const isSnapshot = platform.nameOf(around) === 'snapshots' && /^(?:models|datasets|spaces)--/.test(platform.nameOf(repository));
  return platform.pathIn(platform.pathIn(isSnapshot ? repository : around, '.stowage'), platform.nameOf(place));
}
