import { joinPath } from '../../files/paths.js';
import { Listing } from '../../files/listing.js';

/** A directory below the listed one, and what lies in it. */
export interface InnerDirectory {
  root: string;
  listing: Listing;
}

/** The only directory of a directory that has nothing else, the only one in that, and so on; empty where there is more at the top. */
export function onlyDirectories({ entries: listed }: Listing): InnerDirectory[] {
  const found: InnerDirectory[] = [];
  let root = '';
  let entries = listed;
  for (;;) {
    const [first] = entries;
    const slash = first?.path.indexOf('/') ?? -1;
    if (first === undefined || slash === -1) return found;
    const prefix = first.path.slice(0, slash + 1);
    if (!entries.every(({ path }) => path.startsWith(prefix))) return found;
    const name = prefix.slice(0, -1);
    root = joinPath(root, name);
    entries = entries.map((entry) => ({ ...entry, path: entry.path.slice(prefix.length) }));
    found.push({ root, listing: new Listing(name, entries) });
  }
}
