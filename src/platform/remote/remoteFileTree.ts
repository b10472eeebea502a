import type { ByteSource } from '../../core/bytes/byteSource.js';
import { FormatError, throwIfCancelled } from '../../core/bytes/formatError.js';
import { limits } from '../../core/bytes/limits.js';
import { companionNames } from '../../core/files/companions.js';
import type { FileEntry, FileListing, FileTree } from '../../core/files/fileTree.js';
import { UnreachableError } from '../../core/files/reachableFiles.js';
import { visibleText } from '../../core/text/visibleText.js';
import { compareNatural } from '../../core/files/naturalOrder.js';
import { baseName, isSafeFileName, joinPath, parentPath } from '../../core/files/paths.js';
import { endsReader } from './endsReader.js';
import { cachedReader, type HeaderCache } from './headerCache.js';
import { type RangeReader, RangeSource } from './rangeSource.js';
import { HttpError } from './httpError.js';
import { namedObjects } from './namedObjects.js';
import { changedWords, type RemoteStore, type StoredObject, type StoredPage } from './remoteStore.js';

/** What is inspected of a store. */
export interface RemoteRoot {
  /** What the root is called. */
  name: string;
  /** The address, without what is secret in it. */
  address: string;
  /** Relative to the root of the store. */
  path: string;
}

export interface TreeOptions {
  /** Of headers; null where none are kept. */
  cache?: HeaderCache | null;
  /** Called for each page of a list. */
  onListed?: (files: number, bytes: number) => void;
}

/**
 * The files below a path of a store, or the one file that it names with its companions. Nothing is asked for more than a page of names.
 * @throws FormatError `io` where there is neither
 */
export async function createRemoteFileTree(
  store: RemoteStore,
  root: RemoteRoot,
  options: TreeOptions = {},
  signal?: AbortSignal,
): Promise<FileTree> {
  const from = { cache: null, onListed: () => undefined, ...options, store };
  const pages = store.list(root.path, true, signal)[Symbol.asyncIterator]();
  const name = baseName(root.path);
  const folder = parentPath(root.path);
  let files: readonly StoredObject[];
  try {
    const first = await pages.next();
    const found = first.done === true ? [] : first.value.files;
    if (found.length > 0) return new RemoteFileTree(root, prefixOf(root.path), false, from, restOf(found, pages));
    files = root.path === '' ? [] : await namedObjects(store, folder, new Set([name, ...companionNames(name)]), signal);
  } catch (error) {
    files = await sharedFiles(store, root.path, error, signal);
  }
  if (!files.some(({ path }) => path === root.path)) throw new FormatError('io', 'there is nothing at this address');
  return new RemoteFileTree({ ...root, name }, prefixOf(folder), true, from, restOf(files, null));
}

function prefixOf(folder: string): string {
  return folder === '' ? '' : `${folder}/`;
}

/** The file of a path and its companions, where lists are refused. @throws the refusal where the file may not be read either */
async function sharedFiles(
  store: RemoteStore,
  path: string,
  refusal: unknown,
  signal: AbortSignal | undefined,
): Promise<readonly StoredObject[]> {
  const mayBeShared = refusal instanceof HttpError && [401, 403, 404].includes(refusal.status);
  if (!mayBeShared || path === '') throw refusal;
  const find = async (each: string): Promise<StoredObject | null> => {
    const found = store.find?.(each, signal);
    return (
      found?.catch((error: unknown) => {
        if (error instanceof HttpError) return null;
        throw error;
      }) ?? null
    );
  };
  const own = await find(path);
  if (own === null) throw refusal;
  const others = companionNames(baseName(path)).map((name) => find(joinPath(parentPath(path), name)));
  return [own, ...(await Promise.all(others)).filter((each) => each !== null)];
}

type Pages = AsyncIterable<readonly StoredObject[]>;

/** Files that are there, and then those of other pages. */
async function* restOf(first: readonly StoredObject[], others: AsyncIterator<StoredPage> | null): Pages {
  yield first;
  for (let page = await others?.next(); page !== undefined && page.done !== true; page = await others?.next())
    yield page.value.files;
}

class RemoteFileTree implements FileTree {
  #listing: Promise<FileListing> | undefined;
  readonly #objects = new Map<string, StoredObject>();
  /** By the paths of their objects. */
  readonly #cachedReaders = new Map<string, RangeReader>();
  readonly rootName: string;
  readonly location: string;

  constructor(
    root: RemoteRoot,
    /** What the paths of all files begin with in the store. */
    private readonly prefix: string,
    readonly isFile: boolean,
    private readonly from: Required<TreeOptions> & { store: RemoteStore },
    private readonly pages: Pages,
  ) {
    this.rootName = root.name;
    this.location = root.address;
  }

  list(signal?: AbortSignal): Promise<FileListing> {
    this.#listing ??= this.#read(signal);
    return this.#listing;
  }

  open(path: string, signal?: AbortSignal): Promise<ByteSource> {
    return this.#open(path, false, signal);
  }

  cached(): FileTree {
    const { rootName, location, isFile } = this;
    return {
      rootName,
      location,
      isFile,
      list: (signal) => this.list(signal),
      open: (path, signal) => this.#open(path, true, signal),
    };
  }

  async #open(path: string, isCached: boolean, signal: AbortSignal | undefined): Promise<ByteSource> {
    await this.list(signal);
    const object = this.#objects.get(path);
    if (object === undefined) throw new FormatError('io', 'it is not a file of the inspected folder');
    return new RangeSource(path, object.sizeBytes, isCached ? this.#cachedReaderOf(object) : this.#readerOf(object));
  }

  #readerOf(object: StoredObject): RangeReader {
    return async (offset, length, signal) => {
      try {
        return await this.from.store.read(object, offset, length, signal);
      } catch (error) {
        // That a file was replaced is a fact about it.
        if (!FormatError.is(error, 'io') || error.detail === changedWords) throw error;
        throw new UnreachableError(`${visibleText(object.path)} was not fetched: ${error.detail}`, { cause: error });
      }
    };
  }

  #cachedReaderOf(object: StoredObject): RangeReader {
    const known = this.#cachedReaders.get(object.path);
    if (known !== undefined) return known;
    const { store, cache } = this.from;
    const fetched = this.#readerOf(object);
    const reader = endsReader(object.sizeBytes, cache === null ? fetched : cachedReader(cache, store, object, fetched));
    this.#cachedReaders.set(object.path, reader);
    return reader;
  }

  async #read(signal: AbortSignal | undefined): Promise<FileListing> {
    const listing: FileListing = { entries: [], errors: [], truncated: false };
    for await (const page of this.pages) {
      throwIfCancelled(signal);
      this.from.onListed(
        page.length,
        page.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
      );
      for (const object of page) {
        // A marker of an empty folder, as consoles make them.
        if (object.path.endsWith('/') && object.sizeBytes === 0) continue;
        // A list may repeat itself where its pages meet.
        if (this.#objects.has(object.path.slice(this.prefix.length))) continue;
        listing.truncated ||= listing.entries.length >= limits.listedFiles;
        if (!listing.truncated) listing.entries.push(this.#entryOf(object));
      }
      // The next pages of a bucket with millions of objects would only be counted.
      if (listing.truncated) break;
    }
    listing.entries.sort((a, b) => compareNatural(a.path, b.path));
    return listing;
  }

  /** A store takes any text for a name; one that would lead elsewhere among files is shown in an escaped form, and not read. */
  #entryOf(object: StoredObject): FileEntry {
    const { sizeBytes, modifiedMs, digest } = object;
    const path = object.path.slice(this.prefix.length);
    if (!isSafeFileName(path))
      return { path: escapedPath(path), sizeBytes, modifiedMs, error: 'its name has an empty part, ".", ".." or a backslash' };
    this.#objects.set(path, object);
    return { path, sizeBytes, modifiedMs, ...(digest === undefined ? {} : { statedDigest: digest }) };
  }
}

function escapedPath(path: string): string {
  return path
    .split('/')
    .map((part) => (part === '' ? '%' : /^\.{1,2}$/.test(part) ? part.replaceAll('.', '%2E') : part))
    .join('/')
    .replaceAll('\\', '%5C')
    .replaceAll('\0', '%00')
    .replaceAll('://', '%3A//');
}
