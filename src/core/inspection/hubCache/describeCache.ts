import type { FileEntry } from '../../files/fileTree.js';
import { bytesOfOnly, type CacheAccount } from './accountCache.js';
import { cacheByteKinds, type CacheReport, type CacheUsage, type RevisionReport } from './cacheReport.js';
import type { CachedRepository, CachedRevision } from './findHubCache.js';
import { isBrokenLink, isConsistent } from './revisionFiles.js';

/** The cache's own section of a report. */
export function describeCache(repositories: readonly CachedRepository[], account: CacheAccount): CacheReport {
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
          ...sumOf(repository, account),
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

function sumOf(repository: CachedRepository, { stored }: CacheAccount): { files: number; bytes: number } {
  let [files, bytes] = [0, 0];
  for (const file of stored.values()) {
    if (!file.revisions.some((revision) => revision.repository === repository)) continue;
    files += 1;
    bytes += file.bytes;
  }
  return { files, bytes };
}

/** As `hf cache prune` has it (huggingface_hub/cli/cache.py): revisions without a ref, unfinished downloads, what no repository links in the store. */
function pruneOf(repositories: readonly CachedRepository[], account: CacheAccount): CacheReport['prune'] {
  if (!repositories.every(({ isWhole }) => isWhole)) return null;
  const detached = repositories
    .filter(isConsistent)
    .flatMap(({ revisions }) => revisions.filter(({ refs }) => refs.length === 0));
  const incomplete = account.entries.get('incomplete') ?? [];
  const bytes = bytesOfOnly(account, new Set(detached)) + bytesOf(incomplete) + bytesOf(prunedFromStore(account));
  return { revisions: detached.map(({ commit }) => commit).sort(), incompleteFiles: incomplete.length, bytes };
}

/** A payload without a manifest is left alone. */
function prunedFromStore({ entries }: CacheAccount): FileEntry[] {
  const manifests = new Set(entries.get('metadata')?.map(({ path }) => path));
  return entries.get('unlinked')?.filter(({ path }) => manifests.has(`${path}.refs`)) ?? [];
}

/** What a revision's row has besides its report. */
export function describeRevision(revision: CachedRevision, { stored }: CacheAccount): RevisionReport {
  const { repository, commit, refs, files } = revision;
  let [ownBytes, sharedBytes] = [0, 0];
  for (const { bytes, revisions } of stored.values()) {
    if (!revisions.includes(revision)) continue;
    if (revisions.length === 1) ownBytes += bytes;
    else sharedBytes += bytes;
  }
  return {
    repository: repository.id,
    type: repository.type,
    commit,
    refs: repository.isWhole ? [...refs].sort() : null,
    ownBytes,
    sharedBytes,
    brokenLinks: files.filter(isBrokenLink).length,
  };
}

function bytesOf(entries: readonly FileEntry[]): number {
  return entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}
