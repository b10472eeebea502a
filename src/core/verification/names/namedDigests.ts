/**
 * Digests that lists of stores state of files, and those that names of files are: blobs in the cache of the Hugging Face Hub (SHA-256 of what LFS stores, the id of the Git blob of all other files:
 * huggingface_hub/file_download.py, the etag), of Ollama (`blobs/sha256-…`) and in the objects of Git LFS (`lfs/objects/ab/cd/…`).
 */
import type { FileEntry, FileTree } from '../../files/fileTree.js';
import { placeName } from '../../files/paths.js';
import type { ExpectedDigest } from '../expected.js';

const blob = /(?:^|\/)blobs\/(?:sha256-)?([0-9a-f]{64}|[0-9a-f]{40})$/;
const lfsObject = /(?:^|\/)lfs\/objects\/[0-9a-f]{2}\/[0-9a-f]{2}\/([0-9a-f]{64})$/;

/** Digests of files by their paths, of those that have any. */
export function listedDigests(tree: FileTree, entries: readonly FileEntry[]): Map<string, ExpectedDigest[]> {
  const digests = new Map<string, ExpectedDigest[]>();
  const isSingle = tree.isFile ?? entries.some(({ path }) => path === tree.rootName);
  const around = placesAround(tree, isSingle);
  for (const { path, link, statedDigest } of entries) {
    // A snapshot of the Hub's cache has links to blobs, which may lie outside of what is verified.
    const named = digestIn(`${around}/${path}`) ?? (link === undefined ? null : digestIn(link.target));
    const known = [named, statedDigest].filter((digest) => digest !== null && digest !== undefined);
    if (known.length > 0) digests.set(path, known);
  }
  return digests;
}

/** The verified directory with the two around it, or those around the verified file. */
function placesAround({ location, rootName }: FileTree, isSingle: boolean): string {
  const parts = (location ?? rootName).split(/[\\/]/).filter((part) => part !== '');
  return (isSingle ? parts.slice(0, -1) : parts).slice(-4).join('/');
}

function digestIn(path: string): ExpectedDigest | null {
  const digest = blob.exec(path)?.[1] ?? lfsObject.exec(path)?.[1];
  if (digest === undefined) return null;
  return { algorithm: digest.length === 64 ? 'sha256' : 'git-blob', digest, source: `its name ${placeName(path).slice(0, 16)}…` };
}
