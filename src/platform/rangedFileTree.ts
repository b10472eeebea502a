import type { ByteSource } from '../core/bytes/byteSource.js';
import { FormatError, type FormatErrorCode } from '../core/bytes/formatError.js';
import type { FileListing, FileTree } from '../core/files/fileTree.js';
import { isUnreachable, UnreachableError } from '../core/files/reachableFiles.js';
import { ListedEntries } from './listedEntries.js';
import { RangeSource } from './remote/rangeSource.js';

/** A tree of files in another process or thread, as plain data: what the host has of a store, for a worker. */
export interface RangedFiles {
  listAll(params: object, signal?: AbortSignal): Promise<ListedRoot>;
  /** Bytes of a listed file. @param params.isCached that bytes will do which an earlier inspection has kept */
  readRange(
    params: { path: string; offset: number; length: number; isCached?: boolean },
    signal?: AbortSignal,
  ): Promise<Uint8Array>;
}

export interface ListedRoot {
  rootName: string;
  location: string;
  isFile: boolean;
  listing: FileListing;
}

/** What another end is asked for of a tree that it has. */
export function rangedFilesOf(openTree: () => Promise<FileTree>): RangedFiles {
  const sources = new Map<string, Promise<ByteSource>>();
  let opened: Promise<FileTree> | undefined;
  const tree = (): Promise<FileTree> => (opened ??= openTree());
  return {
    async listAll(_params, signal) {
      const files = await tree();
      const { rootName, location = '', isFile = false } = files;
      return { rootName, location, isFile, listing: await files.list(signal) };
    },
    async readRange({ path, offset, length, isCached = false }, signal) {
      const key = `${isCached} ${path}`;
      const source = sources.get(key) ?? tree().then((files) => (isCached ? (files.cached?.() ?? files) : files).open(path));
      sources.set(key, source);
      try {
        return await (await source).read(offset, length, signal);
      } catch (error) {
        throw isUnreachable(error) ? Object.assign(new Error(error.detail), { code: unreachable }) : error;
      }
    },
  };
}

/** The tree of another end. @throws FormatError as that end does */
export async function createRangedFileTree(files: RangedFiles): Promise<FileTree> {
  const { rootName, location, isFile, listing } = await asFormatError(files.listAll({}));
  const listed = new ListedEntries(() => Promise.resolve(listing));
  const treeOf = (isCached: boolean): FileTree => ({
    rootName,
    location,
    isFile,
    list: () => Promise.resolve(listing),
    async open(path, signal) {
      const entry = (await listed.byPath(signal)).get(path);
      if (entry === undefined) throw new FormatError('io', 'it is not a file of the inspected folder');
      if (entry.error !== undefined) throw new FormatError('io', entry.error);
      return new RangeSource(path, entry.sizeBytes, (offset, length, cancelled) =>
        asFormatError(files.readRange({ path, offset, length, isCached }, cancelled)),
      );
    },
  });
  return { ...treeOf(false), cached: () => treeOf(true) };
}

/** How an `UnreachableError` is called on its way. */
const unreachable = 'unreachable';

const codes: ReadonlySet<string> = new Set<FormatErrorCode>(['truncated', 'limit-exceeded', 'unsupported', 'io', 'cancelled']);

/** Errors cross with their code and their words alone. */
async function asFormatError<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (FormatError.is(error)) throw error;
    const { code, message } = error as { code?: unknown; message?: unknown };
    const words = typeof message === 'string' ? message : String(error);
    if (code === unreachable) throw new UnreachableError(words, { cause: error });
    const known = typeof code === 'string' && codes.has(code) ? (code as FormatErrorCode) : 'io';
    throw new FormatError(known, words, { cause: error });
  }
}
