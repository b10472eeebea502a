/** Types of 8 and 16 bits: each bit pattern is counted, and every number of the summary follows from the counts, exactly. */
import { ExactSum } from './exactSum.js';
import { finitePatterns, patternBits, patternValues } from './patternValues.js';
import { emptySummary, histogramBins, type Accumulator, type Histogram, type ValueSummary } from './valueSummary.js';

/** Counters have 32 bits, and two patterns of a word may be the same. */
const mostBetweenFlushes = 2 ** 31;

export class PatternCounter implements Accumulator {
  readonly unitBytes: number;
  readonly unitElements = 1;
  private readonly values: Float64Array;
  private readonly totals: Float64Array;
  /** One for each place in a word, so that equal neighbours do not wait for each other's counter. */
  private readonly counters: Uint32Array[];
  private sinceFlush = 0;
  /** Patterns that are not finite. */
  private readonly unusual: Uint32Array;
  private unusualSeen = 0;

  /**
   * @param dtype of those that `patternBits` knows
   * @param flushElements after which counters are emptied
   */
  constructor(
    private readonly dtype: string,
    private readonly isBigEndian: boolean,
    private readonly flushElements = mostBetweenFlushes,
  ) {
    this.values = patternValues(dtype);
    this.unitBytes = patternBits(dtype) === 16 ? 2 : 1;
    const patterns = this.values.length;
    this.totals = new Float64Array(patterns);
    this.counters = Array.from({ length: 4 / this.unitBytes }, () => new Uint32Array(patterns));
    this.unusual = Uint32Array.from(this.values.keys()).filter((pattern) => !Number.isFinite(this.values[pattern]));
  }

  add(bytes: Uint8Array, looksForPlace: boolean): number {
    const elements = bytes.byteLength / this.unitBytes;
    if (this.sinceFlush + elements > this.flushElements) this.flush();
    this.sinceFlush += elements;
    const own = this.unitBytes === 2 && this.isBigEndian ? swapped16(bytes) : aligned(bytes);
    if (this.unitBytes === 2) this.count16(own);
    else this.count8(own);
    if (!looksForPlace || this.unusual.length === 0) return -1;
    const seen = this.countUnusual();
    const isNew = seen > this.unusualSeen;
    this.unusualSeen = seen;
    return isNew ? this.firstUnusual(own) : -1;
  }

  summary(): ValueSummary {
    this.flush();
    return summaryOfCounts(this.dtype, this.totals);
  }

  private count16(bytes: Uint8Array): void {
    const [even, odd] = this.counters as [Uint32Array, Uint32Array];
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
    for (let at = 0; at < words.length; at++) {
      const word = words[at] as number;
      (even[word & 0xffff] as number)++;
      (odd[word >>> 16] as number)++;
    }
    if (bytes.byteLength % 4 === 2) {
      const last = bytes.byteLength - 2;
      (even[(bytes[last] as number) | ((bytes[last + 1] as number) << 8)] as number)++;
    }
  }

  private count8(bytes: Uint8Array): void {
    const [first, second, third, fourth] = this.counters as [Uint32Array, Uint32Array, Uint32Array, Uint32Array];
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
    for (let at = 0; at < words.length; at++) {
      const word = words[at] as number;
      (first[word & 0xff] as number)++;
      (second[(word >>> 8) & 0xff] as number)++;
      (third[(word >>> 16) & 0xff] as number)++;
      (fourth[word >>> 24] as number)++;
    }
    for (let at = words.length * 4; at < bytes.byteLength; at++) (first[bytes[at] as number] as number)++;
  }

  private countUnusual(): number {
    let seen = 0;
    for (const pattern of this.unusual) {
      seen += this.totals[pattern] as number;
      for (const counter of this.counters) seen += counter[pattern] as number;
    }
    return seen;
  }

  private firstUnusual(bytes: Uint8Array): number {
    const patterns = this.unitBytes === 2 ? new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 1) : bytes;
    return patterns.findIndex((pattern) => !Number.isFinite(this.values[pattern]));
  }

  private flush(): void {
    for (const counter of this.counters) {
      for (let pattern = 0; pattern < counter.length; pattern++) (this.totals[pattern] as number) += counter[pattern] as number;
      counter.fill(0);
    }
    this.sinceFlush = 0;
  }
}

/** The same bytes where a typed array of 32-bit words can lie on them. */
export function aligned(bytes: Uint8Array, width = 4): Uint8Array {
  return bytes.byteOffset % width === 0 ? bytes : new Uint8Array(bytes);
}

function swapped16(bytes: Uint8Array): Uint8Array {
  const swapped = new Uint8Array(bytes.byteLength);
  for (let at = 0; at + 1 < bytes.byteLength; at += 2) {
    swapped[at] = bytes[at + 1] as number;
    swapped[at + 1] = bytes[at] as number;
  }
  return swapped;
}

/** Values with how often each occurs. */
interface Counted {
  values: Float64Array;
  counts: Float64Array;
  /** Places of the finite values that occur, in ascending order. */
  present: Uint16Array;
}

/** The summary of values, each with how often it occurs. */
function summaryOfCounts(dtype: string, counts: Float64Array): ValueSummary {
  const values = patternValues(dtype);
  const summary = emptySummary();
  for (let pattern = 0; pattern < values.length; pattern++) {
    const count = counts[pattern] as number;
    if (count === 0) continue;
    const value = values[pattern] as number;
    summary.count += count;
    if (value !== value) summary.nan += count;
    else if (value === Infinity) summary.positiveInf += count;
    else if (value === -Infinity) summary.negativeInf += count;
    else if (value === 0) summary.zeros += count;
  }
  const present = presentPatterns(dtype, counts);
  if (present.length === 0) return summary;
  const counted = { values, counts, present };
  return { ...summary, ...momentsOfCounts(counted), histogram: histogramOfCounts(counted) };
}

function presentPatterns(dtype: string, counts: Float64Array): Uint16Array {
  const order = finitePatterns(dtype);
  const present = new Uint16Array(order.length);
  let length = 0;
  for (let at = 0; at < order.length; at++) {
    const pattern = order[at] as number;
    if ((counts[pattern] as number) > 0) present[length++] = pattern;
  }
  return present.subarray(0, length);
}

function momentsOfCounts({ values, counts, present }: Counted): Pick<ValueSummary, 'min' | 'max' | 'mean' | 'std'> {
  const sum = new ExactSum();
  let total = 0;
  for (const pattern of present) {
    sum.addProduct(values[pattern] as number, counts[pattern] as number);
    total += counts[pattern] as number;
  }
  const mean = sum.over(total);
  const squares = new ExactSum();
  for (const pattern of present) squares.add(mean.below(values[pattern] as number) ** 2 * (counts[pattern] as number));
  return { ...extremesOf(values, present), mean: mean.value, std: Math.sqrt(squares.value / total) };
}

function extremesOf(values: Float64Array, present: Uint16Array): { min: number; max: number } {
  // 0 for -0, which is the same value.
  return { min: (values[present[0] ?? 0] ?? 0) + 0, max: (values[present.at(-1) ?? 0] ?? 0) + 0 };
}

function histogramOfCounts({ values, counts, present }: Counted): Histogram {
  const { min, max } = extremesOf(values, present);
  const edges = evenEdges(min, max);
  const inBins = edges.slice(1).map(() => 0);
  let bin = 0;
  for (const pattern of present) {
    while (bin < inBins.length - 1 && (values[pattern] as number) >= (edges[bin + 1] as number)) bin += 1;
    (inBins[bin] as number) += counts[pattern] as number;
  }
  return { edges, counts: inBins };
}

/** Edges of bins of equal width; one bin without width where all values are one. */
export function evenEdges(least: number, greatest: number): number[] {
  if (least === greatest) return [least, least];
  // As numpy.linspace has them, but for a span beyond the largest double.
  const span = greatest - least;
  const width = Number.isFinite(span) ? span / histogramBins : greatest / histogramBins - least / histogramBins;
  const edges = Array.from({ length: histogramBins }, (_, bin) => bin * width + least);
  return [...edges, greatest];
}
