/** The job of drains that overlap: a part of the background for what else is written, and then the job that is left when the others are taken out. */
import { medianOrNull } from '../../bytes/median.js';
import { ratesOf, type Background } from './background.js';
import { firstDeviations } from './bursts.js';
import { explainedBy, firstEndingAfter } from './explained.js';
import type { FoundJob, FoundSave } from './foundJob.js';
import { bytesOfDrain, ratesOfDrains, type FittedDrains } from './drainFit.js';
import type { OverlappingDrains } from './overlappingDrains.js';
import type { Series } from './series.js';

/** The background with drains in it: what they and the traffic below write, and what rates differ from it by in each part of intervals. */
export function withDrains(background: Background, drains: OverlappingDrains, fit: FittedDrains, series: Series): Background {
  const { bytesPerSecond, belowBytesPerSecond } = drains;
  const rates = ratesOf(series);
  const levels = ratesOfDrains(fit, series).map((rate) => rate + belowBytesPerSecond);
  const raised: Background = { median: background.median.slice(), spread: background.spread.slice() };
  const all: number[] = [];
  const parts = [...cellsByPhase(drains, fit, series)].map(([phase, cells]) => {
    const off = cells.flatMap((cell) => {
      const [rate, level] = [rates[cell] as number, levels[cell] as number];
      return series.isFilled[cell] === 0 && rate < mostDrains * bytesPerSecond && rate > 0 && level > 0
        ? [Math.abs(Math.log(rate / level))]
        : [];
    });
    for (const one of off) all.push(one);
    return { cells, off: phase === single ? [] : off };
  });
  const least = Math.max(leastSpread, 1.4826 * (medianOrNull(all) ?? 0));
  for (const { cells, off } of parts) {
    const ownSpread = Math.max(least, 1.4826 * (medianOrNull(off) ?? 0));
    for (const cell of cells) {
      raised.median[cell] = levels[cell] as number;
      raised.spread[cell] = ownSpread;
    }
  }
  return raised;
}

function cellsByPhase(drains: OverlappingDrains, fit: FittedDrains, series: Series): Map<number, number[]> {
  const cellsOf = new Map<number, number[]>();
  phasesOf(drains, fit, series).forEach((phase, cell) => {
    if (phase === outside) return;
    const cells = cellsOf.get(phase);
    if (cells === undefined) cellsOf.set(phase, [cell]);
    else cells.push(cell);
  });
  return cellsOf;
}

/** Higher is other traffic. */
const mostDrains = 3;
const leastSpread = 0.03;
const partsOfInterval = 48;
/** For parts of intervals: of cells outside of drains, and of those with one drain alone. */
const [outside, single] = [-2, -1];
const mostLate = 1.15;

/** The part of an interval that each cell with drains is in. */
function phasesOf({ intervalMs }: OverlappingDrains, { drains }: FittedDrains, series: Series): Int32Array {
  const { startMs, endMs, stepMs } = series;
  const partMs = Math.max(stepMs, intervalMs / partsOfInterval);
  const phases = new Int32Array(startMs.length).fill(outside);
  drains.forEach(({ fromMs, toMs }, index) => {
    const beforeMs = drains[index - 1]?.toMs ?? -Infinity;
    const nextMs = Math.min(drains[index + 1]?.fromMs ?? Infinity, fromMs + mostLate * intervalMs);
    const isPart = beforeMs > fromMs && nextMs < toMs;
    for (let cell = firstEndingAfter(endMs, fromMs); (startMs[cell] ?? Infinity) < toMs; cell += 1) {
      const sinceMs = ((startMs[cell] as number) + (endMs[cell] as number)) / 2 - fromMs;
      if (isPart && fromMs + sinceMs < nextMs) phases[cell] = Math.max(0, Math.floor(sinceMs / partMs));
      else if (phases[cell] === outside) phases[cell] = single;
    }
  });
  return phases;
}

/** As its drains show it where nothing else is written. */
export function jobOfDrains(drains: OverlappingDrains, fit: FittedDrains): FoundJob {
  const { intervalMs, bytesPerSecond } = drains;
  // What others write adds to the usual rates, and is left out of the course with some of what rates vary by: the size is between both.
  const bytes = (bytesOfDrain(fit) + (bytesPerSecond * drains.durationMs) / 1000) / 2;
  const durationMs = medianOrNull(fit.drains.map(({ fromMs, toMs }) => toMs - fromMs)) ?? 0;
  const saves = fit.drains.map(({ fromMs, toMs }) => saveAt(fromMs, toMs, bytes));
  return { saves, intervalMs, bytes, isMeasured: true, durationMs, isTimed: true, jitterMs: intervalMs, cost: 0 };
}

function saveAt(startedMs: number, finishedMs: number, bytes: number): FoundSave {
  return { startedMs, finishedMs, centreMs: (startedMs + finishedMs) / 2, bytes, alone: null };
}

function partOf(rates: Float64Array, { startMs, endMs }: Series, fromMs: number, toMs: number): number[] {
  const first = firstEndingAfter(endMs, fromMs);
  let end = first;
  while ((startMs[end] ?? Infinity) < toMs) end += 1;
  return [...rates.subarray(first, end)];
}

/** With the size that it has in what other jobs leave: all that is written in an interval. */
export function measuredDrains(
  job: FoundJob,
  drains: OverlappingDrains,
  fit: FittedDrains,
  others: readonly FoundJob[],
  series: Series,
): FoundJob {
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
  // Where no interval is seen, usual rates leave out what is high in some of them: the size is no less.
  const bySums =
    sizes.length < leastIntervals ? Math.max(job.bytes, usualBytes(drains, fit, rates, series)) : medianOrNull(sizes);
  const bytes = bySums === null || Math.abs(bySums / job.bytes - 1) > mostOff ? job.bytes : bySums;
  return { ...job, bytes, saves: job.saves.map((save) => ({ ...save, bytes })) };
}

/** Of an interval what is seen, so many intervals, and by how much their sums may differ from what rate and duration say. */
const [leastSeenShare, leastIntervals, mostOff] = [0.9, 3, 0.05];

/** The sum of the usual rates of all parts of an interval; 0 where too little of them is seen. */
function usualBytes(drains: OverlappingDrains, fit: FittedDrains, rates: Float64Array, series: Series): number {
  let [sum, seen, all] = [0, 0, 0];
  for (const [phase, cells] of cellsByPhase(drains, fit, series)) {
    if (phase === single) continue;
    const known = cells.map((cell) => rates[cell] as number).filter((rate) => rate < mostDrains * drains.bytesPerSecond);
    all += cells.length;
    if (known.length < leastIntervals) continue;
    sum += (medianOrNull(known) ?? 0) * cells.length;
    seen += cells.length;
  }
  return seen < leastSeenShare * all || seen === 0 ? 0 : ((sum / seen) * drains.intervalMs) / 1000;
}

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
