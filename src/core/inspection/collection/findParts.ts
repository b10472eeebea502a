/** What lies below a directory that is more than one thing: which directories and files are a checkpoint, a run or a data set each. */
import { appendAll } from '../../bytes/appendAll.js';
import type { DatasetLayoutId } from '../../datasets/datasetReport.js';
import type { Probe } from '../../datasets/datasetLayout.js';
import { areMostOf, claimDatasets, type Claim } from '../../datasets/detectDataset.js';
import type { FileEntry, FileTree } from '../../files/fileTree.js';
import { Listing } from '../../files/listing.js';
import { baseName, joinPath, parentPath } from '../../files/paths.js';
import { detectLayout } from '../../frameworks/detectLayout.js';
import type { CacheReport, RevisionReport } from '../hubCache/cacheReport.js';
import { mayBeDataset } from '../kindOfListing.js';
import { findRun, type Run } from '../runs/run.js';
import { isModelFile, modelFilesOf } from './modelFiles.js';

/** One of several things. */
export interface Part {
  /** What to inspect for it alone: a directory or a file. */
  path: string;
  /** Where its files are. */
  root: string;
  /** Its files, relative to the root; of a single file its name. */
  listing: Listing;
  /** Of a data set whose files lie among those of other parts. */
  layout?: DatasetLayoutId;
  /** Opens its files where these do not lie at their paths below the root. */
  tree?: FileTree;
  /** Of a revision in the cache of the Hub. */
  revision?: RevisionReport;
}

export interface Parts {
  parts: Part[];
  /** Files that belong to none of them. */
  other: FileEntry[];
  cache?: CacheOfParts;
}

/** The cache that parts are of: its files are no plain sum, as revisions share blobs. */
export interface CacheOfParts {
  report: CacheReport;
  /** True where the whole directory is one cache. */
  isAll: boolean;
  /** What counts, each file once. */
  counted: readonly FileEntry[];
  checks: { done: string[]; notDone: string[] };
}

/** Text and tables are in every project: fewer bytes of them are no data set. */
const PLAIN_BYTES = 1_000_000;
/** A few records are settings or an example. */
const RECORD_BYTES = 4_000;
const logName = /(log|metrics|history|results|events)[^/]*$/i;

/** The parts of a listing; undefined where it is one thing as a whole, or nothing that is known. */
export async function findParts(listing: Listing, probe: Probe): Promise<Parts | undefined> {
  const parts = await partsIn(listing, '', probe);
  const [only] = parts;
  if (only === undefined || (parts.length === 1 && only.root === '')) return undefined;
  const taken = new Set(parts.flatMap(pathsOf));
  const other = listing.entries.filter(({ path }) => !taken.has(path));
  return parts.length === 1 && other.length === 0 ? undefined : { parts, other };
}

/** The parts below a directory of the inspected one; a listing that is one thing is a part. Directories are nested no deeper than `limits.listedDepth`. */
export async function partsIn(listing: Listing, root: string, probe: Probe): Promise<Part[]> {
  if (listing.entries.length === 0) return [];
  const run = findRun(listing);
  if (run !== undefined && isOneRun(run)) {
    const parts = await withoutDatasets(listing, root, probe);
    return parts.length > 1 && parentOf(run) !== '' ? partsBelow(listing, root, probe) : parts;
  }
  if (run === undefined) {
    const layout = detectLayout(listing);
    const claims = mayBeDataset(layout, listing) ? await claimDatasets(listing, placedProbe(probe, root)) : null;
    if (claims === null && modelFilesOf(layout.id, listing.entries) === undefined) return withoutDatasets(listing, root, probe);
    // Several models beside each other do not hide what lies in the directories.
    if (claims === null) return partsBelow(listing, root, probe);
    const isData = areMostOf(claims, listing) && unclaimedModels(claims, listing).length === 0;
    if (isData && claims.length === 1 && (root === '' || claims.every(isWorthARow))) return [{ path: root, root, listing }];
    if (isData && !hasDirectories(listing)) return datasetsIn(claims, listing, root);
  }
  return partsBelow(listing, root, probe);
}

/** Layouts that are known by more than names that files of checkpoints have, too. */
const unmistakable: ReadonlySet<DatasetLayoutId> = new Set([
  'huggingface-dataset',
  'parquet',
  'mds',
  'litdata',
  'megatron-indexed',
  'webdataset',
  'tfrecord',
  'array-record',
  'datatrove',
]);

/** A checkpoint or a run, and the data sets in directories of their own beside it. */
async function withoutDatasets(listing: Listing, root: string, probe: Probe): Promise<Part[]> {
  const data: Part[] = [];
  const taken = new Set<string>();
  for (const [name, entries] of byDirectory(listing).directories) {
    const own = new Listing(name, entries);
    const claims = await claimDatasets(own, placedProbe(probe, joinPath(root, name)));
    if (claims.length !== 1 || !claims.every(({ layout }) => unmistakable.has(layout.id)) || !areMostOf(claims, own)) continue;
    data.push({ path: joinPath(root, name), root: joinPath(root, name), listing: own });
    for (const { path } of entries) taken.add(`${name}/${path}`);
  }
  if (data.length === 0) return [{ path: root, root, listing }];
  const rest = listing.entries.filter(({ path }) => !taken.has(path));
  return [partOf(rest, root), ...data];
}

/** Checkpoints of one run lie beside each other, and nothing else that is one lies elsewhere. */
function isOneRun({ members, rest }: Run): boolean {
  const parents = new Set(members.filter(({ root }) => root !== '').map(({ root }) => parentPath(root)));
  const parent = parentOf({ members });
  return parents.size < 2 && (parent === '' || !rest.some(({ path }) => !path.startsWith(`${parent}/`) && isModelFile(path)));
}

function hasDirectories({ entries }: Listing): boolean {
  return entries.some(({ path }) => path.includes('/'));
}

/** The directory in which the checkpoints of a run lie. */
function parentOf({ members }: Pick<Run, 'members'>): string {
  return parentPath(members.find(({ root }) => root !== '')?.root ?? '');
}

/** What the directories of a listing are, each by itself, and the files beside them. */
async function partsBelow(listing: Listing, root: string, probe: Probe): Promise<Part[]> {
  const { files, directories } = byDirectory(listing);
  const parts: Part[] = [];
  for (const [name, entries] of directories)
    appendAll(parts, await partsIn(new Listing(name, entries), joinPath(root, name), probe));
  if (files.length === 0) return parts;
  const own = new Listing(listing.rootName, files);
  const claims = await claimDatasets(own, placedProbe(probe, root));
  appendAll(parts, datasetsIn(claims.filter(isWorthARow), own, root));
  if (unclaimedModels(claims, own).length > 0) appendAll(parts, modelsIn(withoutClaims(own, claims), root));
  return parts;
}

function isWorthARow({ layout, paths, sizeBytes }: Claim): boolean {
  if (layout.id === 'text') return sizeBytes >= PLAIN_BYTES;
  return layout.id !== 'jsonl' || (sizeBytes >= RECORD_BYTES && !paths.every((path) => logName.test(path)));
}

function withoutClaims({ rootName, entries }: Listing, claims: readonly Claim[]): Listing {
  const claimed = new Set(claims.flatMap(({ paths }) => paths));
  return new Listing(
    rootName,
    entries.filter(({ path }) => !claimed.has(path)),
  );
}

function byDirectory({ entries }: Listing): { files: FileEntry[]; directories: Map<string, FileEntry[]> } {
  const files: FileEntry[] = [];
  const directories = new Map<string, FileEntry[]>();
  for (const entry of entries) {
    const slash = entry.path.indexOf('/');
    if (slash === -1) files.push(entry);
    else {
      const name = entry.path.slice(0, slash);
      const inside = directories.get(name) ?? [];
      inside.push({ ...entry, path: entry.path.slice(slash + 1) });
      directories.set(name, inside);
    }
  }
  return { files, directories };
}

function unclaimedModels(claims: readonly Claim[], { entries }: Listing): FileEntry[] {
  const claimed = new Set(claims.flatMap(({ paths }) => paths));
  return entries.filter(({ path }) => !claimed.has(path) && isModelFile(path));
}

/** A checkpoint, or one for each of its files where these are models of their own. */
function modelsIn(listing: Listing, root: string): Part[] {
  const models = modelFilesOf(detectLayout(listing).id, listing.entries);
  if (models === undefined) return [{ path: root, root, listing }];
  return [...models.values()].map((entries) => ({ ...partOf(entries, root), path: joinPath(root, entries[0]?.path ?? '') }));
}

/** A data set for each layout, of the files of that layout. */
function datasetsIn(claims: readonly Claim[], listing: Listing, root: string): Part[] {
  return claims.map(({ paths, layout }) => {
    const claimed = new Set(paths);
    const own = listing.entries.filter(({ path }) => claimed.has(path));
    return { ...partOf(own, root), layout: layout.id };
  });
}

/** A part of these files: their directory is its root, or the file itself where there is one. */
function partOf(entries: readonly FileEntry[], root: string): Part {
  const [first] = entries;
  if (first !== undefined && entries.length === 1) {
    const name = baseName(first.path);
    const path = joinPath(root, first.path);
    return { path, root: path, listing: new Listing(name, [{ ...first, path: name }]) };
  }
  const directory = commonDirectory(entries.map(({ path }) => parentPath(path)));
  const from = directory === '' ? 0 : directory.length + 1;
  const own = entries.map((entry) => ({ ...entry, path: entry.path.slice(from) }));
  const place = directory === '' ? root : joinPath(root, directory);
  return { path: place, root: place, listing: new Listing(baseName(directory), own) };
}

function commonDirectory(directories: readonly string[]): string {
  const [parts = [], ...others] = directories.map((directory) => (directory === '' ? [] : directory.split('/')));
  let length = parts.length;
  for (const other of others) while (length > 0 && !parts.slice(0, length).every((part, at) => other[at] === part)) length -= 1;
  return parts.slice(0, length).join('/');
}

/** The paths of a part's files, relative to the inspected directory. */
export function pathsOf({ root, listing }: Part): string[] {
  return listing.isSingleFile && baseName(root) === listing.rootName
    ? [root]
    : listing.entries.map(({ path }) => joinPath(root, path));
}

/** The beginnings of files by their paths below a directory. */
export function placedProbe(probe: Probe, root: string): Probe {
  return { head: (path) => probe.head(joinPath(root, path)), failure: (path) => probe.failure(joinPath(root, path)) };
}

/** The beginning of one file, whatever it is called in its part. */
export function fileProbe(probe: Probe, path: string): Probe {
  return { head: () => probe.head(path), failure: () => probe.failure(path) };
}
