/** How large saves are that are never alone, by sums: what a burst of several saves wrote, less the others' bytes, which holds however they slow each other. */
import { medianOrNull } from '../../bytes/median.js';
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
  const estimate = sizeBySums(job, others, known, written);
  return estimate !== null && estimate.deviation < mostDeviation * estimate.bytes ? estimate.bytes : null;
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
