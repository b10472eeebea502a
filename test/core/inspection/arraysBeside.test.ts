/** Archives of NumPy beside checkpoints: tokens are a data set, results of an evaluation are no weights. */
import { describe, expect, it } from 'vitest';
import { inspect } from '../../../src/core/inspection/inspect.js';
import type { Report } from '../../../src/core/inspection/report.js';
import { fixtureBelow } from '../../builders/frameworkFixtures.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { buildNpy } from '../../builders/npyBuilder.js';
import { buildZip } from '../../builders/torchZipBuilder.js';

type Files = Record<string, Uint8Array>;

const arrays = (members: Record<string, [descr: string, shape: readonly number[]]>): Uint8Array =>
  buildZip(
    Object.entries(members).map(([name, [descr, shape]]) => {
      const bytes = shape.reduce((product, size) => product * size, Number(descr.at(-1)));
      return { name: `${name}.npy`, data: buildNpy({ descr, shape, data: new Uint8Array(bytes).fill(7) }) };
    }),
    { prefix: '' },
  );

const reportOf = async (files: Files): Promise<Report> => (await inspect(memoryTree('run', files), { path: 'run' })).report;

const one = fixtureBelow('hf/trainer-ddp-2r');
const places: Record<string, Files> = {
  'a run': {
    ...one,
    ...Object.fromEntries(Object.entries(one).map(([path, bytes]) => [path.replace('checkpoint-2', 'checkpoint-4'), bytes])),
  },
  'a checkpoint': one,
  'a model': fixtureBelow('hf/qwen3-tied'),
  'a file of torch': fixtureBelow('torch/state-dict'),
};

const tokens: Record<string, [file: string, bytes: Uint8Array, count: number]> = {
  'input_ids first': ['prepared.npz', arrays({ input_ids: ['<i4', [4, 512]] }), 2048],
  'their mask first': ['prepared.npz', arrays({ attention_mask: ['<i8', [4, 512]], input_ids: ['<i4', [4, 512]] }), 2048],
  'their labels first': ['prepared.npz', arrays({ labels: ['<i8', [4, 512]], input_ids: ['<i4', [4, 512]] }), 2048],
  'a split each': ['prepared.npz', arrays({ train: ['<u2', [4096]], val: ['<u2', [512]] }), 4608],
  'an array without a name': ['train.npz', arrays({ arr_0: ['<i8', [4096]] }), 4096],
};

describe.each(Object.entries(places))('beside %s', (_place, files) => {
  it.each(Object.values(tokens))('%s with tokens is a data set (%#)', async (name, bytes, count) => {
    const report = await reportOf({ ...files, [name]: bytes });
    const parts = report.kind === 'collection' ? report.parts : [];
    const data = parts.find(({ kind }) => kind === 'dataset');
    expect(data).toMatchObject({ path: name, layout: 'token-array', totalBytes: bytes.byteLength });
    expect(data?.kind === 'dataset' ? data.tokens?.count : 0).toBe(count);
    expect(parts).toHaveLength(2);
  });

  it('results of an evaluation are no weights', async () => {
    const results = arrays({ timesteps: ['<i8', [10]], results: ['<f8', [10, 5]], ep_lengths: ['<i8', [10, 5]] });
    const without = await reportOf(files);
    const report = await reportOf({ ...files, 'evaluations.npz': results });
    if (without.kind !== 'checkpoint' || report.kind !== 'checkpoint') throw new Error(report.kind);
    expect(report.parameters.unique).toBe(without.parameters.unique);
    expect(report.components.weights).toEqual(without.components.weights);
  });
});

it('results of an evaluation alone are no weights', async () => {
  const report = await reportOf({ 'evaluations.npz': arrays({ timesteps: ['<i8', [10]], results: ['<f8', [10, 5]] }) });
  expect(report).toMatchObject({ kind: 'checkpoint', parameters: { unique: 0 }, resume: { verdict: 'none' } });
});

it('arrays that are called as a model is are one', async () => {
  const report = await reportOf({
    'weights.npz': arrays({ kernel: ['<f4', [4, 5]] }),
    'features.npz': arrays({ x: ['<f4', [9]] }),
  });
  expect(report).toMatchObject({ kind: 'checkpoint', parameters: { unique: 20 } });
});
