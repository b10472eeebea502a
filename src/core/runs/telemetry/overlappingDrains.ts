/**
 * Drains that take longer than an interval: two are under way at once for a part of it, and one for the rest. What stands out are the parts with two, as high
 * again as what is between them; the bytes of a save are all that is written in an interval.
 */
import { medianOrNull } from '../../bytes/median.js';
import { quantile, ratesOf } from './background.js';
import { burstsOf, type Burst } from './bursts.js';
import { jobOf, type FoundJob } from './foundJob.js';
import { bestChain } from './schedules.js';
import type { Series } from './series.js';

/** What is between two pulses is as high as they are, and the background: more of it is traffic of its own. */
const [leastLevel, mostLevel] = [0.8, 1.35];
const leastPulses = 4;
const leastCells = 3;

/** The job as it is where its saves are such pulses; null where they stand alone. */
export function withOverlap(job: FoundJob, series: Series): FoundJob | null {
  const pulses = job.saves.flatMap(({ alone }) =>
    alone === null || alone.isCut || alone.last - alone.first + 1 < leastCells ? [] : [alone],
  );
  const height = medianOrNull(pulses.map(heightOf));
  if (height === null || pulses.length < leastPulses) return null;
  const rates = ratesOf(series);
  const between = pulses.slice(1).flatMap((pulse, index) => levelBetween(pulses[index] as Burst, pulse, job, rates));
  const level = medianOrNull(between);
  if (level === null || level < leastLevel * height || level > mostLevel * height) return null;
  const pulseMs = medianOrNull(pulses.map(({ startedMs, finishedMs }) => finishedMs - startedMs)) ?? 0;
  const pulseBytes = medianOrNull(pulses.map(({ bytes }) => bytes)) ?? 0;
  const durationMs = job.intervalMs + pulseMs;
  const bytes = pulseBytes + (height * job.intervalMs) / 1000;
  const saves = job.saves.map(({ startedMs }) => ({
    startedMs,
    finishedMs: startedMs + durationMs,
    centreMs: startedMs + durationMs / 2,
    bytes,
    alone: null,
  }));
  return { ...job, saves, bytes, durationMs };
}

function heightOf({ bytes, startedMs, finishedMs }: Burst): number {
  return (bytes * 1000) / (finishedMs - startedMs);
}

/** The rate between two pulses that follow each other; nothing for those that are further apart. */
function levelBetween(before: Burst, after: Burst, { intervalMs }: FoundJob, rates: Float64Array): number[] {
  if (after.centreMs - before.centreMs > 1.5 * intervalMs || after.first - before.last < 3) return [];
  const level = medianOrNull([...rates.subarray(before.last + 2, after.first - 1)]);
  return level === null ? [] : [level];
}

/** Cells in which a long burst is looked at, until its drains are seen: fewer average out more noise. */
const insideCells = [480, 240, 120];
/** Of a long burst, the saves that are found in it take so much at least. */
const leastCovered = 0.7;
/** Its levels with one and with two drains. */
const [oneDrain, twoDrains] = [0.15, 0.85];
/** By how much the second is above the first: twice, but for noise, ramps, and a storage that is slowed down by both. */
const [leastRatio, mostRatio] = [1.35, 2.8];

/** A stretch of cells. */
type Stretch = Pick<Burst, 'first' | 'last' | 'startedMs' | 'finishedMs'>;

/** A job within a burst that goes on for many of its intervals: what repeats in it is the second drain, above the first. */
export function jobInside(burst: Stretch, series: Series, excess: Float64Array): FoundJob | null {
  for (const cells of insideCells) {
    const inside = averaged(series, excess, burst, cells);
    const chain = bestChain(pulsesOf(inside), () => false, inside.stepMs);
    const saves = chain?.members.length ?? 0;
    if (chain !== null && saves >= leastPulses && saves * chain.intervalMs >= leastCovered * (burst.finishedMs - burst.startedMs))
      return wholeJob(jobOf(chain), burst, inside);
  }
  return null;
}

/** Stretches nearer to two drains than to one; none where what is written has no two such levels. */
function pulsesOf(inside: Series): Burst[] {
  const rates = ratesOf(inside);
  const sorted = Float64Array.from(rates).sort();
  const [one, two] = [quantile(sorted, oneDrain), quantile(sorted, twoDrains)];
  if (rates.length < leastPulses * leastCells || two < leastRatio * one || two > mostRatio * one) return [];
  const between = rates.map(() => (one + two) / 2);
  return burstsOf(inside, { median: between, spread: between.map(() => 0) }).filter(({ isCut }) => !isCut);
}

function wholeJob(job: FoundJob, { startedMs, finishedMs }: Stretch, inside: Series): FoundJob {
  const [begin, end] = [job.saves[0]?.startedMs ?? 0, job.saves.at(-1)?.startedMs ?? 0];
  const durationMs = job.intervalMs + job.durationMs;
  // All that is written from the beginning of one save to that of another is that of the saves in between.
  let bytes = 0;
  inside.bytes.forEach((count, cell) => {
    const at = ((inside.startMs[cell] as number) + (inside.endMs[cell] as number)) / 2;
    if (at >= begin && at < end) bytes += count;
  });
  const each = (bytes * job.intervalMs) / (end - begin);
  // The first save is before the first pulse, which is where the second begins.
  const starts = [begin - job.intervalMs, ...job.saves.map((save) => save.startedMs)].filter(
    (at) => at > startedMs - job.intervalMs / 2,
  );
  const saves = starts
    .filter((at) => at + durationMs < finishedMs + job.intervalMs / 2)
    .map((at) => ({ startedMs: at, finishedMs: at + durationMs, centreMs: at + durationMs / 2, bytes: each, alone: null }));
  return { ...job, saves, bytes: each, durationMs };
}

function averaged(series: Series, excess: Float64Array, { first, last }: Stretch, cells: number): Series {
  const { startMs, endMs } = series;
  const group = Math.max(1, Math.floor((last - first + 1) / cells));
  const count = Math.floor((last - first + 1) / group);
  const cell = (index: number) => first + index * group;
  return {
    startMs: Float64Array.from({ length: count }, (_cell, index) => startMs[cell(index)] as number),
    endMs: Float64Array.from({ length: count }, (_cell, index) => endMs[cell(index) + group - 1] as number),
    bytes: Float64Array.from({ length: count }, (_cell, index) =>
      Math.max(
        0,
        excess.subarray(cell(index), cell(index) + group).reduce((sum, bytes) => sum + bytes, 0),
      ),
    ),
    isFilled: new Uint8Array(count),
    stepMs: series.stepMs * group,
    missingSteps: 0,
  };
}
