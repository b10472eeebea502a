/** Shards that were downloaded or copied a second time into the same directory. */
import { expect, it } from 'vitest';
import { fixtureBelow } from '../../builders/frameworkFixtures.js';
import { codesOf, inspectDataset } from '../../builders/inspectDataset.js';

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
  ['counted twice where no index leaves it out', 'datasets/parquet-text-shards', shard, 'The totals count both copies.'],
  ['left out by state.json', 'datasets/arrow-lists', 'tokenized/data-00001-of-00003.arrow', 'The totals count one copy.'],
])('a copy that is %s', async (_, fixture, original, words) => {
  const own = fixtureBelow(fixture);
  const copy = original.replace(/\.(?=\w+$)/, ' (1).');
  const [plain, report] = [await inspectDataset(own), await inspectDataset({ ...own, [copy]: own[original] as Uint8Array })];
  expect(report.findings.find(({ code }) => code === 'shard-copied')?.effect).toContain(words);
  expect(report.samples === plain.samples).toBe(words.includes('one copy'));
});
