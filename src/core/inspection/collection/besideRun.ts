/** What lies in the directory of a run beside its checkpoints and may be a model of its own: merged weights, a GGUF, another run. */
import type { FileEntry } from '../../files/fileTree.js';
import { Listing } from '../../files/listing.js';
import { parentPath } from '../../files/paths.js';
import type { Run } from '../runs/run.js';
import { byDirectory, listingBelow } from './directoriesIn.js';
import { modelDirectories } from './modelDirectories.js';
import { isOwnModel, modelStem } from './modelFiles.js';

export interface Beside {
  /** By their paths below the directory of the run. */
  directories: Map<string, Listing>;
  /** Files of the directory itself, those of one model together. */
  models: FileEntry[][];
}

/** Whether checkpoints lie directly in the directory of the run. */
export function hasMembersHere({ members }: Run): boolean {
  return members.some(isHere);
}

function isHere({ root }: Run['members'][number]): boolean {
  return root !== '' && parentPath(root) === '';
}

/** By names alone; a model that the trainer left in the directory itself keeps what is of it in directories. */
export function besideRun(listing: Listing, { members }: Run): Beside {
  const here = members.filter(isHere);
  const directories = here.filter(({ listing: own }) => !own.isSingleFile);
  // Files among directories are of another trainer, unless these are called as the files are.
  const isOfOthers = directories.some(({ root }) => !root.endsWith('.ckpt'));
  const own = new Set((isOfOthers ? directories : here).map(({ root }) => root));
  const others = listing.entries.filter(({ path }) => !own.has(topOf(path)));
  const below = byDirectory(new Listing(listing.rootName, others));
  if (!members.some(({ root }) => root === ''))
    return {
      directories: new Map([...below.directories].map(([name, entries]) => [name, new Listing(name, entries)])),
      models: modelsAmong(below.files),
    };
  const withRuns = new Set(members.filter(({ root }) => root.includes('/')).map(({ root }) => topOf(root)));
  const rest = new Listing(
    listing.rootName,
    others.filter(({ path }) => !withRuns.has(topOf(path))),
  );
  const names = [...withRuns, ...modelDirectories(rest)];
  const files = new Set(here.filter(({ root }) => !own.has(root)).map(({ root }) => root));
  return {
    directories: new Map(names.map((name) => [name, listingBelow(listing, name)])),
    models: modelsAmong(others.filter(({ path }) => files.has(path))),
  };
}

function modelsAmong(files: readonly FileEntry[]): FileEntry[][] {
  const models = new Map<string, FileEntry[]>();
  for (const entry of files) {
    // A link to a listed file is that file.
    if (entry.link?.inside === true || !isOwnModel(entry.path)) continue;
    const stem = modelStem(entry.path);
    models.set(stem, [...(models.get(stem) ?? []), entry]);
  }
  return [...models.values()];
}

function topOf(path: string): string {
  const slash = path.indexOf('/');
  return slash === -1 ? path : path.slice(0, slash);
}
