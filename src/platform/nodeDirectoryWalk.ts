import { opendir } from 'node:fs/promises';
import type { Dirent } from 'node:fs';
import path from 'node:path';
import { appendAll } from '../core/bytes/appendAll.js';
import { throwIfCancelled } from '../core/bytes/formatError.js';
import { limits } from '../core/bytes/limits.js';
import { describeIoError } from './ioError.js';

export interface FoundFile {
  /** Relative to the root, with forward slashes. */
  path: string;
  kind: 'file' | 'link' | 'special';
}

export interface DirectoryWalk {
  files: FoundFile[];
  errors: { path: string; detail: string }[];
  /** True where `limits.listedFiles` was reached. */
  truncated: boolean;
}

/** Folders listed at once: enough to hide the latency of a network file system, few enough not to flood its metadata server. */
const concurrentFolders = 8;

/** Finds every file below a folder without following links, a bounded number of folders at a time. */
export async function walkDirectory(root: string, signal?: AbortSignal): Promise<DirectoryWalk> {
  const walk: DirectoryWalk = { files: [], errors: [], truncated: false };
  let level = [''];
  for (let depth = 0; level.length > 0 && !walk.truncated; depth++) {
    if (depth > limits.listedDepth) {
      appendAll(
        walk.errors,
        level.map((folder) => ({ path: folder, detail: `folders deeper than ${limits.listedDepth} are not listed` })),
      );
      break;
    }
    const next: string[] = [];
    for (let start = 0; start < level.length && !walk.truncated; start += concurrentFolders) {
      const folders = level.slice(start, start + concurrentFolders);
      const found = await Promise.all(folders.map((folder) => listFolder(root, folder, walk, signal)));
      appendAll(next, found.flat());
    }
    level = next;
  }
  return walk;
}

/** Adds the folder's files to the walk and answers its sub-folders. */
async function listFolder(root: string, folder: string, walk: DirectoryWalk, signal: AbortSignal | undefined): Promise<string[]> {
  const folders: string[] = [];
  try {
    for await (const entry of await opendir(path.join(root, folder), { bufferSize: 256 })) {
      throwIfCancelled(signal);
      const relative = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) folders.push(relative);
      else if (walk.files.length < limits.listedFiles) walk.files.push({ path: relative, kind: kindOf(entry) });
      else walk.truncated = true;
      if (walk.truncated) break;
    }
  } catch (error) {
    throwIfCancelled(signal);
    walk.errors.push({ path: folder, detail: describeIoError(error) });
  }
  return folders;
}

function kindOf(entry: Dirent): FoundFile['kind'] {
  return entry.isFile() ? 'file' : entry.isSymbolicLink() ? 'link' : 'special';
}
