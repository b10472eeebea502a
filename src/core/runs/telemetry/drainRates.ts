/** What each bin of time says for drains at a rate: one, or two at once. */
import type { Series } from './series.js';

export interface RateBins {
  beginMs: number;
  binMs: number;
  /** Bytes a second; NaN where none is known. */
  rates: Float64Array;
  /** Of each bin, the lowest of the shortest bins in it. */
  lowest: Float64Array;
}

/** Bins are no shorter: the rate of a drain goes up and down within less. */
const leastBinMs = 30_000;
const mostBins = 8000;
/** Of both rates, what bins differ by; and what is higher than both, below which nothing is seen. */
const rateDeviation = 0.2;
export const hidingFactor = 3;
/** Less than this share of the rate is a pause. */
export const pauseShare = 0.4;
/** What a bin that has neither rate says against it, as a log of a likelihood, and what one at its rate says for it. */
const costOfOther = 4;
export const gainOfRate = 2;
const stepOfRates = 1.2;
/** Rates that are tried are those of so many bins, and twice as high of as many. */
const leastShare = 0.08;

/** Bins that are so many times as long as the shortest. */
export function binsOf(series: Series, factor: number): RateBins {
  const fine = shortestBins(series);
  if (factor === 1) return fine;
  const count = Math.floor(fine.rates.length / factor);
  const [rates, lowest] = [new Float64Array(count), new Float64Array(count)];
  for (let bin = 0; bin < count; bin += 1) {
    const known = fine.rates.subarray(bin * factor, (bin + 1) * factor).filter((rate) => !Number.isNaN(rate));
    rates[bin] = known.reduce((sum, rate) => sum + rate, 0) / known.length;
    lowest[bin] = known.reduce((least, rate) => Math.min(least, rate), Infinity);
  }
  return { beginMs: fine.beginMs, binMs: fine.binMs * factor, rates, lowest };
}

function shortestBins({ startMs, endMs, stepMs, bytes, isFilled }: Series): RateBins {
  const beginMs = startMs[0] ?? 0;
  const spanMs = (endMs.at(-1) ?? 0) - beginMs;
  const binMs = Math.max(1, stepMs * Math.ceil(Math.max(leastBinMs, spanMs / mostBins) / Math.max(1, stepMs)));
  const count = Math.max(1, Math.floor(spanMs / binMs));
  const [sums, known] = [new Float64Array(count), new Float64Array(count)];
  for (let cell = 0; cell < startMs.length; cell += 1) {
    if (isFilled[cell] === 1) continue;
    const bin = Math.floor(((startMs[cell] as number) - beginMs) / binMs);
    if (bin >= count) break;
    sums[bin] = (sums[bin] as number) + (bytes[cell] as number);
    known[bin] = (known[bin] as number) + (endMs[cell] as number) - (startMs[cell] as number);
  }
  const rates = sums.map((sum, bin) => (known[bin] === 0 ? NaN : (sum * 1000) / (known[bin] as number)));
  return { beginMs, binMs, rates, lowest: rates };
}

/** Rates of one drain that may be. */
export function ratesToTry({ rates }: RateBins): number[] {
  const known = rates.filter((rate) => rate > 0).sort();
  const shareNear = (rate: number) =>
    known.filter((one) => Math.abs(one / rate - 1) < rateDeviation).length / Math.max(1, known.length);
  const tried: number[] = [];
  for (let rate = known[0] ?? Infinity; rate < (known[Math.floor(known.length * 0.9)] ?? 0); rate *= stepOfRates)
    if (shareNear(rate) > leastShare && shareNear(2 * rate) > leastShare) tried.push(rate);
  return tried;
}

/** The most bins in a row in which drains at a rate may go on. */
export function longestWithoutPause({ rates, lowest }: RateBins, rate: number): number {
  let [longest, length] = [0, 0];
  for (let bin = 0; bin < rates.length; bin += 1) {
    if (Number.isNaN(rates[bin])) continue;
    length = (lowest[bin] as number) < pauseShare * rate ? 0 : length + 1;
    longest = Math.max(longest, length);
  }
  return longest;
}

/** Whether something is known of drains at a rate where so much is written. */
export function isSeen(value: number, rate: number): boolean {
  return value < hidingFactor * rate;
}

/** Sums over bins of what each says for so many drains at a rate: nothing where more hides them, and a pause says that there are none. */
export function scoresAt({ rates, lowest }: RateBins, rate: number, count: number): Float64Array {
  const sums = new Float64Array(rates.length + 1);
  rates.forEach((value, bin) => {
    const off = (value / (count * rate) - 1) / rateDeviation;
    const isPause = (lowest[bin] as number) < pauseShare * rate;
    const against = isPause ? costOfOther : Math.min(costOfOther, (off * off) / 2);
    sums[bin + 1] = (sums[bin] as number) + (isSeen(value, rate) ? gainOfRate - against : isPause ? gainOfRate - costOfOther : 0);
  });
  return sums;
}
