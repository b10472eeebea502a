/** The lists of digests in a listing, and what they say of its files. */
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { readWhole } from '../../bytes/readWhole.js';
import type { FileEntry, FileTree } from '../../files/fileTree.js';
import { joinPath, parentPath } from '../../files/paths.js';
import { decodeWrittenText } from '../../bytes/text.js';
import type { ExpectedDigest } from '../expected.js';
import { digestOfDownload, downloadOf } from '../names/hubDownloads.js';
import { mayBeMdsIndex, mdsHashes } from './mdsHashes.js';
import { isSumList, namedAfter } from './listNames.js';
import { parseSumList } from './sumList.js';

export interface FoundLists {
  /** By the paths of the files that they name, which need not be there. */
  digests: Map<string, ExpectedDigest[]>;
  /** Lists that could not be read or are refused, with the reason. None of what they say is used. */
  refused: Map<string, string>;
}

/** @throws FormatError `cancelled` */
export async function findLists(
  tree: FileTree,
  entries: readonly FileEntry[],
  signal: AbortSignal | undefined,
): Promise<FoundLists> {
  const found: FoundLists = { digests: new Map(), refused: new Map() };
  const paths = new Set(entries.map(({ path }) => path));
  for (const entry of entries) {
    const { path, error } = entry;
    const download = downloadOf(path);
    if (error !== undefined) continue;
    try {
      if (isSumList(path)) await addList(found, tree, path, signal);
      else if (mayBeMdsIndex(path)) await addMdsIndex(found, tree, entry, paths, signal);
      else if (download !== null) await addDownload(found, tree, entry, download, signal);
    } catch (thrown) {
      if (!FormatError.is(thrown) || thrown.code === 'cancelled') throw thrown;
      found.refused.set(path, thrown.detail);
    }
  }
  return found;
}

async function addList(found: FoundLists, tree: FileTree, path: string, signal: AbortSignal | undefined): Promise<void> {
  const text = await textOf(tree, path, signal);
  for (const { name, digest, algorithm } of parseSumList(text, namedAfter(path)))
    addTo(found.digests, joinPath(parentPath(path), name), { algorithm, digest, source: path });
}

/** A dataset has its shards as they are or compressed: those that are not there are no loss. */
async function addMdsIndex(
  found: FoundLists,
  tree: FileTree,
  { path, sizeBytes }: FileEntry,
  paths: ReadonlySet<string>,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (sizeBytes > limits.sumListBytes) return;
  for (const { name, digest, algorithm } of mdsHashes(await textOf(tree, path, signal))) {
    const file = joinPath(parentPath(path), name);
    if (paths.has(file)) addTo(found.digests, file, { algorithm, digest, source: path });
  }
}

async function addDownload(
  found: FoundLists,
  tree: FileTree,
  entry: FileEntry,
  path: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const digest = await digestOfDownload(tree, entry, signal);
  if (digest !== null) addTo(found.digests, path, digest);
}

function addTo<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}

async function textOf(tree: FileTree, path: string, signal: AbortSignal | undefined): Promise<string> {
  const source = await tree.open(path, signal);
  try {
    return decodeWrittenText(await readWhole(source, limits.sumListBytes, 'digests', signal));
  } finally {
    await source.close();
  }
}
