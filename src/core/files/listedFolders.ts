/** The directories of a tree that is listed as a whole: those of an editor's file system, which are few. */
import { FormatError } from '../bytes/formatError.js';
import type { FileEntry, FileListing, FileTree } from './fileTree.js';
import type { FolderNames, Folders } from './folders.js';
import { baseName, parentPath } from './paths.js';

/** @throws FormatError as the listing does, at the first question */
export function listedFolders(tree: FileTree): Folders {
  let known: Promise<ListedFolders> | undefined;
  const listed = (signal?: AbortSignal): Promise<ListedFolders> =>
    (known ??= tree.list(signal).then((listing) => new ListedFolders(listing)));
  return {
    rootName: tree.rootName,
    names: async (folder, signal) => (await listed(signal)).names(folder),
    open: (path, signal) => tree.open(path, signal),
    list: async (folder, isChosen, signal) => (await listed(signal)).below(folder, isChosen),
  };
}

class ListedFolders {
  private readonly byFolder = new Map<string, FolderNames>([['', { folders: [], files: [] }]]);
  private readonly errors: ReadonlyMap<string, string>;

  constructor(private readonly listing: FileListing) {
    this.errors = new Map(listing.errors.map(({ path, detail }) => [path, detail]));
    for (const { path } of listing.entries) this.namesIn(parentPath(path)).files.push(baseName(path));
    for (const { path } of listing.errors) this.namesIn(path);
  }

  names(folder: string): FolderNames {
    const error = this.errors.get(folder);
    if (error !== undefined) throw new FormatError('io', error);
    return this.byFolder.get(folder) ?? { folders: [], files: [] };
  }

  below(folder: string, isChosen: (name: string) => boolean): FileListing {
    const start = folder === '' ? 0 : folder.length + 1;
    const isListed = ({ path }: { path: string }): boolean => {
      if (start > 0 && !path.startsWith(`${folder}/`)) return false;
      const end = path.indexOf('/', start);
      return end === -1 || isChosen(path.slice(start, end));
    };
    return {
      entries: this.listing.entries.filter(isListed).map((entry) => moved(entry, start)),
      errors: this.listing.errors.filter(isListed).map((error) => ({ ...error, path: error.path.slice(start) })),
      truncated: this.listing.truncated,
    };
  }

  /** Those of a directory, which is known in the ones above it from then on. */
  private namesIn(folder: string): FolderNames {
    const names = this.byFolder.get(folder) ?? { folders: [], files: [] };
    let own = names;
    for (let at = folder; !this.byFolder.has(at); at = parentPath(at)) {
      this.byFolder.set(at, own);
      const above = this.byFolder.get(parentPath(at));
      own = above ?? { folders: [], files: [] };
      own.folders.push(baseName(at));
    }
    return names;
  }
}

function moved(entry: FileEntry, start: number): FileEntry {
  return start === 0 ? entry : { ...entry, path: entry.path.slice(start) };
}
