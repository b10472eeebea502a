import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { lstat, mkdir, open, readdir, readlink, rmdir, stat, unlink, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { CheckError } from '../../core/bandwidth/checkError.js';
import { checkDirectoryName, isDataName, markerName, probeName, smallFileNames } from '../../core/bandwidth/checkNames.js';
import { limits } from '../../core/bytes/limits.js';
import { whileHeld } from '../os/heldFiles.js';
import { thisSystem } from '../os/thisSystem.js';
import { toCheckError } from './checkIoError.js';
import { forEachAtOnce } from './forEachAtOnce.js';
import { makeMarker, readMarker, type CheckMarker } from './checkMarker.js';
import { removedLater } from './removedLater.js';

/** Removals under way at once: on a network file system each waits for its server. */
const concurrentRemovals = 16;

/**
 * The directory of one check, and nothing beside it. It is held open from when it is made until it is removed, and on Linux every
 * name is looked up from the open directory: whatever is put at its path meanwhile, a link or another directory, is never written to
 * nor removed from.
 */
export class CheckDirectory {
  /** Names that turned out to be somebody else's. */
  private readonly foreign = new Set<string>();

  private constructor(
    readonly path: string,
    /** Put in front of a name. */
    readonly base: string,
    private readonly handle: FileHandle | null,
    private readonly made: Stats,
    readonly marker: CheckMarker,
  ) {}

  /** For fsync; null where directories cannot be opened (Windows). */
  get descriptor(): number | null {
    return this.handle?.fd ?? null;
  }

  /**
   * Makes the directory of a new check and writes its marker.
   * @param files names of the data that are going to be written
   * @throws CheckError
   */
  static async make(target: string, files: string[], smallFiles: number): Promise<CheckDirectory> {
    const unfit = files.find((name) => !isDataName(name));
    if (unfit !== undefined) throw new CheckError('io', `a file of a check cannot be called ${JSON.stringify(unfit)}`);
    const directoryPath = path.join(target, checkDirectoryName(randomBytes(16).toString('hex')));
    try {
      await mkdir(directoryPath, { mode: 0o700 });
    } catch (error) {
      throw toCheckError(error, 'the directory of the check could not be made');
    }
    let directory: CheckDirectory | null = null;
    try {
      directory = await CheckDirectory.hold(directoryPath, await makeMarker(files, smallFiles));
      await directory.writeMarker();
      return directory;
    } catch (error) {
      // It holds nothing but the marker, if that.
      if (directory === null) await rmdir(directoryPath).catch(() => undefined);
      else await directory.remove().catch(() => undefined);
      throw toCheckError(error, 'the directory of the check could not be made');
    }
  }

  /**
   * The directory of a check that was made before; null where it is none, or somebody else's.
   * @throws CheckError
   */
  static async find(directoryPath: string): Promise<CheckDirectory | null> {
    const owner = process.getuid?.() ?? null;
    const opened = await openDirectory(directoryPath).catch(() => null);
    if (opened === null) return null;
    const marker = owner !== null && opened.stats.uid !== owner ? null : await readMarker(opened.base, owner);
    if (marker === null) await opened.handle?.close();
    return marker === null ? null : new CheckDirectory(directoryPath, opened.base, opened.handle, opened.stats, marker);
  }

  private static async hold(directoryPath: string, marker: CheckMarker): Promise<CheckDirectory> {
    const { base, handle, stats } = await openDirectory(directoryPath);
    return new CheckDirectory(directoryPath, base, handle, stats, marker);
  }

  /** It lasts before the first byte of data does: what is left after a power failure is found as well. */
  private async writeMarker(): Promise<void> {
    const text = JSON.stringify(this.marker);
    if (Buffer.byteLength(text) > limits.checkMarkerBytes) throw new CheckError('io', 'the check has too many files');
    const marker = await open(this.base + markerName, 'wx', 0o600);
    try {
      await marker.writeFile(text);
      await marker.sync();
    } finally {
      await marker.close();
    }
    await this.sync();
  }

  /** Makes lasting what was made or removed. Some network and FUSE file systems have no fsync of directories. */
  async sync(): Promise<void> {
    await this.handle?.sync().catch(() => undefined);
  }

  /** Says that a name of the check is taken by a file that the check did not make. */
  disown(name: string): void {
    this.foreign.add(name);
  }

  /** Bytes and files that lie there now, of those that are the check's. */
  async contents(): Promise<{ bytes: number; files: number }> {
    const found = { bytes: 0, files: 0 };
    await forEachAtOnce(namesOf(this.marker), concurrentRemovals, async (name) => {
      const stats = await lstat(this.base + name).catch(() => null);
      if (stats?.isFile() !== true) return;
      found.bytes += stats.size;
      found.files += 1;
    });
    return found;
  }

  /** Removes files of the check; those that are not there are no error, and what has become something else stays. */
  async removeFiles(names: Iterable<string>): Promise<void> {
    await forEachAtOnce(names, concurrentRemovals, async (name) => {
      if (this.foreign.has(name)) return;
      await this.expectSamePath();
      const stats = await lstat(this.base + name).catch(ignoreMissing);
      if (stats === null) return;
      if (stats.isFile()) await whileHeld(() => unlink(this.base + name)).catch(ignoreMissing);
      else this.disown(name);
    });
  }

  /**
   * Removes what the check made, and the directory if nothing else is in it. It is closed afterwards.
   * @throws CheckError `not-removed`
   */
  async remove(): Promise<void> {
    try {
      if (await this.isGone()) return;
      await this.removeFiles(namesOf(this.marker));
      const others = (await readdir(this.base)).filter((name) => name !== markerName);
      await this.removeFiles([markerName]);
      if (others.length > 0)
        throw new CheckError('not-removed', `${this.path} holds what the check did not write: ${listed(others)}`);
      await this.removeDirectory();
    } catch (error) {
      if (CheckError.is(error, 'not-removed')) throw error;
      const { detail } = toCheckError(error, 'it could not be removed');
      throw new CheckError('not-removed', `${this.path}: ${detail}; ${removedLater}`, { cause: error });
    } finally {
      await this.close();
    }
  }

  async close(): Promise<void> {
    await this.handle?.close().catch(() => undefined);
  }

  private async removeDirectory(): Promise<void> {
    // It may have been moved.
    const now = this.hasDescriptorPath ? await readlink(this.base.slice(0, -1)) : this.path;
    const stats = await lstat(now).catch(ignoreMissing);
    if (stats === null) return;
    if (!isSame(stats, this.made)) throw new CheckError('not-removed', `${now} is not the directory that the check made`);
    await whileHeld(() => rmdir(now)).catch(ignoreMissing);
  }

  private async isGone(): Promise<boolean> {
    if (this.handle !== null) {
      // A directory that was removed while it is open has no links left.
      const { nlink } = await this.handle.stat();
      if (nlink === 0) return true;
    }
    return !this.hasDescriptorPath && (await lstat(this.path).catch(ignoreMissing)) === null;
  }

  /** Where names are looked up by the path, it has to lead to the same directory still. */
  private async expectSamePath(): Promise<void> {
    if (this.hasDescriptorPath) return;
    const stats = await lstat(this.path).catch(ignoreMissing);
    if (stats !== null && !isSame(stats, this.made)) {
      throw new CheckError('not-removed', `${this.path} is not the directory that the check made`);
    }
  }

  private get hasDescriptorPath(): boolean {
    return this.handle !== null && this.base === thisSystem.pathOfDescriptor(this.handle.fd);
  }
}

async function openDirectory(directoryPath: string): Promise<{ base: string; handle: FileHandle | null; stats: Stats }> {
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
  if (!thisSystem.opensDirectories) {
    const stats = await lstat(directoryPath);
    if (!stats.isDirectory()) throw new CheckError('not-a-directory', `${directoryPath} is not a directory`);
    return { base: directoryPath + path.sep, handle: null, stats };
  }
  const handle = await open(directoryPath, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  const stats = await handle.stat();
  const throughDescriptor = thisSystem.pathOfDescriptor(handle.fd);
  const reached = throughDescriptor === null ? null : await stat(throughDescriptor).catch(() => null);
  const base = throughDescriptor !== null && reached !== null && isSame(reached, stats) ? throughDescriptor : `${directoryPath}/`;
  return { base, handle, stats };
}

/** All files that a check with this marker may have made, but the marker. */
function* namesOf({ files, smallFiles }: CheckMarker): Iterable<string> {
  yield* files;
  yield probeName;
  for (let index = 0; index < smallFiles; index++) {
    const { made, renamed } = smallFileNames(index);
    yield made;
    yield renamed;
  }
}

function isSame(a: Stats, b: Stats): boolean {
  return a.dev === b.dev && a.ino === b.ino;
}

function ignoreMissing(error: unknown): null {
  if ((error as { code?: unknown }).code === 'ENOENT') return null;
  throw error;
}

function listed(names: string[]): string {
  const shown = names.slice(0, 3).map((name) => JSON.stringify(name));
  return names.length > 3 ? `${shown.join(', ')} and ${names.length - 3} more` : shown.join(', ');
}
