/** What is left of a check that was killed after it had made its directory and before it wrote its marker. */
import { lstat, readdir, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { CheckError } from '../../core/bandwidth/checkError.js';
import { checkDirectoryPattern } from '../../core/bandwidth/checkNames.js';
import type { OtherCheck } from '../../core/bandwidth/targetFacts.js';
import { fileTimeMs } from '../../core/files/fileTime.js';
import { toCheckError } from './checkIoError.js';

/** The marker follows its directory within moments; clocks of file servers differ by less than this. */
const restMs = 60 * 60 * 1000;

/** Null where it is anything else than an empty directory of a check of this user, at rest for long enough not to be one that begins. */
export async function findEmptyLeft(directoryPath: string): Promise<OtherCheck | null> {
  if (!checkDirectoryPattern.test(path.basename(directoryPath))) return null;
  const stats = await lstat(directoryPath).catch(() => null);
  if (stats?.isDirectory() !== true || stats.uid !== (process.getuid?.() ?? stats.uid)) return null;
  const names = await readdir(directoryPath).catch(() => null);
  const modifiedMs = fileTimeMs(stats.mtimeMs);
  if (names?.length !== 0 || modifiedMs === null || Date.now() - modifiedMs < restMs) return null;
  return { path: directoryPath, startedAt: new Date(modifiedMs).toISOString(), host: null, bytes: 0, files: 0, state: 'left' };
}

/**
 * False where there is none. What was put into it meanwhile stays: this removes empty directories only.
 * @throws CheckError `not-removed`
 */
export async function removeEmptyLeft(directoryPath: string): Promise<boolean> {
  if ((await findEmptyLeft(directoryPath)) === null) return false;
  try {
    await rmdir(directoryPath);
    return true;
  } catch (error) {
    const { detail } = toCheckError(error, 'it could not be removed');
    throw new CheckError('not-removed', `${directoryPath}: ${detail}`, { cause: error });
  }
}
