/** Shards in short: how big they are, and which are not like the others. */
import { median } from '../../bytes/median.js';
import type { DatasetShard } from '../../datasets/datasetReport.js';

/** Why a shard is odd, in a few words: `2.4 × the median`. */
export type ShardOddity = { kind: 'empty' } | { kind: 'small' | 'large'; timesMedian: number };

export interface ShardSummary {
  count: number;
  smallestBytes: number;
  medianBytes: number;
  largestBytes: number;
  /** By the shard's position in the report. */
  odd: Map<number, ShardOddity>;
}

/** Fewer shards have no middle that others could be compared with. */
const fewestToCompare = 3;

/**
 * Sizes of shards and the odd ones out: without samples, or of less than half or more than twice the median. The last shard of a
 * directory or split is what was left over, so that it may be small. Null where there are no shards.
 */
export function summarizeShards(shards: readonly DatasetShard[]): ShardSummary | null {
  if (shards.length === 0) return null;
  const sorted = Float64Array.from(shards, ({ bytes }) => bytes).sort();
  const medianBytes = Math.round(median([...sorted]));
  const lasts = new Map<string, number>();
  shards.forEach((shard, index) => lasts.set(groupOf(shard), index));
  const odd = new Map<number, ShardOddity>();
  shards.forEach((shard, index) => {
    const oddity = oddityOf(shard, medianBytes, shards.length, lasts.get(groupOf(shard)) === index);
    if (oddity !== null) odd.set(index, oddity);
  });
  return { count: shards.length, smallestBytes: sorted[0] ?? 0, medianBytes, largestBytes: sorted.at(-1) ?? 0, odd };
}

function groupOf({ path, split }: DatasetShard): string {
  return `${split ?? ''}\n${path.slice(0, path.lastIndexOf('/') + 1)}`;
}

function oddityOf(shard: DatasetShard, medianBytes: number, count: number, isLast: boolean): ShardOddity | null {
  if (shard.bytes === 0 || shard.samples === 0) return { kind: 'empty' };
  if (count < fewestToCompare || medianBytes === 0) return null;
  const timesMedian = shard.bytes / medianBytes;
  if (timesMedian > 2) return { kind: 'large', timesMedian };
  return timesMedian < 0.5 && !isLast ? { kind: 'small', timesMedian } : null;
}

/** `empty`, `0.10 × the median`. */
export function oddityInWords(oddity: ShardOddity): string {
  if (oddity.kind === 'empty') return 'empty';
  const { timesMedian } = oddity;
  return `${timesMedian.toFixed(timesMedian < 1 ? 2 : 1)} × the median`;
}
