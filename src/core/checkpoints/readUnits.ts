/** What of a listing is read as one, and which files are opened at all. */
import { limits } from '../bytes/limits.js';
import type { FileEntry } from '../files/fileTree.js';
import { mayBeLfsPointer } from '../files/lfsPointer.js';
import type { Listing } from '../files/listing.js';
import { isPickleName, likelyPicklesFirst } from '../formats/pickle/imports/fileImports.js';
import { findFileSets, type FoundFileSet } from './fileSets/fileSets.js';
import type { FileRoles } from './roles/fileRoles.js';
import { leftoverRole, secondCopyRole, type FileRole, type RolesOfPaths } from './roles/fileRule.js';

export interface FileUnit {
  kind: 'file';
  entry: FileEntry;
  /** Position in the listing. */
  index: number;
  role: FileRole;
  /** The file that it is named as a second copy of. */
  original?: string;
}

/** What is read as one: a file, or a set of files. */
export type Unit = FileUnit | { kind: 'set'; found: FoundFileSet };

/** Sets take the place of the first of their files. */
export function unitsOf(listing: Listing, known: FileRoles, roles: RolesOfPaths): Unit[] {
  const setOf = new Map<string, FoundFileSet>();
  for (const found of findFileSets(listing, known)) for (const path of found.set.paths) setOf.set(path, found);
  const begun = new Set<FoundFileSet>();
  return listing.entries.flatMap((entry, index): Unit[] => {
    const found = setOf.get(entry.path);
    if (found === undefined) return [{ kind: 'file', entry, index, ...nameIn(listing, roles, entry.path) }];
    if (begun.has(found)) return [];
    begun.add(found);
    return [{ kind: 'set', found }];
  });
}

/** What a file is by its name. Interrupted and second copies are never opened as state, whatever their names are like. */
function nameIn(listing: Listing, roles: RolesOfPaths, path: string): Pick<FileUnit, 'role' | 'original'> {
  if (listing.isLeftover(path)) return { role: leftoverRole };
  const original = listing.originalOf(path);
  return original === undefined ? { role: roles.of(path) } : { role: secondCopyRole, original };
}

/**
 * Files whose names leave open what they are, beyond `limits.sniffedFiles`: names of pickles come first, then small files, which hostile pickles
 * are, and large ones, which data are, in equal numbers.
 */
export function leftClosed(units: readonly Unit[]): ReadonlySet<FileEntry> {
  const open = units.flatMap((unit) => (unit.kind === 'file' && isOpenByName(unit) ? [unit.entry] : []));
  if (open.length <= limits.sniffedFiles) return new Set();
  const pickles = open.filter(({ path }) => isPickleName(path)).length;
  const places = Math.max(0, limits.sniffedFiles - pickles);
  const largest = Math.floor(places / 2);
  return new Set(open.sort(likelyPicklesFirst).slice(limits.sniffedFiles - largest, open.length - largest));
}

/** A file that is opened for its first bytes alone, for what it is or for a pointer in its place. */
function isOpenByName({ entry, role: { reader } }: FileUnit): boolean {
  return !isClosed(entry) && (reader === 'sniff' || (reader === 'none' && mayBeLfsPointer(entry.sizeBytes)));
}

/** Links count where they point to; what cannot be opened says why. */
export function isClosed({ link, error }: FileEntry): boolean {
  return link?.isDirectory === true || link?.inside === true || error !== undefined;
}
