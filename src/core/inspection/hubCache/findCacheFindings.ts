/** What is amiss in a cache: broken links, unfinished downloads, revisions and blobs that nothing names. */
import type { FileEntry } from '../../files/fileTree.js';
import { joinPath } from '../../files/paths.js';
import type { Finding } from '../../findings/finding.js';
import { cacheId, isCommit, shortRevision } from '../../text/hubRevision.js';
import type { CacheAccount } from './accountCache.js';
import { hubRevisionOf } from './describeCache.js';
import type { CachedRepository, CachedRevision } from './findHubCache.js';
import { isBrokenLink, isConsistent } from './revisionFiles.js';

/** The repositories' own, then those of the cache as a whole. */
export function findCacheFindings(repositories: readonly CachedRepository[], account: CacheAccount): Finding[] {
  const unlinked = new Set(account.entries.get('unlinked')?.map(({ path }) => path));
  return [
    ...repositories.flatMap((repository) => [
      ...repository.revisions.flatMap(brokenLinks),
      ...incompleteDownloads(repository),
      ...missingRefs(repository),
      ...detachedRevisions(repository, account),
      ...unlinkedBlobs(repository, unlinked),
    ]),
    ...unlinkedInStore(repositories, account),
    ...filesWithoutLinks(repositories),
  ];
}

function brokenLinks(revision: CachedRevision): Finding[] {
  const broken = revision.files.filter(isBrokenLink);
  const [first] = broken;
  if (first === undefined) return [];
  const name = first.path.slice(revision.root === '' ? 0 : revision.root.length + 1);
  const facts = {
    links: broken.length,
    first: name,
    revision: shortRevision(hubRevisionOf(revision)),
    command: downloadCommand(revision),
  };
  return [{ code: 'cache-link-broken', path: first.path, facts }];
}

/** What downloads the files of a revision that are not here; null for one that no command can name. Ids have no characters that a shell reads (see `repositoryOf`). */
export function downloadCommand({ repository: { id, type }, commit }: CachedRevision): string | null {
  if (!isCommit(commit)) return null;
  return `hf download ${id}${type === 'model' ? '' : ` --repo-type ${type}`} --revision ${commit}`;
}

/** What unfinished downloads have left in a repository. */
export function incompleteDownloads(repository: CachedRepository): Finding[] {
  const { incomplete } = repository;
  const [first] = incomplete;
  if (first === undefined) return [];
  const facts = { files: incomplete.length, bytes: bytesOf(incomplete), repository: cacheId(repository) };
  return [{ code: 'cache-download-incomplete', path: first.path, facts }];
}

function missingRefs(repository: CachedRepository): Finding[] {
  const { missingRefs: refs, root, isWhole } = repository;
  const [first] = refs;
  if (first === undefined || !isWhole) return [];
  return [
    {
      code: 'cache-ref-missing',
      path: joinPath(root, `refs/${first}`),
      facts: { refs: refs.slice(0, 5), repository: cacheId(repository) },
    },
  ];
}

function detachedRevisions(repository: CachedRepository, account: CacheAccount): Finding[] {
  if (!repository.isWhole || !isConsistent(repository)) return [];
  return repository.revisions
    .filter(({ refs }) => refs.length === 0)
    .map((revision): Finding => {
      const bytes = account.sumsOf(revision).ownBytes;
      const commit = isCommit(revision.commit) ? revision.commit : null;
      return {
        code: 'cache-revision-detached',
        path: revision.root,
        facts: { revision: shortRevision(hubRevisionOf(revision)), commit, bytes },
      };
    });
}

function unlinkedBlobs(repository: CachedRepository, unlinked: ReadonlySet<string>): Finding[] {
  const found = repository.blobs.filter(({ path }) => unlinked.has(path));
  const [first] = found;
  if (first === undefined || !repository.isWhole) return [];
  const facts = { blobs: found.length, bytes: bytesOf(found), repository: cacheId(repository) };
  return [{ code: 'cache-blobs-unlinked', path: first.path, facts }];
}

function unlinkedInStore(repositories: readonly CachedRepository[], { entries }: CacheAccount): Finding[] {
  const ofRepositories = new Set(repositories.flatMap(({ blobs }) => blobs.map(({ path }) => path)));
  const found = entries.get('unlinked')?.filter(({ path }) => !ofRepositories.has(path)) ?? [];
  const [first] = found;
  if (first === undefined) return [];
  return [{ code: 'cache-store-unlinked', path: first.path, facts: { blobs: found.length, bytes: bytesOf(found) } }];
}

function filesWithoutLinks(repositories: readonly CachedRepository[]): Finding[] {
  const files = repositories.flatMap(({ revisions }) => revisions.flatMap((revision) => revision.files.filter(isPlain)));
  const [first] = files;
  if (first === undefined) return [];
  return [{ code: 'cache-without-links', path: first.path, facts: { files: files.length, bytes: bytesOf(files) } }];
}

function isPlain({ link, error }: FileEntry): boolean {
  return link === undefined && error === undefined;
}

function bytesOf(entries: readonly FileEntry[]): number {
  return entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}
