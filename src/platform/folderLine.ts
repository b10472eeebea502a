/** A line of a folder cache: a directory as it was listed, in JSON. A file can be changed by anyone: what has another shape is as if it were not there. */
import * as v from 'valibot';
import type { FileEntry } from '../core/files/fileTree.js';

export interface FolderLine {
  /** Relative to the root of the search. */
  path: string;
  /** Time of the directory itself, milliseconds since 1970. */
  changedMs: number;
  listedMs: number;
  /** Time at which the directory was changed, and its number on the file system. */
  state: string;
  folders: string[];
  /** Paths are names. */
  files: FileEntry[];
  /** Names of its files where these were not looked at; else null. */
  names: string[] | null;
}

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const time = v.pipe(v.number(), v.finite());
const name = v.pipe(
  v.string(),
  v.check((text) => text !== '' && text !== '.' && text !== '..' && !text.includes('/')),
);
/** Name, size, times of change and of making, bytes on the disk, owner, the id of its blocks and how many names they have. */
const file = v.tuple([
  name,
  count,
  v.nullable(time),
  v.nullable(time),
  v.nullable(count),
  v.nullable(v.string()),
  v.nullable(v.string()),
  v.nullable(count),
]);
const line = v.object({
  path: v.string(),
  changedMs: time,
  listedMs: time,
  state: v.string(),
  folders: v.array(name),
  files: v.exactOptional(v.array(file)),
  names: v.exactOptional(v.array(name)),
});

export function writeLine({ path, changedMs, listedMs, state, folders, files, names }: FolderLine): string {
  return JSON.stringify({
    path,
    changedMs,
    listedMs,
    state,
    folders,
    ...(names === null ? { files: files.map(writeFile) } : { names }),
  });
}

function writeFile({ path, sizeBytes, modifiedMs, createdMs, allocatedBytes, owner, fileId, links }: FileEntry): unknown[] {
  return [path, sizeBytes, modifiedMs, createdMs ?? null, allocatedBytes ?? null, owner ?? null, fileId ?? null, links ?? null];
}

/** Null for what is no such line. */
export function readLine(text: string): FolderLine | null {
  const read = v.safeParse(line, parsed(text));
  if (!read.success) return null;
  const { path, changedMs, listedMs, state, folders, files = [], names = null } = read.output;
  return { path, changedMs, listedMs, state, folders, files: files.map(readFile), names };
}

function readFile([path, sizeBytes, modifiedMs, createdMs, allocatedBytes, owner, fileId, links]: v.InferOutput<
  typeof file
>): FileEntry {
  return {
    path,
    sizeBytes,
    modifiedMs,
    ...(createdMs !== null && { createdMs }),
    ...(allocatedBytes !== null && { allocatedBytes }),
    ...(owner !== null && { owner }),
    ...(fileId !== null && { fileId }),
    ...(links !== null && { links }),
  };
}

const kind = 'stowage-folder-cache';
const version = 1;

/** @param root directory of the search */
export function headerLine(root: string): string {
  return JSON.stringify({ kind, version, root });
}

export function isHeaderOf(text: string, root: string): boolean {
  return text === headerLine(root);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
