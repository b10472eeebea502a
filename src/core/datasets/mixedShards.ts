/** Shards with tokens beside shards with text alone: one directory, and maybe two datasets. */
import type { Finding } from '../findings/finding.js';
import type { DatasetParts, Shard } from './datasetParts.js';

/** A finding where some shards hold tokens and others none. */
export function findMixedShards({ shards }: Pick<DatasetParts, 'shards'>): Finding[] {
  const holding = shards.filter(({ use }) => use !== 'copy');
  const texts = holding.filter((shard) => !has(shard, 'tokens') && has(shard, 'text'));
  const [first] = texts;
  if (first === undefined || !holding.some((shard) => has(shard, 'tokens'))) return [];
  const isExcluded = texts.every(({ use }) => use === 'source');
  return [
    { code: 'shards-without-tokens', path: first.path, facts: { without: texts.length, shards: holding.length, isExcluded } },
  ];
}

function has({ columns }: Shard, role: 'tokens' | 'text'): boolean {
  return columns.some((column) => column.role === role);
}
