import type { ByteSource } from '../../src/core/bytes/byteSource.js';
import { FormatError } from '../../src/core/bytes/formatError.js';
import { memorySource } from '../../src/core/bytes/memorySource.js';
import type { FileEntry, FileTree } from '../../src/core/files/fileTree.js';
import { compareNatural } from '../../src/core/files/naturalOrder.js';

/** A file tree in memory: bytes, a source of its own, or an error when it is opened. */
export type MemoryFile = Uint8Array | ByteSource | { entry: Partial<FileEntry>; bytes?: Uint8Array };

/** What was asked of a memory tree. */
export interface ReadLog {
  reads: { path: string; offset: number; length: number }[];
}

/** Makes a tree of files by path; every read is written into `log`. */
export function memoryTree(
  rootName: string,
  files: Readonly<Record<string, MemoryFile>>,
  log: ReadLog = { reads: [] },
): FileTree {
  const entries = Object.entries(files)
    .map(([path, file]): FileEntry => ({
      path,
      sizeBytes: sizeOf(file),
      modifiedMs: null,
      ...('entry' in file ? file.entry : {}),
    }))
    .sort((a, b) => compareNatural(a.path, b.path));
  return {
    rootName,
    list: () => Promise.resolve({ entries, errors: [], truncated: false }),
    open(path) {
      const file = Object.hasOwn(files, path) ? files[path] : undefined;
      if (file === undefined) return Promise.reject(new FormatError('io', `${path} was not listed`));
      return Promise.resolve(logged(path, sourceOf(path, file), log));
    },
  };
}

function sizeOf(file: MemoryFile): number {
  if (file instanceof Uint8Array) return file.byteLength;
  return 'sizeBytes' in file ? file.sizeBytes : (file.bytes?.byteLength ?? 0);
}

function sourceOf(path: string, file: MemoryFile): ByteSource {
  if (file instanceof Uint8Array) return memorySource(path, file);
  return 'read' in file ? file : memorySource(path, file.bytes ?? new Uint8Array(0));
}

function logged(path: string, source: ByteSource, log: ReadLog): ByteSource {
  return {
    name: source.name,
    sizeBytes: source.sizeBytes,
    read(offset, length, signal) {
      log.reads.push({ path, offset, length });
      return source.read(offset, length, signal);
    },
    close: () => source.close(),
  };
}
