/** What is amiss in a cache: broken links, unfinished downloads, revisions and blobs that nothing names. */
import type { FileEntry } from '../../files/fileTree.js';
import { joinPath } from '../../files/paths.js';
import type { Finding } from '../../findings/finding.js';
import { bytesOfOnly, type CacheAccount } from './accountCache.js';
import { isCommit, shortCommit } from './cachePaths.js';
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

/** `org/name@0123456`. */
export function nameOfRevision({ repository, commit }: CachedRevision): string {
  return `${repository.id}@${shortCommit(commit)}`;
}

function brokenLinks(revision: CachedRevision): Finding[] {
  const broken = revision.files.filter(isBrokenLink);
  const [first] = broken;
  if (first === undefined) return [];
  const name = first.path.slice(revision.root === '' ? 0 : revision.root.length + 1);
  const facts = { links: broken.length, first: name, revision: nameOfRevision(revision), command: downloadCommand(revision) };
  return [{ code: 'cache-link-broken', path: first.path, facts }];
}

/** Ids have no characters that a shell reads (see `repositoryOf`). */
function downloadCommand({ repository: { id, type }, commit }: CachedRevision): string | null {
  if (!isCommit(commit)) return null;
  return `hf download ${id}${type === 'model' ? '' : ` --repo-type ${type}`} --revision ${commit}`;
}

function incompleteDownloads({ incomplete, id }: CachedRepository): Finding[] {
  const [first] = incomplete;
  if (first === undefined) return [];
  const facts = { files: incomplete.length, bytes: bytesOf(incomplete), repository: id };
  return [{ code: 'cache-download-incomplete', path: first.path, facts }];
}

function missingRefs({ missingRefs: refs, id, root, isWhole }: CachedRepository): Finding[] {
  const [first] = refs;
  if (first === undefined || !isWhole) return [];
  return [
    { code: 'cache-ref-missing', path: joinPath(root, `refs/${first}`), facts: { refs: refs.slice(0, 5), repository: id } },
  ];
}

function detachedRevisions(repository: CachedRepository, account: CacheAccount): Finding[] {
  if (!repository.isWhole || !isConsistent(repository)) return [];
  return repository.revisions
    .filter(({ refs }) => refs.length === 0)
    .map((revision): Finding => {
      const bytes = bytesOfOnly(account, new Set([revision]));
      const commit = isCommit(revision.commit) ? revision.commit : null;
      return {
        code: 'cache-revision-detached',
        path: revision.root,
        facts: { revision: nameOfRevision(revision), commit, bytes },
      };
    });
}

function unlinkedBlobs({ blobs, id, isWhole }: CachedRepository, unlinked: ReadonlySet<string>): Finding[] {
  const found = blobs.filter(({ path }) => unlinked.has(path));
  const [first] = found;
  if (first === undefined || !isWhole) return [];
  const facts = { blobs: found.length, bytes: bytesOf(found), repository: id };
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
