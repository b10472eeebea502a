/**
 * Jobs from bursts, in rounds: those that repeat alone first; then bursts of several saves at once, by what the known jobs are expected to save in
 * them; what these leave may be the saves of further jobs.
 */
import { appendAll } from '../../bytes/appendAll.js';
import type { Burst } from './bursts.js';
import { decompose, type Decomposed } from './decomposition.js';
import { expectedSaves, jobOf, measured, saveOf, stretchesOf, type Expected, type FoundJob, type FoundSave } from './foundJob.js';
import { jobInside, withOverlap } from './overlappingDrains.js';
import { bestChain, isSameSize, type Hides } from './schedules.js';
import type { Series } from './series.js';

export interface Found {
  jobs: FoundJob[];
  /** Bursts, and rests of them, that no job explains. */
  open: Burst[];
}

/** Jobs on one file system: more are not separated. */
const mostJobs = 64;
const mostRounds = 12;

export function findJobs(bursts: readonly Burst[], series: Series, excess: Float64Array): Found {
  const found: Found = { jobs: [], open: [...bursts] };
  const left = excess.slice();
  const hides = hiding(bursts, series);
  for (let round = 0; round < mostRounds; round += 1) {
    const before = found.open.length + found.jobs.length;
    addChains(found, hides, series.stepMs);
    joinAlike(found.jobs);
    dissolveSums(found, series.stepMs);
    const isExplained = explain(found, series, left);
    adopt(found);
    if (!isExplained && found.open.length + found.jobs.length === before) break;
  }
  found.jobs.forEach(measured);
  takeOverlapping(found, series, left);
  return found;
}

function takeOverlapping(found: Found, series: Series, excess: Float64Array): void {
  found.jobs = found.jobs.map((job) => withOverlap(job, series) ?? job);
  if (found.jobs.length === 0) {
    // Drains that overlap throughout leave no background to see.
    const all = {
      first: 0,
      last: series.bytes.length - 1,
      startedMs: series.startMs[0] ?? 0,
      finishedMs: series.endMs.at(-1) ?? 0,
    };
    const job = jobInside(all, series, series.bytes);
    if (job !== null) found.jobs.push(job);
  }
  for (const burst of [...found.open]) {
    const job = jobInside(burst, series, excess);
    if (job === null) continue;
    found.jobs.push(job);
    found.open = found.open.filter((other) => other !== burst);
  }
}

function addChains(found: Found, hides: Hides, stepMs: number): void {
  while (found.jobs.length < mostJobs) {
    const chain = bestChain(found.open, hides, stepMs);
    if (chain === null) return;
    const own = new Set(chain.members.map(({ burst }) => burst));
    found.open = found.open.filter((burst) => !own.has(burst));
    found.jobs.push(jobOf(chain));
  }
}

/** A burst that holds a save and something else. */
const larger = 1.04;

/** A save may be within a larger burst, or where samples are missing. */
function hiding(bursts: readonly Burst[], { startMs, endMs, stepMs }: Series): Hides {
  const sorted = [...bursts].sort((a, b) => a.startedMs - b.startedMs);
  const holes: [number, number][] = [];
  for (let index = 1; index < startMs.length; index += 1)
    if ((startMs[index] as number) - (endMs[index - 1] as number) > stepMs / 2)
      holes.push([endMs[index - 1] as number, startMs[index] as number]);
  return (fromMs, toMs, bytes) => {
    if (holes.some(([holeMs, endOfHoleMs]) => holeMs < toMs && endOfHoleMs > fromMs)) return true;
    // Bursts do not overlap: the first that ends later is found by halving.
    for (let at = firstAfter(sorted, fromMs); at < sorted.length; at += 1) {
      const burst = sorted[at] as Burst;
      if (burst.startedMs >= toMs) return false;
      if (burst.bytes > larger * bytes || burst.isCut) return true;
    }
    return false;
  };
}

function firstAfter(sorted: readonly Burst[], timeMs: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as Burst).finishedMs > timeMs) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Chains of the same size that one interval explains: before and after a restart, or every second save of a job. */
function joinAlike(jobs: FoundJob[]): void {
  jobs.sort((a, b) => (a.saves[0]?.centreMs ?? 0) - (b.saves[0]?.centreMs ?? 0));
  for (let index = 0; index < jobs.length; index += 1)
    for (let later = index + 1; later < jobs.length;) {
      const [one, other] = [jobs[index] as FoundJob, jobs[later] as FoundJob];
      const joined = isSameSize(one.bytes, other.bytes, 0) ? unionOf(one, other) : null;
      if (joined === null) later += 1;
      else {
        jobs[index] = joined;
        jobs.splice(later, 1);
        later = index + 1;
      }
    }
}

const partsOfInterval = [1, 2, 3];
/** Of the times between saves of both, those that are a whole number of intervals; of the intervals, those with a save. */
const [leastFitting, leastFilled] = [0.85, 0.35];

function unionOf(one: FoundJob, other: FoundJob): FoundJob | null {
  const saves = [...one.saves, ...other.saves].sort((a, b) => a.centreMs - b.centreMs);
  const gaps = saves.slice(1).map((save, index) => save.centreMs - (saves[index] as FoundSave).centreMs);
  const own = [one.intervalMs, other.intervalMs, ...usualGaps(gaps)];
  const intervals = own.flatMap((interval) => partsOfInterval.map((part) => interval / part));
  for (const intervalMs of intervals.sort((a, b) => b - a)) {
    const union = { ...one, saves: [...saves], intervalMs };
    const stretches = stretchesOf(union);
    const slots = stretches.reduce((sum, stretch) => sum + (stretch.at(-1)?.slot ?? 0) + 1, 0);
    const isFitting = stretches.length - 1 <= 1 + (1 - leastFitting) * saves.length;
    if (!isFitting || saves.length < leastFilled * slots || stretches.length > saves.length / 2) continue;
    measured(union);
    return union;
  }
  return null;
}

/** Times between saves that are shorter than most: those without a missing save. */
function usualGaps(gaps: readonly number[]): number[] {
  const sorted = [...gaps].sort((a, b) => a - b);
  return [0.1, 0.25, 0.5].flatMap((share) => sorted[Math.floor(share * sorted.length)] ?? []);
}

/** Of the saves of a job, those in which others are expected: with more of them, the others are a part of its size. */
const mostShared = 0.7;

/** Two jobs that often save at once look like a third one, as large as both. */
function dissolveSums(found: Found, stepMs: number): void {
  for (const job of [...found.jobs].sort((a, b) => b.bytes - a.bytes)) {
    const others = found.jobs.filter((other) => other !== job && other.bytes < job.bytes);
    const expected = others.flatMap((other) => expectedSaves(other, stepMs)).filter(({ isBetween }) => isBetween);
    const alone = job.saves.flatMap(({ alone: burst }) => (burst === null ? [] : [burst]));
    const isShared = (burst: Burst) =>
      expected.some(
        ({ job: other, centreMs }) =>
          burst.startedMs < centreMs && centreMs < burst.finishedMs && other.bytes > leastPart * job.bytes,
      );
    if (alone.length === 0 || alone.filter(isShared).length <= mostShared * alone.length) continue;
    found.jobs.splice(found.jobs.indexOf(job), 1);
    appendAll(found.open, alone);
  }
}

/** Of a job's size, less is within what its saves differ by. */
const leastPart = 0.03;

/** Takes the expected saves out of open bursts, and of those that were taken for one save, until no more are. */
function explain(found: Found, series: Series, excess: Float64Array): boolean {
  let isAnyExplained = false;
  for (let isChanged = true; isChanged;) {
    isChanged = false;
    found.jobs.forEach(measured);
    const expected = found.jobs.flatMap((job) => expectedSaves(job, series.stepMs));
    const taken = new Set<Expected>();
    const take = (burst: Burst, own: Expected | null): Decomposed | null => {
      const others = expected.filter((one) => !taken.has(one) && one.job !== own?.job && isIn(one, burst));
      const result = others.length === 0 ? null : decompose(burst, own, others, series, excess);
      for (const { expected: one, save } of result?.saves ?? []) {
        taken.add(one);
        one.job.saves.push(save);
      }
      isChanged ||= result !== null;
      return result;
    };
    for (const burst of [...found.open]) {
      const result = take(burst, null);
      if (result === null) continue;
      found.open = found.open.filter((other) => other !== burst);
      if (result.rest !== null) found.open.push(result.rest);
    }
    for (const job of found.jobs)
      for (const save of [...job.saves]) {
        if (save.alone === null || save.alone.isCut) continue;
        const own = { job, centreMs: save.centreMs, toleranceMs: job.durationMs, isBetween: true };
        if (take(save.alone, own) !== null) job.saves = job.saves.filter((other) => other !== save);
      }
    isAnyExplained ||= isChanged;
  }
  return isAnyExplained;
}

function isIn({ centreMs, toleranceMs }: Expected, { startedMs, finishedMs }: Burst): boolean {
  return centreMs + toleranceMs > startedMs && centreMs - toleranceMs < finishedMs;
}

/** After a restart a job saves at other times: bursts that are as large and as long as its saves, and near them, are its own. */
function adopt(found: Found): void {
  for (const burst of [...found.open]) {
    const own = found.jobs.filter((job) => isLike(burst, job));
    const [only] = own;
    if (only === undefined || own.length > 1 || burst.isCut) continue;
    only.saves.push(saveOf(burst));
    measured(only);
    found.open = found.open.filter((other) => other !== burst);
  }
}

const sameDurationShare = 0.35;
const nearIntervals = 6;

function isLike({ bytes, noiseBytes, startedMs, finishedMs, centreMs }: Burst, job: FoundJob): boolean {
  const duration = finishedMs - startedMs;
  const off = job.saves.reduce((least, save) => Math.min(least, Math.abs(save.centreMs - centreMs)), Infinity);
  return (
    isSameSize(bytes, job.bytes, noiseBytes) &&
    Math.abs(duration - job.durationMs) <= sameDurationShare * job.durationMs &&
    off <= nearIntervals * job.intervalMs
  );
}
