import type { FileListing, FileTree } from './fileTree.js';

/** What is directly in a directory. */
export interface FolderNames {
  folders: string[];
  /** Names of everything else: files, links, devices. */
  files: string[];
}

/** Directories below one root, asked for one at a time: a file system with a million of them has no listing. */
export interface Folders {
  /** Last part of the path of the root. */
  readonly rootName: string;
  /**
   * What is in a directory, in natural order.
   * @param folder relative to the root, which is the empty path
   * @throws FormatError `io` where it cannot be listed, `cancelled`
   */
  names(folder: string, signal?: AbortSignal): Promise<FolderNames>;
  /**
   * The files in a directory, and all those below the folders in it that are chosen.
   * @param folder relative to the root; paths in the listing are relative to this folder
   * @throws FormatError `io`, `cancelled`
   */
  list(folder: string, isChosen: (name: string) => boolean, signal?: AbortSignal): Promise<FileListing>;
  /** Opens a file by its path relative to the root. @throws FormatError `io` */
  open: FileTree['open'];
}
