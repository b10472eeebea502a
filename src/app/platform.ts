import type { ConfigSources } from '../core/configs/configAccess.js';
import type { FileTree } from '../core/files/fileTree.js';
import type { StorageRoom } from '../core/runs/storageRoom.js';
import type { BandwidthService, StoreAccess } from './bandwidth/bandwidthService.js';
import type { SearchedFolders } from '../core/files/folders.js';
import type { Passes } from '../core/verification/passes.js';
import type { LogFile } from './verification/logFile.js';
import type { ManifestFolder } from './verification/manifestFolder.js';
import type { PairHooks } from '../core/comparison/values/readPairs.js';
import type { PairResult, PairTask } from '../core/comparison/values/pairTask.js';
import type { ReadingHooks, StoredSummary } from '../core/values/readTask.js';
import type { ValueTask } from '../core/values/valueTask.js';

/** What is at a path. */
export interface PathStats {
  kind: 'file' | 'folder' | 'other';
  sizeBytes: number;
}

/** Single files by their paths, and the parts of these paths. A path is what users of this platform write: a local path, or a URI. */
export interface Files {
  /** Last part of a path. */
  nameOf(path: string): string;
  /** The folder that a path is in. */
  folderOf(path: string): string;
  /** @throws FormatError `io` */
  stat(path: string): Promise<PathStats>;
  /**
   * A whole file as UTF-8.
   * @throws FormatError `io` when it cannot be read or is no file, `limit-exceeded` above `mostBytes`
   */
  readText(path: string, mostBytes: number): Promise<string>;
}

/** What the use cases need of the machine that they run on. */
export interface Platform extends Files {
  /** The path of a file in a folder. */
  pathIn(folder: string, name: string): string;
  /**
   * A whole file.
   * @throws FormatError `io` when it cannot be read or is no file, `limit-exceeded` above `mostBytes`
   */
  readBytes(path: string, mostBytes: number): Promise<Uint8Array>;
  /** All files below a path. @throws FormatError `io` */
  openTree(path: string): Promise<FileTree>;
  /**
   * The directories below a path, one at a time.
   * @param cacheFile keeps what is seen of them for the next search; null without it
   * @throws FormatError `io` where one of both cannot be read, `corrupt` for a file of another kind
   */
  openFolders(path: string, cacheFile: string | null): Promise<SearchedFolders>;
  /** Who runs this program, as listings name owners; null where files have none. */
  userName(): string | null;
  /** Files that a config in a folder names. */
  configSources(folder: string): Promise<ConfigSources>;
  /** Bytes that a user may still write to a config's output folder; null when unknown. */
  freeBytes(folder: string, outputFolder: string | undefined): Promise<number | null>;
  /** What a user may still write below a folder, with the quota as the programs of its file system tell it. */
  room(folder: string): Promise<StorageRoom>;
  /** Reads values of tensors, in several threads where there are. @throws FormatError `cancelled`, `io` */
  readValues(reading: ValuesReading, hooks: ReadingHooks): Promise<StoredSummary[]>;
  /** Compares values of tensors of two paths, in several threads where there are. @throws FormatError `cancelled`, `io` */
  readPairs(reading: PairsReading, hooks: PairHooks): Promise<PairResult[]>;
  /** Measures a directory or an object store. */
  bandwidthService(target: string, store: StoreAccess): Promise<BandwidthService>;
  /** Who hashes files, in threads where there are any. */
  passes(): Promise<Passes>;
  /** Where a manifest is written; nothing is made yet. */
  manifestFolder(folder: string): ManifestFolder;
  /** The log of verifications of a directory; nothing is made yet. */
  logFile(folder: string): LogFile;
}

/** Values that are read: tasks over the files of a tree, and the path that the tree was opened by. */
export interface ValuesReading {
  path: string;
  tree: FileTree;
  tasks: readonly ValueTask[];
}

/** Pairs of tensors that are compared, and both paths with their trees. */
export interface PairsReading {
  a: Omit<ValuesReading, 'tasks'>;
  b: Omit<ValuesReading, 'tasks'>;
  tasks: readonly PairTask[];
}

/** How a use case that takes long reports its progress and is cancelled. */
export interface Hooks<Progress = never> {
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
}
