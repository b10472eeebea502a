/** Bursts of no job that come so often that jobs are hard to tell from them. */
import { medianOrNull } from '../../bytes/median.js';
import { shortShare } from '../../text/quantities.js';
import { formatBytes } from '../../text/units.js';
import type { Burst } from './bursts.js';
import { isSameSize } from './schedules.js';
import type { Series } from './series.js';

/** With as many others of its size, some are near any interval by chance. */
const leastAlike = 6;
/** Of the time: a save meets such a burst more often than in one of four. */
const leastShareOfTime = 0.25;

/** Whether a burst of no job is one of many of its size. */
export function isCommon({ bytes, noiseBytes }: Burst, bursts: readonly Burst[]): boolean {
  return bursts.filter((other) => isSameSize(bytes, other.bytes, Math.max(noiseBytes, other.noiseBytes))).length > leastAlike;
}

/** A note where bursts of no job take much of the time; else none. */
export function commonNote(open: readonly Burst[], { startMs, endMs }: Series): string[] {
  const wholeMs = (endMs.at(-1) ?? 0) - (startMs[0] ?? 0);
  const share = open.reduce((sum, { startedMs, finishedMs }) => sum + finishedMs - startedMs, 0) / wholeMs;
  if (open.length <= leastAlike || share < leastShareOfTime) return [];
  const usual = formatBytes(medianOrNull(open.map(({ bytes }) => bytes)) ?? 0);
  return [
    `bursts of no job take ${shortShare(share)} of the time, half of them ${usual} and more: jobs whose saves are about as large cannot be distinguished from other traffic`,
  ];
}
