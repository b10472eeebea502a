/** Numbers that the names of shards leave out: a note and a bound, and no false alarm for numbers that count something else. */
import { describe, expect, it } from 'vitest';
import { findShardGaps } from '../../../src/core/datasets/shardGaps.js';
import { utf8 } from '../../builders/byteWriter.js';
import { codesOf, inspectDataset } from '../../builders/inspectDataset.js';
import { buildTar } from '../../builders/tarBuilder.js';

const names = (prefix: string, numbers: readonly (string | number)[], suffix: string): string[] =>
  numbers.map((number) => `${prefix}${typeof number === 'string' ? number : String(number).padStart(6, '0')}${suffix}`);

describe('a gap', () => {
  it.each([
    ['between', [0, 2, 3], 1, 1],
    ['behind a beginning at 1', [1, 2, 4, 5, 7], 2, 3],
    ['in a part of a dataset', [100, 101, 103], 1, 102],
  ])('%s', (_, numbers, missing, first) => {
    const [gap, ...others] = findShardGaps(names('a/train_', numbers, '.u16.bin'));
    expect(gap).toMatchObject({ missing, first, found: numbers.length });
    expect(others).toEqual([]);
  });

  it.each([
    ['a beginning at 1', names('s-', [1, 2, 3], '.tar')],
    ['a step of 10', names('s-', [0, 10, 20, 30], '.tar')],
    ['two shards', names('s-', [0, 2], '.tar')],
    ['numbers far apart', names('s-', [0, 1, 500, 900], '.tar')],
    ['dates', names('log-', ['20240130', '20240131', '20240201'], '.jsonl')],
    ['steps without padding', names('step-', ['100', '101', '103'], '.npy')],
    ['names that state how many there are', names('s-', [0, 2, 3], '-of-000009.parquet')],
    ['other directories', names('', ['a/s-000000', 'a/s-000001', 'b/s-000003'], '.tar')],
    ['another width', names('s-', ['000', '001', '0003'], '.tar')],
    ['years', names('y', ['1999', '2001', '2002'], '.csv')],
  ])('is not %s', (_, paths) => {
    expect(findShardGaps(paths)).toEqual([]);
  });
});

describe('a dataset with a gap', () => {
  it.each([
    ['.jsonl', utf8('{"input_ids": [1, 2, 3]}\n')],
    ['.tar', buildTar([{ name: 'a.txt', data: utf8('some text') }])],
  ])('is bounded: %s', async (extension, bytes) => {
    const of = (numbers: number[]) =>
      inspectDataset(Object.fromEntries(names('train-', numbers, extension).map((name) => [name, bytes])));
    const report = await of([0, 2, 3]);
    expect(report.findings).toMatchObject([
      { code: 'shard-numbers-missing', severity: 'note', path: `train-000002${extension}` },
    ]);
    expect(report.sampleCount).toMatchObject({ exact: false, interval: [3, null], coverage: { counted: 3, of: 4 } });
    expect(report.tokens).toMatchObject({ exact: false, interval: [expect.any(Number), null] });
    const whole = await of([1, 2, 3]);
    expect(codesOf(whole)).toEqual([]);
    expect(whole.sampleCount).toMatchObject({ count: 3, exact: true });
  });
});
