import type { DatasetShard } from '../../src/core/datasets/datasetReport.js';
import { summarizeShards, type ShardOddity } from '../../src/core/pages/dataset/shardSummary.js';

export interface ShardRow extends DatasetShard {
  tokensPerSample: number | null;
  odd: ShardOddity | null;
}

export interface ShardOrder {
  column: string;
  descending: boolean;
}

const byName = new Intl.Collator('en', { numeric: true });

/** Shards as rows, with what is odd about them. */
export function shardRowsOf(shards: readonly DatasetShard[]): ShardRow[] {
  const odd = summarizeShards(shards)?.odd;
  return shards.map((shard, index) => ({
    ...shard,
    tokensPerSample: shard.tokens === null || shard.samples === null || shard.samples === 0 ? null : shard.tokens / shard.samples,
    odd: odd?.get(index) ?? null,
  }));
}

/** Rows in the asked order; without one as the report has them. Rows without the value come last either way. */
export function sortShards(rows: readonly ShardRow[], order: ShardOrder | null): readonly ShardRow[] {
  const value = order === null ? undefined : valueOf[order.column];
  if (order === null || value === undefined) return rows;
  const sign = order.descending ? -1 : 1;
  return [...rows].sort((a, b) => compare(value(a), value(b), sign));
}

const valueOf: Record<string, (row: ShardRow) => string | number | null> = {
  path: ({ path }) => path,
  split: ({ split }) => split,
  bytes: ({ bytes }) => bytes,
  logicalBytes: ({ logicalBytes }) => logicalBytes,
  samples: ({ samples }) => samples,
  tokens: ({ tokens }) => tokens,
  tokensPerSample: ({ tokensPerSample }) => tokensPerSample,
};

function compare(a: string | number | null, b: string | number | null, sign: number): number {
  if (a === null || b === null) return (a === null ? 1 : 0) - (b === null ? 1 : 0);
  return sign * (typeof a === 'number' && typeof b === 'number' ? a - b : byName.compare(String(a), String(b)));
}
