/** Whether the rate of writing falls and stays down: the fast cells of a drive are full, the credits of a volume are spent. */
import { errorOfDifference, meanOf, stretchesOf, type Stretch } from './levels.js';
import { rateOfBins, sumOfBins, windowsOf, type RateBin } from './rateCurve.js';

/** `steady`: no fall. `fell`: the rate fell and settled. `unsettled`: it was lower at the end than before, and not yet settled there. */
export type FallOutcome = 'steady' | 'fell' | 'unsettled';

export interface Fall {
  outcome: FallOutcome;
  /** Ahead of the fall; null where the rate is steady. */
  burst: { seconds: number; bytes: number; bytesPerSecond: number } | null;
  /** What stays: after the last change of level, or everything where the rate is steady. */
  tail: { seconds: number; bytes: number; bytesPerSecond: number; minimumBytesPerSecond: number; maximumBytesPerSecond: number };
}

/** When a fall is one. */
export interface FallRule {
  /** Of the sliding window, in seconds: longer than a block of each stream and a sync take. A long course has longer ones. */
  windowSeconds: number;
  /** A tail is settled once it lasts this long, and this share of the time before it. Collections of a drive's garbage take some seconds. */
  tailSeconds: number;
  tailShare: number;
}

export const usualFallRule: FallRule = { windowSeconds: 2, tailSeconds: 15, tailShare: 0.5 };

/** A level at or below this share of what came before is a fall: less is what storage differs by anyhow. */
const fallenShare = 0.8;
/** Windows of a whole course: enough to place a fall within a percent. */
const mostWindows = 120;
/** A pause of one or two windows is no level of its own. */
const leastWindows = 3;
/** Halves of a settled tail differ by no more than this share of its level, or by their noise. */
const settledShare = 0.1;
const settledErrors = 2;
/** Parts of the tail whose slowest is the least that is to be expected. */
const tailParts = 4;

/** @param bins in their order, without gaps */
export function fallOf(bins: readonly RateBin[], rule: FallRule = usualFallRule): Fall {
  const { seconds } = sumOfBins(bins);
  const windows = windowsOf(bins, Math.max(rule.windowSeconds, seconds / mostWindows));
  const rates = windows.map((window) => rateOfBins([window]));
  const stretches = stretchesOf(rates, leastWindows);
  const end = endOfBurst(windows, stretches);
  const last = stretches.at(-1);
  if (end === null || last === undefined) return { outcome: 'steady', burst: null, tail: tailOf(windows) };
  const burst = windows.slice(0, end);
  return {
    outcome: isSettled(windows, rates, last, rule) ? 'fell' : 'unsettled',
    burst: { ...sumOfBins(burst), bytesPerSecond: rateOfBins(burst) },
    // The change may lie within the first of them: a deep fall is measured without it.
    tail: tailOf(windows.slice(last.from + 1)),
  };
}

/** The first change after which no level comes back to four fifths of what was before; null where there is none. */
function endOfBurst(windows: readonly RateBin[], stretches: readonly Stretch[]): number | null {
  const levels = stretches.map(({ from, to }) => rateOfBins(windows.slice(from, to)));
  for (const [index, { from }] of stretches.entries()) {
    if (index === 0) continue;
    const before = rateOfBins(windows.slice(0, from));
    if (levels.slice(index).every((level) => level <= fallenShare * before)) return from;
  }
  return null;
}

function isSettled(windows: readonly RateBin[], rates: readonly number[], { from }: Stretch, rule: FallRule): boolean {
  const before = sumOfBins(windows.slice(0, from)).seconds;
  const tail = sumOfBins(windows.slice(from)).seconds;
  if (tail < Math.max(rule.tailSeconds, rule.tailShare * before)) return false;
  const middle = Math.floor((from + rates.length) / 2);
  const [first, second] = [rates.slice(from, middle), rates.slice(middle)];
  const difference = Math.abs(meanOf(first) - meanOf(second));
  const noise = settledErrors * errorOfDifference(first, second);
  return difference <= Math.max(settledShare * meanOf(rates.slice(from)), noise);
}

function tailOf(windows: readonly RateBin[]): Fall['tail'] {
  const bytesPerSecond = rateOfBins(windows);
  const parts = Math.min(tailParts, windows.length);
  const rates = Array.from({ length: parts }, (_, part) =>
    rateOfBins(windows.slice(Math.floor((part * windows.length) / parts), Math.floor(((part + 1) * windows.length) / parts))),
  );
  return {
    ...sumOfBins(windows),
    bytesPerSecond,
    minimumBytesPerSecond: rates.reduce((least, rate) => Math.min(least, rate), bytesPerSecond),
    maximumBytesPerSecond: rates.reduce((most, rate) => Math.max(most, rate), bytesPerSecond),
  };
}
