import type { FileTree } from '../../core/files/fileTree.js';
import { ownFolder } from '../../core/verification/ownFiles.js';
import type { Platform } from '../platform.js';

type PathPlatform = Pick<Platform, 'pathIn' | 'folderOf' | 'nameOf'>;

/** Where a path is, in full where that is known, and where a link to a directory leads. */
export function placeOf(tree: FileTree, path: string): string {
  return (tree.isFile === true ? undefined : tree.realLocation) ?? tree.location ?? path;
}

/** Where the manifest of a path is written and looked for: beside it, in `.stowage` of the directory that it is in. */
export function folderBeside(platform: PathPlatform, tree: FileTree, path: string): string {
  const place = placeOf(tree, path);
  return platform.pathIn(platform.pathIn(directoryBeside(platform, place), ownFolder), platform.nameOf(place));
}

/**
 * The directory whose `.stowage` has what is known of a place. Of a revision in the cache of the Hugging Face Hub it is the one of the repository: its
 * library takes all directories in `snapshots` for revisions (huggingface_hub/utils/_cache_manager.py).
 */
export function directoryBeside(platform: PathPlatform, place: string): string {
  const directory = platform.folderOf(place);
  const repository = platform.folderOf(directory);
  const isSnapshot =
    platform.nameOf(directory) === 'snapshots' && /^(?:model|dataset|space)s--/.test(platform.nameOf(repository));
  return isSnapshot ? repository : directory;
}
