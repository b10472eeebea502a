/** Sums over the shards of each split. */
import { plus } from './counts.js';
import type { DatasetShard, DatasetSplit } from './datasetReport.js';
import { splitOfPath } from './shardNames.js';
import { splitOf } from './splitName.js';

export interface SplitShards {
  sure: readonly DatasetShard[];
  /** Shards whose numbers cannot be relied on. */
  damaged: readonly DatasetShard[];
  /** Files that should be shards, of which nothing but the name is known. */
  uncounted: readonly Pick<DatasetShard, 'path' | 'bytes'>[];
  /** Splits that are there without any shards. */
  empty: readonly string[];
}

/** The splits in the order of their shards. One with a shard that is not known has no number of its own. */
export function sumSplits({ sure, damaged, uncounted, empty }: SplitShards): DatasetSplit[] {
  const names = new Set([...sure, ...damaged].map(({ split }) => split));
  const unknown = { samples: null, tokens: null };
  const splits = new Map<string, DatasetSplit>();
  for (const shard of sure) addShard(splits, shard);
  for (const shard of damaged) addShard(splits, { ...shard, ...unknown });
  for (const { path, bytes } of uncounted) {
    // Layouts name splits in one of two ways. A file that cannot be read makes no split of its own.
    const split = [splitOfPath(path), splitOf(path)].find((name) => name !== undefined && names.has(name)) ?? null;
    addShard(splits, { split, bytes, ...unknown });
  }
  const hasTokens = sure.some(({ tokens }) => tokens !== null);
  for (const name of empty)
    if (!splits.has(name)) splits.set(name, { name, shards: 0, bytes: 0, samples: 0, tokens: hasTokens ? 0 : null });
  return [...splits.values()];
}

function addShard(
  splits: Map<string, DatasetSplit>,
  { split, bytes, samples, tokens }: Pick<DatasetShard, 'split' | 'bytes' | 'samples' | 'tokens'>,
): void {
  if (split === null) return;
  const known = splits.get(split);
  if (known === undefined) {
    splits.set(split, { name: split, shards: 1, bytes, samples, tokens });
    return;
  }
  known.shards += 1;
  known.bytes += bytes;
  known.samples = plus(known.samples, samples);
  known.tokens = plus(known.tokens, tokens);
}
