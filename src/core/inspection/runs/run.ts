/** A directory of checkpoints: which of its directories and files are one each. */
import type { FileEntry } from '../../files/fileTree.js';
import { baseName, parentPath } from '../../files/paths.js';
import { detectLayout } from '../../frameworks/detectLayout.js';
import { Listing } from '../../files/listing.js';
import { holdsModelsAlone } from '../collection/modelFiles.js';
import { possibleOriginals } from '../../files/secondCopies.js';
import { besideCheckpoints, ownModels, withoutFilesOfRun } from './besideCheckpoints.js';
import { stepOfName } from '../../checkpoints/runs/stepOfName.js';

/** One checkpoint of a run. */
export interface RunMember {
  /** Directory or file, relative to the run; empty for files that lie in the run's directory itself. */
  root: string;
  listing: Listing;
}

export interface Run {
  members: RunMember[];
  /** Files that belong to no checkpoint: logs, pointers, scripts. */
  rest: FileEntry[];
}

/** Deeper than `checkpoints/<run>/<step>` no trainer keeps its steps. */
const MAX_DEPTH = 3;
const fileMember = /\.ckpt$/;
/** Directories with a step in their names that are parts of the checkpoint around them. */
const partOfCheckpoint = /^global_step\d+$/;

/** Answers by listing: these never change, and are asked for again at each step of an inspection. */
const found = new WeakMap<Listing, { run: Run | undefined }>();

/** The checkpoints of a listing; undefined for a listing that is one checkpoint, or none. */
export function findRun(listing: Listing): Run | undefined {
  const known = found.get(listing) ?? { run: searchRun(listing, claimsWhole) };
  found.set(listing, known);
  return known.run;
}

/**
 * As `findRun`, also where it is a single checkpoint with the files that trainers keep beside it: who looks for runs wants the one that has saved
 * once.
 */
export function findRunOfOne(listing: Listing): Run | undefined {
  return findRun(listing) ?? searchRun(listing, () => false);
}

/** @param isOne of a listing with a checkpoint in it: whether the listing is that checkpoint */
function searchRun(listing: Listing, isOne: (listing: Listing) => boolean): Run | undefined {
  if (listing.isSingleFile) return undefined;
  if (!holdsMembers(listing)) return undefined;
  const groups = groupByMember(listing);
  const rest = groups.get('') ?? [];
  groups.delete('');
  const members: RunMember[] = [];
  for (const [root, entries] of groups) {
    const member = new Listing(baseName(root), entries);
    if (isCheckpoint(member)) members.push({ root, listing: member });
    else
      for (const entry of entries) rest.push({ ...entry, path: entry.path === baseName(root) ? root : `${root}/${entry.path}` });
  }
  if (members.length === 0) return undefined;
  const own = new Listing(listing.rootName, rest);
  const [first, ...others] = members;
  // Whether all of it is one checkpoint takes a look at every file: several are a run in any case.
  if (first !== undefined && others.length === 0 && !holdsModelsAlone(own.entries))
    if (isPartOf(first, detectLayout(own).id) || isOne(listing)) return undefined;
  const beside = besideCheckpoints(own);
  return {
    members: beside.model === undefined ? members : [...members, { root: '', listing: beside.model }],
    rest: [...beside.rest],
  };
}

/** Whether a name is one of a member: most listings have none, and need not be grouped. */
function holdsMembers(listing: Listing): boolean {
  const { directories, entries } = listing;
  return [...directories.keys()].some((directory) => memberAbove(directory, listing) !== '') || hasFileMembers(entries);
}

/** Whether files may be checkpoints of a run, by their names alone: a single file is a checkpoint by itself, and no member. */
export function areFileMembers(names: readonly string[]): boolean {
  return names.filter((name) => fileMember.test(name)).length > 1;
}

function hasFileMembers(entries: readonly FileEntry[]): boolean {
  return entries.filter(isFileMember).length > 1;
}

/** A link to a listed file is that file: `last.ckpt` of Lightning's `save_last='link'`. */
function isFileMember({ path, link, error }: FileEntry): boolean {
  return fileMember.test(path) && (link?.inside !== true || error !== undefined);
}

/** Entries by the outermost directory or file that is called after a step; those without one are under the empty root. */
function groupByMember(listing: Listing): Map<string, FileEntry[]> {
  const groups = new Map<string, FileEntry[]>([['', []]]);
  const memberOf = new Map<string, string>();
  const single = !hasFileMembers(listing.entries);
  for (const entry of listing.entries) {
    const directory = parentPath(entry.path);
    let root = memberOf.get(directory);
    if (root === undefined) memberOf.set(directory, (root = memberAbove(directory, listing)));
    if (root === '' && !single && isFileMember(entry)) root = entry.path;
    const entries = groups.get(root) ?? [];
    groups.set(root, entries);
    const path = root === '' ? entry.path : root === entry.path ? baseName(root) : entry.path.slice(root.length + 1);
    entries.push({ ...entry, path });
  }
  return groups;
}

/** The outermost directory on the way that is called after a step or an epoch; empty where there is none. */
function memberAbove(directory: string, listing: Listing): string {
  const parts = directory.split('/');
  for (let depth = 1; depth <= Math.min(parts.length, MAX_DEPTH); depth++) {
    const root = parts.slice(0, depth).join('/');
    if (isMemberName(baseName(root)) || possibleOriginals(root).some((original) => isStep(original, listing))) return root;
  }
  return '';
}

/** Whether a directory may be a checkpoint of a run, by its name alone. */
export function isMemberName(name: string): boolean {
  return stepOfName(name) !== null || /^epoch[-_=]?\d+/i.test(name) || fileMember.test(name) || name === 'release';
}

/** Whether it is a directory that is called after a step: a bare number is a year in other names. */
function isStep(path: string, listing: Listing): boolean {
  return isMemberName(baseName(path)) && listing.holdsDirectory(path);
}

function isCheckpoint(listing: Listing): boolean {
  return detectLayout(listing).id !== 'unknown';
}

/** A single step inside of a save that keeps it there: the DeepSpeed state of a Trainer. */
function isPartOf({ root }: RunMember, ownLayout: string): boolean {
  return partOfCheckpoint.test(baseName(root)) && ownLayout !== 'unknown';
}

/** A layout that knows the directory as a whole, pointer file and all. */
function claimsWhole(listing: Listing): boolean {
  const { id } = detectLayout(withoutFilesOfRun(listing));
  return id !== 'unknown' && !ownModels.has(id) && id !== 'torch-file' && id !== 'safetensors-file';
}
