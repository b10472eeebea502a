/**
 * A job whose saves are hardly ever bursts of their own, measured by what is seen of them between other writes: one duration for all, and of each the time, that
 * fit best; then the size, by the mean course of saves at these times. What others may account for is no evidence.
 */
import { medianOrNull } from '../../bytes/median.js';
import { binsOf, type Bins } from './bins.js';
import { explainedBy, rateDeviation } from './explained.js';
import type { FoundJob, FoundSave } from './foundJob.js';
import type { Written } from './likelihood.js';

export interface Aligned {
  job: FoundJob;
  /** By the course of its saves; null where a part of it is not seen, or where a duration that is 10 % longer or shorter is about as likely. */
  bytes: number | null;
  /** Saves that what is seen makes likelier. */
  supported: number;
}

/** Bins are finer than those in which jobs are searched. */
const shareOfBins = 0.4;
/** Of what a save has in a bin where it is seen, what others may account for at most: near their edges, and within them. */
const [mostNearShare, mostDeviationShare] = [0.1, 0.3];
/** What a bin says against a save, or against none, at most, as a log of a likelihood. */
const costOfOther = 4.5;
/** Of what a save has in a bin. */
const leastNoiseShare = 0.03;
/** Durations that are tried, and how far from where it was found a save may be, in durations of the job as it was found. */
const [shortest, longest, stepOfDurations, mostOff] = [0.4, 2.2, 1.05, 0.6];
const placesInBin = 3;
/** Being off by a duration, as standard deviations. */
const deviationsOfOff = 2;
const rounds = 3;
/** Shorter saves keep their duration and rate. */
const leastBins = 3;
/** A save is supported from this on, and a duration is measured, as logs of likelihoods. */
const [leastGain, leastMargin] = [3, 2];
const otherDuration = Math.log(1.09);

interface Seen {
  bins: Bins;
  /** Bytes of a bin that a save takes all of. */
  full: number;
  isSeen: Uint8Array;
  /** Over all bins before each, what they say against a save that takes all of them. */
  sums: Float64Array;
}

interface Fit {
  durationMs: number;
  startsMs: number[];
  cost: number;
}

/** The job as it fits best between others; null where nothing is seen of its saves. */
export function alignedJob(job: FoundJob, others: readonly FoundJob[], written: Written): Aligned | null {
  const bins = binsOf(written, explainedBy(others, written.series), job.durationMs * shareOfBins);
  const isShort = job.durationMs < leastBins * bins.binMs;
  const durations = isShort ? [job.durationMs] : durationsAround(job.durationMs);
  let fits: Fit[] = [];
  let fit: Fit = {
    durationMs: job.durationMs,
    startsMs: job.saves.map(({ centreMs }) => centreMs - job.durationMs / 2),
    cost: 0,
  };
  let seen = seenOf(bins, (job.bytes * bins.binMs) / job.durationMs);
  for (let round = 0; round < rounds; round += 1) {
    const full = isShort ? seen.full : plateauOf(fit, seen);
    if (full <= 0) return null;
    seen = seenOf(bins, full);
    fits = durations.map((durationMs) => fitOf(durationMs, job, seen));
    fit = fits.reduce((best, one) => (one.cost < best.cost ? one : best));
  }
  const { durationMs, startsMs, cost } = fit;
  const isMeasured = fits.every(
    (one) => Math.abs(Math.log(one.durationMs / durationMs)) < otherDuration || one.cost > cost + leastMargin,
  );
  return {
    job: {
      ...job,
      durationMs,
      isTimed: isMeasured && !isShort,
      saves: startsMs.map((startedMs) => saveAt(startedMs, durationMs, job.bytes)),
    },
    bytes: isMeasured && !isShort ? sizeOf(fit, seen) : null,
    supported: startsMs.filter((startedMs) => -costAt(startedMs, durationMs, seen) > leastGain).length,
  };
}

function saveAt(startedMs: number, durationMs: number, bytes: number): FoundSave {
  return { startedMs, finishedMs: startedMs + durationMs, centreMs: startedMs + durationMs / 2, bytes, alone: null };
}

function durationsAround(durationMs: number): number[] {
  const tried: number[] = [];
  for (let factor = shortest; factor < longest; factor *= stepOfDurations) tried.push(factor * durationMs);
  return tried;
}

/** The usual bytes of a bin in the middle half of saves; 0 where none is seen. */
function plateauOf({ durationMs, startsMs }: Fit, { bins: { beginMs, binMs, bytes }, isSeen }: Seen): number {
  const values = startsMs.flatMap((startedMs) => {
    const first = Math.ceil((startedMs + durationMs / 4 - beginMs) / binMs);
    const end = Math.max(first + 1, Math.floor((startedMs + 0.75 * durationMs - beginMs) / binMs));
    return [...bytes.subarray(first, end)].filter((_value, index) => isSeen[first + index] === 1);
  });
  return medianOrNull(values) ?? 0;
}

function seenOf(bins: Bins, full: number): Seen {
  const { isKnown, deviation, near } = bins;
  const isSeen = isKnown.map((known, bin) =>
    Number(known === 1 && (deviation[bin] as number) < mostDeviationShare * full && (near[bin] as number) < mostNearShare * full),
  );
  const seen = { bins, full, isSeen, sums: new Float64Array(isSeen.length + 1) };
  for (let bin = 0; bin < isSeen.length; bin += 1) seen.sums[bin + 1] = (seen.sums[bin] as number) + costOfBin(bin, 1, seen);
  return seen;
}

/** What a bin says against a save that takes a share of it, less what it says against none. */
function costOfBin(bin: number, share: number, { bins: { bytes, deviation }, full, isSeen }: Seen): number {
  if (isSeen[bin] !== 1) return 0;
  const value = bytes[bin] as number;
  const noise = Math.max(deviation[bin] as number, leastNoiseShare * full);
  const without = Math.min(costOfOther, (value / noise) ** 2 / 2);
  const variance = noise ** 2 + (rateDeviation * share * full) ** 2;
  return Math.min(costOfOther, (value - share * full) ** 2 / variance / 2) - without;
}

function costAt(startedMs: number, durationMs: number, seen: Seen): number {
  const { beginMs, binMs } = seen.bins;
  const [from, to] = [(startedMs - beginMs) / binMs, (startedMs + durationMs - beginMs) / binMs];
  const [first, last] = [Math.floor(from), Math.floor(to)];
  if (first < 0 || last >= seen.isSeen.length) return 0;
  if (first === last) return costOfBin(first, to - from, seen);
  const between = (seen.sums[last] as number) - (seen.sums[first + 1] as number);
  return costOfBin(first, first + 1 - from, seen) + between + costOfBin(last, to - last, seen);
}

/** With a duration, each save where it fits best. */
function fitOf(durationMs: number, job: FoundJob, seen: Seen): Fit {
  const stepMs = seen.bins.binMs / placesInBin;
  const places = Math.ceil((mostOff * job.durationMs) / stepMs);
  let sum = 0;
  const startsMs = job.saves.map(({ centreMs }) => {
    const middleMs = centreMs - durationMs / 2;
    let [best, least] = [middleMs, Infinity];
    for (let place = -places; place <= places; place += 1) {
      const off = (deviationsOfOff * place * stepMs) / job.durationMs;
      const cost = costAt(middleMs + place * stepMs, durationMs, seen) + (off * off) / 2;
      if (cost < least) [best, least] = [middleMs + place * stepMs, cost];
    }
    sum += least;
    return best;
  });
  return { durationMs, startsMs, cost: sum };
}

/** Parts of a save, and of as long before and after it; so many saves show a part, and of all parts so many are seen. */
const [partsOfSave, partsAround, leastOfPart, leastParts] = [16, 5, 3, 0.7];

/** By the mean rate of each part of saves: for a part that is not seen, the others stand in. */
function sizeOf({ durationMs, startsMs }: Fit, { bins: { beginMs, binMs, bytes }, isSeen }: Seen): number | null {
  const partMs = durationMs / partsOfSave;
  let [inside, around, known] = [0, 0, 0];
  for (let part = -partsAround; part < partsOfSave + partsAround; part += 1) {
    const rates = startsMs.flatMap((startedMs) => {
      const bin = Math.floor((startedMs + (part + 0.5) * partMs - beginMs) / binMs);
      return isSeen[bin] === 1 ? [(bytes[bin] as number) / binMs] : [];
    });
    if (rates.length < leastOfPart) continue;
    const size = usualOf(rates) * partMs;
    if (part < 0 || part >= partsOfSave) around += size;
    else [inside, known] = [inside + size, known + 1];
  }
  return known < leastParts * partsOfSave ? null : (inside / known) * partsOfSave + around;
}

const mostDeviations = 4;

/** The mean, without what is far off. */
function usualOf(values: readonly number[]): number {
  const middle = medianOrNull(values) ?? 0;
  const off = 1.4826 * (medianOrNull(values.map((value) => Math.abs(value - middle))) ?? 0);
  const near = values.filter((value) => Math.abs(value - middle) <= mostDeviations * off);
  return near.reduce((sum, value) => sum + value, 0) / near.length;
}
