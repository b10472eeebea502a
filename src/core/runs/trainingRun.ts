/** What the saves of a run show: how often it saved, how long that took and at what rate, where it stood still, and how it grows. */
import { parentPath } from '../files/paths.js';
import type { Run, RunMember } from '../inspection/runs/run.js';
import { clockJumps, type ClockJump } from './clockJumps.js';
import { gapsOf, pairsOf, saveSeconds, secondsPerStep, timedSaves, type Gap, type Timed } from './gaps.js';
import { medianOrNull } from '../bytes/median.js';
import { separateRuns } from './mixedRuns.js';
import { comparedOf, savedCheckpoint, stepOf, type SavedCheckpoint } from './savedCheckpoint.js';
import { startOfCopy } from './saveTimes.js';
import { HardLinks } from './hardLinks.js';
import { parametersOf, type ParameterRange } from './estimatedParameters.js';
import { timelyFiles } from './timelyFiles.js';
import { ownFiles, usualFiles } from './usualFiles.js';
import { layoutOfMember } from '../inspection/runs/memberLayout.js';
import type { LayoutId } from '../text/frameworkLabels.js';

export interface TrainingRun {
  /** Directory of its checkpoints, relative to the inspected path; empty for that itself. */
  path: string;
  /** How its checkpoints are called, digits as `…`, where the directory has those of another run of another layout, too; else null. */
  names: string | null;
  framework: LayoutId;
  /** In the order of their steps; those without one come last. */
  checkpoints: SavedCheckpoint[];
  intervals: {
    /** Training and saving, from the end of one save to the end of the next; null when times are unknown. */
    medianSeconds: number | null;
    /** The most usual number of steps between two saves. */
    steps: number | null;
  };
  save: {
    medianSeconds: number | null;
    /** Of saves whose beginning is known. */
    effectiveBytesPerSecond: number | null;
    /** That for each of the ranks that the names of files show; null where they show none. GPUs that write nothing are not among them. */
    bytesPerSecondPerRank: number | null;
    /** The share of an interval in which a save was under way. */
    overlap: number | null;
    /** Saves that these rest on, of all complete ones. */
    coverage: { saves: number; of: number };
  };
  gaps: Gap[];
  /** Where a clock was set back: gaps and growth across it are not known, and saves are taken in the order of their steps. */
  clockJumps: ClockJump[];
  /** Path of the whole checkpoint that was written last; null without one. */
  newest: string | null;
  /** Users who own files of it, in alphabetical order; empty where that is not known. */
  owners: string[];
  /** Ranks that the names of its files show, of the whole checkpoint with most; null where they show none. */
  ranks: number | null;
  /** By the bytes of its checkpoints, as these are not opened; null without a whole one. */
  estimatedParameters: ParameterRange | null;
  /** Checkpoints that were not written to their end. */
  stale: string[];
  bytes: number;
  allocatedBytes: number | null;
  /** By which what lies there grows on the disk, or in size where that is not known; null where older ones were removed, or times are unknown. */
  bytesPerDay: number | null;
  /** The same in files. */
  filesPerDay: number | null;
  /** Why no duration or rate is derived: all times are equal, those of a copy, or later than now, by a clock that is ahead. */
  timesLost: 'equal' | 'copied' | 'future' | null;
}

/**
 * The runs of a directory: checkpoints with the same parent, apart where some of them are of another run.
 * @param nowMs milliseconds since 1970: no save is later
 */
export function trainingRuns({ members }: Run, nowMs = Infinity): TrainingRun[] {
  const groups = new Map<string, RunMember[]>();
  for (const member of members) {
    const parent = member.root === '' ? '' : parentPath(member.root);
    const group = groups.get(parent) ?? [];
    groups.set(parent, group);
    group.push(member);
  }
  return [...groups].flatMap(([path, own]) =>
    separateRuns(own).map(({ members: ofOne, names }) => ({ ...trainingRun(path, ofOne, nowMs), names })),
  );
}

/** What the saves of checkpoints show that are taken for one run. */
export function trainingRun(path: string, members: readonly RunMember[], nowMs = Infinity): TrainingRun {
  const usual = usualFiles(members.map((member) => ({ ...comparedOf(member), entries: member.listing.entries })));
  const inOrder = [...members].sort((a, b) => (stepOf(a.root) ?? Infinity) - (stepOf(b.root) ?? Infinity));
  const hardLinks = new HardLinks();
  // What a later checkpoint has by another name of the same blocks was written by the earlier one.
  const written = inOrder.map(({ listing }) => listing.entries.filter((entry) => hardLinks.isFirstName(entry)));
  const timely = timelyFiles(inOrder.map((member, index) => ownFiles(written[index] ?? [], comparedOf(member), usual)));
  const checkpoints = withoutRewritten(
    inOrder.map((member, index) => savedCheckpoint(member, usual, written[index] ?? [], timely[index] ?? [])),
  ).sort(byStep);
  const complete = checkpoints.filter((checkpoint) => checkpoint.complete);
  const timed = timedSaves(checkpoints);
  const lost = timesLost(complete, new Map(inOrder.map(({ root, listing }) => [root, startOfCopy(listing.entries)])), nowMs);
  const jumps = lost === null ? clockJumps(timed) : [];
  const inSteps = [...timed].sort((a, b) => a.step - b.step);
  const usable = lost !== null ? [] : jumps.length > 0 ? inSteps : timed;
  const intervals = intervalsOf(usable, timed);
  const ranks = complete.reduce((most, one) => Math.max(most, one.ranks), 0) || null;
  return {
    path,
    names: null,
    framework: layoutOfMember(lastWhole(members, checkpoints), members).id,
    checkpoints: lost === null ? checkpoints : checkpoints.map(withoutTimes),
    intervals,
    save: lost === null ? saveOf(complete, intervals.medianSeconds, ranks) : nothingOfSave(complete),
    gaps: gapsOf(usable),
    clockJumps: jumps,
    newest: (jumps.length > 0 ? complete.findLast(({ step }) => step !== null) : newestOf(complete))?.path ?? null,
    owners: [...new Set(checkpoints.flatMap(({ owners }) => owners))].sort(),
    ranks,
    estimatedParameters: parametersOf(complete),
    stale: checkpoints.filter((checkpoint) => !checkpoint.complete).map((checkpoint) => checkpoint.path),
    bytes: sumOf(checkpoints.map(({ bytes }) => bytes)),
    allocatedBytes: checkpoints.some(({ allocatedBytes }) => allocatedBytes === null)
      ? null
      : sumOf(checkpoints.map(({ allocatedBytes }) => allocatedBytes ?? 0)),
    ...(jumps.length > 0 ? unknownGrowth : growthOf(complete, usable, intervals.steps)),
    timesLost: lost,
  };
}

/** The checkpoint by which a run is named: one that was cut off may lack the files that identify its framework. */
function lastWhole(members: readonly RunMember[], checkpoints: readonly SavedCheckpoint[]): RunMember {
  const whole = new Set(checkpoints.filter(({ complete }) => complete).map(({ path }) => path));
  return members.findLast(({ root }) => whole.has(root)) ?? (members.at(-1) as RunMember);
}

/** Files that are written over keep the time at which they were made first: a save that seems to last over a whole other one began later. */
function withoutRewritten(checkpoints: readonly SavedCheckpoint[]): SavedCheckpoint[] {
  const rewritten = new Set<string>();
  let latestStartMs = -Infinity;
  const made = checkpoints.filter(({ startBasis }) => startBasis === 'created');
  for (const { path, startedMs } of [...made].sort((a, b) => (a.finishedMs ?? 0) - (b.finishedMs ?? 0))) {
    if (startedMs === null) continue;
    if (latestStartMs > startedMs) rewritten.add(path);
    latestStartMs = Math.max(latestStartMs, startedMs);
  }
  return checkpoints.map((one) => (rewritten.has(one.path) ? { ...withoutTimes(one), lateRanks: one.lateRanks } : one));
}

function byStep(a: SavedCheckpoint, b: SavedCheckpoint): number {
  return (a.step ?? Infinity) - (b.step ?? Infinity) || (a.path < b.path ? -1 : 1);
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** @param usable saves in the order of their times; none where a copy changed these @param saves all with a step */
function intervalsOf(usable: readonly Timed[], saves: readonly Timed[]): TrainingRun['intervals'] {
  const inOrder = usable.length > 0 ? usable : [...saves].sort((a, b) => a.step - b.step);
  const steps = mostUsual(
    pairsOf(inOrder).flatMap(([before, after]) => (after.step > before.step ? [after.step - before.step] : [])),
  );
  const perStep = secondsPerStep(usable);
  return { steps, medianSeconds: perStep === null || steps === null ? null : perStep * steps };
}

/** The smallest of the most frequent. */
function mostUsual(values: readonly number[]): number | null {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const [first] = [...counts].sort(([a, ofA], [b, ofB]) => ofB - ofA || a - b);
  return first?.[0] ?? null;
}

/** By time; of those without one, or of the same, the one with the highest step. */
function newestOf(complete: readonly SavedCheckpoint[]): SavedCheckpoint | undefined {
  return complete.reduce<SavedCheckpoint | undefined>(
    (newest, one) => ((one.finishedMs ?? 0) >= (newest?.finishedMs ?? 0) ? one : newest),
    undefined,
  );
}

function saveOf(complete: readonly SavedCheckpoint[], intervalSeconds: number | null, ranks: number | null): TrainingRun['save'] {
  const known = complete.flatMap((save) => {
    const seconds = saveSeconds(save);
    return seconds === null ? [] : [{ seconds, bytes: save.writtenBytes }];
  });
  const medianSeconds = medianOrNull(known.map(({ seconds }) => seconds));
  const effectiveBytesPerSecond = medianOrNull(known.map(({ seconds, bytes }) => bytes / seconds));
  return {
    medianSeconds,
    effectiveBytesPerSecond,
    bytesPerSecondPerRank: effectiveBytesPerSecond === null || ranks === null ? null : effectiveBytesPerSecond / ranks,
    overlap: medianSeconds === null || intervalSeconds === null ? null : medianSeconds / intervalSeconds,
    coverage: { saves: known.length, of: complete.length },
  };
}

function nothingOfSave(complete: readonly SavedCheckpoint[]): TrainingRun['save'] {
  const coverage = { saves: 0, of: complete.length };
  return { medianSeconds: null, effectiveBytesPerSecond: null, bytesPerSecondPerRank: null, overlap: null, coverage };
}

function withoutTimes(checkpoint: SavedCheckpoint): SavedCheckpoint {
  return { ...checkpoint, startedMs: null, startBasis: null, lateRanks: [] };
}

/** Of what a copy writes, one checkpoint follows the other without a pause. */
const copiedShare = 0.9;
const equalMs = 2000;
/** Clocks of servers differ by less. */
const skewMs = 60_000;

/** The times of a save, and when it began where it is a copy. */
type MaybeCopied = { startedMs: number | null; copiedMs: number | null; finishedMs: number };

/** Files of training are written one save after the other; of a download in several streams all are at once. */
const mostAtOnce = 2;

/**
 * Whether the times are those of a copy: all the same, or each checkpoint written as soon as the one before was, from its first file to its
 * last, in whatever order. Training that waits for no save has steps between two of them.
 * @param copiedMs when each checkpoint began where it is a copy, by its path
 */
function timesLost(
  complete: readonly SavedCheckpoint[],
  copiedMs: ReadonlyMap<string, number | null>,
  nowMs: number,
): TrainingRun['timesLost'] {
  const saves = complete
    .flatMap(({ path, startedMs, finishedMs }): MaybeCopied[] =>
      finishedMs === null ? [] : [{ startedMs, copiedMs: copiedMs.get(path) ?? null, finishedMs }],
    )
    .sort((a, b) => a.finishedMs - b.finishedMs);
  const [first, last] = [saves[0], saves.at(-1)];
  if (last !== undefined && last.finishedMs > nowMs + skewMs) return 'future';
  if (first === undefined || last === undefined || saves.length < 2) return null;
  if (last.finishedMs - first.finishedMs <= equalMs) return 'equal';
  const isWithoutPause = (startOf: (save: MaybeCopied) => number | null): boolean => {
    const shares = pairsOf(saves).flatMap(([before, after]) => {
      const start = startOf(after);
      return start === null ? [] : [(after.finishedMs - start) / Math.max(1, after.finishedMs - before.finishedMs)];
    });
    const median = medianOrNull(shares);
    return median !== null && shares.length > 1 && median > copiedShare && median < 1 / copiedShare;
  };
  const atOnce = saves.map(({ startedMs }, index) => (startedMs === null ? 0 : index - firstAfter(saves, startedMs)));
  if ((medianOrNull(atOnce) ?? 0) >= mostAtOnce) return 'copied';
  return isWithoutPause(({ startedMs }) => startedMs) || isWithoutPause((save) => save.copiedMs) ? 'copied' : null;
}

/** Of saves in the order of their ends: the first that ended after a time. */
function firstAfter(saves: readonly MaybeCopied[], timeMs: number): number {
  let [low, high] = [0, saves.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((saves[middle] as MaybeCopied).finishedMs > timeMs) high = middle;
    else low = middle + 1;
  }
  return low;
}

const dayMs = 86_400_000;

type Growth = Pick<TrainingRun, 'bytesPerDay' | 'filesPerDay'>;
const unknownGrowth: Growth = { bytesPerDay: null, filesPerDay: null };

function growthOf(complete: readonly SavedCheckpoint[], usable: readonly Timed[], steps: number | null): Growth {
  const [first, last] = [usable[0], usable.at(-1)];
  if (first === undefined || last === undefined || last.finishedMs <= first.finishedMs || usable.length < 3) return unknownGrowth;
  const firstStep = usable.reduce((least, { step }) => Math.min(least, step), Infinity);
  // Runs save after an interval, or at its beginning: where the first that is there is later, older ones were removed.
  if (steps === null || firstStep > steps * 1.5) return unknownGrowth;
  const later = complete.filter(({ finishedMs }) => (finishedMs ?? 0) > first.finishedMs);
  const days = (last.finishedMs - first.finishedMs) / dayMs;
  return {
    bytesPerDay: sumOf(later.map(({ allocatedBytes, bytes }) => allocatedBytes ?? bytes)) / days,
    filesPerDay: sumOf(later.map(({ files }) => files)) / days,
  };
}
