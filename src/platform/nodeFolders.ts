import { readdirSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { FormatError, throwIfCancelled } from '../core/bytes/formatError.js';
import type { FolderNames, SearchedFolders } from '../core/files/folders.js';
import { compareNatural } from '../core/files/naturalOrder.js';
import { isSafeFileName } from '../core/files/paths.js';
import { limits } from '../core/bytes/limits.js';
import { FolderCache } from './folderCache.js';
import { describeIoError } from './ioError.js';
import { openNodeByteSource } from './nodeByteSource.js';
import { listDirectory } from './nodeFileTree.js';
import { QuickCalls } from './quickCalls.js';
import { ReadableRoots, type RootPaths } from './readableRoots.js';
import { Semaphore } from './semaphore.js';

type CacheOf = (root: string) => Promise<FolderCache> | FolderCache;

/** Opens the same directories again and again: those that have not changed are not listed again. */
export function createFollowedFolders(followedPath: string, rootPaths: RootPaths): () => Promise<SearchedFolders> {
  let seen: FolderCache | undefined;
  const cacheOf = (root: string): FolderCache => (seen = seen?.next() ?? FolderCache.inMemory(root));
  return () => createNodeFolders(followedPath, { rootPaths, cacheOf });
}

/**
 * The directories below a local path, one at a time.
 * @param rootPaths the directories that links may lead to; null where they may lead anywhere
 * @param cacheOf what earlier searches saw of a directory without links; null without it
 * @throws FormatError `io` where it is no directory or cannot be looked at; as `cacheOf` does
 */
export async function createNodeFolders(
  searchedPath: string,
  { rootPaths = null, cacheOf = null }: { rootPaths?: RootPaths; cacheOf?: CacheOf | null } = {},
): Promise<Required<SearchedFolders>> {
  const root = path.resolve(searchedPath);
  const roots = await ReadableRoots.of(rootPaths);
  const real = await directoryAt(root, roots);
  const cache = (await cacheOf?.(real)) ?? null;
  const calls = new QuickCalls();
  const handles = new Semaphore(limits.concurrentReads);
  const read = async (folder: string): Promise<FolderNames> => {
    const absolute = path.join(real, folder);
    const refusal = roots.refusalOf(absolute);
    if (refusal !== null) throw new FormatError('io', refusal);
    const known = (await cache?.names(absolute)) ?? null;
    if (known !== null) return known;
    const names = await namesIn(absolute, calls);
    await cache?.rememberNames(absolute, names);
    return names;
  };
  return {
    rootName: path.basename(root) || root,
    async names(folder, signal) {
      throwIfCancelled(signal);
      return asIo(() => read(folder));
    },
    async list(folder, isChosen, signal) {
      const links = { roots, places: new Map<string, string | Buffer>() };
      return listDirectory(path.join(real, folder), links, { isChosen, signal, cache });
    },
    async open(file, signal) {
      if (!isSafeFileName(file)) throw new FormatError('io', 'it is not a file of the searched folder');
      return openNodeByteSource(await roots.resolve(path.join(real, file)), file, handles, calls, signal);
    },
    unchanged: () => cache?.unchanged ?? 0,
    close: async (isDone) => cache?.close(isDone),
  };
}

/** @throws FormatError `io` */
async function directoryAt(root: string, roots: ReadableRoots): Promise<string> {
  const real = await asIo(() => roots.resolve(root));
  const stats = await asIo(() => stat(real));
  if (!stats.isDirectory()) throw new FormatError('io', 'it is no folder');
  return real;
}

async function namesIn(absolute: string, calls: QuickCalls): Promise<FolderNames> {
  const entries = await calls.call(
    () => readdirSync(absolute, { withFileTypes: true }),
    () => readdir(absolute, { withFileTypes: true }),
  );
  const names: FolderNames = { folders: [], files: [] };
  for (const entry of entries) (entry.isDirectory() ? names.folders : names.files).push(entry.name);
  names.folders.sort(compareNatural);
  names.files.sort(compareNatural);
  return names;
}

/** @throws FormatError `io` */
async function asIo<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw FormatError.is(error) ? error : new FormatError('io', describeIoError(error), { cause: error });
  }
}
