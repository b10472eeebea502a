/**
 * The traffic below the bursts: what is usual around each time where no burst is. First a low quantile of a rolling window, which may not rise and
 * fall faster than the traffic of a day does, so that a drain of hours is no background; then the median and the spread of all that is near it.
 */
import type { Series } from './series.js';

export interface Background {
  /** Of each cell, bytes a second. */
  median: Float64Array;
  /** Spread around it, as the standard deviation of the logarithm. */
  spread: Float64Array;
}

/** Long enough to hold quiet cells between saves, short enough to follow a day. */
const windowMs = 3 * 3_600_000;
const leastWindowCells = 48;
const knotsPerWindow = 6;
const cellsPerKnot = 768;
/** Quantiles that lie below the bursts where these take less than about five sixths of the time. */
const [lowest, low] = [0.02, 0.1];
/** Standard deviations of a normal distribution between the two, and from the second to the middle. */
const [lowestToLow, lowToMiddle] = [0.772, 1.282];
/** What the background changes by in an hour, as a logarithm: a day with a tenfold peak. */
const mostSlope = 0.4;
/** And in all, by a factor. */
const mostFactor = 5;
/** Cells within so many standard deviations of the low quantile are background. */
const nearDeviations = 3;
const [leastSpread, mostSpread] = [0.03, 0.7];

export function backgroundOf(series: Series): Background {
  const rates = ratesOf(series);
  const knots = knotsOf(series);
  const quiet = knots.map((knot) => lowLevel(sampled(rates, knot)));
  const limit = withSlope(knots, quiet);
  const levels = knots.map((knot, index) => levelBelow(sampled(rates, knot), limit[index] as number));
  return {
    median: interpolated(series, knots, filled(levels.map(({ median }) => median))),
    spread: interpolated(series, knots, filled(levels.map(({ spread }) => spread))),
  };
}

export function ratesOf({ startMs, endMs, bytes }: Series): Float64Array {
  return bytes.map((count, index) => (count * 1000) / ((endMs[index] as number) - (startMs[index] as number)));
}

interface Knot {
  centreMs: number;
  first: number;
  end: number;
}

function knotsOf({ startMs, endMs, stepMs }: Series): Knot[] {
  const [beginMs, stopMs] = [startMs[0] as number, endMs.at(-1) as number];
  const width = Math.min(stopMs - beginMs, Math.max(windowMs, leastWindowCells * stepMs));
  const count = Math.max(1, Math.round(((stopMs - beginMs) / width) * knotsPerWindow));
  const knots: Knot[] = [];
  for (let index = 0, first = 0, end = 0; index <= count; index += 1) {
    const centreMs = beginMs + ((stopMs - beginMs) * index) / count;
    // At both ends the window stays as wide as elsewhere.
    const fromMs = Math.min(Math.max(beginMs, centreMs - width / 2), stopMs - width);
    while (first < startMs.length - 1 && (endMs[first] as number) <= fromMs) first += 1;
    while (end < startMs.length && (startMs[end] as number) < fromMs + width) end += 1;
    if (end > first) knots.push({ centreMs, first, end });
  }
  return knots;
}

/** Evenly spread values of a window, sorted. */
function sampled(rates: Float64Array, { first, end }: Knot): Float64Array {
  const stride = Math.max(1, Math.ceil((end - first) / cellsPerKnot));
  const values = new Float64Array(Math.ceil((end - first) / stride));
  for (let index = 0; index < values.length; index += 1) values[index] = rates[first + index * stride] as number;
  return values.sort();
}

/** The level up to which cells of a window are background. */
function lowLevel(sorted: Float64Array): number {
  const [least, lower] = [quantile(sorted, lowest), quantile(sorted, low)];
  const spread = least > 0 ? clamped(Math.log(lower / least) / lowestToLow) : mostSpread;
  return lower * Math.exp((lowToMiddle + nearDeviations) * spread);
}

function withSlope(knots: readonly Knot[], levels: readonly number[]): number[] {
  const least = levels.reduce((most, level) => (level > 0 ? Math.min(most, level) : most), Infinity);
  const limited = levels.map((level) => Math.min(level, least * mostFactor));
  const step = (to: number, from: number): void => {
    const hours = Math.abs((knots[to] as Knot).centreMs - (knots[from] as Knot).centreMs) / 3_600_000;
    const most = (limited[from] as number) * Math.exp(mostSlope * hours);
    if (most > 0) limited[to] = Math.min(limited[to] as number, most);
  };
  for (let index = 1; index < limited.length; index += 1) step(index, index - 1);
  for (let index = limited.length - 2; index >= 0; index -= 1) step(index, index + 1);
  return limited;
}

/** Median and spread of what is not above the limit; null where that is too little to say. */
function levelBelow(sorted: Float64Array, limit: number): { median: number | null; spread: number | null } {
  let count = 0;
  while (count < sorted.length && (sorted[count] as number) <= limit) count += 1;
  if (count < Math.max(3, sorted.length * 0.04)) return { median: null, spread: null };
  const below = sorted.subarray(0, count);
  const median = quantile(below, 0.5);
  const lower = quantile(below, 0.16);
  return { median, spread: lower > 0 ? clamped(Math.log(median / lower)) : mostSpread };
}

function clamped(spread: number): number {
  return Math.min(mostSpread, Math.max(leastSpread, spread));
}

export function quantile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

/** Knots without a value take those between their neighbours. */
function filled(values: readonly (number | null)[]): number[] {
  const known = values.flatMap((value, index) => (value === null ? [] : [{ index, value }]));
  let next = 0;
  return values.map((value, index) => {
    if (value !== null) return value;
    while (next < known.length && (known[next]?.index ?? 0) < index) next += 1;
    const [before, after] = [known[next - 1], known[next]];
    if (before === undefined) return after?.value ?? 0;
    if (after === undefined) return before.value;
    return before.value + ((after.value - before.value) * (index - before.index)) / (after.index - before.index);
  });
}

function interpolated({ startMs, endMs }: Series, knots: readonly Knot[], values: readonly number[]): Float64Array {
  const result = new Float64Array(startMs.length);
  let next = 1;
  for (let index = 0; index < result.length; index += 1) {
    const timeMs = ((startMs[index] as number) + (endMs[index] as number)) / 2;
    while (next < knots.length - 1 && (knots[next] as Knot).centreMs < timeMs) next += 1;
    const [before, after] = [knots[next - 1], knots[Math.min(next, knots.length - 1)]];
    const [from, to] = [values[next - 1] ?? 0, values[Math.min(next, values.length - 1)] ?? 0];
    const span = (after?.centreMs ?? 0) - (before?.centreMs ?? 0);
    const share = span <= 0 ? 0 : Math.min(1, Math.max(0, (timeMs - (before?.centreMs ?? 0)) / span));
    result[index] = from + (to - from) * share;
  }
  return result;
}
