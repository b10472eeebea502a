import type { PathStats, Platform } from '../../src/app/platform.js';
import type { BandwidthService } from '../../src/app/bandwidth/bandwidthService.js';
import { limits } from '../../src/core/bytes/limits.js';
import { FormatError } from '../../src/core/bytes/formatError.js';
import type { FileTree } from '../../src/core/files/fileTree.js';
import { unknownRoom } from '../../src/core/runs/storageRoom.js';
import { listedFolders } from '../../src/core/files/listedFolders.js';
import { readPairs } from '../../src/core/comparison/values/readPairs.js';
import { readTasks } from '../../src/core/values/readTasks.js';
import { baseName } from '../../src/core/files/paths.js';
import { measurement, targetFacts } from './bandwidthCheck.js';
import { memoryTree } from './memoryTree.js';
import { passesHere } from './verification.js';

export interface MemoryPlatformOptions {
  /** Texts by the name of a model in the cache of the Hub. */
  hub?: Readonly<Record<string, string>>;
  freeBytes?: number | null;
  service?: Partial<BandwidthService>;
}

/** A machine with these files, by their absolute paths with `/`. */
export function memoryPlatform(
  files: Readonly<Record<string, string | Uint8Array>>,
  { hub = {}, freeBytes = null, service = {} }: MemoryPlatformOptions = {},
): Platform {
  const bytesAt = (path: string): Uint8Array => {
    const file = Object.hasOwn(files, path) ? files[path] : undefined;
    if (file === undefined) throw new FormatError('io', 'it does not exist');
    return typeof file === 'string' ? new TextEncoder().encode(file) : file;
  };
  const bounded = (path: string, mostBytes: number): Uint8Array => {
    const bytes = bytesAt(path);
    if (bytes.byteLength > mostBytes) throw new FormatError('limit-exceeded', `it has ${bytes.byteLength} bytes`);
    return bytes;
  };
  const below = (folder: string): [string, Uint8Array][] =>
    Object.keys(files)
      .filter((path) => path.startsWith(`${folder}/`))
      .map((path) => [path.slice(folder.length + 1), bytesAt(path)]);
  const stat = (path: string): PathStats =>
    below(path).length > 0 ? { kind: 'folder', sizeBytes: 0 } : { kind: 'file', sizeBytes: bytesAt(path).byteLength };
  const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
  const openTree = async (path: string): Promise<FileTree> =>
    memoryTree(
      baseName(path),
      Object.fromEntries(stat(path).kind === 'folder' ? below(path) : [[baseName(path), bytesAt(path)]]),
    );
  return {
    nameOf: baseName,
    folderOf,
    pathIn: (folder, name) => `${folder}/${name}`,
    stat: async (path) => stat(path),
    readText: async (path, mostBytes) => new TextDecoder().decode(bounded(path, mostBytes)),
    readBytes: async (path, mostBytes) => bounded(path, mostBytes),
    openTree,
    openFolders: async (path) => listedFolders(await openTree(path)),
    userName: () => null,
    configSources: async (folder) => ({
      read: async (named) => {
        const path = `${folder}/${named.replace(/^\.\//, '')}`;
        return Object.hasOwn(files, path) ? { path: named, text: new TextDecoder().decode(bytesAt(path)) } : null;
      },
      readCached: async (model) => {
        const text = Object.hasOwn(hub, model) ? hub[model] : undefined;
        return text === undefined ? null : { path: `${model}/config.json`, text };
      },
    }),
    freeBytes: async () => freeBytes,
    room: async () => ({ ...unknownRoom, freeBytes }),
    readPairs: async ({ a, b, tasks }, hooks) => {
      const results = [];
      for (const task of tasks) results.push(await readPairs({ a: a.tree, b: b.tree }, task, hooks));
      return results.flat();
    },
    readValues: ({ tree, tasks }, hooks) => readTasks(tree, tasks, hooks),
    bandwidthService: async () => ({
      facts: async () => targetFacts(),
      run: async () => measurement(),
      removeLeft: async () => undefined,
      ...service,
    }),
    passes: async () => passesHere,
    logFile: (folder) => {
      const path = `${folder}/.stowage/verified.json`;
      return {
        path,
        read: async () => (Object.hasOwn(files, path) ? new TextDecoder().decode(bounded(path, limits.verifiedLogBytes)) : null),
        replace: () => {
          throw new FormatError('io', 'it is read-only');
        },
      };
    },
    manifestFolder: () => {
      throw new FormatError('io', 'it is read-only');
    },
  };
}
