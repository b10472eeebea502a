/** Whether drains that overlap are there: whether intervals have a course in common, or steady rates explain what is written as well. */
import { medianOrNull } from '../../bytes/median.js';
import { isSeen, pauseShare, type RateBins } from './drainRates.js';

export interface Trial {
  rate: number;
  interval: number;
  pulse: number;
}

export interface Path {
  score: number;
  starts: number[][];
}

export interface Likely {
  trial: Trial;
  path: Path;
}

/** Intervals differ by up to this share. */
export const jitterShare = 0.08;
/** Of an interval, the part with two drains. */
const leastPulse = 0.15;
/** What a rate differs from the course by, as a logarithm, at least and at most; and what one that is not on it says against it at most. */
const [leastDeviation, mostDeviation, costOfOther] = [0.05, 0.2, 4];

/** The log of how much likelier the course that intervals have in common makes each of them than a steady rate of its own. */
export function courseMarginOf({ trial, path: { starts } }: Likely, { rates, lowest }: RateBins): number {
  // A shorter rise is a save on what else is written; and of drains that overlap no part of an interval is a pause.
  if (trial.pulse < leastPulse * trial.interval) return -Infinity;
  for (let phase = 0; phase < trial.interval; phase += 1)
    if (middleOf(starts.flat().map((start) => lowest[start + phase] as number)) < pauseShare * trial.rate) return -Infinity;
  const intervals = starts.flat().map((start) => logsOf(rates.subarray(start, start + trial.interval), trial.rate));
  const course = Array.from({ length: trial.interval }, (_bin, phase) =>
    middleOf(intervals.map((logs) => logs[phase] as number)),
  );
  const offs = intervals.map((logs) => logs.map((log, phase) => log - (course[phase] as number)));
  const usual = 1.4826 * middleOf(offs.flat().map(Math.abs));
  const deviation = Math.min(mostDeviation, Math.max(leastDeviation, usual));
  const costOf = (all: readonly number[]) =>
    all.reduce((sum, off) => (Number.isNaN(off) ? sum : sum + Math.min(costOfOther, (off / deviation) ** 2 / 2)), 0);
  return intervals.reduce((sum, logs, index) => {
    const steady = middleOf(logs);
    return sum + costOf(logs.map((log) => log - steady)) - costOf(offs[index] as number[]);
  }, 0);
}

/** Logarithms of rates; NaN for those that hide drains, or are not known. */
function logsOf(rates: Float64Array, rate: number): number[] {
  return Array.from(rates, (value) => (isSeen(value, rate) && value > 0 ? Math.log(value) : NaN));
}

function middleOf(values: readonly number[]): number {
  return medianOrNull(values.filter((value) => !Number.isNaN(value))) ?? NaN;
}

/** Of what two rates explain, what no steady rate does. */
const leastMargin = 0.05;
const costOfJob = 12;

/** Noise too seems to have two rates where times are chosen for it: the choice among so many is subtracted, as the log of their number. */
export function leastMarginOf({ trial, path: { score, starts } }: Likely): number {
  const choices = 2 * Math.max(1, Math.round(jitterShare * trial.interval)) + 1;
  return Math.max(leastMargin * score, costOfJob + 2 * starts.flat().length * Math.log(choices));
}
