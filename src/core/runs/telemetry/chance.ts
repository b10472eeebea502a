/**
 * Whether a job may be chance: where bursts are many, some of them are near the times that any interval expects. Two questions are asked of the times at which
 * saves of a job's size and duration may be, in what the other jobs leave:
 * - how many jobs as regular as it would be found if these times had nothing to do with each other: the tail of a binomial distribution, by how often others
 *   are where no save is expected, times the intervals and first saves that are tried (Bonferroni's bound);
 * - where others are often where a save is expected, what other intervals explain. The search takes the best of many sequences, and so do they: what
 *   they usually explain is what chance does (as the floor of a periodogram is).
 */
import { medianOrNull } from '../../bytes/median.js';
import { limits } from '../../bytes/limits.js';
import { binsOf, type Bins } from './bins.js';
import { candidatesOf, gainsOf, type Candidate, type Gains } from './candidates.js';
import { explainedBy } from './explained.js';
import type { FoundJob } from './foundJob.js';
import type { Written } from './likelihood.js';
import { costOf, likeliestSequence, mostJitter, rhythmOf } from './rhythm.js';

/** Most jobs that chance would make: of those that stay, and while others are searched that account for some of the bursts. */
export const mostByChance = { found: 0.5, searched: 20 };
/** The same, and how often others are in a window, where bursts take more of the time than this: saves of most sizes fit somewhere in them. */
const crowded = { shareOfTime: 0.45, byChance: 0.01, inWindow: 0.06 };
/** Where bursts take less of the time, more saves than a few are seldom regular by chance: the search itself asks what is likelier. */
const [leastShareOfTime, fewSaves] = [0.25, 6];
/** Intervals that can be distinguished, from the shortest to the longest. */
const intervals = 300;
/** Around the time that an interval expects, so many deviations are a save's: and so much of the interval at most. */
const [deviationsOfWindow, mostOfInterval] = [4, 0.6];
/** Where saves are expected most of the time, others are counted in as much of it as this. */
const leastBetween = 0.25;
/** A job with more slots without saves than this for each save was interrupted: its saves are counted alone. */
const mostSlotsOfSave = 3;
/** With others by chance in more of the windows, intervals are compared. */
const mostInWindow = 0.12;
/** Of what a job explains, what other intervals usually explain at most. */
const mostOfOthers = 0.5;
/** Other intervals, as the logarithm of what they differ by: nearer ones find the same saves, and further ones twice or half as many. */
const [nearest, furthest, stepOfOthers] = [0.08, 0.4, 0.032];

/** Times at which saves of a job may be, and how likely one is near a time that its interval expects. */
interface Times {
  candidates: readonly Candidate[];
  /** Of them, those of its saves and all, as strong as most of its saves. */
  own: number;
  strong: number;
  inWindow: number;
}

/** Whether chance would make a job like this among bursts that have nothing to do with each other, in what the others leave. */
export function isByChance(job: FoundJob, others: readonly FoundJob[], written: Written, most: number): boolean {
  if (wholeIntervals(job) < leastIntervals) return true;
  const share = shareOfBursts(written);
  if (share < leastShareOfTime && job.saves.length > fewSaves) return false;
  const bins = binsOf(written, explainedBy(others, written.series), job.durationMs);
  const gains = gainsOf(job, bins);
  const times = timesOf(job, gains, bins);
  const hits = Math.min(times.own, slotsOf(job));
  const expected = Math.log(intervals * Math.max(1, times.strong)) + logOfTail(slotsOf(job), hits, times.inWindow);
  const isCrowded = share > crowded.shareOfTime;
  if (expected > Math.log(isCrowded ? crowded.byChance : most)) return true;
  return times.inWindow > (isCrowded ? crowded.inWindow : mostInWindow) && isUsual(job, times, gains, bins);
}

/** Of the time, what bursts take. */
function shareOfBursts({ bursts, series: { startMs, endMs } }: Written): number {
  const burstsMs = bursts.reduce((sum, { startedMs, finishedMs }) => sum + finishedMs - startedMs, 0);
  return burstsMs / ((endMs.at(-1) ?? 0) - (startMs[0] ?? 0));
}

/** One interval alone repeats nothing. */
const leastIntervals = 2;
const mostOff = 0.2;

/** Saves that come a whole number of intervals after the one before. */
function wholeIntervals({ saves, intervalMs }: FoundJob): number {
  return saves.filter(({ centreMs }, index) => {
    const before = saves[index - 1];
    if (before === undefined) return false;
    const count = (centreMs - before.centreMs) / intervalMs;
    return Math.abs(count - Math.round(count)) < mostOff;
  }).length;
}

function timesOf(job: FoundJob, gains: Gains, { binMs }: Bins): Times {
  const { saves, durationMs, intervalMs } = job;
  const candidates = candidatesOf(gains, durationMs, limits.telemetryTimes);
  const offMs = Math.max(binMs, durationMs / 2);
  const own = candidates.filter(({ startedMs }) =>
    saves.some((save) => Math.abs(save.centreMs - durationMs / 2 - startedMs) <= offMs),
  );
  const least = own.map(({ gain }) => gain).sort((a, b) => a - b)[own.length >> 2] ?? 0;
  const [fromMs, toMs] = [(saves[0]?.centreMs ?? 0) - intervalMs, (saves.at(-1)?.centreMs ?? 0) + intervalMs];
  const strong = candidates.filter(({ gain, startedMs }) => gain >= least && startedMs >= fromMs && startedMs <= toMs).length;
  const strongOwn = own.filter(({ gain }) => gain >= least).length;
  const windowMs = Math.min(mostOfInterval * intervalMs, deviationsOfWindow * jitterShareOf(job) * intervalMs + binMs);
  const betweenMs = Math.max(leastBetween * (toMs - fromMs), toMs - fromMs - slotsOf(job) * windowMs);
  const inWindow = 1 - Math.exp((-(strong - strongOwn + 1) * windowMs) / betweenMs);
  return { candidates, own: strongOwn, strong, inWindow };
}

function jitterShareOf({ jitterMs, intervalMs }: FoundJob): number {
  return Math.min(mostJitter, jitterMs / intervalMs);
}

/** Intervals from the first to the last save. */
function slotsOf({ saves, intervalMs }: FoundJob): number {
  const slots = Math.round(((saves.at(-1)?.centreMs ?? 0) - (saves[0]?.centreMs ?? 0)) / intervalMs) + 1;
  return slots < mostSlotsOfSave * saves.length ? Math.max(slots, saves.length) : saves.length;
}

/** The log of how likely at least so many hits are; 0 for as many as are expected, and fewer. */
function logOfTail(slots: number, hits: number, likelihood: number): number {
  if (hits <= slots * likelihood) return 0;
  let log = 0;
  for (let hit = 1; hit <= hits; hit += 1) log += Math.log(((slots - hits + hit) / hit) * likelihood);
  log += (slots - hits) * Math.log1p(-likelihood);
  // Further terms, each the one before times a factor that falls below 1.
  let [sum, term] = [1, 1];
  for (let more = hits; more < slots; more += 1) {
    term *= ((slots - more) / (more + 1)) * (likelihood / (1 - likelihood));
    sum += term;
  }
  return log + Math.log(sum);
}

/** Whether other intervals usually explain about as much. */
function isUsual(job: FoundJob, { candidates }: Times, gains: Gains, bins: Bins): boolean {
  const jitterShare = jitterShareOf(job);
  const explained = (factor: number) => explainedAt(job.intervalMs * factor, jitterShare, candidates, gains, bins);
  const others: number[] = [];
  for (let off = nearest; off < furthest; off += stepOfOthers) others.push(explained(Math.exp(off)), explained(Math.exp(-off)));
  return (medianOrNull(others) ?? 0) > mostOfOthers * explained(1);
}

/** How much likelier the likeliest saves at an interval make what was written, as a log. */
function explainedAt(
  intervalMs: number,
  jitterShare: number,
  candidates: readonly Candidate[],
  gains: Gains,
  { binMs }: Bins,
): number {
  const rhythm = rhythmOf(intervalMs, jitterShare * intervalMs + binMs / 4, gains);
  const sequence = likeliestSequence(candidates, rhythm);
  return sequence.reduce((sum, { gain }) => sum + gain, 0) - costOf(sequence, rhythm);
}
