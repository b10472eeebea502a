/** Searches what lies below a directory that is more than one thing: which directories and files are a checkpoint, a run or a data set each. */
import { appendAll } from '../../bytes/appendAll.js';
import { limits } from '../../bytes/limits.js';
import type { DatasetLayoutId } from '../../datasets/datasetReport.js';
import type { Probe } from '../../datasets/datasetLayout.js';
import { areMostOf, claimDatasets, type Claim } from '../../datasets/detectDataset.js';
import { mayHoldTokens } from '../../datasets/layouts/tokenArray/tokenNames.js';
import { isSplitName } from '../../datasets/splitName.js';
import type { FileEntry } from '../../files/fileTree.js';
import { Listing } from '../../files/listing.js';
import { joinPath, parentPath } from '../../files/paths.js';
import { fileRoles } from '../../frameworks/layouts.js';
import { detectLayout } from '../../frameworks/detectLayout.js';
import { mayBeDataset } from '../kindOfListing.js';
import { findRun, type Run } from '../runs/run.js';
import { besideRun, hasMembersHere } from './besideRun.js';
import { areDatasetsApart } from './datasetsApart.js';
import { claimsBeside, filesBesideCheckpoint, isWorthARow } from './datasetsBeside.js';
import { byDirectory, hasDirectories, listingBelow } from './directoriesIn.js';
import { flatSaves, type FlatSaves } from './flatSaves.js';
import { heldDirectories } from './heldDirectories.js';
import { holdsAgent, type ArchiveLooks } from './holdsAgent.js';
import { datasetsIn, modelsIn, partOf } from './makeParts.js';
import { mayHaveMergedIndex, mergedDatasets } from './mergedDatasets.js';
import { modelDirectories } from './modelDirectories.js';
import { holdsModel, holdsModelsAlone, holdsOwnModel, isModelFile, modelFilesOf } from './modelFiles.js';
import { pathsOf, type Part, type Parts } from './part.js';
import { placedProbe } from './placedProbe.js';
import { isProject } from './projectCheckpoints.js';
import type { LayoutId } from '../../text/frameworkLabels.js';

/** What the search looks with, at every depth. */
interface Search {
  probe: Probe;
  looks: ArchiveLooks;
  /** Directories outside of these hold no part. */
  held: ReadonlySet<string>;
  /** True where what data sets claim is no longer left open in `held`. */
  isNarrowed?: boolean;
}

/** The parts of a listing; undefined where it is one thing as a whole, or nothing that is known. */
export async function findParts(listing: Listing, probe: Probe): Promise<Parts | undefined> {
  const own = listing.withoutSystemFiles;
  const parts = await partsIn(own, '', probe);
  const [only] = parts;
  if (only === undefined || (parts.length === 1 && only.root === '' && only.layout === undefined)) return undefined;
  const taken = new Set(parts.flatMap(pathsOf));
  const isTaken = ({ path }: FileEntry): boolean => taken.has(path);
  if (parts.length === 1 && own.entries.every(isTaken)) return undefined;
  return { parts, other: listing.entries.filter((entry) => !isTaken(entry)) };
}

/** The parts below a directory of the inspected one; a listing that is one thing is a part. Directories are nested no deeper than `limits.listedDepth`. */
export async function partsIn(listing: Listing, root: string, probe: Probe): Promise<Part[]> {
  const looks = { left: limits.sniffedFiles };
  return searchIn(listing, root, { probe, looks, held: heldDirectories(entriesFrom(root, listing)) });
}

function entriesFrom(root: string, { entries }: Listing): readonly FileEntry[] {
  return root === '' ? entries : entries.map((entry) => ({ ...entry, path: joinPath(root, entry.path) }));
}

/**
 * The search below a listing whose data sets are known: what is called as arrays of tokens are and is of no data set holds nothing. In a
 * repository that leaves few directories.
 */
function narrowed(search: Search, claims: readonly Claim[], listing: Listing, root: string): Search {
  if (search.isNarrowed === true || !hasDirectories(listing)) return search;
  const claimed = new Set(claims.flatMap(({ paths }) => paths.map((path) => joinPath(root, path))));
  const mayHold = (path: string): boolean =>
    claimed.has(path) || !mayHoldTokens(path) || fileRoles.of(path).role !== 'unrecognised';
  return { ...search, held: heldDirectories(entriesFrom(root, listing), mayHold), isNarrowed: true };
}

async function searchIn(listing: Listing, root: string, search: Search): Promise<Part[]> {
  if (listing.entries.length === 0 || !search.held.has(root)) return [];
  const saves = flatSaves(listing);
  if (saves !== undefined) return savesApart(saves, root, search);
  const run = findRun(listing);
  if (run !== undefined) return hasMembersHere(run) ? runHere(listing, root, run, search) : runBelow(listing, root, run, search);
  const layout = detectLayout(listing);
  if (!mayBeDataset(layout, listing)) return checkpointHere(listing, root, layout.id, search);
  const claims = await claimDatasets(listing, placedProbe(search.probe, root));
  return dataHere(listing, root, claims, search);
}

/** A run whose checkpoints lie in a directory below the listing: one thing, unless something else lies elsewhere. */
async function runBelow(listing: Listing, root: string, run: Run, search: Search): Promise<Part[]> {
  const isAlone = isOneRun(run) && !(await holdsAgent(elsewhere(run), placedProbe(search.probe, root), search.looks));
  if (!isAlone || isProject(listing, (name) => listingBelow(listing, name))) return partsBelow(listing, root, search);
  const parts = await besideDatasets(listing, root, search);
  return parts.length > 1 || (await isSeveral(listing, root, run, search)) ? partsBelow(listing, root, search) : parts;
}

/** A listing that a layout of checkpoints knows: one thing, or a model each in its files or directories. */
async function checkpointHere(listing: Listing, root: string, layout: LayoutId, search: Search): Promise<Part[]> {
  // Several models beside each other do not hide what lies in the directories.
  if (modelFilesOf(layout, listing.entries) !== undefined) return partsBelow(listing, root, search);
  if (layout === 'tensorflow' && hasDirectories(listing)) {
    const probe = placedProbe(search.probe, root);
    const hasOther = hasOtherModels(listing) || (await holdsAgent(listing.entries, probe, search.looks));
    if (hasOther) return partsBelow(listing, root, search);
  }
  if (isProject(listing, (name) => listingBelow(listing, name)) || areModelsBeside(listing))
    return partsBelow(listing, root, search);
  return modelsApart(listing, root, search);
}

/** A listing without a framework's checkpoint: data sets, where these are most of it, and what lies below otherwise. */
async function dataHere(listing: Listing, root: string, claims: readonly Claim[], search: Search): Promise<Part[]> {
  const isMostlyData = areMostOf(claims, listing) && !holdsModel(withoutClaims(listing, claims));
  const probe = placedProbe(search.probe, root);
  const isData = isMostlyData && !(await holdsAgent(listing.entries, probe, search.looks));
  if (isData && claims.length === 1 && claims.every(areDatasetsApart)) return partsBelow(listing, root, search);
  if (isData && claims.length === 1 && (root === '' || claims.every(isWorthARow))) return [{ path: root, root, listing }];
  if (isData && !hasDirectories(listing)) return datasetsIn(root === '' ? claims : claims.filter(isWorthARow), listing, root);
  return partsBelow(listing, root, narrowed(search, claims, listing, root));
}

/** Whether the directory in which the checkpoints of a run lie has something else that is a part. */
async function isSeveral(listing: Listing, root: string, run: Run, search: Search): Promise<boolean> {
  const parent = parentOf(run);
  return (await searchIn(listingBelow(listing, parent), joinPath(root, parent), search)).length > 1;
}

/** A run whose checkpoints lie directly in the listing, and the models, agents and data sets beside them. */
async function runHere(listing: Listing, root: string, run: Run, search: Search): Promise<Part[]> {
  const beside = besideRun(listing, run);
  if (beside.models.length + beside.directories.size === 0) return besideDatasets(listing, root, search);
  const claims = await claimDatasets(filesBesideCheckpoint(listing), placedProbe(search.probe, root));
  const claimed = new Set(claims.flatMap(({ paths }) => paths));
  const parts = beside.models
    .filter((entries) => entries.every(({ path }) => !claimed.has(path)))
    .map((entries) => ({ ...partOf(entries, root, listing.rootName), path: joinPath(root, entries[0]?.path ?? '') }));
  for (const [name, own] of beside.directories) {
    const place = joinPath(root, name);
    const free = new Listing(
      own.rootName,
      own.entries.filter(({ path }) => !claimed.has(joinPath(name, path))),
    );
    const isPart = holdsOwnModel(free) || (await holdsAgent(free.entries, placedProbe(search.probe, place), search.looks));
    if (isPart) appendAll(parts, await searchIn(own, place, search));
  }
  const taken = new Set(parts.flatMap(pathsOf));
  const rest = listing.entries.filter(({ path }) => !taken.has(joinPath(root, path)));
  if (parts.length === 0) return besideDatasets(listing, root, search);
  const own = await besideDatasets(new Listing(listing.rootName, rest), root, search);
  // A checkpoint alone has its own directory.
  return [...(own.length === 1 ? [partOf(rest, root, listing.rootName)] : own), ...parts];
}

/** Each save whose files are beside those of others, and what the rest of the directory is. */
async function savesApart({ files, distributed, rest }: FlatSaves, root: string, search: Search): Promise<Part[]> {
  const parts = files.map((entry) => partOf([entry], root, rest.rootName));
  if (distributed.length > 0) parts.push({ ...partOf(distributed, root, rest.rootName), name: 'torch-distributed' });
  return [...(await searchIn(rest, root, search)), ...parts];
}

/** Whether files of a listing are models of their own beside a directory that is by itself what the whole listing is taken for. */
function areModelsBeside(listing: Listing): boolean {
  if (!hasDirectories(listing) || !holdsModelsAlone(listing.entries)) return false;
  const { files, directories } = byDirectory(listing);
  const { id } = detectLayout(listing);
  if (detectLayout(new Listing(listing.rootName, files)).id === id) return false;
  return [...directories].some(([name, entries]) => detectLayout(new Listing(name, entries)).id === id);
}

/** Whether a directory holds a model that is none of TensorFlow's, whose bundles are looked for at any depth. */
function hasOtherModels(listing: Listing): boolean {
  return [...byDirectory(listing).directories].some(([name, entries]) => {
    const own = new Listing(name, entries);
    const layout = detectLayout(own);
    if (layout.id === 'tensorflow') return false;
    return findRun(own) !== undefined || holdsModel(own) || !mayBeDataset(layout, own);
  });
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
  const claims = await claimsBeside(free, placedProbe(search.probe, root));
  if (claims.length === 0) return [{ path: root, root, listing }];
  const data = await dataIn(listing, root, claims, search);
  const taken = new Set(data.flatMap(pathsOf));
  const rest = listing.entries.filter(({ path }) => !taken.has(joinPath(root, path)));
  if (data.length === 0 || rest.length === 0) return [{ path: root, root, listing }];
  return [partOf(rest, root, listing.rootName), ...data];
}

/** The data sets of a directory that also has a checkpoint: those of a directory without one, and files among its own by their layout. */
async function dataIn(whole: Listing, root: string, claims: readonly Claim[], search: Search): Promise<Part[]> {
  const { parts, rest: listing } = await mergedIn(whole, root, search, claims);
  const { directories } = byDirectory(listing);
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
    const isClaimed = (path: string): boolean => layoutOf.has(`${name}/${path}`);
    // The splits of one data set have a directory each; a checkpoint in one is none of its data.
    if (ids.size === 1 && id !== undefined && isSplitName(name)) {
      const data = hasModel(own, isClaimed) ? entries.filter(({ path }) => isClaimed(path)) : entries;
      addFlat(
        data.map((entry) => ({ ...entry, path: `${name}/${entry.path}` })),
        id,
      );
    } else if (hasModel(own, isClaimed))
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
function isOneRun(run: Run): boolean {
  const parents = new Set(run.members.filter(({ root }) => root !== '').map(({ root }) => parentPath(root)));
  if (parents.size > 1) return false;
  const others = new Listing('', elsewhere(run));
  return !holdsModel(others) && (others.entries.length === 0 || mayBeDataset(detectLayout(others), others));
}

/** Files in other directories than that of the checkpoints. */
function elsewhere(run: Run): FileEntry[] {
  const parent = parentOf(run);
  return run.rest.filter(({ path }) => !path.startsWith(`${parent}/`));
}

/** The directory in which the checkpoints of a run lie. */
function parentOf({ members }: Pick<Run, 'members'>): string {
  return parentPath(members.find(({ root }) => root !== '')?.root ?? '');
}

/** Data sets whose index lies in the listing itself and whose shards lie in its directories, and what is left of the listing. */
async function mergedIn(
  listing: Listing,
  root: string,
  search: Search,
  known?: readonly Claim[],
): Promise<{ parts: Part[]; rest: Listing }> {
  if (!mayHaveMergedIndex(listing)) return { parts: [], rest: listing };
  const probe = placedProbe(search.probe, root);
  const merged = await mergedDatasets(listing, known ?? (await claimDatasets(listing, probe)), probe);
  if (merged.length === 0) return { parts: [], rest: listing };
  return { parts: datasetsIn(merged, listing, root), rest: withoutClaims(listing, merged) };
}

/** What the directories of a listing are, each by itself, and the files beside them. */
async function partsBelow(whole: Listing, root: string, search: Search): Promise<Part[]> {
  const { parts, rest: listing } = await mergedIn(whole, root, search);
  const { files, directories } = byDirectory(listing);
  for (const [name, entries] of directories)
    appendAll(parts, await searchIn(new Listing(name, entries), joinPath(root, name), search));
  if (files.length === 0) return parts;
  // What was found of a listing is kept with it.
  const own = directories.size === 0 ? listing : new Listing(listing.rootName, files);
  const claims = await claimDatasets(own, placedProbe(search.probe, root));
  if (await holdsAgent(files, placedProbe(search.probe, root), search.looks))
    return [...parts, parts.length === 0 ? { path: root, root, listing } : partOf(files, root, listing.rootName)];
  const rest = withoutClaims(own, claims);
  // Sets of files beside no data are of what lies around them, as the arrays of a group are.
  const hasModels = claims.length > 0 ? holdsModel(rest) : files.some(({ path }) => isModelFile(path));
  const worth = claims.filter(isWorthARow);
  appendAll(parts, datasetsIn(hasModels ? worth : withTokenizer(worth, own), own, root));
  if (hasModels) appendAll(parts, modelsIn(rest, root));
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
