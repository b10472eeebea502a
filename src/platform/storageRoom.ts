import { realpath, statfs } from 'node:fs/promises';
import { unknownRoom, type StorageRoom } from '../core/runs/storageRoom.js';
import { Owners } from './owners.js';
import { readFileSystemFacts } from './bandwidth/fileSystemFacts.js';

/** By the system alone: no program is asked for a quota. */
export async function roomOf(folder: string): Promise<StorageRoom> {
  try {
    const { bavail, bsize, files, ffree } = await statfs(folder);
    // File systems without a fixed number of files answer 0.
    return { freeBytes: bavail * bsize, freeFiles: files === 0 ? null : ffree, quota: null };
  } catch {
    return unknownRoom;
  }
}

/** With the user's quota, by `lfs quota` or `quota`, which only read. */
export async function roomWithQuota(folder: string): Promise<StorageRoom> {
  try {
    const { freeBytes, freeFiles, quota } = await readFileSystemFacts(await realpath(folder));
    return { freeBytes, freeFiles, quota: quota === null ? null : { ...quota, user: new Owners().ownName() } };
  } catch {
    return unknownRoom;
  }
}
