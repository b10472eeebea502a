/** Parts of files that lie in one directory: models and data sets. */
import type { Claim } from '../../datasets/detectDataset.js';
import type { FileEntry } from '../../files/fileTree.js';
import { Listing } from '../../files/listing.js';
import { baseName, joinPath, parentPath } from '../../files/paths.js';
import { detectLayout } from '../../frameworks/detectLayout.js';
import { modelFilesOf } from './modelFiles.js';
import type { Part } from './part.js';

/** A checkpoint, or one for each of its files where these are models of their own. */
export function modelsIn(listing: Listing, root: string): Part[] {
  const models = modelFilesOf(detectLayout(listing).id, listing.entries);
  if (models === undefined) return [{ path: root, root, listing }];
  return [...models.values()].map((entries) => ({
    ...partOf(entries, root, listing.rootName),
    path: joinPath(root, entries[0]?.path ?? ''),
  }));
}

/** A data set for each layout, of the files of that layout. */
export function datasetsIn(claims: readonly Claim[], listing: Listing, root: string): Part[] {
  return claims.map(({ paths, layout }) => {
    const claimed = new Set(paths);
    const own = listing.entries.filter(({ path }) => claimed.has(path));
    return { ...partOf(own, root, listing.rootName), layout: layout.id };
  });
}

/** A part of these files: their directory is its root, or the file itself where there is one. */
export function partOf(entries: readonly FileEntry[], root: string, rootName: string): Part {
  const [first] = entries;
  if (first !== undefined && entries.length === 1) {
    const name = baseName(first.path);
    const path = joinPath(root, first.path);
    return { path, root: path, listing: new Listing(name, [{ ...first, path: name }]) };
  }
  const directory = commonDirectory(entries.map(({ path }) => parentPath(path)));
  const from = directory === '' ? 0 : directory.length + 1;
  const own = entries.map((entry) => ({ ...entry, path: entry.path.slice(from) }));
  const place = directory === '' ? root : joinPath(root, directory);
  return { path: place, root: place, listing: new Listing(directory === '' ? rootName : baseName(directory), own) };
}

function commonDirectory(directories: readonly string[]): string {
  const [parts = [], ...others] = directories.map((directory) => (directory === '' ? [] : directory.split('/')));
  let length = parts.length;
  for (const other of others) while (length > 0 && !parts.slice(0, length).every((part, at) => other[at] === part)) length -= 1;
  return parts.slice(0, length).join('/');
}
