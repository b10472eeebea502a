/** Durations of single operations, gathered in bounded memory however many there are. */
import type { Latencies } from './measurement.js';

/**
 * Buckets of equal ratio: 250 to a factor of ten, from 100 ns to 10,000 s. A percentile is off by half a bucket at most, 0.5 %;
 * the longest duration is exact.
 */
const bucketsPerDecade = 250;
const shortestSeconds = 1e-7;
const bucketCount = 11 * bucketsPerDecade;

/** Counts by duration. Plain data, as threads send it to each other. */
export interface LatencyCounts {
  counts: Float64Array;
  maximumSeconds: number;
}

export function noLatencies(): LatencyCounts {
  return { counts: new Float64Array(bucketCount), maximumSeconds: 0 };
}

export function addLatency(to: LatencyCounts, seconds: number): void {
  const bucket = Math.floor(Math.log10(seconds / shortestSeconds) * bucketsPerDecade);
  // A duration of 0 gives −Infinity.
  const index = Math.min(Math.max(bucket, 0), bucketCount - 1);
  to.counts[index] = (to.counts[index] ?? 0) + 1;
  if (seconds > to.maximumSeconds) to.maximumSeconds = seconds;
}

export function mergeLatencies(parts: readonly LatencyCounts[]): LatencyCounts {
  const merged = noLatencies();
  for (const { counts, maximumSeconds } of parts) {
    counts.forEach((count, index) => (merged.counts[index] = (merged.counts[index] ?? 0) + count));
    merged.maximumSeconds = Math.max(merged.maximumSeconds, maximumSeconds);
  }
  return merged;
}

/** Percentiles by nearest rank: the shortest duration that at least this share of the operations did not exceed. All 0 where there were none. */
export function summariseLatencies(of: LatencyCounts): Latencies {
  const operations = of.counts.reduce((sum, count) => sum + count, 0);
  const percentile = (share: number): number => {
    const rank = Math.ceil(operations * share);
    let passed = 0;
    for (let index = 0; index < bucketCount; index++) {
      passed += of.counts[index] ?? 0;
      if (passed >= rank && passed > 0) return Math.min(middleOf(index), of.maximumSeconds);
    }
    return of.maximumSeconds;
  };
  return {
    operations,
    medianSeconds: percentile(0.5),
    p95Seconds: percentile(0.95),
    p99Seconds: percentile(0.99),
    maximumSeconds: of.maximumSeconds,
  };
}

function middleOf(bucket: number): number {
  return shortestSeconds * 10 ** ((bucket + 0.5) / bucketsPerDecade);
}
