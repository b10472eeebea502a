/** Bursts: stretches of time in which more moves than the background does. Each may be one save, several at once, or something else. */
import { limits } from '../../bytes/limits.js';
import type { Background } from './background.js';
import { ratesOf } from './background.js';
import type { Series } from './series.js';

export interface Burst {
  startedMs: number;
  finishedMs: number;
  /** Above the background. */
  bytes: number;
  /** Where its bytes have their centre: finer than a step, and the same for each save of a job. */
  centreMs: number;
  /** Cells from the first to the last one. */
  first: number;
  last: number;
  /** Its beginning or end was not recorded: what is known of its bytes is the least. */
  isCut: boolean;
  /** What the background may account for. */
  noiseBytes: number;
}

/** What a burst begins with, and what it reaches out to, in standard deviations of the background's logarithm. */
export const firstDeviations = 4;
const lastDeviations = 1.2;
/** Dips that are noise within one burst. */
const mostDipCells = 2;
const mostDipShare = 0.08;
/** Without a background every byte is above it: less than this share of the highest rates is not. */
const leastShareOfHighest = 0.0002;

/** Bytes above the background, of each cell. */
export function excessOf(series: Series, { median }: Background): Float64Array {
  const { startMs, endMs, bytes } = series;
  return bytes.map(
    (count, index) => count - ((median[index] as number) * ((endMs[index] as number) - (startMs[index] as number))) / 1000,
  );
}

export function burstsOf(series: Series, background: Background): Burst[] {
  const rates = ratesOf(series);
  const excess = excessOf(series, background);
  const floor = highest(rates) * leastShareOfHighest;
  const isAbove = (index: number, deviations: number): boolean => {
    const [median, spread] = [background.median[index] as number, background.spread[index] as number];
    return (
      (rates[index] as number) > Math.max(median * Math.exp(deviations * spread), median + (floor * deviations) / firstDeviations)
    );
  };
  const stretches = joined(stretchesOf(series, isAbove), series);
  return stretches.map(([first, last]) => burstOf(series, excess, background, first, last)).filter(({ bytes }) => bytes > 0);
}

/** Rates of which a high quantile is taken: more take long to sort, and say no more. */
const mostSorted = 20_000;

function highest(rates: Float64Array): number {
  const stride = Math.ceil(rates.length / mostSorted);
  const sorted = rates.filter((_rate, index) => index % stride === 0).sort();
  return sorted[Math.floor(sorted.length * 0.998)] ?? 0;
}

type Stretch = [first: number, last: number];

function stretchesOf(series: Series, isAbove: (index: number, deviations: number) => boolean): Stretch[] {
  const stretches: Stretch[] = [];
  const { length } = series.startMs;
  let reached = -1;
  for (let index = 0; index < length; index += 1) {
    if (index <= reached || !isAbove(index, firstDeviations)) continue;
    let [first, last] = [index, index];
    while (first - 1 > reached && follows(series, first - 1) && isAbove(first - 1, lastDeviations)) first -= 1;
    while (last + 1 < length && follows(series, last) && isAbove(last + 1, lastDeviations)) last += 1;
    reached = last;
    stretches.push([first, last]);
  }
  return stretches;
}

/** Whether the next cell begins where this one ends. */
function follows({ startMs, endMs, stepMs }: Series, index: number): boolean {
  return (startMs[index + 1] ?? Infinity) - (endMs[index] as number) < stepMs / 2;
}

function joined(stretches: readonly Stretch[], series: Series): Stretch[] {
  const result: Stretch[] = [];
  for (const [first, last] of stretches) {
    const before = result.at(-1);
    const isNear = before !== undefined && isDip(before, [first, last], series);
    if (isNear) before[1] = last;
    else result.push([first, last]);
  }
  return result;
}

function isDip(before: Stretch, after: Stretch, series: Series): boolean {
  const cells = after[0] - before[1] - 1;
  const shorter = Math.min(before[1] - before[0], after[1] - after[0]) + 1;
  // One quiet cell is a pause where saves take a cell or two.
  const most = Math.max(shorter > 3 ? mostDipCells : 0, Math.floor(shorter * mostDipShare));
  if (cells > most) return false;
  for (let index = before[1]; index < after[0]; index += 1) if (!follows(series, index)) return false;
  return true;
}

function burstOf(series: Series, excess: Float64Array, background: Background, first: number, last: number): Burst {
  const { startMs, endMs } = series;
  let [bytes, moment, noise] = [0, 0, 0];
  for (let index = first; index <= last; index += 1) {
    const value = excess[index] as number;
    const seconds = ((endMs[index] as number) - (startMs[index] as number)) / 1000;
    bytes += value;
    moment += value * (((startMs[index] as number) + (endMs[index] as number)) / 2 - (startMs[first] as number));
    noise += ((background.median[index] as number) * (background.spread[index] as number) * seconds) ** 2;
  }
  const [startedMs, finishedMs] = edges(series, excess, first, last);
  const isEnd = first === 0 || last === startMs.length - 1 || !follows(series, first - 1) || !follows(series, last);
  const isCut = isEnd || filledAtEdge(series, first, last) > mostFilledShare * (last - first + 1);
  const centreMs = (startMs[first] as number) + (bytes > 0 ? moment / bytes : 0);
  return { startedMs, finishedMs, bytes, centreMs, first, last, isCut, noiseBytes: Math.sqrt(noise) };
}

/** At its edges, more cells that stand in for unknown ones leave its bytes unknown. */
const mostFilledShare = 0.15;

function filledAtEdge({ isFilled }: Series, first: number, last: number): number {
  const run = (from: number, direction: 1 | -1): number => {
    let cell = from;
    while (cell >= first - 1 && cell <= last + 1 && isFilled[cell] === 1) cell += direction;
    return Math.abs(cell - from);
  };
  return (run(first - 1, 1) || run(first, 1)) + (run(last + 1, -1) || run(last, -1));
}

/** Its first and last cells are in part before and after it: as far as the rate within says. Of one or two cells the cells are all that is known. */
export function edges({ startMs, endMs }: Series, excess: Float64Array, first: number, last: number): [number, number] {
  const [beginMs, stopMs] = [startMs[first] as number, endMs[last] as number];
  if (last - first < 2) return [beginMs, stopMs];
  const rates: number[] = [];
  for (let index = first + 1; index < last; index += 1)
    rates.push((excess[index] as number) / ((endMs[index] as number) - (startMs[index] as number)));
  rates.sort((a, b) => a - b);
  const rate = rates[rates.length >> 1] as number;
  const within = (cell: number) =>
    Math.min((endMs[cell] as number) - (startMs[cell] as number), Math.max(0, excess[cell] as number) / rate);
  return [(endMs[first] as number) - within(first), (startMs[last] as number) + within(last)];
}

/** As many bursts as are searched. */
export function largestOf(bursts: readonly Burst[]): Burst[] {
  const most = limits.telemetryBursts;
  if (bursts.length <= most) return [...bursts];
  const least = [...bursts].sort((a, b) => b.bytes - a.bytes)[most - 1]?.bytes ?? 0;
  return bursts.filter(({ bytes }) => bytes >= least).slice(0, most);
}
