/** Text in a compression that is not unpacked: its share is extrapolated from what can be read, and named. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { estimateText, usualSampling } from '../../../src/core/datasets/text/estimateText.js';
import type { TextCorpus } from '../../../src/core/datasets/text/textCorpus.js';
import { inspectDataset } from '../../builders/inspectDataset.js';

const table = (name: string): Uint8Array => new Uint8Array(readFileSync(`test/fixtures/text-tables/${name}.parquet`));
const tokenizer = new Uint8Array(readFileSync('test/fixtures/frameworks/datasets/jsonl/data/tokenizer.json'));

it('of one shard counts by its rows and bytes', async () => {
  const both = await inspectDataset({ 'a.parquet': table('plain'), 'b.parquet': table('brotli'), 'tokenizer.json': tokenizer });
  const read = await inspectDataset({ 'a.parquet': table('plain'), 'b.parquet': table('plain'), 'tokenizer.json': tokenizer });
  expect(both.samples).toBe(80);
  // New writers state the size of texts.
  expect(both.text?.bytes).toMatchObject({ count: 1230, basis: 'header' });
  expect(both.tokens).toMatchObject({ basis: 'sampled', confidence: null, coverage: { counted: 1, of: 2, unit: 'shards' } });
  const [least, most] = both.tokens?.interval ?? [0, 0];
  expect(read.tokens?.count).toBeGreaterThanOrEqual(least);
  expect(read.tokens?.count).toBeLessThanOrEqual(most ?? 0);
  expect(both.checks.notDone.join()).toContain('text of text (string, brotli) was not sampled');
});

it('of all shards has the size that their footers state, and is read for its scripts alone', async () => {
  const log = { reads: [] as { path: string; offset: number; length: number }[] };
  const report = await inspectDataset({ 'a.parquet': table('brotli'), 'b.parquet': table('plain') }, log);
  expect(report.text?.bytes).toMatchObject({ count: 1230, exact: true });
  expect(report.tokens).toMatchObject({ exact: false, basis: 'assumed', confidence: null });
  expect(report.tokens?.method).toContain('where text can be read');
  // English words and their accents: 2.6 to 4.4 bytes a token.
  expect(report.tokens?.count).toBeGreaterThan(1230 / 4.4);
  expect(report.tokens?.count).toBeLessThan(1230 / 2.6);
  // The footer, and the pages with the text.
  expect(log.reads.filter(({ path }) => path === 'b.parquet').length).toBeLessThanOrEqual(3);
});

it('costs no more reads than the files have bytes', async () => {
  let drawn = 0;
  const corpus: TextCorpus = {
    path: 'a',
    span: 1e6,
    reachable: 1e6,
    weightBytes: 1e9,
    textBytes: null,
    documents: 1e6,
    isCounted: true,
    window: 16,
    draw: (_, length) => {
      drawn += 1;
      return Promise.resolve({ texts: ['text'], textBytes: 4, documents: length, covered: length });
    },
  };
  const estimate = await estimateText([corpus], null, {
    options: usualSampling,
    now: () => 0,
    pause: () => Promise.resolve(),
    signal: undefined,
    isReadSpent: () => drawn >= 40,
    failed: () => undefined,
  });
  expect(drawn).toBe(40);
  expect(estimate?.text.bytes).toMatchObject({ exact: false, basis: 'sampled' });
});
