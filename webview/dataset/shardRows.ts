import type { DatasetShard } from '../../src/core/datasets/datasetReport.js';
import { summarizeShards, type ShardOddity } from '../../src/core/pages/dataset/shardSummary.js';

export interface ShardRow extends DatasetShard {
  tokensPerSample: number | null;
  odd: ShardOddity | null;
}

/** Shards as rows, with what is odd about them. */
export function shardRowsOf(shards: readonly DatasetShard[]): ShardRow[] {
  const odd = summarizeShards(shards)?.odd;
  return shards.map((shard, index) => ({
    ...shard,
    tokensPerSample: shard.tokens === null || shard.samples === null || shard.samples === 0 ? null : shard.tokens / shard.samples,
    odd: odd?.get(index) ?? null,
  }));
}
