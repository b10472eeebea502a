/**
 * Drains that take longer than an interval: what is written never pauses, and is twice as high for the part of each interval in which two are under way.
 * They are searched by rate, interval and that part: of the times at which drains may begin, those are taken that explain most (segments of a hidden Markov
 * model with durations, by Viterbi's algorithm).
 */
import { medianOrNull } from '../../bytes/median.js';
import { firstEndingAfter } from './explained.js';
import {
  binsOf,
  gainOfRate,
  hidingFactor,
  isSeen,
  longestWithoutPause,
  ratesToTry,
  scoresAt,
  type RateBins,
} from './drainRates.js';
import { courseMarginOf, jitterShare, leastMarginOf, type Likely, type Path, type Trial } from './drainCourse.js';
import type { Series } from './series.js';

export interface OverlappingDrains {
  /** When drains begin that another one precedes, by stretches without a pause. */
  startsMs: number[][];
  intervalMs: number;
  durationMs: number;
  bytesPerSecond: number;
  /** Of the traffic below. */
  belowBytesPerSecond: number;
}

/** Of an interval; longer ones are searched in bins that are longer by a factor. */
const [binsOfInterval, mostBinsOfInterval, coarser] = [12, 60, 4];
/** In the shortest bins: shorter intervals are in no others. */
const shortestBinsOfInterval = 8;
const costOfRestart = 30;
/** What goes up and down more slowly is the traffic of a day. */
const longestMs = 6 * 3_600_000;
const stepOfIntervals = 1.06;
const roughShares = [0.15, 0.3, 0.45, 0.6, 0.75, 0.88];
const fineShares = Array.from({ length: 17 }, (_share, index) => 0.1 + index / 20);
const leastStarts = 5;
/** Of the bins that are seen, so many are at their rate; and of all so many are seen. */
const [leastExplained, leastSeen] = [0.5, 0.3];
/** The drains that explain most of what is written; null where steady rates explain it as well. */
export function overlappingDrains(series: Series): OverlappingDrains | null {
  let [best, most]: [OverlappingDrains | null, number] = [null, 0];
  for (let factor = 1; ; factor *= coarser) {
    const bins = binsOf(series, factor);
    if (bins.rates.length < leastStarts * binsOfInterval) return best;
    const found = likeliestAt(bins, factor === 1 ? shortestBinsOfInterval : binsOfInterval);
    const score = (found?.path.score ?? 0) * bins.binMs;
    const drains = found === null ? null : drainsOf(found, bins, series);
    if (drains !== null && score > most) [best, most] = [drains, score];
  }
}

/** Those with intervals of some bins, at least of so many. */
function likeliestAt(bins: RateBins, leastBins: number): Likely | null {
  let best: Likely | null = null;
  for (const rate of ratesToTry(bins)) {
    const longest = Math.min(mostBinsOfInterval, longestMs / bins.binMs, longestWithoutPause(bins, rate) / leastStarts);
    if (longest < leastBins) continue;
    const sums: Sums = { one: scoresAt(bins, rate, 1), two: scoresAt(bins, rate, 2) };
    const intervals: number[] = [];
    for (let interval = leastBins; interval < longest; interval *= stepOfIntervals) intervals.push(interval);
    const rough = likeliestOf(rate, intervals, roughShares, sums);
    if (rough === null) continue;
    const { interval } = rough.trial;
    const fine = likeliestOf(rate, [interval * 0.97, interval, interval * 1.03], fineShares, sums) ?? rough;
    if (fine.path.score > (best?.path.score ?? 0) && courseMarginOf(fine, bins) > leastMarginOf(fine)) best = fine;
  }
  return best;
}

interface Sums {
  one: Float64Array;
  two: Float64Array;
}

function likeliestOf(rate: number, intervals: readonly number[], shares: readonly number[], sums: Sums): Likely | null {
  let best: Likely | null = null;
  for (const interval of intervals)
    for (const share of shares) {
      const trial = { rate, interval: Math.round(interval), pulse: Math.max(1, Math.round(share * interval)) };
      const path = likeliestStarts(trial, sums);
      if (path.score > (best?.path.score ?? 0)) best = { trial, path };
    }
  return best;
}

function likeliestStarts({ interval, pulse }: Trial, { one, two }: Sums): Path {
  const count = one.length - 1 - interval;
  if (count <= 0) return { score: 0, starts: [] };
  const spread = Math.max(1, Math.round(jitterShare * interval));
  const from = new Int32Array(count).fill(-1);
  // The score of what begins at each time, but for `one` up to the next.
  const begun = new Float64Array(count);
  const finished = (at: number) => (begun[at] as number) + (one[at + interval] as number);
  const costs = Array.from({ length: 2 * spread + 1 }, (_cost, index) => ((index - spread) / Math.max(1, spread / 2)) ** 2 / 2);
  let [ended, end] = [-1, -1];
  let [endedScore, endScore] = [costOfRestart, 0];
  for (let at = 0; at < count; at += 1) {
    const before = at - interval;
    if (before >= 0 && finished(before) > endedScore) [ended, endedScore] = [before, finished(before)];
    let [most, source] = [ended < 0 ? 0 : endedScore - costOfRestart, ended < 0 ? -1 : -2 - ended];
    for (let start = Math.max(0, before - spread); start <= before + spread && start + pulse <= at; start += 1) {
      const score = (begun[start] as number) + (one[at] as number) - (costs[start - before + spread] as number);
      if (score > most) [most, source] = [score, start];
    }
    from[at] = source;
    begun[at] = most + within(two, at, at + pulse) - (one[at + pulse] as number);
    if (finished(at) > endScore) [end, endScore] = [at, finished(at)];
  }
  const starts: number[][] = [[]];
  for (let at = end; at >= 0;) {
    starts[0]?.unshift(at);
    const source = from[at] as number;
    if (source < -1) starts.unshift([]);
    at = source < -1 ? -2 - source : source;
  }
  return { score: endScore, starts };
}

function within(sums: Float64Array, from: number, to: number): number {
  return (sums[to] as number) - (sums[from] as number);
}

/** As they are measured at the times that were found; null where too little is at these rates. */
function drainsOf({ trial, path }: Likely, bins: RateBins, series: Series): OverlappingDrains | null {
  const stretches = path.starts.map((some) => withoutSingle(some, trial, bins)).filter(({ length }) => length > 1);
  const starts = stretches.flat();
  if (starts.length < leastStarts) return null;
  const { beginMs, binMs } = bins;
  const rates = bins.rates.map((value) => (isSeen(value, trial.rate) ? value : NaN));
  const course = Array.from({ length: trial.interval }, (_bin, phase) => starts.map((start) => rates[start + phase] as number));
  const seen = course.map((values) => values.filter((value) => !Number.isNaN(value)));
  const seenBins = seen.reduce((sum, { length }) => sum + length, 0);
  const explained = path.score / (gainOfRate * seenBins);
  if (explained < leastExplained || seenBins < leastSeen * starts.length * trial.interval) return null;
  const medians = seen.map((values) => medianOrNull(values)).filter((value) => value !== null);
  const sorted = [...medians].sort((a, b) => a - b);
  const share = trial.pulse / trial.interval;
  const low = sorted[Math.floor(((1 - share) / 2) * sorted.length)] ?? 0;
  const high = sorted[Math.floor((1 - share / 4) * sorted.length)] ?? 0;
  const lowest = bins.rates.filter((value) => !Number.isNaN(value)).sort()[fewBins] ?? 0;
  const below = Math.min(lowest, Math.max(0, 2 * low - high));
  const rate = low - below;
  const pulse = medians.reduce((sum, one) => sum + (one - low) / rate, 0) * (trial.interval / medians.length);
  const paces = stretches.flatMap((some) => some.slice(1).map(() => ((some.at(-1) ?? 0) - (some[0] ?? 0)) / (some.length - 1)));
  const interval = medianOrNull(paces) ?? trial.interval;
  return {
    startsMs: stretches.map((some) => some.map((start) => stepNear(beginMs + start * binMs, binMs, hidingFactor * rate, series))),
    intervalMs: interval * binMs,
    durationMs: (interval + pulse) * binMs,
    bytesPerSecond: rate,
    belowBytesPerSecond: below,
  };
}

/** Without what one drain alone is, before the first that overlap and after the last. */
function withoutSingle(starts: readonly number[], { rate, pulse }: Trial, { rates }: RateBins): readonly number[] {
  const isTwo = (start: number) => {
    const seen = [...rates.subarray(start, start + pulse)].filter((value) => isSeen(value, rate));
    return (medianOrNull(seen) ?? Infinity) > betweenOneAndTwo * rate;
  };
  const [first, last] = [starts.findIndex(isTwo), starts.findLastIndex(isTwo)];
  return first < 0 ? [] : starts.slice(first, last + 1);
}

const betweenOneAndTwo = 1.5;

/** Where near a time the rate rises most, by cells. */
function stepNear(timeMs: number, binMs: number, mostRate: number, series: Series): number {
  const { startMs, endMs, bytes } = series;
  const meanOf = (fromMs: number, toMs: number) => {
    let [sum, count] = [0, 0];
    for (let cell = firstEndingAfter(endMs, fromMs); (startMs[cell] ?? Infinity) < toMs; cell += 1) {
      sum += Math.min(mostRate, ((bytes[cell] as number) * 1000) / ((endMs[cell] as number) - (startMs[cell] as number)));
      count += 1;
    }
    return count === 0 ? 0 : sum / count;
  };
  let [best, most] = [timeMs, -Infinity];
  for (let cell = firstEndingAfter(endMs, timeMs - binMs); (startMs[cell] ?? Infinity) <= timeMs + binMs; cell += 1) {
    const atMs = startMs[cell] as number;
    const rise = meanOf(atMs, atMs + 2 * binMs) - meanOf(atMs - 2 * binMs, atMs);
    if (rise > most) [best, most] = [atMs, rise];
  }
  return best;
}

/** So few bins are lower than the traffic below drains. */
const fewBins = 3;
