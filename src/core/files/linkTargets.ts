import type { FileEntry } from './fileTree.js';
import type { Listing } from './listing.js';
import { parentPath } from './paths.js';

/** A link to a blob, the blob as a link into the store that repositories share: more hops are no cache. */
const MOST_HOPS = 8;

/** Where the bytes of listed links are, so that a file with several links counts once. Nothing is looked up on the disk. */
export class LinkTargets {
  constructor(private readonly listing: Listing) {}

  /**
   * What tells the file behind an entry from all others: its path relative to the root, which begins with `..` for one outside, or the
   * link's own text where that is absolute. Of a file that is no link its path.
   */
  keyOf(entry: FileEntry): string {
    let current = entry;
    for (let hop = 0; hop < MOST_HOPS; hop++) {
      if (current.link === undefined) return current.path;
      if (current.link.entry !== undefined) return current.link.entry;
      const path = pathOfTarget(current.path, current.link.target);
      const next = this.listing.entry(path);
      if (next === undefined) return path;
      current = next;
    }
    return current.path;
  }

  /** The listed file that has the bytes of an entry; undefined where it is outside of the root. */
  fileOf(entry: FileEntry): FileEntry | undefined {
    const file = this.listing.entry(this.keyOf(entry));
    return file?.link === undefined ? file : undefined;
  }
}

/** A link's target relative to the root, by its text alone. */
function pathOfTarget(path: string, target: string): string {
  if (target === '' || /^([\\/]|[A-Za-z]:)/.test(target)) return target === '' ? path : target;
  const names = parentPath(path)
    .split('/')
    .filter((name) => name !== '');
  for (const name of target.split(/[\\/]/)) {
    if (name === '' || name === '.') continue;
    if (name === '..' && names.length > 0 && names.at(-1) !== '..') names.pop();
    else names.push(name);
  }
  return names.join('/');
}
