/** Ranks that finished a save long after the others: the save, and whoever waits for it, took that long because of them. */
import type { SaveTimes } from './saveTimes.js';

export interface LateRank {
  rank: string;
  /** After the median of all ranks. */
  seconds: number;
  /** Of the save from the median rank's end on, or of the whole of it where its beginning is known. */
  share: number | null;
}

/** Less is the spread of any file system, whatever its share. */
const leastLateSeconds = 30;
/** Times the spread of the others, from their median to their last but a tenth. */
const spreads = 5;
/** Of the save: a rank that is later by less has not made it long. */
const leastShare = 0.2;

export function lateRanks({ ranks, startedMs, finishedMs }: SaveTimes): LateRank[] {
  if (ranks.length < 3 || finishedMs === null) return [];
  const ends = ranks.map((rank) => rank.finishedMs).sort((a, b) => a - b);
  const medianMs = ends[Math.floor((ends.length - 1) / 2)] as number;
  const mostMs = ends[Math.floor((ends.length - 1) * 0.75)] as number;
  const boundMs = Math.max(leastLateSeconds * 1000, spreads * (mostMs - (ends[0] as number)));
  const late = ranks.filter((rank) => rank.finishedMs - medianMs > boundMs);
  const shareOf = (ms: number): number | null => (startedMs === null ? null : ms / (finishedMs - startedMs));
  return late
    .map(({ rank, finishedMs: endMs }) => ({ rank, seconds: (endMs - medianMs) / 1000, share: shareOf(endMs - medianMs) }))
    .filter(({ share }) => share === null || share >= leastShare)
    .sort((a, b) => b.seconds - a.seconds);
}
