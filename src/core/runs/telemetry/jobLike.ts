/**
 * A job from one burst: where saves like it may have been, whole or below other jobs' saves, and the interval at which most of them come. So jobs are found
 * whose saves are hardly ever bursts of their own.
 */
import type { Bins } from './bins.js';
import type { Burst } from './bursts.js';
import { candidatesOf, gainsOf, type Candidate, type Gains } from './candidates.js';
import type { FoundJob } from './foundJob.js';
import { costOf, likeliestSequence, rhythmOf, slotsOf, type Rhythm } from './rhythm.js';

/** Intervals that are tried: each longer than the one before by less than they differ by. */
const stepOfIntervals = 1.015;
const jitterShare = 0.02;
/** Of a save's duration the shortest interval, and of the whole time the longest. */
const [leastDurations, leastIntervals] = [1.5, 4];
const leastCells = 3;
const leastSaves = 4;
/** Candidates that are searched, the strongest. */
const mostCandidates = 400;
/** What may be missing is measured anew where intervals differ by so much more. */
const coarser = 1.25;
/** Most jobs that candidates at random times would make. */
const mostByChance = 0.01;

interface Likely {
  sequence: Candidate[];
  rhythm: Rhythm;
  gain: number;
}

/** The likeliest job with saves like a burst; null where candidates at random times would make it too. */
export function jobLike(burst: Burst, bins: Bins): FoundJob | null {
  const template = { bytes: burst.bytes, durationMs: Math.max(1, burst.finishedMs - burst.startedMs) };
  const gains = gainsOf(template, bins);
  const candidates = candidatesOf(gains, template.durationMs, mostCandidates);
  if (candidates.length < leastSaves) return null;
  const intervals = intervalsOf(template.durationMs, bins);
  const best = likeliestOf(candidates, intervals, gains, bins);
  if (best === null || best.sequence.length < leastSaves) return null;
  if (logOfChance(best, candidates, intervals.length) > Math.log(mostByChance)) return null;
  const saves = best.sequence.map(({ startedMs }) => {
    const finishedMs = startedMs + template.durationMs;
    return { startedMs, finishedMs, centreMs: (startedMs + finishedMs) / 2, bytes: template.bytes, alone: null };
  });
  const { intervalMs, jitterMs } = best.rhythm;
  return { saves, intervalMs, jitterMs, ...template, isMeasured: false, isTimed: false, cost: 0 };
}

function intervalsOf(durationMs: number, { binMs, bytes }: Bins): number[] {
  const longest = (bytes.length * binMs) / leastIntervals;
  const intervals: number[] = [];
  for (let intervalMs = Math.max(leastDurations * durationMs, leastCells * binMs); intervalMs < longest;) {
    intervals.push(intervalMs);
    intervalMs *= stepOfIntervals;
  }
  return intervals;
}

function likeliestOf(
  candidates: readonly Candidate[],
  intervals: readonly number[],
  gains: Gains,
  { binMs }: Bins,
): Likely | null {
  let best: Likely | null = null;
  let usual: Rhythm | null = null;
  for (const intervalMs of intervals) {
    const jitterMs = jitterShare * intervalMs + binMs / 4;
    if (usual === null || jitterMs > coarser * usual.jitterMs) usual = rhythmOf(intervalMs, jitterMs, gains);
    const rhythm = { ...usual, intervalMs, jitterMs };
    const sequence = likeliestSequence(candidates, rhythm);
    const gain = sequence.reduce((sum, one) => sum + one.gain, 0) - costOf(sequence, rhythm);
    if (best === null || gain > best.gain) best = { sequence, rhythm, gain };
  }
  return best;
}

/** The log of how many such jobs candidates at random times would make: as often as they would be where an interval expects them. */
function logOfChance({ sequence, rhythm }: Likely, candidates: readonly Candidate[], intervals: number): number {
  const least = sequence.map(({ gain }) => gain).sort((a, b) => a - b)[sequence.length >> 2] as number;
  const strong = candidates.filter(({ gain }) => gain >= least).length;
  const spanMs = (candidates.at(-1) as Candidate).startedMs - (candidates[0] as Candidate).startedMs;
  const others = Math.max(1, strong - sequence.length);
  const atSlot = 1 - Math.exp((-others * 4 * rhythm.jitterMs) / spanMs);
  const counts = slotsOf(sequence, rhythm);
  const slots = counts.reduce((sum, count) => sum + count, 0);
  const hits = counts.filter((count) => count > 0).length;
  // The interval, and the first save of each stretch, may be any.
  let chance = Math.log(intervals) + (counts.length - hits) * Math.log(strong);
  for (let hit = 1; hit <= hits; hit += 1) chance += Math.log(((slots - hits + hit) / hit) * atSlot);
  return chance;
}
