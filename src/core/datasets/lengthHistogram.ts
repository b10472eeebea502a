/** Lengths of samples as a histogram that is exact for short ones and has sixteen buckets to each doubling above. */
import type { LengthHistogram } from './datasetReport.js';

/** Lengths below this have a bucket of their own. */
const EXACT_BELOW = 32;
const PER_DOUBLING = 16;
/** Buckets up to lengths of 2^53. */
const BUCKETS = EXACT_BELOW + (53 - 5) * PER_DOUBLING;

/** Takes lengths one by one, in bounded memory however many there are. */
export class LengthCounter {
  private readonly counts = new Float64Array(BUCKETS);
  private count = 0;
  private sum = 0;
  private min = Infinity;
  private max = 0;

  add(length: number): void {
    const bucket = length < EXACT_BELOW ? length : bucketOf(length);
    this.counts[bucket] = (this.counts[bucket] as number) + 1;
    this.count += 1;
    this.sum += length;
    if (length < this.min) this.min = length;
    if (length > this.max) this.max = length;
  }

  /** All lengths of an array at once, as typed arrays of an index file give them. Negative ones are taken as 0. */
  addAll(lengths: Int32Array): void {
    const { counts } = this;
    let { sum, min, max } = this;
    // Indexes have tens of millions of lengths: nothing but integer steps and local variables in here.
    for (let index = 0; index < lengths.length; index++) {
      const stored = lengths[index] as number;
      const length = stored < 0 ? 0 : stored;
      const bucket = length < EXACT_BELOW ? length : bucketOfInt32(length);
      counts[bucket] = (counts[bucket] as number) + 1;
      sum += length;
      if (length < min) min = length;
      if (length > max) max = length;
    }
    this.count += lengths.length;
    this.sum = sum;
    this.min = min;
    this.max = max;
  }

  get total(): number {
    return this.sum;
  }

  get empty(): number {
    return this.counts[0] as number;
  }

  /** Null where nothing was added. */
  histogram(unit: string): LengthHistogram | null {
    if (this.count === 0) return null;
    const buckets: LengthHistogram['buckets'] = [];
    let seen = 0;
    let medianTokens = 0;
    this.counts.forEach((count, bucket) => {
      if (count === 0) return;
      const [from, to] = rangeOf(bucket);
      if (seen < this.count / 2) medianTokens = Math.min(to, this.max);
      seen += count;
      buckets.push({ from, to, count });
    });
    return {
      unit,
      count: this.count,
      minTokens: this.min,
      maxTokens: this.max,
      meanTokens: this.sum / this.count,
      medianTokens,
      empty: this.empty,
      buckets,
    };
  }
}

/** `bucketOf` for 32 to 2^31 - 1, without floating point. */
function bucketOfInt32(length: number): number {
  const exponent = 31 - Math.clz32(length);
  return EXACT_BELOW + (exponent - 5) * PER_DOUBLING + ((length >>> (exponent - 4)) & (PER_DOUBLING - 1));
}

function bucketOf(length: number): number {
  const exponent = Math.min(52, Math.floor(Math.log2(length)));
  const base = 2 ** exponent;
  return Math.min(BUCKETS - 1, EXACT_BELOW + (exponent - 5) * PER_DOUBLING + Math.floor(((length - base) * PER_DOUBLING) / base));
}

function rangeOf(bucket: number): [from: number, to: number] {
  if (bucket < EXACT_BELOW) return [bucket, bucket];
  const exponent = 5 + Math.floor((bucket - EXACT_BELOW) / PER_DOUBLING);
  const width = 2 ** exponent / PER_DOUBLING;
  const from = 2 ** exponent + ((bucket - EXACT_BELOW) % PER_DOUBLING) * width;
  return [from, from + width - 1];
}

/** Samples that all have the same length. */
export function fixedLengths(unit: string, count: number, length: number): LengthHistogram {
  const bucket = length < EXACT_BELOW ? length : bucketOf(length);
  const [from, to] = rangeOf(bucket);
  const empty = length === 0 ? count : 0;
  const buckets = [{ from, to, count }];
  return { unit, count, minTokens: length, maxTokens: length, meanTokens: length, medianTokens: length, empty, buckets };
}

/** Two histograms as one. */
export function addHistograms(a: LengthHistogram, b: LengthHistogram): LengthHistogram {
  const counts = new Map<number, LengthHistogram['buckets'][number]>();
  for (const bucket of [...a.buckets, ...b.buckets]) {
    const known = counts.get(bucket.from);
    counts.set(bucket.from, { ...bucket, count: bucket.count + (known?.count ?? 0) });
  }
  const buckets = [...counts.values()].sort((left, right) => left.from - right.from);
  const count = a.count + b.count;
  const maxTokens = Math.max(a.maxTokens, b.maxTokens);
  let seen = 0;
  let medianTokens = 0;
  for (const bucket of buckets) {
    if (seen < count / 2) medianTokens = Math.min(bucket.to, maxTokens);
    seen += bucket.count;
  }
  return {
    unit: a.unit === b.unit ? a.unit : 'sample',
    count,
    minTokens: Math.min(a.minTokens, b.minTokens),
    maxTokens,
    meanTokens: (a.meanTokens * a.count + b.meanTokens * b.count) / count,
    medianTokens,
    empty: a.empty + b.empty,
    buckets,
  };
}
