/**
 * Types of more than 16 bits, and blocks of quantized values: moments by chunks that stay in the processor's cache, put together after
 * T. F. Chan, G. H. Golub and R. J. LeVeque, Updating formulae and a pairwise algorithm for computing sample variances (1979), and counts of leading bits.
 */
import { ExactExtremes, type IntegerAt } from './exactExtremes.js';
import { ExactSum } from './exactSum.js';
import { LeadingBits } from './leadingBits.js';
import { emptySummary, type Accumulator, type ValueSummary } from './valueSummary.js';

type Numbers = Float32Array | Float64Array;

/** What is known of the values of a chunk. */
interface ChunkSum {
  sum: ExactSum;
  zeros: number;
}

/** How bytes become numbers. */
export interface NumberDecoder {
  unitBytes: number;
  unitElements: number;
  /** What it answers: f32 where that holds every value exactly. */
  precision: 'f32' | 'f64';
  /**
   * Whole units, at most `chunkElements` of values. The array is used before the next call.
   * @param unitsBefore units of the tensor before them
   */
  decode(bytes: Uint8Array, unitsBefore: number): Numbers;
  /** Of integers that `decode` rounds: the unit itself, from the same bytes. */
  integerAt?: IntegerAt;
}

/** Values of a chunk: 128 KiB of doubles. */
export const chunkElements = 16_384;

export class NumberAccumulator implements Accumulator {
  readonly unitBytes: number;
  readonly unitElements: number;
  private readonly bits: LeadingBits;
  private readonly seen = emptySummary();
  private finite = 0;
  private min = Infinity;
  private max = -Infinity;
  private readonly sum = new ExactSum();
  /** Of squared differences from the mean. */
  private readonly squares = new ExactSum();
  private readonly extremes: ExactExtremes | undefined;

  constructor(private readonly decoder: NumberDecoder) {
    this.unitBytes = decoder.unitBytes;
    this.unitElements = decoder.unitElements;
    this.bits = new LeadingBits(decoder.precision);
    this.extremes = decoder.integerAt && new ExactExtremes(decoder.integerAt);
  }

  add(bytes: Uint8Array, looksForPlace: boolean, unitsBefore = 0): number {
    const chunkBytes = Math.max(1, Math.floor(chunkElements / this.unitElements)) * this.unitBytes;
    let place = -1;
    for (let from = 0; from < bytes.byteLength; from += chunkBytes) {
      const chunk = bytes.subarray(from, from + chunkBytes);
      const numbers = this.decoder.decode(chunk, unitsBefore + from / this.unitBytes);
      const before = (from / this.unitBytes) * this.unitElements;
      const isFinite = this.addChunk(numbers);
      this.extremes?.add(chunk, numbers, { min: this.min, max: this.max });
      if (!isFinite && looksForPlace && place === -1) place = before + numbers.findIndex((value) => value - value !== 0);
    }
    return place;
  }

  summary(): ValueSummary {
    const { seen, finite } = this;
    const [min, max] = [this.min, this.max];
    const histogram = finite === 0 ? null : this.bits.histogram(min, max);
    this.bits.release();
    if (finite === 0) return seen;
    const mean = finiteOrNull(this.sum.over(finite).value);
    const std = finiteOrNull(Math.sqrt(this.squares.value / finite));
    return { ...seen, min: this.extremes?.min ?? min, max: this.extremes?.max ?? max, mean, std, histogram };
  }

  /** Answers whether all values are finite. */
  private addChunk(numbers: Numbers): boolean {
    this.seen.count += numbers.length;
    this.bits.add(numbers);
    const { min, max } = this;
    const all = this.sumOf(numbers);
    // A sum is not finite where a value is not, and where it is beyond the largest double.
    if (all.sum.value - all.sum.value === 0) {
      this.addFinite(numbers, all);
      return true;
    }
    this.min = min;
    this.max = max;
    const finite = finiteOf(numbers);
    this.addFinite(finite, this.sumOf(finite));
    if (finite.length < numbers.length) this.countUnusual(numbers);
    return finite.length === numbers.length;
  }

  private addFinite(numbers: Numbers, { sum, zeros }: ChunkSum): void {
    const count = numbers.length;
    if (count === 0) return;
    this.seen.zeros += zeros;
    const mean = sum.over(count).value;
    this.squares.add(squaresAround(mean, numbers));
    if (this.finite > 0) {
      const difference = mean - this.sum.over(this.finite).value;
      this.squares.add(difference * difference * (this.finite / (this.finite + count)) * count);
    }
    this.sum.addSum(sum);
    this.finite += count;
  }

  /** Two sums side by side, as each addition waits for the one before. */
  private sumOf(numbers: Numbers): ChunkSum {
    let evenHigh = 0;
    let evenLow = 0;
    let oddHigh = 0;
    let oddLow = 0;
    let zeros = 0;
    let { min, max } = this;
    const { length } = numbers;
    for (let at = 0; at < length; at += 2) {
      const even = numbers[at] as number;
      // The last one stands for none behind it, and is left out of the sum.
      const odd = at + 1 < length ? (numbers[at + 1] as number) : even;
      if (even < min) min = even;
      if (even > max) max = even;
      if (odd < min) min = odd;
      if (odd > max) max = odd;
      if (even === 0) zeros += 1;
      if (odd === 0) zeros += 1;
      const nextEven = evenHigh + even;
      const partEven = nextEven - evenHigh;
      evenLow += evenHigh - (nextEven - partEven) + (even - partEven);
      evenHigh = nextEven;
      const nextOdd = oddHigh + odd;
      const partOdd = nextOdd - oddHigh;
      oddLow += oddHigh - (nextOdd - partOdd) + (odd - partOdd);
      oddHigh = nextOdd;
    }
    // Not -0, which is the same value.
    this.min = min + 0;
    this.max = max + 0;
    const sum = new ExactSum(evenHigh, evenLow);
    sum.addSum(new ExactSum(oddHigh, oddLow));
    if (length % 2 === 1) {
      const last = numbers[length - 1] as number;
      sum.add(-last);
      if (last === 0) zeros -= 1;
    }
    return { sum, zeros };
  }

  private countUnusual(numbers: Numbers): void {
    for (let at = 0; at < numbers.length; at++) {
      const value = numbers[at] as number;
      if (value !== value) this.seen.nan += 1;
      else if (value === Infinity) this.seen.positiveInf += 1;
      else if (value === -Infinity) this.seen.negativeInf += 1;
    }
  }
}

function squaresAround(mean: number, numbers: Numbers): number {
  let [even, odd] = [0, 0];
  const pairs = numbers.length - (numbers.length % 2);
  for (let at = 0; at < pairs; at += 2) {
    const first = (numbers[at] as number) - mean;
    const second = (numbers[at + 1] as number) - mean;
    even += first * first;
    odd += second * second;
  }
  const last = pairs < numbers.length ? (numbers[pairs] as number) - mean : 0;
  return even + odd + last * last;
}

function finiteOf(numbers: Numbers): Numbers {
  const finite = numbers.slice();
  let length = 0;
  for (let at = 0; at < numbers.length; at++) {
    const value = numbers[at] as number;
    if (value - value === 0) finite[length++] = value;
  }
  return finite.subarray(0, length);
}

/** Null for what is beyond the largest double. */
function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
