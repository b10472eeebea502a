/** Shards that were downloaded or copied a second time into the same directory. */
import { describe, expect, it } from 'vitest';
import { utf8 } from '../../builders/byteWriter.js';
import { fixtureBelow } from '../../builders/frameworkFixtures.js';
import { codesOf, inspectDataset } from '../../builders/inspectDataset.js';
import type { MemoryFile } from '../../builders/memoryTree.js';
import { buildTar } from '../../builders/tarBuilder.js';

const files = fixtureBelow('datasets/parquet-text-shards');
const shard = 'data/train-00001-of-00003.parquet';

it.each([
  ['train-00001-of-00003 (1).parquet', shard, ['shard-copied']],
  ['train-00001-of-00003 - Copy.parquet', shard, ['shard-copied']],
  ['train-00001-of-00003 (1).parquet', 'data/train-00000-of-00003.parquet', []],
  ['extra-00007 (1).parquet', shard, []],
])('%s with the bytes of %s', async (name, source, expected) => {
  const report = await inspectDataset({ ...files, [`data/${name}`]: files[source] as Uint8Array });
  expect(codesOf(report).filter((code) => code === 'shard-copied')).toEqual(expected);
});

it('leaves out what rsync was receiving', async () => {
  const name = 'data/.train-00001-of-00003.parquet.k2Jd8s';
  const half = (files[shard] as Uint8Array).slice(0, 1000);
  const [plain, report] = [await inspectDataset(files), await inspectDataset({ ...files, [name]: half })];
  expect(report.samples).toEqual(plain.samples);
  expect(report.findings.filter(({ path }) => path === name)).toMatchObject([{ code: 'leftover-file' }]);
  expect(report.findings.filter(({ path }) => path !== name)).toEqual(plain.findings);
  expect(report.totalBytes).toBe(plain.totalBytes + half.byteLength);
});

it.each([
  ['by its content', 'datasets/parquet-text-shards', shard],
  ['by state.json', 'datasets/arrow-lists', 'tokenized/data-00001-of-00003.arrow'],
])('leaves out a copy %s', async (_, fixture, original) => {
  const own = fixtureBelow(fixture);
  const copy = original.replace(/\.(?=\w+$)/, ' (1).');
  const [plain, report] = [await inspectDataset(own), await inspectDataset({ ...own, [copy]: own[original] as Uint8Array })];
  const effect = expect.stringContaining('The totals count one copy.') as string;
  expect(report.findings).toContainEqual(expect.objectContaining({ code: 'shard-copied', path: copy, effect }));
  expect(report.samples).toBe(plain.samples);
});

/** The files of a data set below a directory. */
const below = (directory: string, of: Readonly<Record<string, MemoryFile>>): Record<string, MemoryFile> =>
  Object.fromEntries(Object.entries(of).map(([path, bytes]) => [`${directory}/${path}`, bytes]));

const layouts = [
  'datasets/mds-tokens',
  'datasets/mds-merged',
  'datasets/litdata-tokens',
  'datasets/parquet-text-shards',
  'datasets/webdataset',
  'datasets/jsonl',
  'datasets/arrow-lists',
  'datasets/datatrove',
  'datasets/bin-nanogpt',
  'megatron-indexed/gpt-cache',
].flatMap((layout) =>
  ['train copy', 'train (1)', 'train-copy', 'train_copy2', 'Copy of train', 'train - Copy'].map((copy) => [layout, copy]),
);

it.each(layouts)('counts %s once beside %s', async (layout, copy) => {
  const own = fixtureBelow(layout);
  const plain = await inspectDataset(below('train', own));
  const report = await inspectDataset({ ...below('train', own), ...below(copy, own) });
  // Of two tokenizers either may be taken.
  expect({ ...report.tokens, method: '' }).toEqual({ ...plain.tokens, method: '' });
  expect(report.sampleCount).toEqual(plain.sampleCount);
  expect(report.splits).toEqual(plain.splits);
  expect(report.lengths).toEqual(plain.lengths);
  expect(new Set([...codesOf(report), 'shards-unequal'])).toEqual(new Set([...codesOf(plain), 'shard-copied', 'shards-unequal']));
  expect(report.totalBytes).toBe(2 * plain.totalBytes);
});

describe('what only looks like a copy', () => {
  const own = fixtureBelow('datasets/mds-tokens');
  const [shardPath = ''] = Object.keys(own).filter((path) => path.endsWith('.mds'));
  const edited = new Uint8Array(own[shardPath] as Uint8Array);
  edited.fill(7, edited.length - 200, edited.length - 100);

  it('counts both where a shard differs: an index that is equal stays with its shards', async () => {
    const plain = await inspectDataset(own);
    const copy = Object.fromEntries(Object.entries(own).filter(([path]) => path.startsWith('train/')));
    const renamed = Object.fromEntries(
      Object.entries({ ...copy, [shardPath]: edited }).map(([path, bytes]) => [path.replace('train/', 'train copy/'), bytes]),
    );
    const report = await inspectDataset({ ...own, ...renamed });
    expect(codesOf(report)).toEqual(codesOf(plain));
    expect(report.tokens?.count).toBe(
      (plain.tokens?.count ?? 0) + (plain.splits.find(({ name }) => name === 'train')?.tokens ?? 0),
    );
  });

  it('counts a copy once that was interrupted', async () => {
    const plain = await inspectDataset(below('train', own));
    const cut = Object.fromEntries(
      Object.entries(own).map(([path, bytes]) => [path, path === shardPath ? bytes.slice(0, 900) : bytes]),
    );
    const report = await inspectDataset({ ...below('train', own), ...below('train copy', cut) });
    expect(report.tokens).toEqual(plain.tokens);
  });
});

it('scans the pickles of a copy', async () => {
  const member = (data: string) =>
    buildTar([
      { name: 'a.pkl', data: utf8(data) },
      { name: 'a.txt', data: utf8('some text') },
    ]);
  const bytes = member("cos\nsystem\n(S'x'\ntR.");
  const report = await inspectDataset({ 'train/a.tar': bytes, 'train copy/a.tar': bytes });
  const paths = report.findings.flatMap(({ code, path }) => (code.startsWith('pickle') ? [path] : []));
  expect(paths).toEqual(['train/a.tar', 'train copy/a.tar']);
});
