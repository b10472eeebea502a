/** A job as its saves show it, and when it is expected to save: between two of its saves, and one interval before and after them. */
import { medianOrNull } from '../../bytes/median.js';
import type { Burst } from './bursts.js';
import { intervalOf, toleranceMs, type Chain } from './schedules.js';

export interface FoundSave {
  startedMs: number;
  finishedMs: number;
  centreMs: number;
  bytes: number;
  /** The burst that it is alone; null for its share of one, by what the job's other saves are. */
  alone: Burst | null;
}

export interface FoundJob {
  /** In the order of time. */
  saves: FoundSave[];
  intervalMs: number;
  bytes: number;
  /** By how much its saves differ, as a share. */
  bytesSpread: number;
  /** Of its saves that are bursts of their own. */
  durationMs: number;
  /** How far its saves usually are from the middle between their neighbours. */
  jitterMs: number;
}

/** When a job is expected to save, and how far off that may be. */
export interface Expected {
  job: FoundJob;
  centreMs: number;
  toleranceMs: number;
  /** Between two saves of the job: sooner there than one that continues it. */
  isBetween: boolean;
}

export function jobOf({ members, intervalMs, bytes }: Chain): FoundJob {
  const job = {
    saves: members.map(({ burst }) => saveOf(burst)),
    intervalMs,
    bytes,
    bytesSpread: mostSpread,
    durationMs: 0,
    jitterMs: intervalMs,
  };
  measured(job);
  return job;
}

/** A burst that is one save. */
export function saveOf(burst: Burst): FoundSave {
  const { startedMs, finishedMs, centreMs, bytes } = burst;
  return { startedMs, finishedMs, centreMs, bytes, alone: burst };
}

/** Sizes of saves differ by this at least and at most: that of few says little. */
const [leastSpread, mostSpread] = [0.003, 0.02];
/** From the median distance to the standard deviation of a normal distribution. */
const deviationsOfMedian = 1.4826;

function spreadOf(saves: readonly FoundSave[], bytes: number): number {
  const off = medianOrNull(saves.map((save) => Math.abs(save.bytes / bytes - 1))) ?? mostSpread;
  return Math.min(mostSpread, Math.max(leastSpread, off * deviationsOfMedian * (1 + 2 / saves.length)));
}

function durationOf(saves: readonly FoundSave[]): number {
  return medianOrNull(saves.map(({ startedMs, finishedMs }) => finishedMs - startedMs)) ?? 0;
}

/** Size, duration and interval of a job from its saves, those that are bursts of their own where there are some. */
export function measured(job: FoundJob): void {
  job.saves.sort((a, b) => a.centreMs - b.centreMs);
  const alone = job.saves.filter((save) => save.alone !== null && !save.alone.isCut);
  const sure = alone.length >= 2 ? alone : job.saves;
  job.bytes = medianOrNull(sure.map(({ bytes }) => bytes)) ?? job.bytes;
  job.bytesSpread = spreadOf(sure, job.bytes);
  job.durationMs = durationOf(sure);
  job.intervalMs = intervalOfJob(job);
  job.jitterMs = jitterOf(job);
}

/** Of the longest stretches without a restart: the slope over each, the median by their saves. */
function intervalOfJob(job: FoundJob): number {
  const stretches = stretchesOf(job);
  const slopes = stretches.flatMap((stretch) => {
    const slope = intervalOf(stretch.map(({ save, slot }) => ({ burst: save, slot })));
    return slope === null ? [] : stretch.slice(1).map(() => slope);
  });
  return medianOrNull(slopes) ?? job.intervalMs;
}

/** Fewer neighbours say little of the jitter. */
const leastForJitter = 6;

function jitterOf(job: FoundJob): number {
  const off = stretchesOf(job).flatMap((stretch) =>
    stretch.slice(2).flatMap(({ save, slot }, index) => {
      const [first, middle] = [stretch[index], stretch[index + 1]];
      if (first === undefined || middle === undefined) return [];
      const share = (middle.slot - first.slot) / (slot - first.slot);
      return [Math.abs(middle.save.centreMs - first.save.centreMs - share * (save.centreMs - first.save.centreMs))];
    }),
  );
  return off.length < leastForJitter ? job.intervalMs : (medianOrNull(off) ?? 0) * deviationsOfMedian;
}

/** Saves with their number of intervals, as long as each follows the one before at a whole number of them. */
export function stretchesOf({ saves, intervalMs }: FoundJob): { save: FoundSave; slot: number }[][] {
  const stretches: { save: FoundSave; slot: number }[][] = [];
  for (const save of saves) {
    const before = stretches.at(-1)?.at(-1);
    const gap = before === undefined ? 0 : (save.centreMs - before.save.centreMs) / intervalMs;
    const slots = Math.round(gap);
    if (before === undefined || slots < 1 || Math.abs(gap - slots) * intervalMs > 1.2 * toleranceMs(intervalMs, slots, 0))
      stretches.push([{ save, slot: 0 }]);
    else stretches.at(-1)?.push({ save, slot: before.slot + slots });
  }
  return stretches;
}

/** Within so many deviations of its jitter a save is expected. */
const expectedDeviations = 4;

/** Saves of a job that have not been found, within a stretch and one interval around it. */
export function expectedSaves(job: FoundJob, stepMs: number): Expected[] {
  const { intervalMs } = job;
  const usual = expectedDeviations * job.jitterMs + job.durationMs / 10 + stepMs;
  const tolerance = (slots: number) => Math.min(toleranceMs(intervalMs, slots, stepMs), usual * Math.sqrt(slots));
  // Outside of its saves a job is expected by its interval alone.
  return stretchesOf(job).flatMap((stretch, index, all) => {
    const expected: Expected[] = [];
    const [first, last] = [stretch[0], stretch.at(-1)];
    if (first === undefined || last === undefined) return [];
    const endOfBefore = all[index - 1]?.at(-1)?.save.centreMs ?? -Infinity;
    const startOfNext = all[index + 1]?.[0]?.save.centreMs ?? Infinity;
    const outside = (centreMs: number) => ({
      job,
      centreMs,
      toleranceMs: Math.min(toleranceMs(intervalMs, 1, stepMs), 2 * usual),
      isBetween: false,
    });
    if (first.save.centreMs - intervalMs > endOfBefore + intervalMs / 2) expected.push(outside(first.save.centreMs - intervalMs));
    stretch.slice(1).forEach(({ save, slot }, at) => {
      const before = stretch[at] as { save: FoundSave; slot: number };
      const slots = slot - before.slot;
      for (let step = 1; step < slots; step += 1)
        expected.push({
          job,
          centreMs: before.save.centreMs + ((save.centreMs - before.save.centreMs) * step) / slots,
          toleranceMs: tolerance(Math.min(step, slots - step)),
          isBetween: true,
        });
    });
    if (last.save.centreMs + intervalMs < startOfNext - intervalMs / 2) expected.push(outside(last.save.centreMs + intervalMs));
    return expected;
  });
}
