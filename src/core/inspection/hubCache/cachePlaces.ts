import { isSideFile } from '../../files/sideFiles.js';
import type { Listing } from '../../files/listing.js';
import { baseName, joinPath, parentPath } from '../../files/paths.js';
import type { CacheByteKind } from './cacheReport.js';
import type { HubCache } from './findHubCache.js';

/** Files beside the repositories: huggingface_hub/constants.py, transformers/utils/hub.py, bford.info/cachedir; and what desktops leave. */
const notes = /^(CACHEDIR\.TAG|version(_\w+)?\.txt)$/;
/** Logins (`HF_TOKEN_PATH`, `HF_STORED_TOKENS_PATH`): they are counted, and never opened. */
const secrets = /^(token|stored_tokens)$/;
/** Payloads of the store that repositories share, by their Xet hash, and what marks that store (utils/_shared_blobs.py). */
const storedPayload = /^blobs\/([0-9a-f]{2})\/\1[0-9a-f]{62}$/;
const storeMark = 'blobs/.huggingface-shared-blobs';

/** What files of a cache are that no revision has, by where they lie. */
export class CachePlaces {
  private readonly blobs: ReadonlySet<string>;
  private readonly incomplete: ReadonlySet<string>;
  /** Directories that hold repositories. */
  private readonly hubs: ReadonlySet<string>;
  /** Directories around a `hub`, with the caches of other libraries. */
  private readonly homes: ReadonlySet<string>;
  /** Those of the hubs that have a store which repositories share. */
  private readonly withStore: ReadonlySet<string>;

  constructor(
    listing: Listing,
    private readonly cache: HubCache,
  ) {
    const { repositories } = cache;
    this.blobs = new Set(repositories.flatMap(({ blobs }) => blobs.map(({ path }) => path)));
    this.incomplete = new Set(repositories.flatMap(({ incomplete }) => incomplete.map(({ path }) => path)));
    this.hubs = new Set(repositories.filter(({ root }) => root !== '').map(({ root }) => parentPath(root)));
    this.homes = new Set([...this.hubs].filter((hub) => baseName(hub) === 'hub').map(parentPath));
    this.withStore = new Set([...this.hubs].filter((hub) => listing.entry(joinPath(hub, storeMark)) !== undefined));
  }

  kindOf(path: string): CacheByteKind {
    if (this.cache.has(path)) return this.kindInRepository(path);
    for (const { directory, inside } of directoriesAround(path)) {
      if (this.hubs.has(directory)) {
        if (inside.startsWith('.locks/')) return 'locks';
        if (this.withStore.has(directory) && inside.startsWith('blobs/')) return kindInStore(inside);
        if (notes.test(inside) || isSideFile(inside)) return 'metadata';
      }
      if (this.homes.has(directory)) {
        if (inside.startsWith('xet/')) return 'xet';
        if (notes.test(inside) || isSideFile(inside)) return 'metadata';
      }
    }
    return 'other';
  }

  /** True for files that are counted and not looked into: logins, code and assets that libraries have downloaded. */
  isOpaque(path: string): boolean {
    const directory = parentPath(path);
    if (secrets.test(baseName(path)) && (this.hubs.has(directory) || this.homes.has(directory))) return true;
    return directoriesAround(path).some((each) => this.homes.has(each.directory) && /^(assets|modules)\//.test(each.inside));
  }

  /** True for what lies in a directory of repositories, or in one around a `hub`; that directory may be the inspected one. */
  isInHome(path: string): boolean {
    return directoriesAround(path).some(
      ({ directory }) => this.homes.has(directory) || (directory !== '' && this.hubs.has(directory)),
    );
  }

  private kindInRepository(path: string): CacheByteKind {
    if (this.incomplete.has(path)) return 'incomplete';
    if (path.endsWith('.lock')) return 'locks';
    return this.blobs.has(path) && !baseName(path).startsWith('tmp_') ? 'unlinked' : 'metadata';
  }
}

function kindInStore(inside: string): CacheByteKind {
  if (storedPayload.test(inside)) return 'unlinked';
  return inside.endsWith('.lock') ? 'locks' : 'metadata';
}

/** Each directory that a path lies in, and the path relative to it; the root first. */
function directoriesAround(path: string): { directory: string; inside: string }[] {
  const found = [{ directory: '', inside: path }];
  for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1))
    found.push({ directory: path.slice(0, slash), inside: path.slice(slash + 1) });
  return found;
}
