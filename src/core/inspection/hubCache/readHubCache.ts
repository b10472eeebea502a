/** Reads the cache of the Hugging Face Hub: each revision as itself, through its links to the blobs. */
import type { FileEntry } from '../../files/fileTree.js';
import { Listing } from '../../files/listing.js';
import { placedTree } from '../../files/placedTree.js';
import type { Finding } from '../../findings/finding.js';
import { partsIn } from '../collection/findParts.js';
import { pathsOf, type CacheOfParts, type Part } from '../collection/part.js';
import { readCollection } from '../collection/readCollection.js';
import type { InspectContext, Read } from '../readOne.js';
import type { Report } from '../report.js';
import { accountCache, type CacheAccount } from './accountCache.js';
import type { CacheByteKind } from './cacheReport.js';
import { CachePlaces } from './cachePlaces.js';
import { describeCache, describeRevision } from './describeCache.js';
import { findCacheFindings, incompleteDownloads } from './findCacheFindings.js';
import type { CachedRevision, HubCache } from './findHubCache.js';
import { readBlobs } from './readBlobs.js';
import { readRefs } from './readRefs.js';
import { readSoleRevision } from './readSoleRevision.js';
import { revisionFiles } from './revisionFiles.js';

/**
 * The report of a directory with repositories of the cache: that of the revision where there is one alone, else a collection. Undefined
 * for a directory within a repository that has neither revisions nor blobs.
 * @param found what listing it has found: it is incomplete where there is anything
 * @throws FormatError `cancelled`
 */
export async function readHubCache(
  context: InspectContext,
  listing: Listing,
  cache: HubCache,
  found: readonly Finding[],
  path: string,
): Promise<Read<Report> | undefined> {
  const { repositories } = cache;
  const revisions = repositories.flatMap((repository) => repository.revisions);
  const [only] = repositories;
  if (only !== undefined && !only.isWhole && revisions.length === 0) {
    if (only.blobs.length === 0) return undefined;
    return readBlobs(context, { repository: only, listing, findings: [...found, ...incompleteDownloads(only)], path });
  }
  // Of what is not listed it is not known what it links and names.
  if (found.length > 0 || revisions.some(hasUnknownLinks)) for (const repository of repositories) repository.isWhole = false;
  await readRefs(context, repositories);
  const account = accountCache(listing, cache);
  const findings = [...found, ...findCacheFindings(repositories, account)];
  const [sole] = revisions;
  if (sole?.repository.root === '' && revisions.length === 1)
    return readSoleRevision(context, { revision: sole, account, findings, path });
  const others = await partsBeside(context, listing, cache, account);
  const parts = [...revisions.map((revision) => partOf(context, revision, account)).sort(byBytes), ...others.parts];
  const inCollection = { parts, other: others.rest, cache: cacheOfParts(cache, others.account, others.isAll) };
  return readCollection(context, inCollection, findings, path);
}

/** File systems of editors do not state where a link ends: each counts as a file of its own. */
function hasUnknownLinks({ files }: CachedRevision): boolean {
  return files.some(({ link }) => link?.target === '');
}

function partOf(context: InspectContext, revision: CachedRevision, account: CacheAccount): Part {
  const { entries, places } = revisionFiles(revision, account.targets);
  return {
    path: revision.root,
    root: revision.root,
    listing: new Listing(revision.commit, entries),
    tree: placedTree(context.tree, revision.commit, entries, places),
    revision: describeRevision(revision, account),
  };
}

function byBytes({ listing: a }: Part, { listing: b }: Part): number {
  return bytesOf(b.entries) - bytesOf(a.entries);
}

function bytesOf(entries: readonly FileEntry[]): number {
  return entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

/** Kinds of bytes that rows have. */
const inRows: ReadonlySet<CacheByteKind> = new Set(['revision', 'shared', 'parts']);

interface Beside {
  /** Things of other kinds: data sets that the library datasets has cached, checkpoints. */
  parts: Part[];
  /** Files of no part. */
  rest: FileEntry[];
  /** With the bytes of these parts. */
  account: CacheAccount;
  /** True where no other thing lies beside the cache and what belongs to it. */
  isAll: boolean;
}

/** What lies beside the repositories. */
async function partsBeside(context: InspectContext, listing: Listing, cache: HubCache, account: CacheAccount): Promise<Beside> {
  const places = new CachePlaces(listing, cache);
  const others = account.entries.get('other') ?? [];
  const readable = others.filter(({ path }) => !places.isOpaque(path));
  const parts = await partsIn(new Listing(listing.rootName, readable).withoutSystemFiles, '', context.probe);
  const taken = new Set(parts.flatMap(pathsOf));
  const ofParts = others.filter(({ path }) => taken.has(path));
  const left = others.filter(({ path }) => !taken.has(path));
  const entries = new Map([...account.entries, ['parts', ofParts] as const, ['other', left] as const]);
  return {
    parts,
    rest: [...entries].filter(([kind]) => !inRows.has(kind)).flatMap(([, same]) => same),
    account: { ...account, entries },
    isAll: parts.every(({ path }) => places.isInHome(path)),
  };
}

function cacheOfParts(cache: HubCache, account: CacheAccount, isAll: boolean): CacheOfParts {
  const isWhole = cache.repositories.every((repository) => repository.isWhole);
  return {
    report: describeCache(cache.repositories, account),
    isAll,
    counted: [...account.entries.values()].flat(),
    checks: {
      done: [
        'blobs are counted once, whatever number of revisions links them',
        ...(isWhole ? ['links against blobs, refs against revisions, in both directions'] : []),
      ],
      notDone: [
        'blobs against their names, which are the SHA-256 of large files and the Git SHA-1 of others: hf cache verify compares them',
        ...(isWhole
          ? []
          : [
              'which revisions and blobs nothing names: not all of the cache is listed, or its links do not state where they end',
            ]),
      ],
    },
  };
}
