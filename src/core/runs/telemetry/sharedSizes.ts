/**
 * How large saves are that are never alone. By sums: what a burst of several saves wrote, less the others' bytes, which holds however they slow each other.
 * Or by the usual course of a save: the rate at each part of it, over the saves that nothing else adds to just then.
 */
import { medianOrNull } from '../../bytes/median.js';
import { explainedBy, firstEndingAfter } from './explained.js';
import type { FoundJob } from './foundJob.js';
import type { Written } from './likelihood.js';

interface Estimate {
  bytes: number;
  /** One standard deviation. */
  deviation: number;
}

/** What the sizes of a job's saves differ by, at most. */
const othersDeviation = 0.004;
/** A size is known where it is off by less than this share, as several estimates of it show. */
const [mostDeviation, leastEstimates] = [0.04, 3];

/** The bytes of a save of a job among others, whose sizes are known; null where they cannot be measured. */
export function sharedSize(
  job: FoundJob,
  others: readonly FoundJob[],
  known: readonly FoundJob[],
  written: Written,
): number | null {
  const estimates = [sizeBySums(job, others, known, written), sizeByCourse(job, others, written)];
  const [surest] = estimates.filter((one) => one !== null).sort((a, b) => a.deviation - b.deviation);
  return surest !== undefined && surest.deviation < mostDeviation * surest.bytes ? surest.bytes : null;
}

function sizeBySums(
  job: FoundJob,
  others: readonly FoundJob[],
  known: readonly FoundJob[],
  { bursts }: Written,
): Estimate | null {
  const estimates = bursts.flatMap(({ startedMs, finishedMs, bytes, noiseBytes, isCut }) => {
    const inside = ({ saves }: FoundJob) => saves.filter(({ centreMs }) => centreMs >= startedMs && centreMs <= finishedMs);
    const count = isCut ? 0 : inside(job).length;
    if (count === 0) return [];
    const present = others.filter((other) => inside(other).length > 0);
    if (!present.every((other) => known.includes(other))) return [];
    const sizes = present.flatMap((other) => inside(other).map((save) => save.bytes));
    const off = Math.hypot(noiseBytes, ...sizes.map((size) => othersDeviation * size));
    return [{ bytes: (bytes - sizes.reduce((sum, size) => sum + size, 0)) / count, deviation: off / count }];
  });
  return combined(estimates);
}

/** The median of those that are as sure as most, and what it is off by as their differences show. */
function combined(estimates: readonly Estimate[]): Estimate | null {
  if (estimates.length < leastEstimates) return null;
  const sorted = [...estimates].sort((a, b) => a.deviation - b.deviation);
  const sure = sorted.slice(0, Math.max(leastEstimates, Math.ceil(sorted.length / 2))).map(({ bytes }) => bytes);
  const bytes = medianOrNull(sure) ?? 0;
  const off = medianOrNull(sure.map((one) => Math.abs(one - bytes))) ?? 0;
  return { bytes, deviation: (1.4826 * off * 1.25) / Math.sqrt(sure.length) };
}

/** Parts of a save's duration, from before its beginning to after its end. */
const [partsOfSave, partsAround] = [16, 5];
const leastOfPart = 3;

function sizeByCourse(job: FoundJob, others: readonly FoundJob[], { series, excess }: Written): Estimate | null {
  const { bytes: explained, near } = explainedBy(others, series);
  const { startMs, endMs } = series;
  const partMs = job.durationMs / partsOfSave;
  if (partMs < series.stepMs / 2) return null;
  const rates: number[][] = Array.from({ length: partsOfSave + 2 * partsAround }, () => []);
  const usual = job.bytes / job.durationMs;
  for (const save of job.saves) {
    const beginMs = save.centreMs - job.durationMs / 2;
    rates.forEach((some, part) => {
      const [fromMs, toMs] = [beginMs + (part - partsAround) * partMs, beginMs + (part - partsAround + 1) * partMs];
      let [sum, ms] = [0, 0];
      for (let cell = firstEndingAfter(endMs, fromMs); (startMs[cell] ?? Infinity) < toMs; cell += 1) {
        const lengthMs = (endMs[cell] as number) - (startMs[cell] as number);
        if ((near[cell] as number) / lengthMs > 0.05 * usual || series.isFilled[cell] === 1) continue;
        const inside = Math.min(toMs, endMs[cell] as number) - Math.max(fromMs, startMs[cell] as number);
        sum += ((excess[cell] as number) - (explained[cell] as number)) * (inside / lengthMs);
        ms += inside;
      }
      if (ms > partMs / 3) some.push(sum / ms);
    });
  }
  if (rates.some((some) => some.length < leastOfPart)) return null;
  let [bytes, variance] = [0, 0];
  for (const some of rates) {
    const mean = medianOrNull(some) ?? 0;
    const off = 1.4826 * (medianOrNull(some.map((one) => Math.abs(one - mean))) ?? 0);
    bytes += mean * partMs;
    variance += (off * partMs) ** 2 / some.length;
  }
  return { bytes, deviation: Math.sqrt(variance) };
}
