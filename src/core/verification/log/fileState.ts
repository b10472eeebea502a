/** Names, sizes and times of files, to tell later whether any of them changed. */
import type { FileEntry } from '../../files/fileTree.js';
import { manifestName, partialName, sumListName } from '../manifest/manifestFile.js';
import { isInOwnFolder } from '../ownFiles.js';
import { Xxh64 } from '../hashes/xxh64.js';

export interface FileState {
  files: number;
  /** Of the newest file; null where no time is known. */
  newestMs: number | null;
  /** XXH64 over path, size and time of each file. */
  digest: string;
}

/** Files of Stowage itself: writing them changes nothing that was checked. */
const ownNames = new Set([manifestName, partialName, sumListName]);

/**
 * The state of the files below a directory. The same files give the same state whether they are listed by themselves or below a directory around them:
 * of links and of files with several names, whose bytes a listing counts once, sizes are left out.
 * @param entries with paths relative to the directory
 */
export function fileStateOf(entries: readonly FileEntry[]): FileState {
  const files = entries.filter(isCounted).sort(byPath);
  const hash = new Xxh64();
  const encoder = new TextEncoder();
  let newestMs: number | null = null;
  for (const entry of files) {
    hash.update(encoder.encode(lineOf(entry)));
    const timeMs = timeOf(entry);
    if (timeMs !== null) newestMs = Math.max(newestMs ?? timeMs, timeMs);
  }
  return { files: files.length, newestMs, digest: hash.digest() };
}

/** How many of the files are newer than a time. */
export function newerFiles(entries: readonly FileEntry[], newestMs: number): number {
  return entries.filter((entry) => isCounted(entry) && (timeOf(entry) ?? -Infinity) > newestMs).length;
}

function isCounted({ path }: FileEntry): boolean {
  return !isInOwnFolder(path) && !ownNames.has(path);
}

/** A directory behind a link changes with what others put into it. */
function timeOf({ modifiedMs, link }: FileEntry): number | null {
  return link?.isDirectory === true ? null : modifiedMs;
}

function lineOf(entry: FileEntry): string {
  const { path, sizeBytes, link, fileId } = entry;
  const size = link === undefined && fileId === undefined ? sizeBytes : null;
  return `${JSON.stringify([path, size, timeOf(entry), link?.target ?? null])}\n`;
}

/** By code units: the order of a listing may differ with what is around it. */
function byPath(a: FileEntry, b: FileEntry): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}
