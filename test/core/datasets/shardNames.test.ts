/** Shards whose names differ in case are of one set, as copies from file systems without case have them. */
import { expect, it } from 'vitest';
import { splitOf } from '../../../src/core/datasets/splitName.js';
import { noteMissingShards, splitOfPath } from '../../../src/core/datasets/shardNames.js';
import type { Finding } from '../../../src/core/findings/finding.js';
import { Listing } from '../../../src/core/files/listing.js';

function findingsOf(paths: readonly string[]): Finding[] {
  const findings: Finding[] = [];
  noteMissingShards(paths, {
    finding: (finding) => findings.push(finding),
    listed: () => undefined,
    listing: new Listing('data', []),
  });
  return findings;
}

it('are complete together', () => {
  expect(findingsOf(['train-00000-of-00002.parquet', 'Train-00001-of-00002.PARQUET'])).toEqual([]);
});

it('lack a number together', () => {
  expect(findingsOf(['train-00000-of-00003.parquet', 'TRAIN-00002-of-00003.parquet'])).toMatchObject([
    { code: 'shard-count-differs', facts: { expected: 3, found: 2, first: 1 } },
  ]);
});

it.each([
  ['Train-00000-of-00002.parquet', 'train'],
  ['VALIDATION/a.parquet', 'validation'],
  ['wikitext-Test.parquet', 'test'],
  ['wikitext-Sample-00000-of-00002.parquet', 'Sample'],
])('%s is of the split %s', (path, split) => {
  expect(splitOfPath(path)).toBe(split);
});

it('reads splits of directories in any case', () => {
  expect(['Train/a.mds', 'train/b.mds', 'c4-TRAIN-0.tar'].map(splitOf)).toEqual(['train', 'train', 'train']);
});
