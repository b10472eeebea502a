/** Links of a part that end at files of others: their bytes count there, and their headers say what the part is. */
import type { FileEntry, FileTree } from '../../files/fileTree.js';
import type { LinkTargets } from '../../files/linkTargets.js';
import { Listing } from '../../files/listing.js';
import { joinPath } from '../../files/paths.js';
import { subTree } from '../../files/subTree.js';

/** A part as it is when it is inspected by itself. */
export interface FollowedPart {
  listing: Listing;
  tree: FileTree;
}

/**
 * The part with the files that its links end at, which have their sizes here.
 * @param targets of the links of the whole directory
 */
export function followLinks(
  tree: FileTree,
  targets: LinkTargets,
  { root, listing }: { root: string; listing: Listing },
): FollowedPart {
  if (!listing.entries.some(isFollowed)) return { listing, tree: subTree(tree, root, listing.entries) };
  const pathOf = (entry: FileEntry): string => (listing.isSingleFile ? root : joinPath(root, entry.path));
  const own = new Set(listing.entries.map(pathOf));
  const places = new Map<string, string>();
  const entries = listing.entries.map((entry): FileEntry => {
    const file = isFollowed(entry) ? targets.fileOf({ ...entry, path: pathOf(entry) }) : undefined;
    if (file === undefined || own.has(file.path)) return entry;
    places.set(entry.path, file.path);
    // As the file system gives a link to a file outside of the directory.
    return { ...entry, sizeBytes: file.sizeBytes, link: { target: entry.link?.target ?? '', inside: false } };
  });
  const below = subTree(tree, root, entries);
  const open: FileTree['open'] = (path, signal) => {
    const place = places.get(path);
    return place === undefined ? below.open(path, signal) : tree.open(place, signal);
  };
  if (places.size === 0) return { listing, tree: below };
  return { listing: new Listing(listing.rootName, entries), tree: { ...below, open } };
}

/** A link to a file that is listed, whose bytes count there. */
function isFollowed({ link, error }: FileEntry): boolean {
  return link?.inside === true && link.isDirectory !== true && error === undefined;
}
