/**
 * Drains that overlap, each from its own beginning to its own end, and the course of rates that all have in common. Each is fitted in what the others leave, and
 * then the course in what each leaves, until both agree (backfitting).
 */
import { medianOrNull } from '../../bytes/median.js';
import { binsOf, hidingFactor, type RateBins } from './drainRates.js';
import type { OverlappingDrains } from './overlappingDrains.js';
import { firstEndingAfter } from './explained.js';
import type { Series } from './series.js';

export interface Drain {
  fromMs: number;
  toMs: number;
}

export interface FittedDrains {
  /** In the order of time. */
  drains: Drain[];
  course: Course;
}

/** Bytes a second of a drain: of each part after it begins and before it ends, and in between. */
interface Course {
  partMs: number;
  rise: Float64Array;
  fall: Float64Array;
  plateau: number;
}

/** Of a drain's duration what rises and what falls at most, and the parts of each. */
const [edgeShare, partsOfEdge] = [0.25, 16];
const rounds = 4;
/** Of an interval, how far a beginning or end may be from where the round before has it, and from where it was found. */
const [reachShare, mostReachShare] = [0.08, 0.12];
const placesInBin = 2;
/** What rates differ from the course by, and what a bin says against a place at most, as a log of a likelihood: others only add. */
const [rateDeviation, costOfMore, costOfLess] = [0.15, 1.5, 8];
/** What durations differ by. */
const durationDeviation = 0.03;
/** A part of the course is measured by so many bins. */
const leastSeen = 3;
const pointsOfBin = 4;

/** The drains as they fit best in what a series has. */
export function fittedDrains(found: OverlappingDrains, series: Series): FittedDrains {
  const bins = binsOf(series, 1);
  const { durationMs, bytesPerSecond, intervalMs } = found;
  const partMs = Math.max(bins.binMs, (edgeShare * durationMs) / partsOfEdge);
  const edge = () => new Float64Array(Math.floor((edgeShare * durationMs) / partMs)).fill(bytesPerSecond);
  const first = firstDrains(found, bins);
  let fit: FittedDrains = {
    drains: first,
    course: { partMs, rise: edge(), fall: edge(), plateau: bytesPerSecond },
  };
  const values = bins.rates.map((rate) => (rate < hidingFactor * bytesPerSecond ? rate - found.belowBytesPerSecond : NaN));
  for (let round = 0; round < rounds; round += 1) {
    fit = { drains: placed(fit, first, values, bins, intervalMs), course: fit.course };
    fit = { drains: fit.drains, course: courseOf(fit, values, bins) };
  }
  return fit;
}

/** Those that another one precedes, and before each stretch of them the one that precedes the first, where it was recorded. */
function firstDrains(
  { startsMs, intervalMs, durationMs, bytesPerSecond, belowBytesPerSecond }: OverlappingDrains,
  bins: RateBins,
): Drain[] {
  return startsMs.flatMap((starts) => {
    const firstMs = (starts[0] as number) - intervalMs;
    const at = (timeMs: number) => Math.max(0, Math.round((timeMs - bins.beginMs) / bins.binMs));
    const before = medianOrNull(
      [...bins.rates.subarray(at(firstMs), at(starts[0] as number))].filter((rate) => !Number.isNaN(rate)),
    );
    const isBefore = firstMs >= bins.beginMs && (before ?? 0) > belowBytesPerSecond + bytesPerSecond / 2;
    return [...(isBefore ? [firstMs] : []), ...starts].map((fromMs) => ({ fromMs, toMs: fromMs + durationMs }));
  });
}

function rateAt(timeMs: number, { fromMs, toMs }: Drain, { partMs, rise, fall, plateau }: Course): number {
  const [sinceMs, untilMs] = [timeMs - fromMs, toMs - timeMs];
  if (sinceMs < 0 || untilMs <= 0) return 0;
  return (sinceMs < untilMs ? rise[Math.floor(sinceMs / partMs)] : fall[Math.floor(untilMs / partMs)]) ?? plateau;
}

/** The mean rate of a drain over some time. */
function meanRate(fromMs: number, toMs: number, drain: Drain, course: Course): number {
  let sum = 0;
  for (let point = 0; point < pointsOfBin; point += 1)
    sum += rateAt(fromMs + ((toMs - fromMs) * (point + 0.5)) / pointsOfBin, drain, course);
  return sum / pointsOfBin;
}

/** For each bin that a drain is in, if in part. */
function forBins(
  { fromMs, toMs }: Drain,
  { beginMs, binMs, rates }: RateBins,
  use: (bin: number, binFromMs: number) => void,
): void {
  const end = Math.min(rates.length, Math.ceil((toMs - beginMs) / binMs));
  for (let bin = Math.max(0, Math.floor((fromMs - beginMs) / binMs)); bin < end; bin += 1) use(bin, beginMs + bin * binMs);
}

function add(drain: Drain, course: Course, bins: RateBins, sign: 1 | -1, into: Float64Array): void {
  forBins(drain, bins, (bin, fromMs) => {
    into[bin] = (into[bin] as number) + sign * meanRate(fromMs, fromMs + bins.binMs, drain, course);
  });
}

function allOf({ drains, course }: FittedDrains, bins: RateBins): Float64Array {
  const sums = new Float64Array(bins.rates.length);
  for (const drain of drains) add(drain, course, bins, 1, sums);
  return sums;
}

/** Each drain with the beginning, and then the end, that fits best in what the others leave, near where it was first. */
function placed(fit: FittedDrains, first: readonly Drain[], values: Float64Array, bins: RateBins, intervalMs: number): Drain[] {
  const { course } = fit;
  const others = allOf(fit, bins);
  const durationMs = medianOrNull(fit.drains.map(({ fromMs, toMs }) => toMs - fromMs)) ?? 0;
  const stepMs = bins.binMs / placesInBin;
  const reachMs = reachShare * intervalMs;
  return fit.drains.map((before, index) => {
    add(before, course, bins, -1, others);
    const aroundMs = reachMs + Math.max(reachMs, edgeShare * (before.toMs - before.fromMs));
    const movedBy = (drain: Drain, edge: keyof Drain): Drain => {
      const window = { fromMs: drain[edge] - aroundMs, toMs: drain[edge] + aroundMs };
      let [best, least] = [drain, Infinity];
      for (let offMs = 0; offMs <= reachMs; offMs = offMs > 0 ? -offMs : stepMs - offMs) {
        const trial = { ...drain, [edge]: drain[edge] + offMs };
        if (Math.abs(trial[edge] - (first[index] as Drain)[edge]) > mostReachShare * intervalMs) continue;
        const off = ((trial.toMs - trial.fromMs) / durationMs - 1) / durationDeviation;
        const cost = costOf(trial, window, others, values, course, bins) + (edge === 'toMs' ? off ** 2 / 2 : 0);
        if (cost < least) [best, least] = [trial, cost];
      }
      return best;
    };
    const drain = movedBy(movedBy(before, 'fromMs'), 'toMs');
    add(drain, course, bins, 1, others);
    return drain;
  });
}

/** What bins of a window say against a drain among others. */
function costOf(drain: Drain, window: Drain, others: Float64Array, values: Float64Array, course: Course, bins: RateBins): number {
  let cost = 0;
  forBins(window, bins, (bin, fromMs) => {
    const value = values[bin] as number;
    if (Number.isNaN(value)) return;
    const level = (others[bin] as number) + meanRate(fromMs, fromMs + bins.binMs, drain, course);
    const off = (value - level) / (rateDeviation * Math.max(level, course.plateau));
    cost += Math.min(off > 0 ? costOfMore : costOfLess, off ** 2 / 2);
  });
  return cost;
}

/** The usual rate of each part of drains, in what the others leave. */
function courseOf(fit: FittedDrains, values: Float64Array, bins: RateBins): Course {
  const { drains, course } = fit;
  const { partMs } = course;
  const all = allOf(fit, bins);
  const [rise, fall] = [course.rise, course.fall].map((edge) => Array.from(edge, (): number[] => [])) as [number[][], number[][]];
  const plateau: number[] = [];
  for (const drain of drains)
    forBins(drain, bins, (bin, fromMs) => {
      const value = values[bin] as number;
      const middleMs = fromMs + bins.binMs / 2;
      const [sinceMs, untilMs] = [middleMs - drain.fromMs, drain.toMs - middleMs];
      if (Number.isNaN(value) || sinceMs < 0 || untilMs < 0) return;
      const own = value - (all[bin] as number) + meanRate(fromMs, fromMs + bins.binMs, drain, course);
      ((sinceMs < untilMs ? rise[Math.floor(sinceMs / partMs)] : fall[Math.floor(untilMs / partMs)]) ?? plateau).push(own);
    });
  const usual = (seen: readonly number[], before: number) => (seen.length < leastSeen ? before : Math.max(0, middleBelow(seen)));
  return {
    partMs,
    rise: course.rise.map((before, part) => usual(rise[part] as number[], before)),
    fall: course.fall.map((before, part) => usual(fall[part] as number[], before)),
    plateau: usual(plateau, course.plateau),
  };
}

/** The middle of values to which others only add: without those that are further above it than as many are below it. */
function middleBelow(values: readonly number[]): number {
  let some = values;
  let middle = medianOrNull(some) ?? 0;
  for (let round = 0; round < rounds; round += 1) {
    const off = 1.4826 * (medianOrNull(some.filter((value) => value < middle).map((value) => middle - value)) ?? 0);
    some = values.filter((value) => value <= middle + mostDeviations * off);
    middle = medianOrNull(some) ?? middle;
  }
  return middle;
}

const mostDeviations = 2;

/** What drains write, in bytes a second of each cell. */
export function ratesOfDrains({ drains, course }: FittedDrains, { startMs, endMs }: Series): Float64Array {
  const rates = new Float64Array(startMs.length);
  for (const drain of drains)
    for (let cell = firstEndingAfter(endMs, drain.fromMs); (startMs[cell] ?? Infinity) < drain.toMs; cell += 1)
      rates[cell] = (rates[cell] as number) + meanRate(startMs[cell] as number, endMs[cell] as number, drain, course);
  return rates;
}

/** Bytes of a drain of a usual length. */
export function bytesOfDrain({ drains, course }: FittedDrains): number {
  const { partMs, rise, fall, plateau } = course;
  const durationMs = medianOrNull(drains.map(({ fromMs, toMs }) => toMs - fromMs)) ?? 0;
  const edges = [...rise, ...fall].reduce((sum, rate) => sum + rate * partMs, 0);
  return (edges + plateau * (durationMs - (rise.length + fall.length) * partMs)) / 1000;
}
