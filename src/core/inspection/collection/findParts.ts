/** What lies below a directory that is more than one thing: which directories and files are a checkpoint, a run or a data set each. */
import { appendAll } from '../../bytes/appendAll.js';
import type { DatasetLayoutId } from '../../datasets/datasetReport.js';
import type { Probe } from '../../datasets/datasetLayout.js';
import { areMostOf, claimDatasets, type Claim } from '../../datasets/detectDataset.js';
import { findFileSets } from '../../checkpoints/fileSets/fileSets.js';
import { isSplitName } from '../../datasets/splitName.js';
import type { FileEntry, FileTree } from '../../files/fileTree.js';
import { Listing } from '../../files/listing.js';
import { baseName, joinPath, parentPath } from '../../files/paths.js';
import { fileRoles } from '../../frameworks/layouts.js';
import { detectLayout } from '../../frameworks/detectLayout.js';
import type { CacheReport, RevisionReport } from '../hubCache/cacheReport.js';
import { mayBeDataset } from '../kindOfListing.js';
import { findRun, type Run } from '../runs/run.js';
import { areDatasetsApart } from './datasetsApart.js';
import { filesBesideCheckpoint, isWorthARow, worthBeside } from './datasetsBeside.js';
import { heldDirectories } from './heldDirectories.js';
import { modelDirectories } from './modelDirectories.js';
import { isModelFile, modelFilesOf } from './modelFiles.js';
import { isProject } from './projectCheckpoints.js';

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

/** What the search looks with, at every depth. */
interface Search {
  probe: Probe;
  /** Directories outside of these hold no part. */
  held: ReadonlySet<string>;
}

/** The parts of a listing; undefined where it is one thing as a whole, or nothing that is known. */
export async function findParts(listing: Listing, probe: Probe): Promise<Parts | undefined> {
  const parts = await partsIn(listing, '', probe);
  const [only] = parts;
  if (only === undefined || (parts.length === 1 && only.root === '' && only.layout === undefined)) return undefined;
  const taken = new Set(parts.flatMap(pathsOf));
  const other = listing.entries.filter(({ path }) => !taken.has(path));
  return parts.length === 1 && other.length === 0 ? undefined : { parts, other };
}

/** The parts below a directory of the inspected one; a listing that is one thing is a part. Directories are nested no deeper than `limits.listedDepth`. */
export async function partsIn(listing: Listing, root: string, probe: Probe): Promise<Part[]> {
  const held = heldDirectories(
    root === '' ? listing.entries : listing.entries.map((entry) => ({ ...entry, path: joinPath(root, entry.path) })),
  );
  return searchIn(listing, root, { probe, held });
}

async function searchIn(listing: Listing, root: string, search: Search): Promise<Part[]> {
  if (listing.entries.length === 0 || !search.held.has(root)) return [];
  const run = findRun(listing);
  if (run !== undefined && isOneRun(run) && !isProject(listing, (name) => listingBelow(listing, name))) {
    const parts = await besideDatasets(listing, root, search);
    return parts.length > 1 && parentOf(run) !== '' ? partsBelow(listing, root, search) : parts;
  }
  if (run === undefined) {
    const layout = detectLayout(listing);
    const claims = mayBeDataset(layout, listing) ? await claimDatasets(listing, placedProbe(search.probe, root)) : null;
    // Several models beside each other do not hide what lies in the directories.
    if (claims === null && modelFilesOf(layout.id, listing.entries) !== undefined) return partsBelow(listing, root, search);
    if (claims === null && isProject(listing, (name) => listingBelow(listing, name))) return partsBelow(listing, root, search);
    if (claims === null) return modelsApart(listing, root, search);
    const isData = areMostOf(claims, listing) && unclaimedModels(claims, listing).length === 0;
    if (isData && claims.length === 1 && claims.every(areDatasetsApart)) return partsBelow(listing, root, search);
    if (isData && claims.length === 1 && (root === '' || claims.every(isWorthARow))) return [{ path: root, root, listing }];
    if (isData && !hasDirectories(listing)) return datasetsIn(root === '' ? claims : claims.filter(isWorthARow), listing, root);
  }
  return partsBelow(listing, root, search);
}

/** A checkpoint, the models in directories of their own below it, and the data sets beside it. */
async function modelsApart(listing: Listing, root: string, search: Search): Promise<Part[]> {
  const directories = modelDirectories(listing);
  if (directories.length === 0) return besideDatasets(listing, root, search);
  const parts: Part[] = [];
  const isApart = ({ path }: FileEntry): boolean => directories.some((directory) => path.startsWith(`${directory}/`));
  appendAll(
    parts,
    await besideDatasets(
      new Listing(
        listing.rootName,
        listing.entries.filter((entry) => !isApart(entry)),
      ),
      root,
      search,
    ),
  );
  for (const directory of directories)
    appendAll(parts, await searchIn(listingBelow(listing, directory), joinPath(root, directory), search));
  return parts;
}

/** A checkpoint or a run, and the data sets beside it. */
async function besideDatasets(listing: Listing, root: string, search: Search): Promise<Part[]> {
  const free = filesBesideCheckpoint(listing);
  const claims = (await claimDatasets(free, placedProbe(search.probe, root))).flatMap((claim) => worthBeside(claim, free));
  if (claims.length === 0) return [{ path: root, root, listing }];
  const data = await dataIn(listing, root, claims, search);
  const taken = new Set(data.flatMap(pathsOf));
  const rest = listing.entries.filter(({ path }) => !taken.has(joinPath(root, path)));
  if (data.length === 0 || rest.length === 0) return [{ path: root, root, listing }];
  return [partOf(rest, root, listing.rootName), ...data];
}

/** The data sets of a directory that also has a checkpoint: those of a directory without one, and files among its own by their layout. */
async function dataIn(listing: Listing, root: string, claims: readonly Claim[], search: Search): Promise<Part[]> {
  const { directories } = byDirectory(listing);
  const parts: Part[] = [];
  const layoutOf = new Map(claims.flatMap(({ layout, paths }) => paths.map((path) => [path, layout.id] as const)));
  const flat = new Map<DatasetLayoutId, FileEntry[]>();
  const addFlat = (entries: readonly FileEntry[], id: DatasetLayoutId): void => appendAll(listOf(flat, id), entries);
  for (const entry of listing.entries) {
    const id = entry.path.includes('/') ? undefined : layoutOf.get(entry.path);
    if (id !== undefined) addFlat([entry], id);
  }
  for (const [name, entries] of directories) {
    const ids = new Set(entries.flatMap(({ path }) => layoutOf.get(`${name}/${path}`) ?? []));
    if (ids.size === 0) continue;
    const own = new Listing(name, entries);
    const [id] = ids;
    // The splits of one data set have a directory each.
    if (ids.size === 1 && id !== undefined && isSplitName(name))
      addFlat(
        entries.map((entry) => ({ ...entry, path: `${name}/${entry.path}` })),
        id,
      );
    else if (hasModel(own, (path) => layoutOf.has(`${name}/${path}`)))
      appendAll(parts, await dataIn(own, joinPath(root, name), claimsBelow(claims, name), search));
    else appendAll(parts, await searchIn(own, joinPath(root, name), search));
  }
  for (const [layout, entries] of flat) parts.push({ ...partOf(entries, root, listing.rootName), layout });
  return parts;
}

function listOf<K, V>(lists: Map<K, V[]>, key: K): V[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

function claimsBelow(claims: readonly Claim[], name: string): Claim[] {
  return claims.map((claim) => ({
    ...claim,
    paths: claim.paths.filter((path) => path.startsWith(`${name}/`)).map((path) => path.slice(name.length + 1)),
  }));
}

/** Whether there is a file of a checkpoint that no data set claims. */
function hasModel(listing: Listing, isClaimed: (path: string) => boolean): boolean {
  return (
    listing.entries.some(({ path }) => !isClaimed(path) && isModelFile(path)) || !mayBeDataset(detectLayout(listing), listing)
  );
}

/** Checkpoints of one run lie beside each other, and nothing else that is one lies elsewhere. */
function isOneRun({ members, rest }: Run): boolean {
  const parents = new Set(members.filter(({ root }) => root !== '').map(({ root }) => parentPath(root)));
  const parent = parentOf({ members });
  if (parents.size > 1 || parent === '') return parents.size < 2;
  const elsewhere = rest.filter(({ path }) => !path.startsWith(`${parent}/`));
  return !elsewhere.some(({ path }) => isModelFile(path)) && findFileSets(new Listing('', elsewhere), fileRoles).length === 0;
}

function hasDirectories({ entries }: Listing): boolean {
  return entries.some(({ path }) => path.includes('/'));
}

/** The directory in which the checkpoints of a run lie. */
function parentOf({ members }: Pick<Run, 'members'>): string {
  return parentPath(members.find(({ root }) => root !== '')?.root ?? '');
}

/** What the directories of a listing are, each by itself, and the files beside them. */
async function partsBelow(listing: Listing, root: string, search: Search): Promise<Part[]> {
  const { files, directories } = byDirectory(listing);
  const parts: Part[] = [];
  for (const [name, entries] of directories)
    appendAll(parts, await searchIn(new Listing(name, entries), joinPath(root, name), search));
  if (files.length === 0) return parts;
  // What was found of a listing is kept with it.
  const own = directories.size === 0 ? listing : new Listing(listing.rootName, files);
  const claims = await claimDatasets(own, placedProbe(search.probe, root));
  const hasModels = unclaimedModels(claims, own).length > 0;
  const worth = claims.filter(isWorthARow);
  appendAll(parts, datasetsIn(hasModels ? worth : withTokenizer(worth, own), own, root));
  if (hasModels) appendAll(parts, modelsIn(withoutClaims(own, claims), root));
  const [only] = parts;
  // A checkpoint alone has its directory with all that lies there, as when that is inspected by itself.
  return parts.length === 1 && only?.root === root && only.layout === undefined ? [{ path: root, root, listing }] : parts;
}

/** The tokenizer beside raw text, where there is no model that it could be of, goes with the text: its tokens are counted with it. */
function withTokenizer(claims: readonly Claim[], { entries }: Listing): Claim[] {
  const text = claims.find(({ layout }) => layout.id === 'jsonl' || layout.id === 'text');
  if (text === undefined) return [...claims];
  const files = entries.filter(({ path }) => fileRoles.of(path).role === 'tokenizer').map(({ path }) => path);
  return claims.map((claim) => (claim === text ? { ...claim, paths: [...claim.paths, ...files] } : claim));
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

/** What lies below a directory of the listing. */
function listingBelow({ entries }: Listing, directory: string): Listing {
  const inside = entries.filter(({ path }) => path.startsWith(`${directory}/`));
  return new Listing(
    baseName(directory),
    inside.map((entry) => ({ ...entry, path: entry.path.slice(directory.length + 1) })),
  );
}

function unclaimedModels(claims: readonly Claim[], { entries }: Listing): FileEntry[] {
  const claimed = new Set(claims.flatMap(({ paths }) => paths));
  return entries.filter(({ path }) => !claimed.has(path) && isModelFile(path));
}

/** A checkpoint, or one for each of its files where these are models of their own. */
function modelsIn(listing: Listing, root: string): Part[] {
  const models = modelFilesOf(detectLayout(listing).id, listing.entries);
  if (models === undefined) return [{ path: root, root, listing }];
  return [...models.values()].map((entries) => ({
    ...partOf(entries, root, listing.rootName),
    path: joinPath(root, entries[0]?.path ?? ''),
  }));
}

/** A data set for each layout, of the files of that layout. */
function datasetsIn(claims: readonly Claim[], listing: Listing, root: string): Part[] {
  return claims.map(({ paths, layout }) => {
    const claimed = new Set(paths);
    const own = listing.entries.filter(({ path }) => claimed.has(path));
    return { ...partOf(own, root, listing.rootName), layout: layout.id };
  });
}

/** A part of these files: their directory is its root, or the file itself where there is one. */
function partOf(entries: readonly FileEntry[], root: string, rootName: string): Part {
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
  return { path: place, root: place, listing: new Listing(directory === '' ? rootName : baseName(directory), own) };
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
  if (root === '') return probe;
  return {
    head: (path) => probe.head(joinPath(root, path)),
    failure: (path) => probe.failure(joinPath(root, path)),
    isSampled: (path) => probe.isSampled(joinPath(root, path)),
  };
}

/** The beginning of one file, whatever it is called in its part. */
export function fileProbe(probe: Probe, path: string): Probe {
  return { head: () => probe.head(path), failure: () => probe.failure(path), isSampled: () => probe.isSampled(path) };
}
