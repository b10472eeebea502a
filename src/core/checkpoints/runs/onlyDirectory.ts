import { joinPath } from '../../files/paths.js';
import { Listing } from '../../files/listing.js';

/** What lies in the one directory of a directory that has nothing else, however deep; undefined where there is more at the top. */
export function onlyDirectory(listing: Listing): { root: string; listing: Listing } | undefined {
  let root = '';
  let { entries } = listing;
  for (;;) {
    const [first] = entries;
    const slash = first?.path.indexOf('/') ?? -1;
    if (first === undefined || slash === -1) break;
    const prefix = first.path.slice(0, slash + 1);
    if (!entries.every(({ path }) => path.startsWith(prefix))) break;
    root = joinPath(root, prefix.slice(0, -1));
    entries = entries.map((entry) => ({ ...entry, path: entry.path.slice(prefix.length) }));
  }
  return root === '' ? undefined : { root, listing: new Listing(root.slice(root.lastIndexOf('/') + 1), entries) };
}
