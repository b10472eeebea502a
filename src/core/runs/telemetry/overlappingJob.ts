/** The job of drains that overlap: a part of the background for what else is written, and then the job that is left when the others are taken out. */
import { medianOrNull } from '../../bytes/median.js';
import { ratesOf, type Background } from './background.js';
import { firstDeviations } from './bursts.js';
import { explainedBy, firstEndingAfter } from './explained.js';
import type { FoundJob, FoundSave } from './foundJob.js';
import type { OverlappingDrains } from './overlappingDrains.js';
import type { Series } from './series.js';

/**
 * The background with drains in it: the usual rate of each part of their intervals, and what it differs by there. Before the first that another one precedes,
 * and after the last interval, one is under way.
 */
export function withDrains({ median, spread }: Background, drains: OverlappingDrains, series: Series): Background {
  const { bytesPerSecond, belowBytesPerSecond } = drains;
  const rates = ratesOf(series);
  const phases = phasesOf(drains, series);
  const cellsOf = new Map<number, number[]>();
  phases.forEach((phase, cell) => {
    const cells = cellsOf.get(phase);
    if (cells === undefined) cellsOf.set(phase, [cell]);
    else cells.push(cell);
  });
  const raised: Background = { median: median.slice(), spread: spread.slice() };
  const all: number[] = [];
  const usual = [...cellsOf].flatMap(([phase, cells]) => {
    if (phase === outside) return [];
    const seen = cells.map((cell) => rates[cell] as number).filter((rate) => rate < mostDrains * bytesPerSecond && rate > 0);
    const level = (phase === single ? null : medianOrNull(seen)) ?? bytesPerSecond + belowBytesPerSecond;
    const off = seen.map((rate) => Math.abs(Math.log(rate / level)));
    if (phase !== single) for (const one of off) all.push(one);
    return [{ cells, level, off: phase === single ? [] : off }];
  });
  const least = Math.max(leastSpread, 1.4826 * (medianOrNull(all) ?? 0));
  for (const { cells, level, off } of usual) {
    const ownSpread = Math.max(least, 1.4826 * (medianOrNull(off) ?? 0));
    for (const cell of cells) {
      raised.median[cell] = level;
      raised.spread[cell] = ownSpread;
    }
  }
  return raised;
}

/** Higher is other traffic. */
const mostDrains = 3;
const leastSpread = 0.03;
const partsOfInterval = 48;
/** For parts of intervals: of cells outside of drains, and of those with one drain alone. */
const [outside, single] = [-2, -1];
const mostLate = 1.15;

/** The part of an interval that each cell is in. */
function phasesOf(drains: OverlappingDrains, series: Series): Int32Array {
  const { startMs, endMs, stepMs } = series;
  const { intervalMs, durationMs, startsMs } = drains;
  const partMs = Math.max(stepMs, intervalMs / partsOfInterval);
  const phases = new Int32Array(startMs.length).fill(outside);
  const fill = (fromMs: number, toMs: number, phaseAt: (timeMs: number) => number): void => {
    for (let cell = firstEndingAfter(endMs, fromMs); (endMs[cell] ?? Infinity) <= toMs; cell += 1)
      phases[cell] = phaseAt(((startMs[cell] as number) + (endMs[cell] as number)) / 2 - fromMs);
  };
  const isBefore = new Set(jobOfDrains(drains, series).saves.map(({ startedMs }) => startedMs));
  for (const starts of startsMs) {
    const [first, last] = [starts[0] as number, starts.at(-1) as number];
    if (isBefore.has(first - intervalMs)) fill(first - intervalMs, first, () => single);
    fill(last, last + durationMs, () => single);
    starts.forEach((fromMs, index) => {
      const nextMs = starts[index + 1] ?? fromMs + intervalMs;
      fill(fromMs, Math.min(nextMs, fromMs + mostLate * intervalMs), (ms) => Math.floor(ms / partMs));
    });
  }
  return phases;
}

/** As its drains show it where nothing else is written. */
export function jobOfDrains(drains: OverlappingDrains, series: Series): FoundJob {
  const { startsMs, intervalMs, durationMs, bytesPerSecond, belowBytesPerSecond } = drains;
  const rates = ratesOf(series);
  const bytes = (bytesPerSecond * durationMs) / 1000;
  const saves = startsMs.flatMap((starts) => {
    const firstMs = (starts[0] as number) - intervalMs;
    // One drain alone comes before the first that another precedes.
    const before = medianOrNull(partOf(rates, series, firstMs, firstMs + intervalMs)) ?? 0;
    const isBefore = firstMs >= (series.startMs[0] as number) && before > belowBytesPerSecond + bytesPerSecond / 2;
    return [...(isBefore ? [firstMs] : []), ...starts].map((startedMs) => saveAt(startedMs, durationMs, bytes));
  });
  return { saves, intervalMs, bytes, isMeasured: true, durationMs, isTimed: true, jitterMs: intervalMs, cost: 0 };
}

function saveAt(startedMs: number, durationMs: number, bytes: number): FoundSave {
  return { startedMs, finishedMs: startedMs + durationMs, centreMs: startedMs + durationMs / 2, bytes, alone: null };
}

function partOf(rates: Float64Array, { startMs, endMs }: Series, fromMs: number, toMs: number): number[] {
  const first = firstEndingAfter(endMs, fromMs);
  let end = first;
  while ((startMs[end] ?? Infinity) < toMs) end += 1;
  return [...rates.subarray(first, end)];
}

/** With the size that it has in what other jobs leave: all that is written in an interval. */
export function measuredDrains(job: FoundJob, drains: OverlappingDrains, others: readonly FoundJob[], series: Series): FoundJob {
  const { bytes: explained, near } = explainedBy(others, series);
  const left = ratesOf({ ...series, bytes: series.bytes.map((count, cell) => count - (explained[cell] as number)) });
  const rates = left.map((rate, cell) => ((near[cell] as number) > 0 ? NaN : rate - drains.belowBytesPerSecond));
  const sizes = drains.startsMs.flatMap((starts) =>
    starts.slice(1).flatMap((startedMs, index) => {
      const fromMs = starts[index] as number;
      const all = partOf(rates, series, fromMs, startedMs);
      const known = all.filter((rate) => !Number.isNaN(rate));
      const mean = known.reduce((sum, rate) => sum + rate, 0) / known.length;
      return known.length < leastSeenShare * all.length ? [] : [(mean * (startedMs - fromMs)) / 1000];
    }),
  );
  const bySums = sizes.length < leastIntervals ? null : medianOrNull(sizes);
  // Writes of jobs that are not found only add to sums.
  const bytes = bySums === null || bySums > mostAdded * job.bytes ? job.bytes : bySums;
  return { ...job, bytes, saves: job.saves.map((save) => ({ ...save, bytes })) };
}

/** Of an interval what is seen, so many intervals, and by how much their sums may be more than rate and duration say. */
const [leastSeenShare, leastIntervals, mostAdded] = [0.9, 3, 1.04];

/** What a job of drains leaves of them: smaller bursts at the same interval, or ones that follow each other almost at once and are never alone. */
export function isRestOf(job: FoundJob, drains: FoundJob): boolean {
  const isSame = Math.abs(job.intervalMs / drains.intervalMs - 1) < sameInterval;
  const isLevel = job.durationMs > levelShare * job.intervalMs && job.saves.every(({ alone }) => alone === null);
  return (isSame || isLevel) && job.bytes < mostRestShare * drains.bytes;
}

const [sameInterval, levelShare, mostRestShare] = [0.01, 0.4, 0.3];

/** Whether saves are hardly ever alone, and add less than what the rate of drains varies by. */
export function isHiddenByDrains({ saves, bytes, durationMs }: FoundJob, hidden: readonly Hidden[]): boolean {
  const alone = saves.filter((save) => save.alone !== null).length;
  const inside = saves.filter(({ centreMs }) =>
    hidden.some(
      ({ fromMs, toMs, bytesPerSecond }) => centreMs > fromMs && centreMs < toMs && (bytes * 1000) / durationMs < bytesPerSecond,
    ),
  );
  return alone < leastAlone && inside.length > saves.length / 2;
}

const leastAlone = 3;

export interface Hidden {
  fromMs: number;
  toMs: number;
  /** What may be added to drains that overlap, and cannot be distinguished from what their rate varies by. */
  bytesPerSecond: number;
}

/** Where drains overlap, and what they hide. */
export function hiddenByDrains(
  { startsMs, durationMs }: OverlappingDrains,
  { median, spread }: Background,
  { endMs }: Series,
): Hidden[] {
  return startsMs.map((starts) => {
    const [fromMs, toMs] = [starts[0] as number, (starts.at(-1) as number) + durationMs];
    const [first, end] = [firstEndingAfter(endMs, fromMs), firstEndingAfter(endMs, toMs)];
    const above = median
      .slice(first, end)
      .map((level, cell) => level * Math.expm1(firstDeviations * (spread[first + cell] as number)));
    return { fromMs, toMs, bytesPerSecond: medianOrNull([...above]) ?? 0 };
  });
}
