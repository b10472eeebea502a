import type { CheckpointReport, RankReport } from '../../checkpoints/checkpointReport.js';
import { formatBytes, formatCount, formatShare } from '../../text/units.js';
import { visibleText } from '../../text/visibleText.js';

export interface RankSummary {
  /** `8`, or `7 of 8` where some wrote nothing. */
  count: string;
  medianBytes: number;
  /** Ranks that differ from the median by more than a twentieth, the farthest first; empty where that is nothing unusual here. */
  odd: RankReport[];
  /** How equal the ranks are, in a few words that name the odd ones. */
  words: string;
}

/** Shares are seldom exactly equal: rank 0 mostly has the objects that belong to all. */
const MAX_DEVIATION = 0.05;
/** Where more than a quarter differ, none is the odd one: pipeline stages, for example, have shares of their own. */
const MAX_ODD_SHARE = 0.25;
/** Odd ranks that the words name. */
const NAMED = 3;

/** Findings of ranks whose files are missing. Without one, ranks that have no files share those of others: data-parallel ranks that write nothing. */
const lostRanks: ReadonlySet<string> = new Set([
  'rank-file-missing',
  'rng-rank-missing',
  'zero-shards-missing',
  'zero-weights-missing',
  'distributed-optimizer-missing',
  'save-unfinished',
]);

/** How the ranks compare; null where the files belong to no rank, or all to one. */
export function summarizeRanks({
  ranks,
  topology,
  findings = [],
}: Pick<CheckpointReport, 'ranks' | 'topology'> & Partial<Pick<CheckpointReport, 'findings'>>): RankSummary | null {
  if (ranks.length < 2) return null;
  const sizes = ranks.map(({ bytes }) => bytes).sort((a, b) => a - b);
  const medianBytes = sizes[Math.floor(sizes.length / 2)] as number;
  const distance = ({ bytes }: RankReport): number => Math.abs(deviationOf(bytes, medianBytes));
  const different = ranks.filter((rank) => distance(rank) > MAX_DEVIATION);
  const odd = different.length > ranks.length * MAX_ODD_SHARE ? [] : different.sort((a, b) => distance(b) - distance(a));
  return {
    count: countOf(ranks.length, findings.some(({ code }) => lostRanks.has(code)) ? topology.worldSize : null),
    medianBytes,
    odd,
    words:
      odd.length > 0
        ? oddWords(odd, medianBytes)
        : evenWords(sizes[0] as number, sizes.at(-1) as number, different.length === 0, medianBytes),
  };
}

/** How far a rank is from the median, as a share of it: -0.59 for 59 % less; infinite where the others have nothing. */
export function deviationOf(bytes: number, medianBytes: number): number {
  if (bytes === medianBytes) return 0;
  return (bytes - medianBytes) / medianBytes;
}

/** `59.0 % less than usual`, `12.5 times the usual`, `as usual`. */
export function deviationWords(bytes: number, medianBytes: number): string {
  const deviation = deviationOf(bytes, medianBytes);
  if (deviation === 0) return 'as usual';
  if (medianBytes === 0) return 'where most ranks have none';
  if (deviation >= 1) return `${(deviation + 1).toFixed(1)} times the usual`;
  return `${formatShare(Math.abs(deviation))} ${deviation < 0 ? 'less' : 'more'} than usual`;
}

function countOf(ranks: number, worldSize: number | null): string {
  return worldSize === null || ranks >= worldSize ? formatCount(ranks) : `${formatCount(ranks)} of ${formatCount(worldSize)}`;
}

function oddWords(odd: readonly RankReport[], medianBytes: number): string {
  const named = odd
    .slice(0, NAMED)
    .map(({ rank, bytes }) => `rank ${visibleText(rank)} has ${formatBytes(bytes)}, ${deviationWords(bytes, medianBytes)}`);
  const rest = odd.length - named.length;
  return `${named.join('; ')}${rest === 0 ? '' : `; ${formatCount(rest)} more differ`}`;
}

function evenWords(smallest: number, largest: number, isEven: boolean, medianBytes: number): string {
  if (smallest === largest) return 'all of the same size';
  if (!isEven) return `from ${formatBytes(smallest)} to ${formatBytes(largest)} each`;
  const most = Math.max(deviationOf(largest, medianBytes), -deviationOf(smallest, medianBytes));
  return `equal within ${formatShare(most)}`;
}
