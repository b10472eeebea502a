/** Ranks that finished a save long after the others: the save, and whoever waits for it, took that long because of them. */
import { median } from '../bytes/median.js';
import type { RankTime, SaveTimes } from './saveTimes.js';

export interface LateRank {
  rank: string;
  /** After the median of those that were not late. */
  seconds: number;
  /** Of the save; null where its beginning is not known. */
  share: number | null;
}

/** Less is within the rounding of times, and the clocks of servers. */
const leastLateSeconds = 5;
/** Less is the spread of any file system, where it is not known how long the save took. */
const leastOfUnknownSeconds = 15;
/** Times the spread of the ranks before them. */
const spreads = 5;
/** Of the save: a rank that is later by less has not made it long. */
const leastShare = 0.2;

export function lateRanks({ ranks, startedMs, finishedMs }: SaveTimes): LateRank[] {
  if (ranks.length < 3 || finishedMs === null) return [];
  const inOrder = [...ranks].sort((a, b) => a.finishedMs - b.finishedMs);
  const leastMs = 1000 * (startedMs === null ? leastOfUnknownSeconds : leastLateSeconds);
  const first = inOrder.findIndex((rank, index) => {
    const before = inOrder[index - 1];
    // Half of them at most: of more it is the others that were early.
    if (before === undefined || index < inOrder.length / 2) return false;
    return (
      rank.finishedMs - before.finishedMs > Math.max(leastMs, spreads * (before.finishedMs - (inOrder[0] as RankTime).finishedMs))
    );
  });
  if (first === -1) return [];
  const late = inOrder.slice(first);
  const medianMs = median(inOrder.slice(0, first).map((rank) => rank.finishedMs));
  const shareOf = (ms: number): number | null => (startedMs === null ? null : ms / (finishedMs - startedMs));
  return late
    .map(({ rank, finishedMs: endMs }) => ({ rank, seconds: (endMs - medianMs) / 1000, share: shareOf(endMs - medianMs) }))
    .filter(({ share }) => share === null || share >= leastShare)
    .sort((a, b) => b.seconds - a.seconds);
}
