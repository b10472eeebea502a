/** Repositories of the Hugging Face Hub's cache in a listing, by their directories: blobs, refs and snapshots. */
import type { FileEntry } from '../../files/fileTree.js';
import type { Listing } from '../../files/listing.js';
import { joinPath } from '../../files/paths.js';
import { cachePathOf, repositoryOf, type CachePath, type RepositoryName } from './cachePaths.js';

export interface CachedRevision {
  repository: CachedRepository;
  /** Name of the directory below `snapshots`. */
  commit: string;
  /** The directory, relative to the inspected one; empty where that is the revision. */
  root: string;
  /** Its files as they are listed, links or not. */
  files: FileEntry[];
  /** Branches, tags and pull requests that name it. */
  refs: string[];
}

export interface CachedRepository extends RepositoryName {
  /** Relative to the inspected directory; empty where that is the repository or lies in it. */
  root: string;
  /** False where the inspected directory is only a part of it: its refs, blobs or other revisions are not listed. */
  isWhole: boolean;
  revisions: CachedRevision[];
  /** What refs contain is read later: name and file. */
  refFiles: { name: string; entry: FileEntry }[];
  /** Refs whose revision has no files here. */
  missingRefs: string[];
  /** Files in `blobs`, or links into the store that repositories share. */
  blobs: FileEntry[];
  /** Downloads that did not end. */
  incomplete: FileEntry[];
}

export interface HubCache {
  repositories: CachedRepository[];
  /** Whether an entry is of a repository. */
  has: (path: string) => boolean;
}

/**
 * The repositories of the cache below a directory; undefined where there are none.
 * @param above names of the inspected directory and of the two around it: it may be a part of a repository
 */
export function findHubCache({ entries }: Listing, above: readonly string[]): HubCache | undefined {
  const found = new RepositoriesByRoot();
  for (const entry of entries) {
    const place = cachePathOf(above, entry.path);
    if (place !== undefined) found.add(place, entry);
  }
  if (found.isEmpty) return undefined;
  return { repositories: found.list(), has: (path) => found.has(path) };
}

class RepositoriesByRoot {
  private readonly byRoot = new Map<string, CachedRepository>();
  private readonly revisions = new Map<string, CachedRevision>();

  get isEmpty(): boolean {
    return this.byRoot.size === 0;
  }

  list(): CachedRepository[] {
    return [...this.byRoot.values()];
  }

  has(path: string): boolean {
    if (this.byRoot.has('')) return true;
    for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
      const root = path.slice(0, slash);
      if (repositoryOf(root.slice(root.lastIndexOf('/') + 1)) !== undefined && this.byRoot.has(root)) return true;
    }
    return false;
  }

  add({ root, name, inside, above }: CachePath, entry: FileEntry): void {
    const repository = this.byRoot.get(root) ?? {
      ...name,
      root,
      isWhole: above === 0,
      revisions: [],
      refFiles: [],
      missingRefs: [],
      blobs: [],
      incomplete: [],
    };
    this.byRoot.set(root, repository);
    const [folder, second = ''] = inside;
    if (folder === 'snapshots' && inside.length > 2) {
      this.revisionOf(repository, second, joinPath(root, inside.slice(above, 2).join('/'))).files.push(entry);
    } else if (folder === 'refs') repository.refFiles.push({ name: inside.slice(1).join('/'), entry });
    else if (folder === 'blobs' && inside.length === 2)
      (second.endsWith('.incomplete') ? repository.incomplete : repository.blobs).push(entry);
  }

  private revisionOf(repository: CachedRepository, commit: string, root: string): CachedRevision {
    const key = `${repository.root}\n${commit}`;
    const known = this.revisions.get(key);
    if (known !== undefined) return known;
    const revision: CachedRevision = { repository, commit, root, files: [], refs: [] };
    this.revisions.set(key, revision);
    repository.revisions.push(revision);
    return revision;
  }
}
