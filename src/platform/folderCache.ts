/**
 * What earlier searches saw of directories, in a file: one that has not changed since need not be listed again, and a search that was ended goes on
 * where it was. Lines of JSON, compressed in parts, each of which is whole whenever the program ends.
 */
import { appendFile, rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StringDecoder } from 'node:string_decoder';
import { promisify } from 'node:util';
import { createGunzip, gzip } from 'node:zlib';
import { FormatError } from '../core/bytes/formatError.js';
import { limits } from '../core/bytes/limits.js';
import type { FileEntry } from '../core/files/fileTree.js';
import type { FolderNames } from '../core/files/folders.js';
import { parentPath } from '../core/files/paths.js';
import { describeIoError } from './ioError.js';
import { readRegularFile } from './regularFile.js';
import { headerLine, isHeaderOf, readLine, writeLine, type FolderLine } from './folderLine.js';

const compress = promisify(gzip);

/** Lines of one compressed part: what is lost where the program ends. */
const linesOfPart = 2000;
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

type Bounds = Record<'folderCacheFileBytes' | 'folderCacheBytes' | 'folderLineCharacters', number>;

/** A line with the text of it. */
type KnownLine = FolderLine & { text: string };

export class FolderCache {
  /** Lines that were read, by path. */
  private readonly known = new Map<string, string>();
  /** Lines of this search, those that were taken over too. */
  private readonly current = new Map<string, string>();
  private readonly looks = new Map<string, { changedMs: number; listedMs: number; state: string }>();
  private unwritten: string[] = [];
  private writing: Promise<void> = Promise.resolve();
  /** Directories that were not listed again. */
  unchanged = 0;

  private constructor(
    private readonly file: string | null,
    private readonly root: string,
    private readonly bounds: Bounds,
  ) {}

  /**
   * @param file where it is kept; made where it is not there
   * @param root directory that is searched, without links
   * @param bounds of what is read of the file
   * @throws FormatError `io` where the file cannot be read or written, `corrupt` where it is of another kind or of another directory
   */
  static async open(file: string, root: string, bounds: Bounds = limits): Promise<FolderCache> {
    const cache = new FolderCache(file, root, bounds);
    await cache.load(file);
    return cache;
  }

  /** In memory alone, for a directory that is searched again and again. */
  static inMemory(root: string): FolderCache {
    return new FolderCache(null, root, limits);
  }

  /** That of the next search, which knows what this one has seen. */
  next(): FolderCache {
    const cache = new FolderCache(this.file, this.root, this.bounds);
    for (const [path, text] of this.current) cache.known.set(path, text);
    return cache;
  }

  /** Null where the directory was not listed yet, or has changed since. @throws as `stat` does */
  async names(absolute: string): Promise<FolderNames | null> {
    const line = await this.lineAt(absolute);
    if (line === null) return null;
    this.take(line);
    return { folders: line.folders, files: line.names ?? line.files.map((file) => file.path) };
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
    const files = new Map<string, FileEntry[]>([...folders.keys()].map((folder) => [folder, []]));
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

  /** Writes what is left; of a search that is done, what it has not seen is dropped. */
  async close(isDone: boolean): Promise<void> {
    this.flush();
    await this.writing;
    const { file } = this;
    if (isDone && file !== null) await asIo(() => this.writeAll(file, this.current));
  }

  /** Takes the time of the directory before it is listed: what changes meanwhile is seen the next time. */
  private async lineAt(absolute: string): Promise<KnownLine | null> {
    const { mtimeMs, ctimeMs, ino } = await stat(absolute);
    const changedMs = Math.trunc(mtimeMs);
    // A time can be set back, the one of the change itself cannot; what takes its place has another number.
    const state = `${Math.trunc(ctimeMs)}:${ino}`;
    if (!this.looks.has(absolute)) this.looks.set(absolute, { changedMs, listedMs: Date.now(), state });
    const path = this.pathOf(absolute);
    const text = this.current.get(path) ?? this.known.get(path);
    const line = text === undefined ? null : readLine(text);
    // Times of some file systems are whole seconds: what was written within the same one is not seen in them.
    if (line === null || line.changedMs !== changedMs || line.state !== state || line.listedMs - changedMs < 2000) return null;
    return { ...line, text: text ?? '' };
  }

  private isQuiet({ files, changedMs, listedMs }: FolderLine): boolean {
    const writtenMs = files.reduce((latest, { modifiedMs }) => Math.max(latest, modifiedMs ?? Infinity), changedMs);
    const stillMs = listedMs - writtenMs;
    return stillMs >= quietMs || (stillMs >= sameSearchQuietMs && Date.now() - listedMs < sameSearchMs);
  }

  private take({ path, text }: KnownLine): void {
    if (this.current.has(path)) return;
    this.unchanged += 1;
    this.current.set(path, text);
  }

  private async remember(line: FolderLine): Promise<void> {
    const text = writeLine(line);
    this.current.set(line.path, text);
    if (this.file === null) return;
    this.unwritten.push(text);
    if (this.unwritten.length >= linesOfPart) {
      this.flush();
      await this.writing;
    }
  }

  private flush(): void {
    const { file, unwritten: part } = this;
    if (part.length === 0 || file === null) return;
    this.unwritten = [];
    this.writing = this.writing.then(() => asIo(async () => appendFile(file, await compress(`${part.join('\n')}\n`))));
  }

  private async load(file: string): Promise<void> {
    let isFirst = true;
    const read = async (chunks: AsyncIterable<Buffer>): Promise<void> => {
      for await (const text of linesOf(chunks, this.bounds)) {
        if (isFirst && !isHeaderOf(text, this.root)) throw notOfThis;
        const line = isFirst ? null : readLine(text);
        if (line !== null) this.known.set(line.path, text);
        isFirst = false;
      }
    };
    const isWhole = await readWhole(file, this.bounds.folderCacheFileBytes, read);
    // What is added comes after whole parts alone.
    if (isFirst || !isWhole) await asIo(() => this.writeAll(file, this.known));
  }

  private async writeAll(file: string, lines: ReadonlyMap<string, string>): Promise<void> {
    const parts = [await compress(`${headerLine(this.root)}\n`)];
    const texts = [...lines.values()];
    for (let start = 0; start < texts.length; start += linesOfPart)
      parts.push(await compress(`${texts.slice(start, start + linesOfPart).join('\n')}\n`));
    await writeFile(`${file}.new`, Buffer.concat(parts));
    await rename(`${file}.new`, file);
  }

  private pathOf(absolute: string): string {
    return path.relative(this.root, absolute).split(path.sep).join('/');
  }
}

/**
 * False where there is no such file, or its last part was not written to its end.
 * @throws FormatError `io` where it cannot be read, `corrupt` where it is of another kind; as `read` does
 */
async function readWhole(
  file: string,
  mostBytes: number,
  read: (chunks: AsyncIterable<Buffer>) => Promise<void>,
): Promise<boolean> {
  // What a reader throws ends the pipeline, which then fails for having been ended.
  let refusal: FormatError | undefined;
  const reader = (chunks: AsyncIterable<Buffer>): Promise<void> =>
    read(chunks).catch((error: unknown) => {
      if (FormatError.is(error)) refusal = error;
      throw error;
    });
  try {
    await stat(file);
    const bytes = await readRegularFile(file, mostBytes);
    await pipeline(Readable.from([bytes]), createGunzip(), reader);
    return true;
  } catch (error) {
    if (refusal !== undefined || FormatError.is(error)) throw refusal ?? error;
    const { code = '' } = error as { code?: string };
    if (code === 'ENOENT' || code === 'Z_BUF_ERROR') return false;
    throw code.startsWith('Z_') ? notOfThis : asFormatError(error);
  }
}

/** @throws FormatError `limit-exceeded` where there is more than a search writes */
async function* linesOf(chunks: AsyncIterable<Buffer>, bounds: Bounds): AsyncGenerator<string> {
  let rest = '';
  let allBytes = 0;
  const decoder = new StringDecoder('utf8');
  for await (const chunk of chunks) {
    allBytes += chunk.length;
    if (allBytes > bounds.folderCacheBytes)
      throw new FormatError('limit-exceeded', 'the file of the cache is larger than a search writes');
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    if ([rest, ...lines].some(({ length }) => length > bounds.folderLineCharacters)) throw notOfThis;
    yield* lines;
  }
}

const notOfThis = new FormatError('corrupt', 'the file of the cache is another one, or of another directory: name another file');

function asFormatError(error: unknown): FormatError {
  return new FormatError('io', `the cache cannot be used: ${describeIoError(error)}`, { cause: error });
}

/** @throws FormatError `io` */
async function asIo(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw asFormatError(error);
  }
}
