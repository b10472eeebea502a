/**
 * The runs below a directory, however large that is: one directory after the other is asked for its names, and only where some of these are those of
 * checkpoints are files looked at. What is kept of a run is what its saves show.
 */
import { FormatError, throwIfCancelled } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import type { FolderNames, Folders } from '../../files/folders.js';
import { Listing } from '../../files/listing.js';
import { compareNatural } from '../../files/naturalOrder.js';
import { runOrdered } from '../../files/orderedPool.js';
import { baseName, joinPath } from '../../files/paths.js';
import type { RoleId } from '../../files/roleLabels.js';
import { fileRoles } from '../../frameworks/layouts.js';
import { findRunOfOne, type Run } from '../../inspection/runs/run.js';
import { HardLinks } from '../hardLinks.js';
import { stateOfTraining } from '../stateOfTraining.js';
import { trainingRuns, type TrainingRun } from '../trainingRun.js';
import { checkpointNames, isWalked } from './checkpointNames.js';
import { movedRun } from './movedRun.js';

export interface FoundRuns {
  /** In the order of their paths, which are relative to the root, as those of their checkpoints are. */
  runs: TrainingRun[];
  coverage: SearchCoverage;
}

export interface SearchCoverage {
  /** Files whose names were seen. */
  files: number;
  /** Directories that were asked for their names; those within checkpoints are not among them. */
  directories: number;
  /** False where a limit ended the search, or a directory could not be listed. */
  isWhole: boolean;
  /** Directories that could not be listed. */
  unreadable: string[];
}

type Bounds = Record<'searchedFolders' | 'searchedCheckpoints', number>;

interface SearchOptions {
  signal?: AbortSignal | undefined;
  /** What is beyond is left out, and `coverage` says so. */
  bounds?: Bounds;
  /** Milliseconds since 1970: no save is later. */
  nowMs?: number;
}

/** @throws FormatError `io` where the root cannot be listed, `cancelled` */
export async function searchRuns(
  folders: Folders,
  { signal, bounds = limits, nowMs = Infinity }: SearchOptions = {},
): Promise<FoundRuns> {
  const search = new RunSearch(folders, { bounds, nowMs }, signal);
  let level = [''];
  for (let depth = 0; level.length > 0; depth += 1) level = await search.visitAll(level, depth);
  return search.found();
}

const bareNumber = /^\d+$/;

/** Endings that data have as often as weights, where the rest of the name is not that of a checkpoint's file. */
const dataEnding = /\.(?:bin|npy)$/;
const anyFile: ReadonlySet<RoleId> = new Set<RoleId>(['torch-file', 'array']);

/** Directories that are called by numbers alone, and have no file that is known to be of a checkpoint: shards of data are kept so, too. */
function isNumberedData({ members }: Run): boolean {
  return members.every(({ root, listing }) => bareNumber.test(root) && listing.entries.every(({ path }) => mayBeData(path)));
}

const year = /^(?:19|20)\d\d$/;
const states: ReadonlySet<string> = new Set(stateOfTraining);

/** Models that are called after years, without state of training: releases, not steps of one run. */
function isOfYears({ members }: Run): boolean {
  const hasState = (path: string): boolean => states.has(fileRoles.of(path).component);
  return members.every(({ root, listing }) => year.test(root) && !listing.entries.some(({ path }) => hasState(path)));
}

function mayBeData(path: string): boolean {
  const { component, role } = fileRoles.of(path);
  return component === 'unexplained' || (dataEnding.test(path) && anyFile.has(role));
}

class RunSearch {
  private readonly runs: TrainingRun[] = [];
  private readonly coverage: Omit<SearchCoverage, 'unreadable'> = { files: 0, directories: 0, isWhole: true };
  private readonly unreadable = new Set<string>();
  private readonly hardLinks = new HardLinks();
  private checkpoints = 0;

  constructor(
    private readonly folders: Folders,
    private readonly options: { bounds: Bounds; nowMs: number },
    private readonly signal: AbortSignal | undefined,
  ) {}

  found(): FoundRuns {
    const runs = this.runs.sort((a, b) => compareNatural(a.path, b.path));
    return { runs, coverage: { ...this.coverage, unreadable: [...this.unreadable] } };
  }

  /** Answers the directories to visit next. */
  async visitAll(level: readonly string[], depth: number): Promise<string[]> {
    const isEnded = depth > limits.listedDepth || this.checkpoints >= this.options.bounds.searchedCheckpoints;
    const visited = isEnded ? [] : level.slice(0, this.options.bounds.searchedFolders - this.coverage.directories);
    if (visited.length < level.length) this.coverage.isWhole = false;
    const next: string[] = [];
    await runOrdered(visited, limits.concurrentFolders, async (folder, _index, turn) => {
      const names = await this.namesOf(folder);
      const run = await this.runIn(folder, names);
      await turn();
      const within = run === null ? new Set<string>() : this.add(folder, run);
      this.coverage.files += names.files.length;
      for (const name of names.folders) if (isWalked(name) && !within.has(name)) next.push(joinPath(folder, name));
    });
    return next;
  }

  private async namesOf(folder: string): Promise<FolderNames> {
    throwIfCancelled(this.signal);
    this.coverage.directories += 1;
    try {
      return await this.folders.names(folder, this.signal);
    } catch (error) {
      if (folder === '' || !FormatError.is(error) || error.code === 'cancelled') throw error;
      this.addUnreadable(folder);
      return { folders: [], files: [] };
    }
  }

  /** Null where no names are those of checkpoints, or no files. */
  private async runIn(folder: string, names: FolderNames): Promise<Run | null> {
    const chosen = await checkpointNames(names, (name) => this.folders.names(joinPath(folder, name), this.signal));
    if (chosen === null) return null;
    if (this.checkpoints >= this.options.bounds.searchedCheckpoints) {
      this.coverage.isWhole = false;
      return null;
    }
    const { entries, errors, truncated } = await this.folders.list(folder, (name) => chosen.has(name), this.signal);
    const run = findRunOfOne(new Listing(folder === '' ? this.folders.rootName : baseName(folder), entries));
    if (run === undefined || isNumberedData(run) || isOfYears(run)) return null;
    if (truncated) this.coverage.isWhole = false;
    for (const { path } of errors) this.addUnreadable(joinPath(folder, path));
    return run;
  }

  /** Answers the names in the directory that are checkpoints of the run. */
  private add(folder: string, { members }: Run): Set<string> {
    for (const { listing } of members) this.hardLinks.countOnce(listing.entries);
    for (const run of trainingRuns({ members, rest: [] }, this.options.nowMs)) {
      this.runs.push(movedRun(run, folder));
      this.checkpoints += run.checkpoints.length;
    }
    for (const { root, listing } of members) if (root !== '') this.coverage.files += listing.entries.length;
    return new Set(members.map(({ root }) => root));
  }

  private addUnreadable(folder: string): void {
    this.coverage.isWhole = false;
    this.unreadable.add(folder);
  }
}
