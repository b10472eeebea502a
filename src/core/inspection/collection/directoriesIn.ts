/** A listing by the directories directly in it, with paths relative to these. */
import type { FileEntry } from '../../files/fileTree.js';
import { Listing } from '../../files/listing.js';
import { baseName } from '../../files/paths.js';

export function hasDirectories({ entries }: Listing): boolean {
  return entries.some(({ path }) => path.includes('/'));
}

/** Files that lie in the listing itself, and those of each directory. */
export function byDirectory({ entries }: Listing): { files: FileEntry[]; directories: Map<string, FileEntry[]> } {
  const files: FileEntry[] = [];
  const directories = new Map<string, FileEntry[]>();
  for (const entry of entries) {
    const slash = entry.path.indexOf('/');
    if (slash === -1) files.push(entry);
    else {
      const name = entry.path.slice(0, slash);
      const inside = directories.get(name) ?? [];
      inside.push({ ...entry, path: entry.path.slice(slash + 1) });
      directories.set(name, inside);
    }
  }
  return { files, directories };
}

/** What lies below a directory of the listing. */
export function listingBelow({ entries }: Listing, directory: string): Listing {
  const inside = entries.filter(({ path }) => path.startsWith(`${directory}/`));
  return new Listing(
    baseName(directory),
    inside.map((entry) => ({ ...entry, path: entry.path.slice(directory.length + 1) })),
  );
}
