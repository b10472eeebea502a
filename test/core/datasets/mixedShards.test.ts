/** What shards of one directory are to each other: with tokens and without, in an index and in none. */
import { Int32, List, Field, Table, tableToIPC, Utf8, vectorFromArray } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import type { DatasetReport } from '../../../src/core/datasets/datasetReport.js';
import { filesBelow } from '../../builders/diskTree.js';
import { codesOf, inspectDataset } from '../../builders/inspectDataset.js';

const tokens = tableToIPC(new Table({ input_ids: vectorFromArray([[1, 2], [3]], new List(new Field('item', new Int32()))) }));
const text = tableToIPC(new Table({ text: vectorFromArray(['one', 'two'], new Utf8()) }));
const ofMissing = (report: DatasetReport): string[] =>
  report.checks.notDone.filter((check) => check.startsWith('whether shards are missing'));

describe('text beside tokens', () => {
  it('is named, and left out as their source', async () => {
    const report = await inspectDataset({ 'a.arrow': tokens, 'b.arrow': text });
    const found = report.findings.find(({ code }) => code === 'shards-without-tokens');
    expect(found).toMatchObject({ severity: 'note', path: 'b.arrow', message: '1 of 2 shards contain text and no tokens.' });
    expect(found?.effect).toContain('The totals exclude them');
    expect(report).toMatchObject({ samples: 2, tokens: { count: 3, exact: true } });
  });

  it('in Parquet is named as well', async () => {
    const [tokenized] = Object.values(filesBelow('test/fixtures/frameworks/datasets/parquet-tokenized/data'));
    const [raw] = Object.values(filesBelow('test/fixtures/frameworks/datasets/parquet-text-shards/data/data'));
    const report = await inspectDataset({ 'a.parquet': tokenized as Uint8Array, 'b.parquet': raw as Uint8Array });
    expect(codesOf(report)).toContain('shards-without-tokens');
  });

  it('alone is nothing to name', async () => {
    for (const data of [tokens, text])
      expect(codesOf(await inspectDataset({ 'a.arrow': data, 'b.arrow': data }))).not.toContain('shards-without-tokens');
  });
});

describe('that no shard is missing', () => {
  it('is not known of a flat directory', async () => {
    const report = await inspectDataset({ 'wiki.arrow': tokens, 'books.arrow': tokens });
    expect(ofMissing(report)).toEqual([
      'whether shards are missing: no index lists the shards, and no names state how many there are',
    ]);
  });

  it('is known of those in an index, or whose names state their number', async () => {
    const named = { 'data-00000-of-00002.arrow': tokens, 'data-00001-of-00002.arrow': tokens };
    expect(ofMissing(await inspectDataset(named))).toEqual([]);
    expect(ofMissing(await inspectDataset({ ...named, 'more.arrow': tokens }))[0]).toContain('1 of 3 shards');
    expect(ofMissing(await inspectDataset(filesBelow('test/fixtures/frameworks/datasets/mds-tokens/data')))).toEqual([]);
  });
});
