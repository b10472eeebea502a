/** A job in all that the other jobs leave: its saves, its interval, and how large and long its saves are. */
import { medianOrNull } from '../../bytes/median.js';
import { candidatesOf, gainsOf, refinedOf, type Candidate } from './candidates.js';
import type { FoundJob, FoundSave } from './foundJob.js';
import type { Bins } from './bins.js';
import { costOf, jitterOf, likeliestSequence, mostJitter, paceOf, rhythmOf, slotsOf, type Rhythm } from './rhythm.js';
import { gainAt, gainOf, partsOf, roomOf, type Template } from './saveLikelihood.js';

/** Other intervals, if they explain so much more. */
const partsOfInterval = [1, 1 / 2, 1 / 3, 2];
const leastBetter = 1.05;
const durations = [1, 0.85, 1.2, 0.7, 1.45, 0.5, 0.25];

/** The job with the saves, the interval and the duration that are likeliest; null where it has none. */
export function refitted(job: FoundJob, bins: Bins): FoundJob | null {
  const centres = job.saves.map(({ centreMs }) => centreMs);
  const template = { bytes: job.bytes, durationMs: durationOf(centres, job, bins) };
  const gains = gainsOf(template, bins);
  const candidates = candidatesOf(gains, template.durationMs).map((candidate) => refinedOf(candidate, template, bins));
  let best: { sequence: Candidate[]; rhythm: Rhythm; gain: number } | null = null;
  for (const part of partsOfInterval) {
    const trialMs = job.intervalMs * part;
    const jitterMs = Math.min(job.jitterMs, mostJitter * trialMs) + bins.binMs / 4;
    const trial = rhythmOf(trialMs, jitterMs, gains);
    const sequence = likeliestSequence(candidates, trial);
    const rhythm = { ...trial, intervalMs: paceOf(sequence, trial) };
    const gain = sequence.reduce((sum, one) => sum + one.gain, 0) - costOf(sequence, rhythm);
    if (best === null || gain > best.gain * leastBetter) best = { sequence, rhythm, gain };
  }
  if (best === null || best.sequence.length < leastSeen) return null;
  const { sequence } = best;
  const { intervalMs } = best.rhythm;
  // Drains that overlap are looked for apart.
  if (template.durationMs > intervalMs) return null;
  const jitterMs = jitterOf(sequence, best.rhythm) + bins.binMs / 8;
  const rhythm = rhythmOf(intervalMs, jitterMs, gains);
  const times = [...sequence.map(({ startedMs }) => startedMs), ...between(sequence, rhythm, template, bins)];
  const { bytes, isMeasured } = bytesOf(sequence, template, bins);
  // Where others are taken out that are not there, less than nothing may be left.
  if (bytes <= 0) return null;
  const saves = times
    .sort((a, b) => a - b)
    .map((startedMs) => {
      const finishedMs = startedMs + template.durationMs;
      return { startedMs, finishedMs, centreMs: (startedMs + finishedMs) / 2, bytes, alone: null };
    });
  if (isUnchanged(job, saves, bins)) return job;
  return {
    ...job,
    saves,
    bytes,
    isMeasured,
    intervalMs,
    jitterMs,
    durationMs: template.durationMs,
    cost: costOf(sequence, rhythm),
  };
}

/** Whether nothing that others would see of a job is new. */
function isUnchanged(job: FoundJob, saves: readonly FoundSave[], { binMs }: Bins): boolean {
  return (
    saves.length === job.saves.length &&
    saves.every(({ startedMs, finishedMs, bytes }, index) => {
      const before = job.saves[index] as FoundSave;
      const offMs = Math.abs(startedMs - before.startedMs) + Math.abs(finishedMs - before.finishedMs);
      return offMs < binMs / 2 && Math.abs(bytes / before.bytes - 1) < sameBytes;
    })
  );
}

const sameBytes = 0.002;

const leastSeen = 3;

/** The duration with which the saves that are there are likeliest, at the same middle. */
function durationOf(centres: readonly number[], { bytes, durationMs }: Template, bins: Bins): number {
  let [best, most] = [durationMs, -Infinity];
  for (const factor of durations) {
    const trial = { bytes, durationMs: factor * durationMs };
    const gain = centres.reduce((sum, centreMs) => sum + gainAt(centreMs - trial.durationMs / 2, trial, bins), 0);
    if (gain > most) [best, most] = [trial.durationMs, gain];
  }
  return best;
}

/** Where an interval expects a save, what was written contradicts it where its room is less likely than this. */
const leastRoom = -4;

/** Saves that are not seen between two others: where they fit best. */
function between(sequence: readonly Candidate[], rhythm: Rhythm, template: Template, bins: Bins): number[] {
  const slots = slotsOf(sequence, rhythm);
  const { jitterMs } = rhythm;
  return sequence.flatMap((after, index) => {
    const count = slots[index] as number;
    const before = sequence[index - 1];
    if (before === undefined || count < 2) return [];
    return Array.from({ length: count - 1 }, (_slot, at) => {
      const expectedMs = before.startedMs + ((after.startedMs - before.startedMs) * (at + 1)) / count;
      return bestNear(expectedMs, jitterMs * Math.sqrt(Math.min(at + 1, count - 1 - at)), template, bins);
    }).filter((startedMs) => startedMs !== null);
  });
}

const placesInDeviation = 4;

/** Where there is room for a save near a time it is likeliest; null without room. */
function bestNear(expectedMs: number, deviationMs: number, template: Template, bins: Bins): number | null {
  let [best, most]: [number | null, number] = [null, -Infinity];
  for (let place = -3 * placesInDeviation; place <= 3 * placesInDeviation; place += 1) {
    const startedMs = expectedMs + (place * deviationMs) / placesInDeviation;
    const parts = partsOf(startedMs, template, bins);
    const room = roomOf(parts, template, bins);
    const likelihood = Math.max(-1, gainOf(parts, template, bins)) + room - (place / placesInDeviation) ** 2 / 2;
    if (room > leastRoom && likelihood > most) [best, most] = [startedMs, likelihood];
  }
  return best;
}

/** Bins of which others take less say how large a save is; as many of them, and of saves, are needed. */
const [mostOffShare, leastSeenShare, leastMeasured] = [0.1, 0.5, 2];

/** What is written in the bins of a save, by their share of it. */
function bytesOf(
  sequence: readonly Candidate[],
  { bytes, durationMs }: Template,
  { beginMs, binMs, bytes: values, deviation, near, isKnown }: Bins,
): { bytes: number; isMeasured: boolean } {
  const sums = sequence.flatMap(({ startedMs }) => {
    const first = Math.floor((startedMs - beginMs) / binMs) - 1;
    const last = Math.ceil((startedMs + durationMs - beginMs) / binMs);
    let [sum, seen] = [0, 0];
    for (let bin = first; bin <= last; bin += 1) {
      const fromMs = beginMs + bin * binMs;
      const inside = Math.max(0, Math.min(startedMs + durationMs, fromMs + binMs) - Math.max(startedMs, fromMs)) / durationMs;
      const full = bytes * Math.min(1, binMs / durationMs) * mostOffShare;
      if (isKnown[bin] !== 1 || (deviation[bin] as number) > full || (near[bin] as number) > full) continue;
      sum += values[bin] as number;
      seen += inside;
    }
    return seen < leastSeenShare ? [] : [{ bytes: sum / seen, isWhole: seen > wholeShare }];
  });
  const whole = sums.filter(({ isWhole }) => isWhole);
  const some = whole.length < leastMeasured ? sums : whole;
  const median = some.length < leastMeasured ? null : medianOrNull(some.map((one) => one.bytes));
  const off = median === null ? null : medianOrNull(some.map((one) => Math.abs(one.bytes / median - 1)));
  const isAgreed = some.length >= leastAgreeing && off !== null && off < mostDisagreement;
  return { bytes: median ?? bytes, isMeasured: whole.length >= leastMeasured || isAgreed };
}

/** So many saves that are seen in part say how large they are where they agree. */
const [leastAgreeing, mostDisagreement] = [5, 0.05];

/** What is seen of a save whose sum says how large it is. */
const wholeShare = 0.99;
