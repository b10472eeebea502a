/**
 * What `hf download --local-dir` notes of each file, in `.cache/huggingface/download/<path>.metadata` (huggingface_hub/_local_folder.py): three lines with
 * the commit, the etag and the time. The etag is the SHA-256 of what LFS stores, and the id of the Git blob of all other files.
 */
import { FormatError } from '../../bytes/formatError.js';
import { decodeLatin1 } from '../../bytes/text.js';
import type { FileEntry, FileTree } from '../../files/fileTree.js';
import type { ExpectedDigest } from '../expected.js';

const note = /^((?:.*\/)?)\.cache\/huggingface\/download\/(.+)\.metadata$/;
const etagLine = /^"?([0-9a-f]{64}|[0-9a-f]{40})"?$/;
/** A commit, an etag and a time take some 130. */
const mostNoteBytes = 1024;

/** The file that a path is the note of; null for any other path. */
export function downloadOf(path: string): string | null {
  const [, folder, name] = note.exec(path) ?? [];
  return folder === undefined || name === undefined ? null : folder + name;
}

/**
 * The digest that a note has; null where it has none, as of an etag that is no digest.
 * @throws FormatError `io`, `cancelled`
 */
export async function digestOfDownload(
  tree: FileTree,
  { path, sizeBytes }: FileEntry,
  signal: AbortSignal | undefined,
): Promise<ExpectedDigest | null> {
  if (sizeBytes > mostNoteBytes) return null;
  const source = await tree.open(path, signal);
  try {
    const [, etag] = decodeLatin1(await source.read(0, source.sizeBytes, signal)).split(/\r?\n/);
    const digest = etagLine.exec(etag ?? '')?.[1];
    return digest === undefined ? null : { algorithm: digest.length === 64 ? 'sha256' : 'git-blob', digest, source: path };
  } catch (error) {
    if (FormatError.is(error, 'truncated')) return null;
    throw error;
  } finally {
    await source.close();
  }
}
