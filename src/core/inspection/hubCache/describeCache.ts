import type { FileEntry } from '../../files/fileTree.js';
import type { HubRevision } from '../../text/hubRevision.js';
import { bytesOfOnly, type CacheAccount } from './accountCache.js';
import { cacheByteKinds, type CacheReport, type CacheUsage, type RevisionReport } from './cacheReport.js';
import type { CachedRepository, CachedRevision } from './findHubCache.js';
import { isBrokenLink, isConsistent } from './revisionFiles.js';

/** The cache's own section of a report. */
export function describeCache(repositories: readonly CachedRepository[], account: CacheAccount): CacheReport {
  const sums = sumsOfRepositories(account);
  return {
    basis: 'names',
    usage: usageOf(account),
    repositories: repositories
      .map((repository) => {
        const { id, type, root: path, revisions } = repository;
        return {
          id,
          type,
          path,
          revisions: revisions.length,
          ...(sums.get(repository) ?? { files: 0, bytes: 0 }),
          isConsistent: isConsistent(repository),
        };
      })
      .sort((a, b) => b.bytes - a.bytes),
    prune: pruneOf(repositories, account),
  };
}

function usageOf({ entries }: CacheAccount): CacheUsage[] {
  return cacheByteKinds.flatMap((kind) => {
    const files = entries.get(kind) ?? [];
    return files.length === 0 ? [] : [{ kind, bytes: bytesOf(files), files: files.length }];
  });
}

function sumsOfRepositories({ stored }: CacheAccount): Map<CachedRepository, { files: number; bytes: number }> {
  const sums = new Map<CachedRepository, { files: number; bytes: number }>();
  for (const { bytes, revisions } of stored.values()) {
    for (const repository of new Set(revisions.map((revision) => revision.repository))) {
      const known = sums.get(repository) ?? { files: 0, bytes: 0 };
      sums.set(repository, { files: known.files + 1, bytes: known.bytes + bytes });
    }
  }
  return sums;
}

/** As `hf cache prune` has it (huggingface_hub/cli/cache.py): revisions without a ref, unfinished downloads, what no repository links in the store. */
function pruneOf(repositories: readonly CachedRepository[], account: CacheAccount): CacheReport['prune'] {
  if (!repositories.every(({ isWhole }) => isWhole)) return null;
  const detached = repositories
    .filter(isConsistent)
    .flatMap(({ revisions }) => revisions.filter(({ refs }) => refs.length === 0));
  const incomplete = account.entries.get('incomplete') ?? [];
  const stored = prunedFromStore(account);
  return {
    revisions: detached.map(({ commit }) => commit).sort(),
    incompleteFiles: incomplete.length,
    storeFiles: stored.length,
    bytes: bytesOfOnly(account, new Set(detached)) + bytesOf(incomplete) + bytesOf(stored),
  };
}

/** A payload without a manifest is left alone. */
function prunedFromStore({ entries }: CacheAccount): FileEntry[] {
  const manifests = new Set(entries.get('metadata')?.map(({ path }) => path));
  return entries.get('unlinked')?.filter(({ path }) => manifests.has(`${path}.refs`)) ?? [];
}

/** What a revision is called. */
export function hubRevisionOf({ repository, commit, refs }: CachedRevision): HubRevision {
  return { repository: repository.id, type: repository.type, commit, refs: repository.isWhole ? [...refs].sort() : null };
}

/** What a revision's row has besides its report. */
export function describeRevision(revision: CachedRevision, account: CacheAccount): RevisionReport {
  return {
    ...hubRevisionOf(revision),
    ...account.sumsOf(revision),
    parts: 1,
    brokenLinks: revision.files.filter(isBrokenLink).length,
  };
}

function bytesOf(entries: readonly FileEntry[]): number {
  return entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}
