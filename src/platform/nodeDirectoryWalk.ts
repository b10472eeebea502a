import { opendirSync, readdirSync, type Dir, type Dirent } from 'node:fs';
import { opendir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { appendAll } from '../core/bytes/appendAll.js';
import { throwIfCancelled } from '../core/bytes/formatError.js';
import { limits } from '../core/bytes/limits.js';
import type { FileEntry } from '../core/files/fileTree.js';
import { compareNatural } from '../core/files/naturalOrder.js';
import { baseName, joinPath } from '../core/files/paths.js';
import type { FolderCache } from './folderCache.js';
import { describeIoError } from './ioError.js';
import type { System } from './os/system.js';
import { thisSystem } from './os/thisSystem.js';
import { QuickCalls } from './quickCalls.js';
import { escapedName, isDecoded, mayBeUndecoded, placeIn } from './undecodedNames.js';

export interface FoundFile {
  /** Relative to the root, with forward slashes. */
  path: string;
  kind: 'file' | 'link' | 'special';
  /** Where it is, for a path that is not UTF-8; `path` has `\xff` for such a byte. */
  place?: Buffer;
  /** Set where another file has that path: the bytes of its name are lost in `path`. */
  isNameless?: boolean;
  /** What was known of it before, where its directory has not changed since. */
  facts?: FileEntry;
}

export interface WalkOptions {
  signal?: AbortSignal | undefined;
  system?: System;
  /** Which folders of the root are entered; all of them without it. */
  isChosen?: (name: string) => boolean;
  /** What earlier walks have seen; nothing without it. */
  cache?: FolderCache | null;
}

interface FoundFolder {
  path: string;
  place?: Buffer;
}

export interface DirectoryWalk {
  files: FoundFile[];
  errors: { path: string; detail: string }[];
  /** True where `limits.listedFiles` was reached. */
  truncated: boolean;
  /** Names of the folders in each folder that was listed, by its path; for a cache alone. */
  folders: Map<string, string[]>;
}

/** Entries that the system hands over at once: most folders have fewer. */
const entriesAtOnce = 256;

/** Finds every file below a folder without following links, a bounded number of folders at a time. */
export async function walkDirectory(
  root: string,
  { signal, system = thisSystem, isChosen = () => true, cache = null }: WalkOptions = {},
): Promise<DirectoryWalk> {
  const walk: DirectoryWalk = { files: [], errors: [], truncated: false, folders: new Map() };
  const calls = new QuickCalls();
  let level: FoundFolder[] = [{ path: '' }];
  for (let depth = 0; level.length > 0 && !walk.truncated; depth++) {
    if (depth > limits.listedDepth) {
      appendAll(
        walk.errors,
        level.map((folder) => ({ path: folder.path, detail: `folders deeper than ${limits.listedDepth} are not listed` })),
      );
      break;
    }
    const next: FoundFolder[] = [];
    for (let start = 0; start < level.length && !walk.truncated; start += limits.concurrentFolders) {
      const folders = level.slice(start, start + limits.concurrentFolders);
      const found = await Promise.all(
        folders.map((folder) =>
          listFolder(folder.place ?? path.join(root, folder.path), { folder: folder.path, walk, calls, system, signal, cache }),
        ),
      );
      appendAll(next, depth === 0 ? found.flat().filter(({ path: name }) => isChosen(name)) : found.flat());
    }
    level = next;
  }
  return walk;
}

interface FolderWalk {
  /** Relative to the root. */
  folder: string;
  walk: DirectoryWalk;
  calls: QuickCalls;
  system: System;
  signal: AbortSignal | undefined;
  cache: FolderCache | null;
}

/** Adds the folder's files to the walk and answers its sub-folders. */
async function listFolder(
  absolute: string | Buffer,
  { folder, walk, calls, system, signal, cache }: FolderWalk,
): Promise<FoundFolder[]> {
  const folders: FoundFolder[] = [];
  let hasUndecoded = false;
  const addAs = (name: string, entry: Dirent<string | Buffer>, place: { place?: Buffer; isNameless?: boolean } = {}): void => {
    const relative = folder === '' ? name : `${folder}/${name}`;
    if (entry.isDirectory()) folders.push({ path: relative, ...place });
    else if (walk.files.length < limits.listedFiles) walk.files.push({ path: relative, kind: kindOf(entry), ...place });
    else walk.truncated = true;
  };
  const addKnown = (relative: string, facts: FileEntry): void => {
    if (walk.files.length < limits.listedFiles) walk.files.push({ path: relative, kind: 'file', facts });
    else walk.truncated = true;
  };
  const add = (entry: Dirent): void => {
    if (mayBeUndecoded(entry.name)) hasUndecoded = true;
    else addAs(entry.name, entry);
  };
  const addByBytes = async (isOfInterest: (name: Buffer) => boolean): Promise<void> => {
    const entries = await readdir(absolute, { encoding: 'buffer', withFileTypes: true });
    throwIfCancelled(signal);
    const taken = new Set(entries.filter(({ name }) => isDecoded(name)).map(({ name }) => name.toString()));
    for (const entry of entries.filter(({ name }) => isOfInterest(name))) {
      if (walk.truncated) return;
      const place = placeIn(absolute, entry.name);
      const text = entry.name.toString();
      const escaped = escapedName(entry.name);
      if (isDecoded(entry.name)) addAs(text, entry, typeof absolute === 'string' ? {} : { place });
      else if (!taken.has(escaped)) addAs(escaped, entry, { place });
      else addAs(text, entry, { place, isNameless: true });
    }
  };
  try {
    const known = typeof absolute === 'string' && cache !== null ? await cache.folderAt(absolute, folder === '') : null;
    if (known !== null) {
      for (const facts of known.files) addKnown(joinPath(folder, facts.path), facts);
      return known.folders.map((name) => ({ path: joinPath(folder, name) }));
    }
    if (typeof absolute !== 'string') {
      await addByBytes(() => true);
      return folders;
    }
    const { entries, rest } = await beginningAt(absolute, calls, system);
    try {
      throwIfCancelled(signal);
      // Nearly in the order of the listing, which is then sorted at once.
      entries.sort((a, b) => compareNatural(a.name, b.name));
      for (const entry of entries) if (!walk.truncated) add(entry);
      while (rest !== null && !walk.truncated) {
        const entry = await rest.read();
        throwIfCancelled(signal);
        if (entry === null) break;
        add(entry);
      }
    } finally {
      await rest?.close();
    }
    if (hasUndecoded && !walk.truncated) await addByBytes((name) => mayBeUndecoded(name.toString()));
    else if (cache !== null)
      walk.folders.set(
        folder,
        folders.map(({ path: below }) => baseName(below)),
      );
  } catch (error) {
    throwIfCancelled(signal);
    walk.errors.push({ path: folder, detail: describeIoError(error) });
  }
  return folders;
}

function beginningAt(absolute: string, calls: QuickCalls, system: System): FolderBeginning | Promise<FolderBeginning> {
  const { atOnce, later } = system.opendirReportsLinks ? opened(absolute) : listed(absolute);
  return calls.atOnce(atOnce) ?? calls.call(atOnce, later);
}

/** The same folder at once or later. */
interface Beginnings {
  atOnce: () => FolderBeginning;
  later: () => Promise<FolderBeginning>;
}

function opened(absolute: string): Beginnings {
  return {
    atOnce: () => beginningOf(absolute),
    later: async () => ({ entries: [], rest: await opendir(absolute, { bufferSize: entriesAtOnce }) }),
  };
}

/** All entries of the folder: Node hands them over in one list. */
function listed(absolute: string): Beginnings {
  return {
    atOnce: () => ({ entries: readdirSync(absolute, { withFileTypes: true }), rest: null }),
    later: async () => ({ entries: await readdir(absolute, { withFileTypes: true }), rest: null }),
  };
}

interface FolderBeginning {
  entries: Dirent[];
  /** The open folder; null where there are no more entries. */
  rest: Dir | null;
}

function beginningOf(absolute: string): FolderBeginning {
  const folder = opendirSync(absolute, { bufferSize: entriesAtOnce });
  const entries: Dirent[] = [];
  let rest: Dir | null = folder;
  try {
    while (entries.length < entriesAtOnce) {
      const entry = folder.readSync();
      if (entry === null) return { entries, rest: null };
      entries.push(entry);
    }
    rest = null;
    return { entries, rest: folder };
  } finally {
    rest?.closeSync();
  }
}

function kindOf(entry: Dirent<string | Buffer>): FoundFile['kind'] {
  return entry.isFile() ? 'file' : entry.isSymbolicLink() ? 'link' : 'special';
}
