import { realpath, statfs } from 'node:fs/promises';
import { unknownRoom, type StorageRoom } from '../core/runs/storageRoom.js';
import { lustreRoom } from './lustreRoom.js';
import { Owners } from './owners.js';
import { readFileSystemFacts } from './bandwidth/fileSystemFacts.js';

/** By the system alone: no program is asked for a quota. */
export async function roomOf(folder: string): Promise<StorageRoom> {
  try {
    const { bavail, bsize, files, ffree } = await statfs(folder);
    // File systems without a fixed number of files answer 0.
    return { ...unknownRoom, freeBytes: bavail * bsize, freeFiles: files === 0 ? null : ffree };
  } catch {
    return unknownRoom;
  }
}

/** With quotas of the user and of the directory's project, by `lfs` or `quota`, which only read. XFS counts a project's quota as free space. */
export async function roomWithQuota(folder: string): Promise<StorageRoom> {
  try {
    const place = await realpath(folder);
    const { type, freeBytes, freeFiles, quota } = await readFileSystemFacts(place);
    const ofLustre = type === 'lustre' ? await lustreRoom(place) : { project: null, targets: null };
    return { freeBytes, freeFiles, quota: quota === null ? null : { ...quota, user: new Owners().ownName() }, ...ofLustre };
  } catch {
    return unknownRoom;
  }
}
