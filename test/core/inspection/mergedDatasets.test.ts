/** A data set whose one index lies above the directories of its shards is one data set, whatever lies beside it. */
import { describe, expect, it } from 'vitest';
import { inspect } from '../../../src/core/inspection/inspect.js';
import { fixtureBelow } from '../../builders/frameworkFixtures.js';
import { memoryTree } from '../../builders/memoryTree.js';

type Files = Record<string, Uint8Array>;

const merged = (under = ''): Files => fixtureBelow('datasets/mds-merged', under);
const bytesOf = (files: Files): number => Object.values(files).reduce((sum, { byteLength }) => sum + byteLength, 0);

/** A dictionary of two datasets, as `DatasetDict.save_to_disk` writes it. */
const dictionary: Files = {
  'dataset_dict.json': new TextEncoder().encode('{"splits": ["first", "second"]}'),
  ...below('first', fixtureBelow('datasets/arrow-types')),
  ...below('second', fixtureBelow('datasets/arrow-types')),
};

function below(directory: string, files: Files): Files {
  return Object.fromEntries(
    Object.entries(files).map(([path, bytes]) => [`${directory}/${path.slice(path.indexOf('/') + 1)}`, bytes]),
  );
}

const trainer = fixtureBelow('hf/trainer-ddp-2r');
const neighbours: Record<string, Files> = {
  'a model in a directory': fixtureBelow('hf/qwen3-tied', 'model'),
  'the files of a model': fixtureBelow('hf/qwen3-tied'),
  'a run in a directory': fixtureBelow('hf/trainer-ddp-2r', 'run'),
  'the checkpoints of a run': {
    ...trainer,
    ...Object.fromEntries(Object.entries(trainer).map(([path, bytes]) => [path.replace('checkpoint-2', 'checkpoint-4'), bytes])),
  },
  'another data set': fixtureBelow('datasets/parquet-tokenized', 'tables'),
};

describe.each(Object.entries(neighbours))('beside %s', (_name, files) => {
  it.each<[string, Files, string]>([
    ['a merged MDS', merged(), 'mds'],
    ['a dictionary of datasets', dictionary, 'huggingface-dataset'],
  ])('%s is one part', async (_what, data, layout) => {
    const { report } = await inspect(memoryTree('share', { ...files, ...data }), { path: 'share' });
    if (report.kind !== 'collection') throw new Error(`this is a ${report.kind}: ${report.layout}`);
    const own = report.parts.filter((part) => part.layout === layout);
    expect(own).toMatchObject([{ path: '', totalBytes: bytesOf(data), findingCodes: [] }]);
    expect(report.parts.reduce((sum, { totalBytes }) => sum + totalBytes, report.other.bytes)).toBe(
      bytesOf({ ...files, ...data }),
    );
    const alone = await inspect(memoryTree('share', { ...files, ...data }), { path: 'share', part: layout });
    expect(alone.report).toMatchObject({ kind: 'dataset', totalBytes: bytesOf(data) });
  });
});

it('directories that an index beside them does not name are data sets of their own', async () => {
  const [index] = Object.entries(fixtureBelow('datasets/mds-tokens')).filter(([path]) => path.endsWith('val/index.json'));
  const files = {
    'index.json': index?.[1] as Uint8Array,
    ...merged('a'),
    ...merged('b'),
    ...fixtureBelow('hf/qwen3-tied', 'model'),
  };
  const { report } = await inspect(memoryTree('share', files), { path: 'share' });
  const parts = report.kind === 'collection' ? report.parts.map(({ path }) => path).sort() : [];
  expect(parts).toEqual(['a', 'b', 'index.json', 'model']);
});
