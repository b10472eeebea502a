/** A total is exact only where every shard was counted. Each data file of each fixture is cut short, and made unreadable. */
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CountReport, DatasetReport } from '../../../src/core/datasets/datasetReport.js';
import { datasetHover } from '../../../src/core/pages/dataset/datasetHover.js';
import { datasetHeadlineOf } from '../../../src/core/pages/dataset/datasetHeadline.js';
import { sourceSentences } from '../../../src/core/pages/dataset/datasetLines.js';
import { concat, patternBytes, u32, u64, utf8 } from '../../builders/byteWriter.js';
import { casesBelow, fixtureRoot } from '../../builders/frameworkFixtures.js';
import { inspectDataset } from '../../builders/inspectDataset.js';

/** Files without any header or end: what is left of one is a smaller whole one. So is an empty TFRecord. */
const plain = /\.(txt|csv|tsv|jsonl|json|ndjson)(\.(gz|zst|zstd))?$|tokens\.bin$|train\.bin$|val\.bin$/;

describe.each(casesBelow(fixtureRoot, 'dataset'))('%s', (name) => {
  const folder = path.join(fixtureRoot, name, 'data');
  const files = filesIn(folder);

  it('is not exact once a shard is damaged', async () => {
    const whole = await inspectDataset(files);
    for (const { path: shard } of whole.shards) {
      const bytes = files[shard] as Uint8Array;
      if (plain.test(shard) || bytes.length < 64) continue;
      for (const damaged of [bytes.subarray(0, Math.floor(bytes.length * 0.6)), bytes.slice().fill(0x41), new Uint8Array(0)]) {
        if (damaged.length === 0 && shard.includes('tfrecord')) continue;
        const report = await inspectOrNull({ ...files, [shard]: damaged });
        if (report === null) continue;
        const where = `${shard}, ${damaged.length} of ${bytes.length} bytes`;
        expectBound(whole.sampleCount, report.sampleCount, `samples with ${where}`);
        expectBound(whole.tokens, report.tokens, `tokens with ${where}`);
      }
    }
  });
});

function filesIn(folder: string): Record<string, Uint8Array> {
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name: file }) => path.join(parentPath, file))
      .map((file) => [path.relative(folder, file), Uint8Array.from(readFileSync(file))]),
  );
}

/** Null for what is no dataset any more. */
async function inspectOrNull(files: Record<string, Uint8Array>): Promise<DatasetReport | null> {
  try {
    return await inspectDataset(files);
  } catch {
    return null;
  }
}

/** A number that is not that of the whole dataset does not claim to be exact, and says how much of it was counted. */
function expectBound(whole: CountReport | null, damaged: CountReport | null, what: string): void {
  if (whole === null || damaged === null || damaged.count === whole.count) return;
  expect(damaged.exact, `${what}: ${damaged.count} of ${whole.count}`).toBe(false);
}

describe('the number of a damaged data set is the one that is shown', () => {
  const lengths = [300, 200, 100];
  const idx = (): Uint8Array => {
    const ends = lengths.map((_, at) => lengths.slice(0, at).reduce((sum, length) => sum + 2 * length, 0));
    const documents = Array.from({ length: lengths.length + 1 }, (_, document) => u64(document));
    const head = [utf8('MMIDIDX\0\0'), u64(1), Uint8Array.of(8), u64(lengths.length), u64(lengths.length + 1)];
    return concat(...head, ...lengths.map(u32), ...ends.map(u64), ...documents);
  };
  const tokens = patternBytes(1200);

  it('at most what a cut file has room for', async () => {
    const report = await inspectDataset({ 'a.idx': idx(), 'a.bin': tokens.subarray(0, 1100) });
    expect(report.tokens).toMatchObject({ count: 550, interval: [0, 550] });
    expect(report.columns[0]?.values).toBe(550);
    expect(datasetHeadlineOf(report).what).toContain('At most 550 tokens');
  });

  it('at least what is sure', async () => {
    const report = await inspectDataset({ 'a.idx': idx(), 'a.bin': tokens, 'b.idx': idx(), 'b.bin': tokens.subarray(0, 1100) });
    expect(report).toMatchObject({
      samples: 3,
      sampleCount: { interval: [3, 6] },
      tokens: { count: 600, interval: [600, 1150] },
    });
    expect(datasetHeadlineOf(report).what).toContain('At least 600 tokens (1 of 2 shards) in at least 3');
    expect(sourceSentences(report)[0]).toContain('Tokens: at least 600');
  });
});

describe('a shard that is not here', () => {
  it.each([['mds-tokens'], ['litdata-tokens']])('makes the same bound as an empty one: %s', async (name) => {
    const folder = path.join(fixtureRoot, 'datasets', name, 'data');
    const files = filesIn(folder);
    const whole = await inspectDataset(files);
    const { [whole.shards.at(-1)?.path ?? '']: _, ...without } = files;
    const report = await inspectDataset(without);
    const { length } = whole.shards;
    for (const count of [report.sampleCount, report.tokens]) {
      expect(count).toMatchObject({ exact: false, coverage: { counted: length - 1, of: length } });
    }
    const [least, most] = report.tokens?.interval ?? [0, 0];
    expect(whole.tokens?.count).toBeGreaterThanOrEqual(least);
    // The index states it.
    expect(most).not.toBeNull();
    expect(whole.tokens?.count).toBeLessThanOrEqual(most ?? 0);
  });

  it('leaves the tokens of raw text without an upper bound', async () => {
    const files = filesIn(path.join(fixtureRoot, 'datasets/jsonl/data'));
    const report = await inspectDataset({ ...files, 'b.jsonl.gz': files['b.jsonl.gz']?.subarray(0, 40) as Uint8Array });
    expect(report.tokens).toMatchObject({ exact: false, interval: [expect.any(Number), null], coverage: { unit: 'shards' } });
    expect(report.text?.tokenized.every(({ interval }) => interval[1] === null)).toBe(true);
    expect(datasetHeadlineOf(report).what).toMatch(/^At least [\d,.]+ tokens \(\d of \d shards\)/);
  });
});

describe('words for a sum over some of the shards', () => {
  it('say that it is a bound, and of how many', async () => {
    const whole = Uint8Array.from(readFileSync(path.join(fixtureRoot, 'datasets/parquet-tokenized/data/tokenized.parquet')));
    const report = await inspectDataset({ 'a.parquet': whole, 'b.parquet': whole.subarray(0, 100), 'c.parquet': whole });
    expect(report.sampleCount).toMatchObject({ exact: false, basis: 'header', confidence: null });
    expect(report.sampleCount?.coverage).toEqual({ counted: 2, of: 3, unit: 'shards' });
    expect(datasetHeadlineOf(report).what).toMatch(
      /^At least [\d,]+ tokens \(2 of 3 shards\) in at least [\d,]+ rows \(2 of 3 shards\)/,
    );
  });

  it('give no bound of 0: an index bounds what could not be counted, or nothing is known', async () => {
    const mds = filesIn(path.join(fixtureRoot, 'datasets/mds-tokens/data'));
    const cut = Object.entries(mds).map(
      ([name, bytes]) => [name, name.endsWith('.mds') ? bytes.subarray(0, 100) : bytes] as const,
    );
    const bounded = await inspectDataset(Object.fromEntries(cut));
    expect(bounded.tokens?.interval[0]).toBe(0);
    expect(datasetHeadlineOf(bounded).what).toMatch(/^At most [\d,]+ tokens \(0 of \d+ shards\) in at most [\d,]+ samples/);
    expect(datasetHover(bounded, '#')).toMatch(/at most [\d,]+ tokens \(0 of \d+ shards\)/);
    const unknown = await inspectDataset({ 'a.txt': Uint8Array.from([10, 10]), 'b.txt': new Uint8Array(5000) });
    expect(datasetHeadlineOf(unknown)).toMatchObject({ what: 'The number of tokens is not known (1 of 2 shards).', how: '' });
    expect(datasetHover(unknown, '#')).toContain('Tokens: not known (1 of 2 shards)');
  });
});
