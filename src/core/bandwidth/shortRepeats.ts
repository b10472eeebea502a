/** Repeats so short that starting and ending weigh in them as much as the storage does: known before a check as well as after it. */
import type { CheckRequest } from './measurement.js';

/** A repeat that lasts less is short, in seconds. */
export const shortRepeatSeconds = 0.5;

/** What even a single hard disk writes, in bytes a second: nothing that checkpoints are saved to is slower for long. */
const leastBytesPerSecond = 100e6;

/**
 * How long a phase of one repeat lasts at most, where that is too short to tell the bandwidth; null where it is long enough.
 * @param measuredBytesPerSecond of the fastest phase of an earlier check of the directory; null without one
 */
export function shortRepeat({ shape }: CheckRequest, measuredBytesPerSecond: number | null): number | null {
  const seconds = shape.totalBytes / (measuredBytesPerSecond ?? leastBytesPerSecond);
  return seconds < shortRepeatSeconds ? seconds : null;
}
