/** Every byte of a cache once: those of one revision, those that revisions share, and what no revision has. */
import type { FileEntry } from '../../files/fileTree.js';
import type { Listing } from '../../files/listing.js';
import { CachePlaces } from './cachePlaces.js';
import type { CacheByteKind, RevisionReport } from './cacheReport.js';
import type { CachedRevision, HubCache } from './findHubCache.js';
import { LinkTargets } from '../../files/linkTargets.js';
import { isBrokenLink } from './revisionFiles.js';

/** The bytes of one file, whatever number of links it has. */
interface StoredFile {
  bytes: number;
  /** Each once. */
  revisions: CachedRevision[];
}

/** Bytes that only a revision has, and those that others have, too. */
type RevisionSums = Pick<RevisionReport, 'ownFiles' | 'ownBytes' | 'sharedBytes'>;

export interface CacheAccount {
  targets: LinkTargets;
  /** What revisions have, by the key of the file. */
  stored: ReadonlyMap<string, StoredFile>;
  sumsOf: (revision: CachedRevision) => RevisionSums;
  /** Every listed entry that counts, by what it is. Links to listed files are left out. */
  entries: ReadonlyMap<CacheByteKind, FileEntry[]>;
}

/** Puts each listed file to what it is for in the cache; `other` is what belongs to no cache. */
export function accountCache(listing: Listing, cache: HubCache): CacheAccount {
  const targets = new LinkTargets(listing);
  const stored = storedFiles(listing, cache, targets);
  const places = new CachePlaces(listing, cache);
  const entries = new Map<CacheByteKind, FileEntry[]>();
  const counted = new Set<string>();
  const ofRevisions = new Set(cache.repositories.flatMap(({ revisions }) => revisions.flatMap(pathsOf)));
  for (const entry of listing.entries) {
    if (entry.link?.inside === true || (isBrokenLink(entry) && cache.has(entry.path))) continue;
    const key = targets.keyOf(entry);
    const file = stored.get(key);
    const isOfCache = file !== undefined || cache.has(entry.path);
    // Links to one file outside count it once; those beside the cache count as they do everywhere.
    if (isOfCache && entry.link !== undefined && entry.error === undefined) {
      if (counted.has(key)) continue;
      counted.add(key);
    }
    const kind = kindOf(file) ?? (ofRevisions.has(entry.path) ? 'revision' : places.kindOf(entry.path));
    const same = entries.get(kind);
    if (same === undefined) entries.set(kind, [entry]);
    else same.push(entry);
  }
  const sums = sumsOfRevisions(stored);
  return { targets, stored, entries, sumsOf: (revision) => sums.get(revision) ?? { ownFiles: 0, ownBytes: 0, sharedBytes: 0 } };
}

function storedFiles(listing: Listing, { repositories }: HubCache, targets: LinkTargets): Map<string, StoredFile> {
  const stored = new Map<string, StoredFile>();
  for (const revision of repositories.flatMap(({ revisions }) => revisions)) {
    for (const entry of revision.files) {
      if (isBrokenLink(entry) || entry.link?.isDirectory === true) continue;
      const key = targets.keyOf(entry);
      const file = stored.get(key) ?? { bytes: (listing.entry(key) ?? entry).sizeBytes, revisions: [] };
      stored.set(key, file);
      if (file.revisions.at(-1) !== revision) file.revisions.push(revision);
    }
  }
  return stored;
}

function sumsOfRevisions(stored: ReadonlyMap<string, StoredFile>): Map<CachedRevision, RevisionSums> {
  const sums = new Map<CachedRevision, RevisionSums>();
  for (const { bytes, revisions } of stored.values()) {
    for (const revision of revisions) {
      const known = sums.get(revision) ?? { ownFiles: 0, ownBytes: 0, sharedBytes: 0 };
      if (revisions.length === 1) known.ownFiles += 1;
      known[revisions.length === 1 ? 'ownBytes' : 'sharedBytes'] += bytes;
      sums.set(revision, known);
    }
  }
  return sums;
}

function pathsOf({ files }: CachedRevision): string[] {
  return files.map(({ path }) => path);
}

function kindOf(file: StoredFile | undefined): CacheByteKind | undefined {
  if (file === undefined) return undefined;
  return file.revisions.length > 1 ? 'shared' : 'revision';
}

/** Bytes that only these revisions have. */
export function bytesOfOnly({ stored }: Pick<CacheAccount, 'stored'>, only: ReadonlySet<CachedRevision>): number {
  let sum = 0;
  for (const { bytes, revisions } of stored.values()) if (revisions.every((revision) => only.has(revision))) sum += bytes;
  return sum;
}
