/** The directories of a tree that is listed as a whole: those of an editor's file system, which are few. */
import { FormatError } from '../bytes/formatError.js';
import type { FileEntry, FileListing, FileTree } from './fileTree.js';
import type { FolderNames, Folders } from './folders.js';
import { baseName, joinPath, parentPath } from './paths.js';

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

/** What is directly in a directory. */
interface Folder {
  folders: string[];
  entries: FileEntry[];
}

class ListedFolders {
  private readonly byPath = new Map<string, Folder>([['', { folders: [], entries: [] }]]);
  private readonly errors: ReadonlyMap<string, string>;

  constructor(private readonly listing: FileListing) {
    this.errors = new Map(listing.errors.map(({ path, detail }) => [path, detail]));
    for (const entry of listing.entries) this.madeAt(parentPath(entry.path)).entries.push(entry);
    for (const { path } of listing.errors) this.madeAt(path);
  }

  names(folder: string): FolderNames {
    const error = this.errors.get(folder);
    if (error !== undefined) throw new FormatError('io', error);
    const { folders, entries } = this.byPath.get(folder) ?? { folders: [], entries: [] };
    return { folders, files: entries.map(({ path }) => baseName(path)) };
  }

  below(folder: string, isChosen: (name: string) => boolean): FileListing {
    const start = folder === '' ? 0 : folder.length + 1;
    const entries: FileEntry[] = [];
    const errors: FileListing['errors'] = [];
    const pending = [folder];
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      const own = this.byPath.get(at);
      const detail = this.errors.get(at);
      if (detail !== undefined) errors.push({ path: at.slice(start), detail });
      for (const entry of own?.entries ?? []) entries.push(start === 0 ? entry : { ...entry, path: entry.path.slice(start) });
      const inside = own?.folders.filter((name) => at !== folder || isChosen(name)) ?? [];
      for (const name of inside.reverse()) pending.push(joinPath(at, name));
    }
    return { entries, errors, truncated: this.listing.truncated };
  }

  /** A directory, which is known in the ones above it from then on. */
  private madeAt(folder: string): Folder {
    const made = this.byPath.get(folder) ?? { folders: [], entries: [] };
    let own = made;
    for (let at = folder; !this.byPath.has(at); at = parentPath(at)) {
      this.byPath.set(at, own);
      own = this.byPath.get(parentPath(at)) ?? { folders: [], entries: [] };
      own.folders.push(baseName(at));
    }
    return made;
  }
}
