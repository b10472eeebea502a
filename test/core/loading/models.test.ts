/** Models whose config or tensors were changed, against what transformers reported (test/fixtures/load/models.jsonl.br). */
import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { differencesFrom, type LoadTruth } from '../../builders/loadTruth.js';

const truths = brotliDecompressSync(readFileSync('test/fixtures/load/models.jsonl.br'))
  .toString()
  .split('\n')
  .map((line) => JSON.parse(line) as LoadTruth);

describe.each(truths)('$modelType', (truth) => {
  it.each(truth.cases)('$change', (one) => {
    expect(differencesFrom(truth, one) ?? []).toEqual([]);
  });
});

it('most changes were loaded', () => {
  const cases = truths.flatMap(({ cases }) => cases);
  expect(cases.filter(({ answer }) => 'error' in answer).length).toBeLessThan(cases.length / 10);
});
