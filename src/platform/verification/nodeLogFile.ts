import { lstat, mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { LogFile } from '../../app/verification/logFile.js';
import { FormatError } from '../../core/bytes/formatError.js';
import { limits } from '../../core/bytes/limits.js';
import { logName } from '../../core/verification/log/verifiedLog.js';
import { describeIoError } from '../ioError.js';
import { readRegularText } from '../regularFile.js';
import { replaceFiles } from '../replaceFiles.js';

/** The log of a directory of this machine; its folder is made with the first entry. */
export function nodeLogFile(directory: string): LogFile {
  const folder = path.join(directory, '.stowage');
  const file = path.join(folder, logName);
  return {
    path: file,
    async read() {
      if (!(await isOwnFolder(folder)) || (await kindAt(file)) === null) return null;
      if ((await kindAt(file)) !== 'file') throw new FormatError('io', 'it is not a regular file');
      return readRegularText(file, limits.verifiedLogBytes, true);
    },
    async replace(text) {
      try {
        if (!(await isOwnFolder(folder))) await mkdir(folder);
        await replaceFiles(folder, { [logName]: text });
      } catch (error) {
        throw FormatError.is(error) ? error : new FormatError('io', describeIoError(error), { cause: error });
      }
    },
  };
}

/** False where nothing is there. @throws FormatError `io` for a link and for what is no directory: another program may have put it there */
async function isOwnFolder(folder: string): Promise<boolean> {
  const kind = await kindAt(folder);
  if (kind === null) return false;
  if (kind !== 'folder') throw new FormatError('io', '.stowage is a link or no directory');
  return true;
}

/** Of what is at a path itself, not where it leads; null where nothing is. @throws FormatError `io` */
async function kindAt(place: string): Promise<'file' | 'folder' | 'other' | null> {
  try {
    const stats = await lstat(place);
    return stats.isDirectory() ? 'folder' : stats.isFile() ? 'file' : 'other';
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as { code?: string }).code ?? '')) return null;
    throw new FormatError('io', describeIoError(error), { cause: error });
  }
}
