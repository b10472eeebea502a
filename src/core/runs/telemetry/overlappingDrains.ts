/**
 * Drains that take longer than an interval: two are under way at once for a part of it, and one for the rest. What stands out are the parts with two, as high
 * again as what is between them; the bytes of a save are all that is written in an interval.
 */
import { medianOrNull } from '../../bytes/median.js';
import { explainedBy, firstEndingAfter } from './explained.js';
import type { FoundJob } from './foundJob.js';
import type { Series } from './series.js';

/** What is between two pulses is as high as they are: more or less of it is traffic of its own. Noise and the slow begin and end of drains lower pulses. */
const [leastLevel, mostLevel] = [0.65, 1.6];
const leastPulses = 4;
/** The share of cells, and how many, below whose rates is no drain. */
const [lowest, fewCells] = [0.001, 3];
/** Of a pulse and of what is between two, the middle: at the edges drains begin and end. */
const middleShare = 0.5;

/** The job as it is where its saves are such pulses; null where they stand alone. */
export function overlappingJob(job: FoundJob, jobs: readonly FoundJob[], series: Series): FoundJob | null {
  const rates = ratesWithout(
    jobs.filter((other) => other !== job),
    series,
  );
  const known = Float64Array.from(rates.filter((rate) => !Number.isNaN(rate))).sort();
  const below = known[Math.max(fewCells, Math.floor(lowest * known.length))] ?? 0;
  const pulses = job.saves;
  const level = medianOrNull(
    pulses.slice(1).flatMap((pulse, index) => {
      const before = pulses[index] as FoundJob['saves'][number];
      return follows(before.startedMs, pulse.startedMs, job) ? middleRate(before.finishedMs, pulse.startedMs, rates, series) : [];
    }),
  );
  const top = medianOrNull(pulses.flatMap(({ startedMs, finishedMs }) => middleRate(startedMs, finishedMs, rates, series)));
  if (pulses.length < leastPulses || level === null || top === null) return null;
  const [one, second] = [level - below, top - level];
  if (one < leastLevel * second || one > mostLevel * second) return null;
  const bytes = medianOrNull(bytesOfIntervals(job, rates, below, series));
  if (bytes === null) return null;
  const isDrainAt = (timeMs: number) => {
    const [rate] = middleRate(timeMs, timeMs + job.intervalMs, rates, series);
    return rate !== undefined && rate - below > one / 2;
  };
  const durationMs = job.intervalMs + job.durationMs;
  // The first of several begins before the first pulse, which is where the second begins.
  const starts = pulses.flatMap(({ startedMs }, index) => {
    const firstMs = startedMs - job.intervalMs;
    const before = pulses[index - 1];
    const isFirst = before === undefined || !follows(before.startedMs, startedMs, job);
    return isFirst && isDrainAt(firstMs) ? [firstMs, startedMs] : [startedMs];
  });
  const saves = starts.map((startedMs) => ({
    startedMs,
    finishedMs: startedMs + durationMs,
    centreMs: startedMs + durationMs / 2,
    bytes,
    alone: null,
  }));
  return { ...job, saves, bytes, durationMs };
}

function follows(beforeMs: number, afterMs: number, { intervalMs }: FoundJob): boolean {
  return afterMs - beforeMs < 1.5 * intervalMs;
}

/** Bytes a second of each cell without other jobs; NaN where these hide what is left. */
function ratesWithout(others: readonly FoundJob[], series: Series): Float64Array {
  const { bytes, near } = explainedBy(others, series);
  return series.bytes.map((count, cell) => {
    const seconds = ((series.endMs[cell] as number) - (series.startMs[cell] as number)) / 1000;
    return (near[cell] as number) > 0 ? NaN : (count - (bytes[cell] as number)) / seconds;
  });
}

/** The median rate of the middle of a stretch of time; nothing where none is known. */
function middleRate(fromMs: number, toMs: number, rates: Float64Array, { startMs, endMs }: Series): number[] {
  const offMs = ((1 - middleShare) / 2) * (toMs - fromMs);
  const first = firstEndingAfter(endMs, fromMs + offMs);
  let end = first;
  while ((startMs[end] ?? Infinity) < toMs - offMs) end += 1;
  const middle = medianOrNull([...rates.subarray(first, end)].filter((rate) => !Number.isNaN(rate)));
  return middle === null ? [] : [middle];
}

/** Of two pulses that follow each other, what is written from the beginning of one to that of the other. */
function bytesOfIntervals(job: FoundJob, rates: Float64Array, below: number, { startMs, endMs }: Series): number[] {
  return job.saves.slice(1).flatMap(({ startedMs }, index) => {
    const fromMs = (job.saves[index] as FoundJob['saves'][number]).startedMs;
    if (!follows(fromMs, startedMs, job)) return [];
    let [sum, seconds] = [0, 0];
    for (let cell = firstEndingAfter(endMs, fromMs); (startMs[cell] ?? Infinity) < startedMs; cell += 1) {
      const rate = rates[cell] as number;
      const inside = (Math.min(startedMs, endMs[cell] as number) - Math.max(fromMs, startMs[cell] as number)) / 1000;
      if (Number.isNaN(rate)) continue;
      sum += (rate - below) * inside;
      seconds += inside;
    }
    return seconds < ((startedMs - fromMs) / 1000) * leastSeenShare ? [] : [((sum / seconds) * (startedMs - fromMs)) / 1000];
  });
}

const leastSeenShare = 0.6;
