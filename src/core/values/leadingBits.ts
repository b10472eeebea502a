/**
 * How many values have which sign, exponent and leading bits of the mantissa. A histogram between the least and the greatest value needs both before
 * it counts, and nothing is read twice; of these counts it is made afterwards. Its edges are values where the leading bits change, the nearest to even
 * ones, so that its counts are exact.
 */
import { giveCounters, takeCounters } from './counterPool.js';
import { evenEdges } from './evenEdges.js';
import type { Histogram } from './valueSummary.js';

/** Counters have 32 bits. */
const mostBetweenFlushes = 2 ** 32 - 1;

/** Sign, exponent and mantissa bits that are counted: of f32 7 of the mantissa, of f64 8. */
const leadingBitsOf = { f32: 16, f64: 20 } as const;

export class LeadingBits {
  private counters: Uint32Array;
  private totals: Float64Array | null = null;
  private sinceFlush = 0;
  private readonly shift: number;

  /** @param flushElements after which counters are emptied */
  constructor(
    private readonly precision: keyof typeof leadingBitsOf,
    private readonly flushElements = mostBetweenFlushes,
  ) {
    this.counters = takeCounters(1 << leadingBitsOf[precision]);
    this.shift = 32 - leadingBitsOf[precision];
  }

  /** Values as they lie in memory, in the precision that was chosen. */
  add(numbers: Float32Array | Float64Array): void {
    if (this.sinceFlush + numbers.length > this.flushElements) this.flush();
    this.sinceFlush += numbers.length;
    const words = new Uint32Array(numbers.buffer, numbers.byteOffset, numbers.byteLength / 4);
    const { counters, shift } = this;
    // The upper word of a double is the second in memory.
    const step = this.precision === 'f64' ? 2 : 1;
    for (let at = step - 1; at < words.length; at += step) (counters[(words[at] as number) >>> shift] as number)++;
  }

  /** Of the finite values, which are from `min` to `max`. */
  histogram(min: number, max: number): Histogram {
    // -0 is in the bucket before that of 0.
    const first = this.bucketOf(min === 0 ? -0 : min);
    const wanted = evenEdges(min, max);
    const starts = [...new Set(wanted.slice(1, -1).map((edge) => this.nearestStart(edge)))].filter(
      (bucket) => bucket > first && this.leastOf(bucket) <= max,
    );
    return {
      edges: [min, ...starts.map((bucket) => this.leastOf(bucket)), max],
      counts: this.countsBetween(Int32Array.of(first, ...starts, this.bucketOf(max) + 1)),
    };
  }

  /** Sums of the counts from each bucket up to the next one. */
  private countsBetween(bounds: Int32Array): number[] {
    const { counters, totals } = this;
    const half = counters.length / 2;
    const sums: number[] = [];
    for (let bin = 0; bin + 1 < bounds.length; bin++) {
      const end = bounds[bin + 1] as number;
      let sum = 0;
      for (let bucket = bounds[bin] as number; bucket < end; bucket++) {
        const pattern = bucket >= half ? bucket - half : counters.length - 1 - bucket;
        sum += counters[pattern] as number;
        if (totals !== null) sum += totals[pattern] as number;
      }
      sums.push(sum);
    }
    return sums;
  }

  /** Buckets are in the order of their values: those of negative numbers count down. */
  private bucketOf(value: number): number {
    const pattern = this.patternOf(value);
    const half = this.counters.length / 2;
    return pattern < half ? half + pattern : this.counters.length - 1 - pattern;
  }

  private nearestStart(edge: number): number {
    const bucket = this.bucketOf(edge);
    const nearest = edge - this.leastOf(bucket) <= this.leastOf(bucket + 1) - edge ? bucket : bucket + 1;
    // Not between -0 and 0, which are one value.
    return nearest === this.counters.length / 2 ? nearest - 1 : nearest;
  }

  /** The least value of a bucket. Of those of negative numbers it is the one of the largest magnitude: all lower bits are set. */
  private leastOf(bucket: number): number {
    const half = this.counters.length / 2;
    const isNegative = bucket < half;
    const pattern = isNegative ? this.counters.length - 1 - bucket : bucket - half;
    const upper = ((pattern << this.shift) | (isNegative ? (1 << this.shift) - 1 : 0)) >>> 0;
    if (this.precision === 'f32') return new Float32Array(Uint32Array.of(upper).buffer)[0] as number;
    return new Float64Array(Uint32Array.of(isNegative ? 0xffff_ffff : 0, upper).buffer)[0] as number;
  }

  private patternOf(value: number): number {
    const number = this.precision === 'f32' ? Float32Array.of(value) : Float64Array.of(value);
    return ((new Uint32Array(number.buffer).at(-1) as number) >>> this.shift) >>> 0;
  }

  /** Gives the counters back: nothing is added afterwards. */
  release(): void {
    giveCounters(this.counters);
    this.counters = new Uint32Array(0);
  }

  private flush(): void {
    this.totals ??= new Float64Array(this.counters.length);
    for (let pattern = 0; pattern < this.counters.length; pattern++)
      (this.totals[pattern] as number) += this.counters[pattern] as number;
    this.counters.fill(0);
    this.sinceFlush = 0;
  }
}
