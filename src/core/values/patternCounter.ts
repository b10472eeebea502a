/** Types of 8 and 16 bits: each bit pattern is counted, and every number of the summary follows from the counts, exactly. */
import { giveCounters, takeCounters } from './counterPool.js';
import { patternBits, patternOrder, patternValues, type PatternOrder } from './patternValues.js';
import { summaryOfCounts, type CountedValues } from './summaryOfCounts.js';
import type { Accumulator, ValueSummary } from './valueSummary.js';

/** Counters have 32 bits, and two patterns of a word may be the same. */
const mostBetweenFlushes = 2 ** 31;

/** Up to so many elements are kept and sorted: to look at 65,536 counters would take longer. */
const mostKept = 8_192;
/** As counters, arrays of kept elements are used again, and so is the room in which values and counts are put side by side. */
const freeKept: Uint16Array[] = [];
const mostFree = 8;
let counted: CountedValues = { values: new Float64Array(0), counts: new Float64Array(0), length: 0, finite: 0 };

export class PatternCounter implements Accumulator {
  readonly unitBytes: number;
  readonly unitElements = 1;
  private readonly values: Float64Array;
  private readonly order: PatternOrder;
  /** Elements while they are few; null once they are counted. */
  private kept: Uint16Array | null = freeKept.pop() ?? new Uint16Array(mostKept);
  private keptCount = 0;
  /** One for each place in a word, so that equal neighbours do not wait for each other's counter. */
  private counters: Uint32Array[] = [];
  private totals: Float64Array | null = null;
  private sinceFlush = 0;
  private unusualSeen = 0;

  /**
   * @param dtype of those that `patternBits` knows
   * @param flushElements after which counters are emptied
   */
  constructor(
    dtype: string,
    private readonly isBigEndian: boolean,
    private readonly flushElements = mostBetweenFlushes,
  ) {
    this.values = patternValues(dtype);
    this.order = patternOrder(dtype);
    this.unitBytes = patternBits(dtype) === 16 ? 2 : 1;
  }

  add(bytes: Uint8Array, looksForPlace: boolean): number {
    const own = this.unitBytes === 2 && this.isBigEndian ? swapped16(bytes) : aligned(bytes);
    const patterns = patternsOf(own, this.unitBytes);
    if (this.kept !== null && this.keptCount + patterns.length <= mostKept) {
      this.kept.set(patterns, this.keptCount);
      this.keptCount += patterns.length;
      return looksForPlace ? this.firstUnusual(patterns) : -1;
    }
    this.countKept();
    this.count(own);
    if (!looksForPlace || this.order.finite === this.values.length) return -1;
    const seen = this.countUnusual();
    const isNew = seen > this.unusualSeen;
    this.unusualSeen = seen;
    return isNew ? this.firstUnusual(patterns) : -1;
  }

  summary(): ValueSummary {
    if (this.kept === null) this.putByPattern();
    else this.putBySorting(this.kept.subarray(0, this.keptCount));
    this.release();
    return summaryOfCounts(counted);
  }

  private release(): void {
    for (const counter of this.counters) giveCounters(counter);
    this.counters = [];
    if (this.kept !== null && freeKept.length < mostFree) freeKept.push(this.kept);
    this.kept = null;
  }

  /** What was kept is counted as all that follows. */
  private countKept(): void {
    const { kept } = this;
    if (kept === null) return;
    this.release();
    this.counters = Array.from({ length: 4 / this.unitBytes }, () => takeCounters(this.values.length));
    const patterns = kept.subarray(0, this.keptCount);
    this.count(new Uint8Array((this.unitBytes === 2 ? patterns.slice() : Uint8Array.from(patterns)).buffer));
    this.unusualSeen = this.countUnusual();
  }

  private count(bytes: Uint8Array): void {
    const elements = bytes.byteLength / this.unitBytes;
    if (this.sinceFlush + elements > this.flushElements) this.flush();
    this.sinceFlush += elements;
    if (this.unitBytes === 2) this.count16(bytes);
    else this.count8(bytes);
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

  private countOf(pattern: number): number {
    let count = this.totals === null ? 0 : (this.totals[pattern] as number);
    for (const counter of this.counters) count += counter[pattern] as number;
    return count;
  }

  private countUnusual(): number {
    const { patterns, finite } = this.order;
    let seen = 0;
    for (let rank = finite; rank < patterns.length; rank++) seen += this.countOf(patterns[rank] as number);
    return seen;
  }

  private firstUnusual(patterns: Uint16Array | Uint8Array): number {
    const { ranks, finite } = this.order;
    for (let at = 0; at < patterns.length; at++) if ((ranks[patterns[at] as number] as number) >= finite) return at;
    return -1;
  }

  private flush(): void {
    this.totals ??= new Float64Array(this.values.length);
    for (const counter of this.counters) {
      for (let pattern = 0; pattern < counter.length; pattern++) (this.totals[pattern] as number) += counter[pattern] as number;
      counter.fill(0);
    }
    this.sinceFlush = 0;
  }

  private putByPattern(): void {
    const { patterns, finite } = this.order;
    makeRoom(patterns.length);
    for (let rank = 0; rank < patterns.length; rank++) {
      const pattern = patterns[rank] as number;
      put(this.values[pattern] as number, this.countOf(pattern), rank < finite);
    }
  }

  private putBySorting(kept: Uint16Array): void {
    const { patterns, ranks: rankOf, finite } = this.order;
    makeRoom(kept.length);
    for (let at = 0; at < kept.length; at++) kept[at] = rankOf[kept[at] as number] as number;
    kept.sort();
    for (let from = 0; from < kept.length;) {
      const rank = kept[from] as number;
      let end = from + 1;
      while (end < kept.length && kept[end] === rank) end += 1;
      put(this.values[patterns[rank] as number] as number, end - from, rank < finite);
      from = end;
    }
  }
}

/** Empties the room, and makes it larger where that is needed. */
function makeRoom(length: number): void {
  const { values, counts } = counted;
  const isEnough = values.length >= length;
  counted = {
    values: isEnough ? values : new Float64Array(length),
    counts: isEnough ? counts : new Float64Array(length),
    length: 0,
    finite: 0,
  };
}

function put(value: number, count: number, isFinite: boolean): void {
  if (count === 0) return;
  counted.values[counted.length] = value;
  counted.counts[counted.length] = count;
  counted.length += 1;
  if (isFinite) counted.finite += 1;
}

function patternsOf(bytes: Uint8Array, unitBytes: number): Uint16Array | Uint8Array {
  return unitBytes === 1 ? bytes : new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 1);
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
