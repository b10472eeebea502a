import type { Platform } from '../../app/platform.js';
import { FormatError } from '../../core/bytes/formatError.js';
import { decodeWrittenText } from '../../core/bytes/text.js';
import { readPairs } from '../../core/comparison/values/readPairs.js';
import { listedFolders } from '../../core/files/listedFolders.js';
import { baseName, joinPath, parentPath } from '../../core/files/paths.js';
import { isRemoteAddress } from '../../core/files/remote/remoteScheme.js';
import { unknownRoom } from '../../core/runs/storageRoom.js';
import { readTasks } from '../../core/values/readTasks.js';
import type { RemoteFiles } from './remoteFiles.js';

/**
 * A platform that takes addresses of stores for paths too. What is at an address has no log of verifications beside it and no room to ask for, and
 * configs there name no files of this machine.
 */
export function withRemote(local: Platform, remote: () => Promise<RemoteFiles>): Platform {
  const choose = <Result>(
    path: string,
    far: (files: RemoteFiles) => Promise<Result>,
    near: () => Promise<Result>,
  ): Promise<Result> => (isRemoteAddress(path) ? remote().then(far) : near());
  return {
    ...local,
    nameOf: (path) => (isRemoteAddress(path) ? baseName(withoutEnd(path)) : local.nameOf(path)),
    folderOf: (path) => (isRemoteAddress(path) ? parentPath(withoutEnd(path)) : local.folderOf(path)),
    pathIn: (folder, name) => (isRemoteAddress(folder) ? joinPath(withoutEnd(folder), name) : local.pathIn(folder, name)),
    stat: (path) =>
      choose(
        path,
        (files) => files.stat(path),
        () => local.stat(path),
      ),
    readText: (path, mostBytes) =>
      choose(
        path,
        async (files) => decodeWrittenText(await files.readBytes(path, mostBytes)),
        () => local.readText(path, mostBytes),
      ),
    readBytes: (path, mostBytes) =>
      choose(
        path,
        (files) => files.readBytes(path, mostBytes),
        () => local.readBytes(path, mostBytes),
      ),
    openTree: (path) =>
      choose(
        path,
        (files) => files.openTree(path),
        () => local.openTree(path),
      ),
    openFolders: (path, cacheFile) =>
      choose(
        path,
        async (files) => listedFolders(await files.openTree(path)),
        () => local.openFolders(path, cacheFile),
      ),
    async configSources(folder) {
      if (!isRemoteAddress(folder)) return local.configSources(folder);
      const here = await local.configSources('.');
      return { read: () => Promise.resolve(null), readCached: (model) => here.readCached(model) };
    },
    freeBytes: (folder, outputFolder) =>
      isRemoteAddress(folder) ? Promise.resolve(null) : local.freeBytes(folder, outputFolder),
    room: (folder) => (isRemoteAddress(folder) ? Promise.resolve(unknownRoom) : local.room(folder)),
    readValues: (reading, hooks) =>
      isRemoteAddress(reading.path) ? readTasks(reading.tree, reading.tasks, hooks) : local.readValues(reading, hooks),
    async readPairs(reading, hooks) {
      const { a, b, tasks } = reading;
      if (!isRemoteAddress(a.path) && !isRemoteAddress(b.path)) return local.readPairs(reading, hooks);
      const results = [];
      for (const task of tasks) results.push(await readPairs({ a: a.tree, b: b.tree }, task, hooks));
      return results.flat();
    },
    logFile: (folder) =>
      isRemoteAddress(folder) ? { path: folder, read: () => Promise.resolve(null), replace: notWritten } : local.logFile(folder),
    manifestFolder: (folder) =>
      isRemoteAddress(folder)
        ? {
            readPartial: () => Promise.resolve(null),
            addToPartial: notWritten,
            flushPartial: notWritten,
            beginPartial: notWritten,
            finish: notWritten,
          }
        : local.manifestFolder(folder),
  };
}

function notWritten(): Promise<never> {
  return Promise.reject(new FormatError('io', 'nothing is written to a store: --output names a directory of this machine'));
}

/** An address up to its last name. */
function withoutEnd(address: string): string {
  return (address.split(/[?#]/)[0] as string).replace(/\/+$/, '');
}
