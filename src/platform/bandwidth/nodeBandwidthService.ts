import { constants } from 'node:fs';
import { access, opendir, stat } from 'node:fs/promises';
import path from 'node:path';
import { CheckError } from '../../core/bandwidth/checkError.js';
import { checkDirectoryPattern } from '../../core/bandwidth/checkNames.js';
import type { OtherCheck, TargetFacts } from '../../core/bandwidth/targetFacts.js';
import { limits } from '../../core/bytes/limits.js';
import type { BandwidthService } from '../../app/bandwidth/bandwidthService.js';
import { realPath } from '../os/realPath.js';
import { CheckDirectory } from './checkDirectory.js';
import { stateOf } from './checkMarker.js';
import { findEmptyLeft, removeEmptyLeft } from './emptyDirectory.js';
import { readFileSystemFacts } from './fileSystemFacts.js';
import { loginNodeReason } from './loginNode.js';
import { runCheck, type CheckOptions } from './runCheck.js';

/** Measures directories of this machine. */
export function createNodeBandwidthService(options: CheckOptions): BandwidthService {
  return {
    facts: readTargetFacts,
    run: async (request, hooks, signal) =>
      runCheck({ ...request, target: await findDirectory(request.target) }, hooks, signal, options),
    removeLeft: (directoryPath) => removeLeft(directoryPath),
  };
}

/**
 * Removes what a check left that is not running any more.
 * @param isCrashed true where a check of this very process is known to have ended
 * @throws CheckError `not-removed`
 */
export async function removeLeft(directoryPath: string, isCrashed = false): Promise<void> {
  const parent = await realPath(path.dirname(directoryPath)).catch(() => null);
  const resolved = parent === null ? null : path.join(parent, path.basename(directoryPath));
  const isNamedSo = checkDirectoryPattern.test(path.basename(directoryPath));
  const directory = resolved === null || !isNamedSo ? null : await CheckDirectory.find(resolved);
  if (directory === null) {
    if (resolved !== null && (await removeEmptyLeft(resolved))) return;
    throw new CheckError('not-removed', `${directoryPath} is not what a check of yours has left`);
  }
  const isOfThisProcess = directory.marker.pid === process.pid;
  if ((await stateOf(directory.marker)) === 'running' && !(isCrashed && isOfThisProcess)) {
    await directory.close();
    throw new CheckError('not-removed', `${directoryPath} belongs to a check that is running`);
  }
  await directory.remove();
}

async function readTargetFacts(target: string, signal?: AbortSignal): Promise<TargetFacts> {
  const resolved = await findDirectory(target);
  try {
    await access(resolved, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new CheckError('not-writable', `${resolved} cannot be written to`, { cause: error });
  }
  try {
    const [fileSystem, others, loginNode] = await Promise.all([
      readFileSystemFacts(resolved, signal),
      findOtherChecks(resolved),
      loginNodeReason(),
    ]);
    if (signal?.aborted) throw new CheckError('cancelled', 'the check was cancelled');
    return { path: resolved, fileSystem, others, loginNode };
  } catch (error) {
    if (CheckError.is(error)) throw error;
    throw new CheckError('io', String((error as { message?: unknown }).message ?? error), { cause: error });
  }
}

/** The directory behind a path, with symbolic links resolved. @throws CheckError */
async function findDirectory(target: string): Promise<string> {
  try {
    const resolved = await realPath(target);
    if (!(await stat(resolved)).isDirectory()) throw new CheckError('not-a-directory', `${target} is not a directory`);
    return resolved;
  } catch (error) {
    if (CheckError.is(error)) throw error;
    const { code } = error as { code?: unknown };
    if (code === 'ENOENT') throw new CheckError('not-found', `${target} does not exist`, { cause: error });
    if (code === 'ENOTDIR') throw new CheckError('not-a-directory', `a part of ${target} is not a directory`, { cause: error });
    if (code === 'EACCES' || code === 'EPERM')
      throw new CheckError('access-denied', `${target} cannot be reached`, { cause: error });
    throw new CheckError('io', String((error as { message?: unknown }).message ?? error), { cause: error });
  }
}

/** Checks of this user in a directory, the oldest first. */
async function findOtherChecks(target: string): Promise<OtherCheck[]> {
  const others: OtherCheck[] = [];
  let seen = 0;
  try {
    for await (const entry of await opendir(target)) {
      if (++seen > limits.listedFiles) break;
      if (!checkDirectoryPattern.test(entry.name)) continue;
      const other = await findOtherCheck(path.join(target, entry.name));
      if (other !== null) others.push(other);
    }
  } catch {
    // One may write to a directory without reading it.
  }
  return others.sort((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt));
}

async function findOtherCheck(directoryPath: string): Promise<OtherCheck | null> {
  const directory = await CheckDirectory.find(directoryPath);
  if (directory === null) return findEmptyLeft(directoryPath);
  const { startedAt, host } = directory.marker;
  const contents = await directory.contents();
  await directory.close();
  return { path: directory.path, startedAt, host, ...contents, state: await stateOf(directory.marker) };
}
