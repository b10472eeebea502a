import type { ByteSource } from '../core/bytes/byteSource.js';
import { FormatError, throwIfCancelled } from '../core/bytes/formatError.js';
import { limits } from '../core/bytes/limits.js';
import { companionNames } from '../core/files/companions.js';
import { fileTimeMs } from '../core/files/fileTime.js';
import { linkWithoutTarget, type FileEntry, type FileListing, type FileTree } from '../core/files/fileTree.js';
import { compareNatural } from '../core/files/naturalOrder.js';
import { baseName, joinPath } from '../core/files/paths.js';
import { ListedEntries } from './listedEntries.js';
import { describeIoError } from './ioError.js';

/** What a name stands for; for a link what it points at, and `other` where it points at nothing. */
export interface WorkspaceFileType {
  kind: 'file' | 'folder' | 'other';
  isLink: boolean;
}

/**
 * What `vscode.workspace.fs` can do below one root, as plain data so that it also works across a worker's boundary. Paths are
 * relative to the root, `''` is the root itself; of a root that is a file, `../name` is a companion of it.
 */
export interface WorkspaceFileSystem {
  stat(params: { path: string }): Promise<{ type: WorkspaceFileType; sizeBytes: number; modifiedMs: number | null }>;
  readDirectory(params: { path: string }): Promise<{ name: string; type: WorkspaceFileType }[]>;
  readFile(params: { path: string }): Promise<Uint8Array>;
}

/**
 * A tree over an editor's file system, which has no range reads: a file is read whole when it is opened, so files above
 * `limits.wholeFileBytes` are `unsupported`.
 * @param rootName last part of the inspected path
 * @throws FormatError `io` when there is nothing at the root
 */
export async function createWorkspaceFileTree(files: WorkspaceFileSystem, rootName: string): Promise<FileTree> {
  const root = await asFormatError(files.stat({ path: '' }));
  if (root.type.kind === 'folder') return new WorkspaceFileTree(rootName, files);
  return new WorkspaceFileTree(rootName, files, { path: rootName, ...countedFacts(root) });
}

/** The time as far as a date holds it. */
function countedFacts({
  sizeBytes,
  modifiedMs,
}: Pick<FileEntry, 'sizeBytes' | 'modifiedMs'>): Pick<FileEntry, 'sizeBytes' | 'modifiedMs'> {
  return { sizeBytes, modifiedMs: modifiedMs === null ? null : fileTimeMs(modifiedMs) };
}

class WorkspaceFileTree implements FileTree {
  private listing: Promise<FileListing> | undefined;
  private readonly listed = new ListedEntries((signal) => this.list(signal));
  /** The file that was read last: text is sampled at many places of one file, each by an `open` of its own. */
  private last: { path: string; bytes: Promise<Uint8Array> } | undefined;

  constructor(
    readonly rootName: string,
    private readonly files: WorkspaceFileSystem,
    private readonly singleFile?: FileEntry,
  ) {}

  list(signal?: AbortSignal): Promise<FileListing> {
    this.listing ??= this.read(signal).catch((error: unknown) => {
      this.listing = undefined;
      throw error;
    });
    return this.listing;
  }

  async open(path: string, signal?: AbortSignal): Promise<ByteSource> {
    const entry = (await this.listed.byPath(signal)).get(path);
    if (entry === undefined) throw new FormatError('io', 'it is not a file of the inspected folder');
    if (entry.error !== undefined) throw new FormatError('io', entry.error);
    if (entry.sizeBytes > limits.wholeFileBytes) {
      throw new FormatError(
        'unsupported',
        `this file system has no range reads, and ${entry.sizeBytes} bytes are too many to read whole`,
      );
    }
    const bytes = await this.wholeFile(path);
    throwIfCancelled(signal);
    return new WholeFileSource(path, bytes);
  }

  private wholeFile(path: string): Promise<Uint8Array> {
    if (this.last?.path === path) return this.last.bytes;
    const bytes = asFormatError(this.files.readFile({ path: this.placeOf(path) }));
    const read = { path, bytes };
    this.last = read;
    bytes.catch(() => {
      if (this.last === read) this.last = undefined;
    });
    return bytes;
  }

  private placeOf(path: string): string {
    if (this.singleFile === undefined) return path;
    return path === this.singleFile.path ? '' : `../${path}`;
  }

  private async withCompanions(file: FileEntry): Promise<FileEntry[]> {
    const entries = [file];
    for (const name of companionNames(file.path)) {
      const stats = await this.files.stat({ path: `../${name}` }).catch(() => undefined);
      if (stats?.type.kind === 'file') entries.push({ path: name, ...countedFacts(stats) });
    }
    return entries.sort((a, b) => compareNatural(a.path, b.path));
  }

  private async read(signal: AbortSignal | undefined): Promise<FileListing> {
    if (this.singleFile !== undefined)
      return { entries: await this.withCompanions(this.singleFile), errors: [], truncated: false };
    const listing: FileListing = { entries: [], errors: [], truncated: false };
    const folders = [{ path: '', depth: 0 }];
    for (let folder = folders.shift(); folder !== undefined && !listing.truncated; folder = folders.shift()) {
      throwIfCancelled(signal);
      if (folder.depth > limits.listedDepth) {
        listing.errors.push({ path: folder.path, detail: `folders deeper than ${limits.listedDepth} are not listed` });
        continue;
      }
      for (const { name, type } of await this.names(folder.path, listing)) {
        const path = joinPath(folder.path, name);
        if (type.kind === 'folder' && !type.isLink) folders.push({ path, depth: folder.depth + 1 });
        else if (listing.entries.length >= limits.listedFiles) listing.truncated = true;
        else listing.entries.push(await this.describe(path, type));
        throwIfCancelled(signal);
      }
    }
    listing.entries.sort((a, b) => compareNatural(a.path, b.path));
    return listing;
  }

  private async names(folder: string, listing: FileListing): Promise<{ name: string; type: WorkspaceFileType }[]> {
    try {
      return await asFormatError(this.files.readDirectory({ path: folder }));
    } catch (error) {
      listing.errors.push({ path: folder, detail: describeIoError(error) });
      return [];
    }
  }

  /** The editor does not tell where a link points, so a link counts as the file behind it. */
  private async describe(path: string, { kind, isLink }: WorkspaceFileType): Promise<FileEntry> {
    const nothing: FileEntry = { path, sizeBytes: 0, modifiedMs: null, ...(isLink && { link: { target: '', inside: false } }) };
    if (kind === 'folder') return nothing;
    if (kind === 'other') return { ...nothing, error: isLink ? linkWithoutTarget : 'it holds no file data' };
    try {
      return { ...nothing, ...countedFacts(await asFormatError(this.files.stat({ path }))) };
    } catch (error) {
      return { ...nothing, error: describeIoError(error) };
    }
  }
}

class WholeFileSource implements ByteSource {
  readonly sizeBytes: number;

  constructor(
    readonly name: string,
    private bytes: Uint8Array,
  ) {
    this.sizeBytes = bytes.byteLength;
  }

  read(offset: number, length: number, signal?: AbortSignal): Promise<Uint8Array> {
    if (signal?.aborted) return Promise.reject(new FormatError('cancelled', 'the inspection was cancelled'));
    if (offset < 0 || length < 0 || offset + length > this.bytes.byteLength) {
      const detail = `${length} bytes from ${offset} were expected, the file ends at ${this.bytes.byteLength}`;
      return Promise.reject(new FormatError('truncated', detail, { offset: this.bytes.byteLength }));
    }
    return Promise.resolve(this.bytes.slice(offset, offset + length));
  }

  close(): Promise<void> {
    this.bytes = new Uint8Array(0);
    return Promise.resolve();
  }
}

/** Every failure of a file system provider is an `io` trouble of the one file it was asked for. */
async function asFormatError<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw FormatError.is(error) ? error : new FormatError('io', describeIoError(error), { cause: error });
  }
}

/** Last part of a slash-separated path, which is how an editor's URIs name a root. */
export function rootNameOf(path: string): string {
  return baseName(path.replace(/\/+$/, '')) || path;
}
