/**
 * What earlier searches saw of directories: one that has not changed since need not be listed again, and a search that was ended goes on where it was.
 */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { FileEntry } from '../core/files/fileTree.js';
import type { FolderNames } from '../core/files/folders.js';
import { parentPath } from '../core/files/paths.js';
import type { FolderCacheFile } from './folderCacheFile.js';
import { readLine, writeLine, type FolderLine } from './folderLine.js';

/** Directories whose files were last written so long before they were listed are taken to be as they were, milliseconds. */
const quietMs = 86_400_000;
/** A search that goes on is of the same hour; its files may not have been written in the minute before they were listed. */
const sameSearchMs = 3_600_000;
const sameSearchQuietMs = 60_000;

/** A directory as it was listed. */
export interface KnownFolder {
  folders: string[];
  /** Paths are names. */
  files: FileEntry[];
}

/** A line as it is kept: as text where it is of a file, as large as that may be; else as it is used. */
type KeptLine = string | FolderLine;

export class FolderCache {
  /** Lines that were read, by path. */
  private readonly known = new Map<string, KeptLine>();
  /** Lines of this search, those that were taken over too. */
  private readonly current = new Map<string, KeptLine>();
  /** Directories of this search whose files were taken over: what is known of them is kept already. */
  private readonly takenWhole = new Set<string>();
  private readonly looks = new Map<string, { changedMs: number; listedMs: number; state: string }>();
  /** Directories that were not listed again. */
  unchanged = 0;

  /**
   * @param root directory that is searched, without links
   * @param file where it is kept; null for a directory that is searched again and again by the same program
   */
  private constructor(
    private readonly root: string,
    private readonly file: FolderCacheFile | null,
  ) {}

  /** @throws FormatError as `FolderCacheFile.lines` does */
  static async of(root: string, file: FolderCacheFile): Promise<FolderCache> {
    const cache = new FolderCache(root, file);
    for (const text of await file.lines()) {
      const line = readLine(text);
      if (line !== null) cache.known.set(line.path, text);
    }
    return cache;
  }

  static inMemory(root: string): FolderCache {
    return new FolderCache(root, null);
  }

  /** That of the next search, which knows what this one has seen. */
  next(): FolderCache {
    const cache = new FolderCache(this.root, this.file);
    for (const [path, line] of this.current) cache.known.set(path, line);
    return cache;
  }

  /** Null where the directory was not listed yet, or has changed since. @throws as `stat` does */
  async names(absolute: string): Promise<FolderNames | null> {
    const line = await this.lineAt(absolute);
    if (line === null) return null;
    this.take(line);
    return { folders: [...line.folders], files: line.names === null ? line.files.map((file) => file.path) : [...line.names] };
  }

  /**
   * With what is known of its files: null where one of them may have been written since, too.
   * @param isRoot of what is listed: trainers write over files there, as `last.ckpt`, so that these are always looked at
   * @throws as `stat` does
   */
  async folderAt(absolute: string, isRoot: boolean): Promise<KnownFolder | null> {
    const line = await this.lineAt(absolute);
    if (line === null || isRoot || line.names !== null || !this.isQuiet(line)) return null;
    this.take(line);
    this.takenWhole.add(line.path);
    return { folders: line.folders, files: line.files };
  }

  async rememberNames(absolute: string, { folders, files }: FolderNames): Promise<void> {
    const look = this.looks.get(absolute);
    const path = this.pathOf(absolute);
    // A listing of its files says more.
    if (look === undefined || this.current.has(path)) return;
    await this.remember({ path, ...look, folders, files: [], names: files });
  }

  /**
   * Of directories below one that was listed. Those with links or files that cannot be read are listed anew each time.
   * @param folders names of the directories in each, by its path
   */
  async rememberFiles(
    absolute: string,
    folders: ReadonlyMap<string, readonly string[]>,
    entries: readonly FileEntry[],
  ): Promise<void> {
    // Of those that were taken over nothing is new.
    const listed = [...folders.keys()].filter((folder) => !this.takenWhole.has(this.pathOf(path.join(absolute, folder))));
    if (listed.length === 0) return;
    const files = new Map<string, FileEntry[]>(listed.map((folder) => [folder, []]));
    const irregular = new Set<string>();
    for (const entry of entries) {
      const folder = parentPath(entry.path);
      if (entry.link !== undefined || entry.error !== undefined) irregular.add(folder);
      files.get(folder)?.push(entry);
    }
    for (const [folder, own] of files) {
      const place = path.join(absolute, folder);
      const look = this.looks.get(place);
      if (look === undefined || irregular.has(folder)) continue;
      const start = folder === '' ? 0 : folder.length + 1;
      const named = own.map((entry) => ({ ...entry, path: entry.path.slice(start) }));
      await this.remember({
        path: this.pathOf(place),
        ...look,
        folders: [...(folders.get(folder) ?? [])],
        files: named,
        names: null,
      });
    }
  }

  /** Writes what is left; of a search that is done, what it has not seen is dropped. @throws FormatError `io` */
  async close(isDone: boolean): Promise<void> {
    await this.file?.flush();
    if (isDone)
      await this.file?.replace([...this.current.values()].map((line) => (typeof line === 'string' ? line : writeLine(line))));
  }

  /** Takes the time of the directory before it is listed: what changes meanwhile is seen the next time. */
  private async lineAt(absolute: string): Promise<FolderLine | null> {
    const { mtimeMs, ctimeMs, ino } = await stat(absolute);
    const changedMs = Math.trunc(mtimeMs);
    // A time can be set back, the one of the change itself cannot; what takes its place has another number.
    const state = `${Math.trunc(ctimeMs)}:${ino}`;
    if (!this.looks.has(absolute)) this.looks.set(absolute, { changedMs, listedMs: Date.now(), state });
    const path = this.pathOf(absolute);
    const kept = this.current.get(path) ?? this.known.get(path) ?? null;
    const line = typeof kept === 'string' ? readLine(kept) : kept;
    // Times of some file systems are whole seconds: what was written within the same one is not seen in them.
    if (line === null || line.changedMs !== changedMs || line.state !== state || line.listedMs - changedMs < 2000) return null;
    return line;
  }

  private isQuiet({ files, changedMs, listedMs }: FolderLine): boolean {
    const writtenMs = files.reduce((latest, { modifiedMs }) => Math.max(latest, modifiedMs ?? Infinity), changedMs);
    const stillMs = listedMs - writtenMs;
    return stillMs >= quietMs || (stillMs >= sameSearchQuietMs && Date.now() - listedMs < sameSearchMs);
  }

  private take({ path }: FolderLine): void {
    const kept = this.known.get(path);
    if (this.current.has(path) || kept === undefined) return;
    this.unchanged += 1;
    this.current.set(path, kept);
  }

  private async remember(line: FolderLine): Promise<void> {
    const { file } = this;
    if (file === null) {
      this.current.set(line.path, line);
      return;
    }
    const text = writeLine(line);
    this.current.set(line.path, text);
    await file.add(text);
  }

  private pathOf(absolute: string): string {
    return path.relative(this.root, absolute).split(path.sep).join('/');
  }
}
