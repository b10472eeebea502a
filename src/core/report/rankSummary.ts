import type { CheckpointReport, RankReport } from './checkpointReport.js';
import { formatCount, formatShare } from './units.js';
import { visibleText } from './visibleText.js';

export interface RankSummary {
  /** `8 of 8`, or just how many where the size of the job is not known. */
  count: string;
  medianBytes: number;
  /** Ranks that differ from the median by more than a twentieth, the farthest first. */
  odd: RankReport[];
  /** How equal the ranks are, in a few words. */
  words: string;
}

/** Shares are seldom exactly equal: rank 0 mostly has the objects that belong to all. */
const MAX_DEVIATION = 0.05;

/** How the ranks compare; null where the files are nobody's in particular. */
export function summarizeRanks({ ranks, topology }: Pick<CheckpointReport, 'ranks' | 'topology'>): RankSummary | null {
  if (ranks.length === 0) return null;
  const sizes = ranks.map(({ bytes }) => bytes).sort((a, b) => a - b);
  const medianBytes = sizes[Math.floor(sizes.length / 2)] as number;
  const deviationOf = ({ bytes }: RankReport): number => (medianBytes === 0 ? 0 : Math.abs(bytes - medianBytes) / medianBytes);
  const largest = ranks.reduce((most, rank) => Math.max(most, deviationOf(rank)), 0);
  const odd = ranks.filter((rank) => deviationOf(rank) > MAX_DEVIATION).sort((a, b) => deviationOf(b) - deviationOf(a));
  const [first] = odd;
  const { worldSize } = topology;
  return {
    count:
      worldSize === null || ranks.length > worldSize
        ? formatCount(ranks.length)
        : `${formatCount(ranks.length)} of ${formatCount(worldSize)}`,
    medianBytes,
    odd,
    words:
      first === undefined
        ? largest === 0
          ? 'all of the same size'
          : `equal within ${formatShare(largest)}`
        : `rank ${visibleText(first.rank)} has ${formatShare(deviationOf(first))} ${first.bytes < medianBytes ? 'less' : 'more'} than usual`,
  };
}
