/** The rate over time while files are written without a pause, in bounded memory however long that takes. */
import { limits } from '../../bytes/limits.js';

/** Bytes that were written in so many seconds. */
export interface RateBin {
  seconds: number;
  bytes: number;
}

/** Looks at a counter of bytes that only grows. */
export class RateCurve {
  bins: RateBin[] = [];
  private last = { seconds: 0, bytes: 0 };
  /** Looks that make one bin. */
  private looksOfBin = 1;
  private looks = 0;

  /** @param seconds since the start @param bytes since the start; looks that come at the same moment are one */
  look(seconds: number, bytes: number): void {
    this.looks += 1;
    if (this.looks % this.looksOfBin !== 0 || seconds <= this.last.seconds) return;
    this.bins.push({ seconds: seconds - this.last.seconds, bytes: Math.max(0, bytes - this.last.bytes) });
    this.last = { seconds, bytes };
    if (this.bins.length < 2 * limits.sustainedBins) return;
    this.bins = mergedBins(this.bins, limits.sustainedBins);
    this.looksOfBin *= 2;
  }

  /** Up to the last bin. */
  get seconds(): number {
    return this.last.seconds;
  }
}

/** At most so many bins, each of equally many of the given ones but the last. */
export function mergedBins(bins: readonly RateBin[], most: number): RateBin[] {
  const size = Math.ceil(bins.length / most);
  if (size <= 1) return [...bins];
  return Array.from({ length: Math.ceil(bins.length / size) }, (_, index) =>
    sumOfBins(bins.slice(index * size, (index + 1) * size)),
  );
}

/** Windows of at least so many seconds; a last one that would be less than half as long belongs to the one before. */
export function windowsOf(bins: readonly RateBin[], seconds: number): RateBin[] {
  const windows: RateBin[] = [];
  let open: RateBin = { seconds: 0, bytes: 0 };
  for (const bin of bins) {
    open = { seconds: open.seconds + bin.seconds, bytes: open.bytes + bin.bytes };
    if (open.seconds < seconds) continue;
    windows.push(open);
    open = { seconds: 0, bytes: 0 };
  }
  const last = windows.pop();
  if (last === undefined) return open.seconds > 0 ? [open] : [];
  return open.seconds >= seconds / 2 ? [...windows, last, open] : [...windows, sumOfBins([last, open])];
}

export function sumOfBins(bins: readonly RateBin[]): RateBin {
  return bins.reduce((sum, bin) => ({ seconds: sum.seconds + bin.seconds, bytes: sum.bytes + bin.bytes }), {
    seconds: 0,
    bytes: 0,
  });
}

/** Bytes a second; 0 where no time passed. */
export function rateOfBins(bins: readonly RateBin[]): number {
  const { seconds, bytes } = sumOfBins(bins);
  return seconds > 0 ? bytes / seconds : 0;
}
