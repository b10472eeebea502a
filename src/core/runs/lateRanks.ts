/** Ranks that finished a save long after the others: the save, and whoever waits for it, took that long because of them. */
import { median } from '../bytes/median.js';
import type { SaveTimes } from './saveTimes.js';

export interface LateRank {
  rank: string;
  /** After the median of all ranks. */
  seconds: number;
  /** Of the save; null where its beginning is not known. */
  share: number | null;
}

/** Less is within the rounding of times, and the clocks of servers. */
const leastLateSeconds = 5;
/** Less is the spread of any file system, where it is not known how long the save took. */
const leastOfUnknownSeconds = 30;
/** Times the spread of the ranks, from the first to the third quarter of them. */
const spreads = 5;
/** Of the save: a rank that is later by less has not made it long. */
const leastShare = 0.2;

export function lateRanks({ ranks, startedMs, finishedMs }: SaveTimes): LateRank[] {
  if (ranks.length < 3 || finishedMs === null) return [];
  const ends = ranks.map((rank) => rank.finishedMs).sort((a, b) => a - b);
  const medianMs = median(ends);
  const mostMs = ends[Math.floor((ends.length - 1) * 0.75)] as number;
  const leastSeconds = startedMs === null ? leastOfUnknownSeconds : leastLateSeconds;
  const boundMs = Math.max(leastSeconds * 1000, spreads * (mostMs - (ends[0] as number)));
  const late = ranks.filter((rank) => rank.finishedMs - medianMs > boundMs);
  const shareOf = (ms: number): number | null => (startedMs === null ? null : ms / (finishedMs - startedMs));
  return late
    .map(({ rank, finishedMs: endMs }) => ({ rank, seconds: (endMs - medianMs) / 1000, share: shareOf(endMs - medianMs) }))
    .filter(({ share }) => share === null || share >= leastShare)
    .sort((a, b) => b.seconds - a.seconds);
}
