import { statSync, type Stats } from 'node:fs';
import { readlink, stat } from 'node:fs/promises';
import path from 'node:path';
import type { ByteSource } from '../core/bytes/byteSource.js';
import { FormatError, throwIfCancelled } from '../core/bytes/formatError.js';
import { limits } from '../core/bytes/limits.js';
import { fileTimeMs } from '../core/files/fileTime.js';
import { companionNames } from '../core/files/companions.js';
import { parentPath } from '../core/files/paths.js';
import { linkWithoutTarget, specialFile, type FileEntry, type FileListing, type FileTree } from '../core/files/fileTree.js';
import { compareNatural } from '../core/files/naturalOrder.js';
import { ListedEntries } from './listedEntries.js';
import { describeIoError } from './ioError.js';
import { realPath, realPlace } from './os/realPath.js';
import type { System } from './os/system.js';
import { thisSystem } from './os/thisSystem.js';
import { Owners } from './owners.js';
import { escapedName, isDecoded, mayBeUndecoded } from './undecodedNames.js';
import { walkDirectory, type FoundFile, type WalkOptions } from './nodeDirectoryWalk.js';
import { openNodeByteSource } from './nodeByteSource.js';
import { ReadableRoots, type RootPaths } from './readableRoots.js';
import { QuickCalls } from './quickCalls.js';
import { Semaphore } from './semaphore.js';

/** Twice what core reads at once; far below the 1,024 handles that a login node usually allows. */
const openHandles = limits.concurrentReads * 2;

/**
 * The files below a local path, or the one file that the path names with its companions.
 * @param rootPaths the directories that links may lead to; null where they may lead anywhere
 * @throws FormatError `io` when there is nothing at the path or it cannot be looked at
 */
export async function createNodeFileTree(
  inspectedPath: string,
  rootPaths: RootPaths = null,
  system: System = thisSystem,
): Promise<FileTree> {
  const root = path.resolve(inspectedPath);
  const roots = await ReadableRoots.of(rootPaths);
  try {
    const real = await roots.resolve(root);
    const stats = await stat(real);
    const rootName = path.basename(root) || root;
    const links: Links = { roots, places: new Map() };
    if (stats.isDirectory())
      return new NodeFileTree(root, real, false, links, (signal) => listDirectory(real, links, { system, signal }));
    if (!stats.isFile()) throw new FormatError('io', 'it is neither a folder nor a regular file');
    const entry: FileEntry = { path: rootName, ...factsAt(real, stats, { owners: new Owners(), system }) };
    const companions = await findCompanions(root, links, system);
    links.places.set(rootName, real);
    const entries = [entry, ...companions].sort((a, b) => compareNatural(a.path, b.path));
    const listing = { entries, errors: [], truncated: false };
    return new NodeFileTree(root, path.dirname(real), true, links, () => Promise.resolve(listing));
  } catch (error) {
    throw FormatError.is(error) ? error : new FormatError('io', describeIoError(error), { cause: error });
  }
}

/** What is known of links. */
export interface Links {
  /** Where they may lead. */
  roots: ReadableRoots;
  /** Where files really are that are not at their own path, as bytes where that is not UTF-8. Known once they are listed. */
  places: Map<string, string | Buffer>;
}

class NodeFileTree implements FileTree {
  private listing: Promise<FileListing> | undefined;
  private readonly handles = new Semaphore(openHandles);
  private readonly calls = new QuickCalls();
  private readonly listed = new ListedEntries((signal) => this.list(signal));

  readonly rootName: string;

  constructor(
    readonly location: string,
    private readonly realRoot: string,
    readonly isFile: boolean,
    private readonly links: Links,
    private readonly read: (signal?: AbortSignal) => Promise<FileListing>,
  ) {
    this.rootName = path.basename(location) || location;
  }

  get realLocation(): string {
    return this.realRoot;
  }

  list(signal?: AbortSignal): Promise<FileListing> {
    this.listing ??= this.read(signal).catch((error: unknown) => {
      this.listing = undefined;
      throw error;
    });
    return this.listing;
  }

  async open(filePath: string, signal?: AbortSignal): Promise<ByteSource> {
    const entry = (await this.listed.byPath(signal)).get(filePath);
    if (entry === undefined) throw new FormatError('io', 'it is not a file of the inspected folder');
    if (entry.error !== undefined) throw new FormatError('io', entry.error);
    const place = this.placeOf(filePath);
    const refusal = this.links.roots.refusalOf(place.toString());
    if (refusal !== null) throw new FormatError('io', refusal);
    return openNodeByteSource(place, filePath, this.handles, this.calls, signal);
  }

  async look(filePath: string): Promise<Pick<FileEntry, 'sizeBytes' | 'modifiedMs'> | null> {
    try {
      const { size, mtimeMs } = await stat(this.placeOf(filePath));
      return { sizeBytes: size, modifiedMs: fileTimeMs(mtimeMs) };
    } catch {
      return null;
    }
  }

  private placeOf(filePath: string): string | Buffer {
    return this.links.places.get(filePath) ?? path.join(this.realRoot, filePath);
  }
}

/** The files beside a file that belong to it; names are paired where the user sees them, not behind a link. */
async function findCompanions(root: string, { roots, places }: Links, system: System): Promise<FileEntry[]> {
  const found = await Promise.all(
    companionNames(path.basename(root)).map(async (name): Promise<FileEntry[]> => {
      const real = await roots.resolve(path.join(path.dirname(root), name)).catch(() => undefined);
      const stats = real === undefined ? undefined : await stat(real).catch(() => undefined);
      if (real === undefined || stats?.isFile() !== true) return [];
      places.set(name, real);
      return [
        { path: name, sizeBytes: stats.size, modifiedMs: fileTimeMs(stats.mtimeMs), ...placeholderFacts(real, stats, system) },
      ];
    }),
  );
  return found.flat();
}

/** The files below a directory, of those folders in it that are chosen. */
export async function listDirectory(realRoot: string, links: Links, options: WalkOptions): Promise<FileListing> {
  const { signal, system = thisSystem, cache = null } = options;
  const { files, errors, truncated, folders } = await walkDirectory(realRoot, options);
  const entries: FileEntry[] = [];
  const described: Described = {
    ...links,
    listing: new ListedFiles(files),
    owners: new Owners(),
    calls: new QuickCalls(),
    system,
  };
  let next = 0;
  const lookUp = async (): Promise<void> => {
    for (let file = files[next++]; file !== undefined; file = files[next++]) {
      throwIfCancelled(signal);
      if (file.facts !== undefined) entries.push({ ...file.facts, path: file.path });
      else entries.push(describeAtOnce(realRoot, file, described) ?? (await describeFile(realRoot, file, described)));
    }
  };
  await Promise.all(Array.from({ length: limits.concurrentReads }, lookUp));
  if (!truncated) await cache?.rememberFiles(realRoot, folders, entries);
  entries.sort((a, b) => compareNatural(a.path, b.path));
  countHardLinksOnce(entries);
  return { entries, errors, truncated };
}

/** The files of a listing, as links lead to them: most listings have none, and then nothing is made of these. */
class ListedFiles {
  private files: ReadonlySet<string> | undefined;
  private folders: ReadonlySet<string> | undefined;
  private places: ReadonlyMap<string, string> | undefined;

  constructor(private readonly found: readonly FoundFile[]) {}

  get paths(): ReadonlySet<string> {
    this.files ??= new Set(this.found.filter(({ kind }) => kind === 'file').map(({ path: filePath }) => filePath));
    return this.files;
  }

  /** Directories of the files, the root as the empty path. */
  get directories(): ReadonlySet<string> {
    this.folders ??= directoriesOf(this.paths);
    return this.folders;
  }

  /** Paths that are not UTF-8, by where they are. */
  get pathsByPlace(): ReadonlyMap<string, string> {
    this.places ??= new Map(
      this.found.flatMap(({ path: filePath, place }) => (place === undefined ? [] : [[keyOf(place), filePath]])),
    );
    return this.places;
  }
}

function directoriesOf(files: Iterable<string>): ReadonlySet<string> {
  const directories = new Set(['']);
  for (const file of files) for (let at = parentPath(file); !directories.has(at); at = parentPath(at)) directories.add(at);
  return directories;
}

/** What the facts of a file are taken from. */
interface Described extends Links {
  listing: ListedFiles;
  owners: Owners;
  calls: QuickCalls;
  system: System;
}

/** A place as a key: one character a byte. */
function keyOf(place: Buffer): string {
  return place.toString('latin1');
}

/** The usual file, where its facts are at hand; undefined for all others. */
function describeAtOnce(realRoot: string, { path: filePath, kind, place }: FoundFile, others: Described): FileEntry | undefined {
  if (kind !== 'file' || place !== undefined) return undefined;
  const absolute = path.join(realRoot, filePath);
  try {
    const stats = others.calls.atOnce(() => statSync(absolute));
    return stats?.isFile() === true ? { path: filePath, ...factsAt(absolute, stats, others) } : undefined;
  } catch {
    return undefined;
  }
}

async function describeFile(realRoot: string, file: FoundFile, others: Described): Promise<FileEntry> {
  const { path: filePath, kind, place, isNameless = false } = file;
  const absolute = place ?? path.join(realRoot, filePath);
  const nothing = { path: filePath, sizeBytes: 0, modifiedMs: null };
  if (kind === 'special') return { ...nothing, error: specialFile };
  let link: FileEntry['link'];
  try {
    if (kind === 'link') link = await linkAt(absolute, others.system);
    const stats = await others.calls.call(
      () => statSync(absolute),
      () => stat(absolute),
    );
    // A folder behind a link is not followed: that way there are no loops, and nothing outside of the root is counted.
    if (kind === 'link' && stats.isDirectory()) {
      const real = await endOfLink(absolute);
      const inside = isListedDirectory(realRoot, real, others);
      const target = link?.target ?? real.toString();
      return {
        ...nothing,
        allocatedBytes: 0,
        modifiedMs: fileTimeMs(stats.mtimeMs),
        link: { target, inside, isDirectory: true },
      };
    }
    if (link !== undefined) {
      const real = await endOfLink(absolute);
      const refusal = others.roots.refusalOf(real.toString());
      if (refusal !== null) return { ...nothing, link, error: refusal };
      others.places.set(filePath, real);
      const end = typeof real === 'string' ? relativeTo(realRoot, real) : (others.listing.pathsByPlace.get(keyOf(real)) ?? '');
      if (others.listing.paths.has(end)) link = { ...link, inside: true, entry: end };
    } else if (place !== undefined && !isNameless) others.places.set(filePath, place);
    if (!stats.isFile()) return { ...nothing, ...(link && { link }), error: specialFile };
    return {
      path: filePath,
      ...factsAt((link === undefined ? absolute : (others.places.get(filePath) ?? absolute)).toString(), stats, others),
      // Its target counts, under its own name.
      ...(link?.inside === true && { sizeBytes: 0, allocatedBytes: 0 }),
      ...(link && { link }),
      ...(isNameless && { error: 'its name is not UTF-8: rename it to have it read' }),
    };
  } catch (error) {
    const dangling = link !== undefined && (error as { code?: unknown }).code === 'ENOENT';
    return { ...nothing, ...(link && { link }), error: dangling ? linkWithoutTarget : describeIoError(error) };
  }
}

function isListedDirectory(realRoot: string, real: string | Buffer, { listing }: Described): boolean {
  if (typeof real === 'string') return listing.directories.has(relativeTo(realRoot, real));
  const below = `${keyOf(real)}/`;
  return [...listing.pathsByPlace.keys()].some((place) => place.startsWith(below));
}

/** Where a link leads in the end, as bytes where that is not UTF-8. */
async function endOfLink(absolute: string | Buffer): Promise<string | Buffer> {
  const real = typeof absolute === 'string' ? await realPath(absolute) : undefined;
  if (real !== undefined && !mayBeUndecoded(real)) return real;
  const place = await realPlace(absolute);
  return isDecoded(place) ? place.toString() : place;
}

/** Undefined for what Windows lists among links and is none: a file of a deduplicated volume, which is read as any other. */
async function linkAt(absolute: string | Buffer, { hasReparsePoints }: System): Promise<FileEntry['link']> {
  try {
    return { target: escapedName(await readlink(absolute, { encoding: 'buffer' })), inside: false };
  } catch (error) {
    if (hasReparsePoints && ['EINVAL', 'UNKNOWN'].includes((error as { code?: string }).code ?? '')) return undefined;
    throw error;
  }
}

/** What is needed to tell the facts of a file. */
type FactSources = Pick<Described, 'owners' | 'system'>;
type DiskFacts = Pick<FileEntry, 'allocatedBytes' | 'owner' | 'fileId' | 'links'>;

/** @param absolute where the file is, without links */
function factsAt(
  absolute: string,
  stats: Stats,
  sources: FactSources,
): Pick<FileEntry, 'sizeBytes' | 'modifiedMs' | 'createdMs' | 'error'> & DiskFacts {
  return { ...countedFacts(stats, sources), ...placeholderFacts(absolute, stats, sources.system) };
}

function countedFacts(stats: Stats, sources: FactSources): Pick<FileEntry, 'sizeBytes' | 'modifiedMs' | 'createdMs'> & DiskFacts {
  return { sizeBytes: stats.size, modifiedMs: fileTimeMs(stats.mtimeMs), ...createdFact(stats), ...diskFacts(stats, sources) };
}

/** A file with an error is never opened. */
function placeholderFacts(absolute: string, stats: Stats, system: System): Pick<FileEntry, 'error'> {
  const error = system.placeholderReason(absolute, stats);
  return error === null ? {} : { error };
}

/** 0 where the file system does not say. */
function createdFact({ birthtimeMs }: Stats): Pick<FileEntry, 'createdMs'> {
  const createdMs = fileTimeMs(birthtimeMs);
  return createdMs !== null && createdMs > 0 ? { createdMs } : {};
}

/** Blocks count 512 bytes each, whatever the file system's own are (stat(2)). */
function diskFacts({ blocks, uid, nlink, dev, ino }: Stats, { owners, system }: FactSources): DiskFacts {
  if (!system.hasUnixStats) return {};
  return {
    allocatedBytes: blocks * 512,
    owner: owners.nameOf(uid),
    ...(nlink > 1 ? { fileId: `${dev}:${ino}`, links: nlink } : {}),
  };
}

/** Of the names of one file the first in order counts on the disk. */
function countHardLinksOnce(entries: readonly FileEntry[]): void {
  const seen = new Set<string>();
  for (const entry of entries) {
    if (entry.fileId === undefined || entry.link !== undefined) continue;
    if (seen.has(entry.fileId)) entry.allocatedBytes = 0;
    seen.add(entry.fileId);
  }
}

function relativeTo(realRoot: string, absolute: string): string {
  return path.relative(realRoot, absolute).split(path.sep).join('/');
}
