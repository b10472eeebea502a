/** What `datasets` leaves on disks: saved directories that are not whole, caches with several steps, selections, unfinished writes. */
import { tableFromArrays, tableToIPC, vectorFromArray, Table, Int32, List, Field, Uint64, Utf8 } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { createNodeFileTree } from '../../../src/platform/nodeFileTree.js';
import { inspect } from '../../../src/core/inspection/inspect.js';
import type { DatasetReport } from '../../../src/core/datasets/datasetReport.js';
import { encodeText } from '../../../src/core/bytes/text.js';
import { memoryTree, type MemoryFile, type ReadLog } from '../../builders/memoryTree.js';

async function report(files: Record<string, MemoryFile>, log?: ReadLog): Promise<DatasetReport> {
  const made = (await inspect(memoryTree('data', files, log), { path: 'data' })).report;
  if (made.kind !== 'dataset') throw new Error(`a ${made.kind}`);
  return made;
}

function tokens(lists: number[][]): Uint8Array {
  const vector = vectorFromArray(lists, new List(new Field('item', new Int32())));
  return tableToIPC(new Table({ input_ids: vector }), 'stream');
}

const text = (rows: string[]): Uint8Array => tableToIPC(new Table({ text: vectorFromArray(rows, new Utf8()) }), 'stream');
const state = (...names: string[]): Uint8Array =>
  encodeText(JSON.stringify({ _data_files: names.map((filename) => ({ filename })), _fingerprint: 'f00d', _split: 'train' }));
const codes = (made: DatasetReport): string[] => made.findings.map(({ code }) => code);
const three = tokens([[1, 2], [3]]);

describe('a saved dataset', () => {
  it('counts the shards that state.json names, and no others', async () => {
    const made = await report({
      'data-00000-of-00001.arrow': three,
      'data-00000-of-00002.arrow': tokens([[9, 9, 9, 9]]),
      'state.json': state('data-00000-of-00001.arrow'),
      'dataset_info.json': encodeText('{}'),
    });
    expect(made.tokens).toMatchObject({ count: 3, exact: true });
    expect(made.samples).toBe(2);
    expect(made.splits.map(({ name }) => name)).toEqual(['train']);
    expect(codes(made)).toContain('shard-unlisted');
  });

  it('says which shard is missing, and refuses names that lead elsewhere', async () => {
    const made = await report({
      'data-00000-of-00002.arrow': three,
      'state.json': state('data-00001-of-00002.arrow', '../x.arrow'),
    });
    expect(codes(made)).toEqual(expect.arrayContaining(['shards-listed-missing', 'index-path-unsafe']));
  });

  it('is one without any of its shards, too', async () => {
    const made = await report({ 'state.json': state('data-00000-of-00001.arrow'), 'dataset_info.json': encodeText('{}') });
    expect(made.layout).toBe('huggingface-dataset');
    expect(codes(made)).toContain('shards-listed-missing');
  });

  it('without rows has no shards', async () => {
    const made = await report({ 'state.json': state() });
    expect(made.samples).toBe(0);
    expect(made.tokens).toMatchObject({ count: 0, exact: true });
  });

  it('survives side files of another shape', async () => {
    for (const json of ['[]', '{"_data_files": 3}', '{"_data_files": [null, 4, {"filename": 5}]}', 'x'])
      expect((await report({ 'a.arrow': three, 'state.json': encodeText(json) })).totalBytes).toBeGreaterThan(0);
  });

  it('names splits of a dictionary, and those that are missing', async () => {
    const made = await report({
      'dataset_dict.json': encodeText('{"splits": ["train", "held_out", 4, "../up"]}'),
      'train/data-00000-of-00001.arrow': three,
      'train/state.json': state('data-00000-of-00001.arrow'),
      'train/dataset_info.json': encodeText('{}'),
    });
    expect(made.splits).toMatchObject([{ name: 'train', tokens: 3 }]);
    expect(made.findings).toMatchObject([{ code: 'index-unmatched', path: 'held_out' }]);
  });
});

describe('a dictionary with a split without rows', () => {
  it('shows it, with nothing in it', async () => {
    const made = await report({
      'dataset_dict.json': encodeText('{"splits": ["train", "valid"]}'),
      'train/data-00000-of-00001.arrow': three,
      'train/state.json': state('data-00000-of-00001.arrow'),
      'train/dataset_info.json': encodeText('{}'),
      'valid/state.json': state(),
    });
    expect(made.splits).toMatchObject([
      { name: 'train', samples: 2, tokens: 3 },
      { name: 'valid', shards: 0, bytes: 0, samples: 0, tokens: 0 },
    ]);
    expect([made.samples, made.tokens?.count]).toEqual([2, 3]);
    expect(made.findings).toMatchObject([{ code: 'shard-empty', path: 'valid/state.json' }]);
  });
});

describe('a cache', () => {
  it('without a split of its description is not whole', async () => {
    const info = (...names: string[]): Uint8Array =>
      encodeText(
        JSON.stringify({
          builder_name: 'wiki',
          splits: Object.fromEntries(names.map((name) => [name, { shard_lengths: [2, 2] }])),
        }),
      );
    const made = await report({ 'wiki-train.arrow': three, 'dataset_info.json': info('train', 'dev') });
    expect(made.findings).toMatchObject([{ code: 'shards-listed-missing', path: 'dataset_info.json' }]);
    expect(made.tokens).toMatchObject({ count: 3, exact: false, coverage: { counted: 1, of: 3 } });
    expect(codes(await report({ 'wiki-train.arrow': three, 'dataset_info.json': info('train') }))).toEqual([]);
    // A part of it that was saved by itself has its own list of shards.
    const saved = { 'data-00000-of-00001.arrow': three, 'state.json': state('data-00000-of-00001.arrow') };
    expect(codes(await report({ ...saved, 'dataset_info.json': info('train', 'dev') }))).toEqual([]);
  });

  it('counts the tokenized rows, not those that they were made from', async () => {
    const made = await report({ 'wiki-train.arrow': text(['one two', 'three']), 'cache-0123456789abcdef.arrow': three });
    expect(made.tokens?.count).toBe(3);
    expect(made.samples).toBe(2);
  });

  it('counts the values of a column once that the source has as well', async () => {
    const tree = await createNodeFileTree('test/fixtures/frameworks/datasets/arrow-map-cache/data');
    const { report: made } = await inspect(tree, { path: 'cache' });
    if (made.kind !== 'dataset') throw new Error(`this is a ${made.kind}`);
    const values = Object.fromEntries(made.columns.map(({ name, values: count }) => [name, count]));
    expect(values).toEqual({ id: 30, input_ids: 1940, text: 30 });
  });

  it('counts the last of several steps once', async () => {
    const entry = (bytes: Uint8Array, modifiedMs: number): MemoryFile => ({
      entry: { modifiedMs, sizeBytes: bytes.byteLength },
      bytes,
    });
    const made = await report({
      'cache-00000000000000aa.arrow': entry(
        tokens([
          [1, 2, 3, 4],
          [5, 6, 7, 8, 9, 10],
        ]),
        1,
      ),
      'cache-00000000000000bb.arrow': entry(
        tokens([
          [1, 2, 3, 4, 5],
          [6, 7, 8, 9, 10],
        ]),
        2,
      ),
    });
    expect(made.tokens?.count).toBe(10);
  });

  it('adds up the splits', async () => {
    const made = await report({
      'cache-00000000000000aa.arrow': tokens([[1, 2, 3, 4, 5, 6]]),
      'cache-00000000000000bb.arrow': three,
    });
    expect(made.tokens?.count).toBe(9);
  });

  it('does not count what an interrupted map left behind', async () => {
    const made = await report({ 'cache-00000000000000aa.arrow': three, tmpab12_x9z: three });
    expect(made.tokens?.count).toBe(3);
    expect(codes(made)).toContain('dataset-unfinished');
  });

  it('misses shards of a map with several processes', async () => {
    const made = await report({ 'cache-00000000000000aa_00000_of_00003.arrow': three });
    expect(made.findings).toMatchObject([{ code: 'shard-count-differs' }]);
  });

  it('takes rows of a shuffle for an index', async () => {
    const indices = tableToIPC(new Table({ indices: vectorFromArray([1n, 0n], new Uint64()) }), 'stream');
    const made = await report({ 'a.arrow': three, 'indices.arrow': indices });
    expect(made.samples).toBe(2);
    expect(made.bytes.index).toBe(indices.byteLength);
  });
});

it('does not take integers beside text for tokens', async () => {
  const starts = vectorFromArray([[1], [2]], new List(new Field('item', new Int32())));
  const made = await report({
    'a.arrow': tableToIPC(new Table({ text: vectorFromArray(['a', 'b'], new Utf8()), starts }), 'stream'),
  });
  expect(made.columns.map(({ role }) => role)).toEqual(['text', 'value']);
});

it('says that Feather V1 is not read', async () => {
  const made = await report({ 'a.feather': encodeText('FEA1'.padEnd(100, '.')) });
  expect(codes(made)).toEqual(['unsupported-version']);
  expect(made.bytes.unexplained).toBe(100);
  expect(made.files).toMatchObject([{ format: 'feather v1' }]);
});

it('names Feather V2 by its magic', async () => {
  const table = new Table({ text: vectorFromArray(['a', 'b'], new Utf8()) });
  const [file, stream] = [tableToIPC(table, 'file'), tableToIPC(table, 'stream')];
  const formatsOf = async (files: Record<string, MemoryFile>): Promise<string[]> =>
    (await report(files)).files.map(({ format }) => format);
  expect(await formatsOf({ 'a.feather': file })).toEqual(['feather v2']);
  expect(await formatsOf({ 'a.arrow': file })).toEqual(['arrow file']);
  expect(await formatsOf({ 'a.feather': stream })).toEqual(['arrow stream']);
});

it('reads a few kilobytes a batch of a large shard', async () => {
  const rows = 200_000;
  const table = tableFromArrays({ input_ids: new Int32Array(rows) });
  const bytes = tableToIPC(table, 'stream');
  const log: ReadLog = { reads: [] };
  const made = await report({ 'a.arrow': bytes }, log);
  expect(made.samples).toBe(rows);
  expect(log.reads.length).toBeLessThanOrEqual(4);
  expect(log.reads.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(40_000);
});
