import { realpath as resolveByLinks } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { promisify } from 'node:util';
import { thisSystem } from './thisSystem.js';

const resolveLinks = promisify(resolveByLinks);

/**
 * Where a path leads, without links. Windows has no final path for some disks in memory and some drivers' volumes
 * (GetFinalPathNameByHandle), whose files can be read: their links are followed one by one.
 * @throws the system's error
 */
export async function realPath(path: string, { hasReparsePoints } = thisSystem, native = realpath): Promise<string> {
  try {
    return await native(path);
  } catch (error) {
    if (!hasReparsePoints) throw error;
    return resolveLinks(path).catch(() => {
      throw error;
    });
  }
}

/** The same as bytes, for a path that is not UTF-8, or leads to one. @throws the system's error */
export function realPlace(place: string | Buffer): Promise<Buffer> {
  return realpath(place, { encoding: 'buffer' });
}
