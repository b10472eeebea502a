/** Stored tokens of Arrow files: ids and padding that are looked at, and lengths of rows. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Int8 } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { arrowBytes, fixedLists, ids, lists } from '../../builders/arrowBuilder.js';
import { overwrite, u32, utf8 } from '../../builders/byteWriter.js';
import { codesOf, inspectDataset } from '../../builders/inspectDataset.js';
import { inspectOne } from '../../builders/inspectOne.js';
import { memoryTree, type ReadLog } from '../../builders/memoryTree.js';

const config = (fields: object): Uint8Array => utf8(JSON.stringify(fields));
const rows = (count: number, length: (row: number) => number, below = 500): number[][] =>
  Array.from({ length: count }, (_, row) => ids(length(row), below, row));
const fixture = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(path.resolve('test/fixtures/frameworks/datasets', name)));
const bytesRead = ({ reads }: ReadLog): number => reads.reduce((sum, { length }) => sum + length, 0);

describe('padded lists of fixed size', () => {
  const padded = rows(400, () => 75).map((row) => [...row.map((id) => id + 1), ...new Array<number>(25).fill(0)]);

  it('show ids outside of the vocabulary with their place', async () => {
    const data = arrowBytes('stream', { input_ids: fixedLists(padded) });
    const report = await inspectDataset({ 'a.arrow': data, 'config.json': config({ vocab_size: 400 }) });
    const found = report.findings.find(({ code }) => code === 'token-outside-vocabulary');
    expect(found).toMatchObject({ path: 'a.arrow', severity: 'error' });
    const at = found?.offset ?? 0;
    expect(new DataView(data.buffer, data.byteOffset).getInt32(at, true)).toBeGreaterThanOrEqual(400);
    expect(codesOf(await inspectDataset({ 'a.arrow': data, 'config.json': config({ vocab_size: 501 }) }))).toEqual([
      'token-dtype-wide',
    ]);
  });

  it('show their share of padding by the id of its token', async () => {
    const data = arrowBytes('file', { input_ids: fixedLists(padded) });
    const report = await inspectDataset({ 'a.arrow': data, 'config.json': config({ pad_token_id: 0 }) });
    expect(report.padding?.share).toBeCloseTo(0.25, 1);
    expect(report.lengths).toMatchObject({ unit: 'row', count: 400, minTokens: 100, maxTokens: 100 });
  });

  it('show it by the zeros of their attention mask, which may be narrower', async () => {
    const mask = padded.map((row) => row.map((id) => (id === 0 ? 0 : 1)));
    const columns = { input_ids: fixedLists(padded), attention_mask: fixedLists(mask, new Int8()) };
    const report = await inspectDataset({ 'a.arrow': arrowBytes('stream', columns) });
    expect(report.padding?.share).toBeCloseTo(0.25, 1);
    expect(report.padding?.method).toContain('attention mask');
  });

  it('are no padding where other masks have zeros', async () => {
    const mask = padded.map((row) => row.map(() => 0));
    const columns = { input_ids: fixedLists(padded), special_tokens_mask: fixedLists(mask, new Int8()) };
    expect((await inspectDataset({ 'a.arrow': arrowBytes('stream', columns) })).padding).toBeNull();
  });
});

describe('lists of variable length', () => {
  const some = rows(300, (row) => (row * 13) % 90);

  it('are looked at in all batches', async () => {
    const batches = Array.from({ length: 40 }, (_, batch) => ({ input_ids: lists(batch < 20 ? some : [[400], [401, 402]]) }));
    batches.splice(30, 0, { input_ids: lists(rows(300, () => 60, 900)) });
    const report = await inspectDataset({
      'a.arrow': arrowBytes('stream', ...batches),
      'config.json': config({ vocab_size: 500 }),
    });
    expect(codesOf(report)).toContain('token-outside-vocabulary');
  });

  it('tell their lengths by their offsets', async () => {
    const report = await inspectDataset({
      'a.arrow': arrowBytes('stream', { input_ids: lists(some) }, { input_ids: lists([[1]]) }),
    });
    const lengths = [...some.map((row) => row.length), 1];
    const empty = lengths.filter((length) => length === 0).length;
    expect(report.lengths).toMatchObject({ unit: 'row', count: 301, minTokens: 0, maxTokens: 89, empty });
    expect(report.lengths?.meanTokens).toBeCloseTo(lengths.reduce((sum, length) => sum + length, 0) / 301);
    expect(report.findings).toMatchObject([{ code: 'documents-empty', path: 'a.arrow' }]);
  });

  it('have no length where they are null', async () => {
    const report = await inspectDataset({
      'a.arrow': arrowBytes('file', { input_ids: lists([[1, 2], null, [3], null, [null, 4]]) }),
    });
    expect(report.lengths).toMatchObject({ count: 5, empty: 2, maxTokens: 2 });
    expect(report.tokens).toMatchObject({ count: 4, exact: true });
  });

  it('count what a slice left in, not what its writer kept', async () => {
    const { tableFromIPC, tableToIPC } = await import('apache-arrow');
    const table = tableFromIPC(arrowBytes('stream', { input_ids: lists(some) })).slice(10, 20);
    const report = await inspectDataset({ 'a.arrow': tableToIPC(table, 'stream') });
    const expected = some.slice(10, 20).reduce((sum, row) => sum + row.length, 0);
    expect([report.samples, report.tokens?.count, report.lengths?.count]).toEqual([10, expected, 10]);
  });

  it('whose offsets fall, or lead out, are damage at a place', async () => {
    const data = arrowBytes('stream', { input_ids: lists([[1], [2, 3, 4], [5]]) });
    const at = findOffsets(data, [0, 1, 4, 5]);
    for (const value of [0xffffffff, 0, 6]) {
      const report = await inspectDataset({ 'a.arrow': overwrite(data, at + 8, u32(value)) });
      expect(codesOf(report)).toContain('shard-corrupt');
      expect(report.totalBytes).toBe(data.byteLength);
    }
  });

  it('are left out where they are many, and read on request', async () => {
    const batches = Array.from({ length: 2_100 }, () => ({ input_ids: lists([[1, 2], [3]]) }));
    const data = arrowBytes('stream', ...batches);
    const report = await inspectDataset({ 'a.arrow': data });
    expect(report.lengths).toBeNull();
    expect(report.checks.notDone.join()).toContain('lengths of all rows');
    const all = await inspectDataset({ 'a.arrow': data }, undefined, { allLengths: true });
    expect(all.lengths).toMatchObject({ count: 4_200 });
  });
});

it('reads as much as metadata and offsets take', async () => {
  const one = lists(rows(500, () => 200));
  const data = arrowBytes('stream', ...Array.from({ length: 20 }, () => ({ input_ids: one })));
  const log: ReadLog = { reads: [] };
  const report = await inspectDataset({ 'a.arrow': data }, log);
  expect(report.lengths).toMatchObject({ count: 10_000, minTokens: 200, maxTokens: 200 });
  expect(log.reads.length).toBeLessThanOrEqual(46);
  expect(bytesRead(log)).toBeLessThan(data.byteLength / 50 + 64 * 1024);
});

it('does not look into compressed batches', async () => {
  const data = fixture('arrow-polars/data/file-zstd.arrow');
  const report = await inspectDataset({ 'a.arrow': data, 'config.json': config({ vocab_size: 2, pad_token_id: 0 }) });
  expect([report.padding, report.lengths, codesOf(report).includes('token-outside-vocabulary')]).toEqual([null, null, false]);
  expect(report.checks.notDone.join()).toContain('compressed');
});

it('is a dataset beside settings that state the vocabulary, and a model without weights is none', async () => {
  const settings = { 'config.json': config({ vocab_size: 500, model_type: 'llama' }), 'tokenizer_config.json': config({}) };
  const report = await inspectDataset({
    ...settings,
    'data/a.arrow': arrowBytes('stream', { input_ids: lists(rows(9, () => 3)) }),
  });
  expect(report.vocabulary?.size).toBe(500);
  for (const more of [
    {},
    { 'vocab.txt': utf8('a\nb\n'), 'merges.txt': utf8('#version: 0.2\na b\n'), 'README.md': utf8('# A\n') },
  ]) {
    const { report: other } = await inspectOne(memoryTree('model', { ...settings, ...more }), { path: 'model' });
    expect([other.kind, other.layout]).toEqual(['checkpoint', 'huggingface-model']);
  }
});

function findOffsets(data: Uint8Array, offsets: number[]): number {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  for (let at = 0; at + 4 * offsets.length <= data.byteLength; at += 4)
    if (offsets.every((offset, index) => view.getInt32(at + 4 * index, true) === offset)) return at;
  throw new Error('no offsets');
}

describe('lists of integers', () => {
  it('that are boxes or classes by their names are no tokens', async () => {
    for (const name of ['bbox', 'category_ids_index', 'class_labels']) {
      const report = await inspectDataset({ 'a.arrow': arrowBytes('file', { [name]: lists(rows(20, () => 4)) }) });
      expect(report.tokens, name).toBeNull();
    }
  });

  it('are tokens by their type alone where they are the only ones and no name tells', async () => {
    const report = await inspectDataset({ 'a.arrow': arrowBytes('file', { packed: lists(rows(20, () => 100)) }) });
    expect(report.tokens).toMatchObject({ count: 2000, basis: 'names' });
    expect(report.tokens?.method).toContain('packed taken for tokens by its type');
    const named = await inspectDataset({ 'a.arrow': arrowBytes('file', { input_ids: lists(rows(20, () => 100)) }) });
    expect(named.tokens).toMatchObject({ count: 2000, basis: 'header' });
  });
});
