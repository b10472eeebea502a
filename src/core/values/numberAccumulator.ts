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
  /** Of the chunk and of all before it. */
  min: number;
  max: number;
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
  /** Of such integers: what each is above the number that `decode` answers. */
  restsOf?: (bytes: Uint8Array) => Float64Array;
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
  /** A power of two by which values are multiplied before they are summed: squares of the largest and of the least would leave the doubles. */
  private scale = 1;
  private sum = new ExactSum();
  /** Of squared differences from the mean. */
  private squares = new ExactSum();
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
      const isFinite = this.addChunk(numbers, chunk);
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
    const mean = this.sum.over(finite).value / this.scale;
    const std = Math.sqrt(Math.max(0, this.squares.value) / finite) / this.scale;
    return { ...seen, min: this.extremes?.min ?? min, max: this.extremes?.max ?? max, mean, std, histogram };
  }

  /** Answers whether all values are finite. */
  private addChunk(numbers: Numbers, bytes: Uint8Array): boolean {
    this.seen.count += numbers.length;
    this.bits.add(numbers);
    const all = sumOf(numbers, this.min, this.max);
    // A sum is not finite where a value is not, and where it is beyond the largest double.
    if (all.sum.value - all.sum.value === 0) {
      this.addFinite(numbers, all, bytes);
      return true;
    }
    const finite = finiteOf(numbers);
    this.addFinite(finite, sumOf(finite, this.min, this.max), bytes);
    if (finite.length < numbers.length) this.countUnusual(numbers);
    return finite.length === numbers.length;
  }

  private addFinite(numbers: Numbers, { sum, zeros, min, max }: ChunkSum, bytes: Uint8Array): void {
    if (numbers.length === 0) return;
    this.seen.zeros += zeros;
    this.min = min;
    this.max = max;
    this.rescale(scaleOf(Math.max(-min, max)));
    const rests = Number.isSafeInteger(min) && Number.isSafeInteger(max) ? undefined : this.decoder.restsOf?.(bytes);
    if (rests !== undefined) {
      sum.addSum(sumOf(rests).sum);
      const mean = sum.over(numbers.length);
      this.addMoments(numbers.length, sum, squaresWithRests(mean, numbers, rests));
    } else if (this.scale === 1) this.addMoments(numbers.length, sum, squaresAround(sum.over(numbers.length), numbers));
    else {
      const scaled = Float64Array.from(numbers, (value) => value * this.scale);
      const own = sumOf(scaled).sum;
      this.addMoments(scaled.length, own, squaresAround(own.over(scaled.length), scaled));
    }
  }

  /** Adds a chunk by its sum and by the sum of squared differences from its mean. */
  private addMoments(count: number, sum: ExactSum, squares: number): void {
    this.squares.add(squares);
    if (this.finite > 0) {
      const [mean, before] = [sum.over(count), this.sum.over(this.finite)];
      const difference = mean.high - before.high + (mean.low - before.low);
      this.squares.add(difference * difference * (this.finite / (this.finite + count)) * count);
    }
    this.sum.addSum(sum);
    this.finite += count;
  }

  private rescale(scale: number): void {
    if (scale === this.scale) return;
    const factor = scale / this.scale;
    this.sum = this.sum.times(factor);
    // Not by the square of the factor, which no double holds.
    this.squares = this.squares.times(factor).times(factor);
    this.scale = scale;
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

/** @param magnitude the largest one so far, of which all else is a part or rounding */
function scaleOf(magnitude: number): number {
  if (magnitude >= 2 ** 480) return 2 ** -600;
  return magnitude > 0 && magnitude < 2 ** -400 ? 2 ** 600 : 1;
}

/** Two sums side by side, as each addition waits for the one before. */
function sumOf(numbers: Numbers, least = Infinity, greatest = -Infinity): ChunkSum {
  let evenHigh = 0;
  let evenLow = 0;
  let oddHigh = 0;
  let oddLow = 0;
  let zeros = 0;
  let [min, max] = [least, greatest];
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
  const sum = new ExactSum(evenHigh, evenLow);
  sum.addSum(new ExactSum(oddHigh, oddLow));
  if (length % 2 === 1) {
    const last = numbers[length - 1] as number;
    sum.add(-last);
    if (last === 0) zeros -= 1;
  }
  // Not -0, which is the same value.
  return { sum, zeros, min: min + 0, max: max + 0 };
}

/**
 * Squared differences from a mean of two doubles: from the higher one, of which `count` times the square of the lower one is too much. As the values are
 * doubles, it is at most half of them.
 */
function squaresAround({ high: mean, low }: ExactSum, numbers: Numbers): number {
  let [even, odd] = [0, 0];
  const pairs = numbers.length - (numbers.length % 2);
  for (let at = 0; at < pairs; at += 2) {
    const first = (numbers[at] as number) - mean;
    const second = (numbers[at + 1] as number) - mean;
    even += first * first;
    odd += second * second;
  }
  const last = pairs < numbers.length ? (numbers[pairs] as number) - mean : 0;
  return Math.max(0, even + odd + last * last - numbers.length * low * low);
}

/** The same of integers that are a double and a rest. */
function squaresWithRests({ high, low }: ExactSum, numbers: Numbers, rests: Float64Array): number {
  let squares = 0;
  for (let at = 0; at < numbers.length; at++) {
    const difference = (numbers[at] as number) - high + ((rests[at] as number) - low);
    squares += difference * difference;
  }
  return squares;
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
