/** Floats of 8 bits with scales beside them against numpy: see test/fixtures/values/PROVENANCE.md. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { sliceOf } from '../../../src/app/values/sliceOf.js';
import { createRandom } from '../../../src/core/datasets/text/random.js';
import { scaleFinder, scaleGridOf } from '../../../src/core/values/scaled/scaleGrid.js';
import { memoryPlatform } from '../../builders/memoryPlatform.js';
import { memoryTree, type ReadLog } from '../../builders/memoryTree.js';
import { buildSafetensors, type SafetensorsTensor } from '../../builders/safetensorsBuilder.js';
import { scannedValues, valuesOf } from '../../builders/scannedValues.js';
import { seed } from '../../builders/seed.js';

const fixtures = path.join(import.meta.dirname, '../../fixtures');
const fileOf = (name: string): Uint8Array => new Uint8Array(readFileSync(path.join(fixtures, name)));
interface Truth {
  count: number;
  nan: number;
  inf: number;
  zeros: number;
  min: number;
  max: number;
  mean: number;
  std: number;
  first: number[] | null;
  /** The last five in the order of the tensor; null where one is not finite. */
  tail: number[] | null;
}
const truths = JSON.parse(new TextDecoder().decode(fileOf('values/scaled_floats.json'))) as Record<string, Truth>;
const own = fileOf('values/scaled_floats.safetensors');
const framework = fileOf('frameworks/hf/ct-fp8/data/model.safetensors');
const log: ReadLog = { reads: [] };
const report = await scannedValues(memoryTree('m', { 'model.safetensors': own }, log));
const ofFramework = await scannedValues(memoryTree('m', { 'model.safetensors': framework }));

describe.each(Object.entries(truths))('%s', (key, truth) => {
  const isOfFramework = key.startsWith('ct-fp8:');
  const name = key.replace('ct-fp8:', '');
  const values = valuesOf(isOfFramework ? ofFramework : report, name);

  it('has the values of its codes and scales', () => {
    const { count, nan, inf, zeros, min, max, first } = truth;
    expect(values).toMatchObject({ basis: 'values', count, nan, inf, zeros, min, max });
    expect(values.first?.index ?? null).toEqual(first);
    for (const part of ['mean', 'std'] as const)
      expect(Math.abs((values[part] ?? NaN) - truth[part])).toBeLessThanOrEqual(Math.abs(truth[part]) * 1e-12);
  });

  it('has them in a slice', async () => {
    const { shape } = values;
    const slice = [...shape.slice(0, -1).map((size) => size - 1), `${(shape.at(-1) ?? 0) - 5}:`].join(',');
    const platform = memoryPlatform({ '/m/model.safetensors': isOfFramework ? framework : own });
    const answer = await sliceOf(platform, { path: '/m', tensor: name, slice });
    if (truth.tail !== null) expect(answer.report).toMatchObject({ basis: 'values', values: truth.tail });
  });
});

it('finds scales that are not finite, by the first element that they are of', () => {
  const places = report.findings.map(({ code, message }) => [code, /of (\S+), the first at (\[.*\])/.exec(message)?.slice(1)]);
  expect(places).toEqual(
    expect.arrayContaining([
      ['values-not-finite', ['nan_scale.weight', '[16, 16]']],
      ['values-not-finite', ['nan_scale.weight_scale_inv', '[1, 1]']],
      ['values-not-finite', ['inf_scale.weight', '[16, 16]']],
      ['values-not-finite', ['nan_code.weight', '[4, 3]']],
    ]),
  );
});

describe('what does not fit', () => {
  const f8 = (...shape: number[]): SafetensorsTensor => ({
    dtype: 'F8_E4M3',
    shape,
    data: new Uint8Array(shape.reduce((product, size) => product * size, 1)).fill(0x40),
  });
  const tensor = (dtype: string, ...shape: number[]): SafetensorsTensor => ({ dtype, shape });
  const scanned = async (tensors: Record<string, SafetensorsTensor>, choice = {}) =>
    scannedValues(memoryTree('m', { 'model.safetensors': buildSafetensors({ tensors }) }), choice);

  it.each<[string, Record<string, SafetensorsTensor>]>([
    ['sides that are no powers of two', { w_scale: tensor('F32', 2, 3) }],
    ['sides that nothing has', { w_scale: tensor('F32', 2, 5) }],
    ['more scales than values', { w_scale: tensor('F32', 12, 18) }],
    ['another number of axes', { w_scale: tensor('F32', 3, 3, 1) }],
    ['a scale for each of three parts', { w_scale: tensor('F32', 3) }],
    ['no scales', { w_scale: tensor('F32', 0) }],
    ['integers', { w_scale: tensor('I32', 6, 1) }],
    ['bytes that are not of 32 values', { w_scale: tensor('U8', 6, 1) }],
    ['a point of zero', { w_scale: tensor('F32', 1), w_zero_point: tensor('F32', 1) }],
  ])('is shown as codes: %s', async (_, beside) => {
    const report = await scanned({ w: f8(6, 9), ...beside });
    expect(valuesOf(report, 'w')).toMatchObject({ basis: 'codes', count: 54, min: 2, max: 2 });
    expect(report.findings.filter(({ message }) => message.includes(' w '))).toEqual([]);
  });

  it('is shown as codes in a sample, with the NaN among them', async () => {
    const broken = f8(6, 9);
    broken.data?.fill(0x7f, 13, 14);
    const sample = await scanned({ w: broken, w_scale: tensor('F32', 1) }, { sample: { share: 0.5, seed: 1 } });
    expect(valuesOf(sample, 'w')).toMatchObject({ basis: 'codes', nan: 1 });
    expect(sample.findings).toMatchObject([{ code: 'values-not-finite' }]);
  });

  it('leaves scales of activations and tensors without scales as they are', async () => {
    const report = await scanned({ w: f8(6, 9), w_input_scale: tensor('F32', 1), input_scale: tensor('F32', 1) });
    expect(valuesOf(report, 'w')).toMatchObject({ basis: 'values', min: 2, max: 2 });
  });
});

it('finds the scale of every element as a plain search does', () => {
  const random = createRandom(seed);
  const below = (most: number): number => Math.floor(random() * most);
  for (let round = 0; round < 300; round++) {
    const shape = Array.from({ length: below(4) }, () => 1 + below(70));
    const sides = shape.map((size) => [1, 16, 32, size][below(4)] ?? 1);
    const counts = shape.map((size, axis) => Math.ceil(size / (sides[axis] ?? 1)));
    const grid = scaleGridOf(shape, counts);
    if (grid === undefined) throw new Error(`no grid for ${String(shape)} by ${String(sides)}`);
    const find = scaleFinder(grid);
    const elements = shape.reduce((product, size) => product * size, 1);
    const element = below(elements);
    const scaleOf = (at: number): number => {
      let [rest, scale, stride] = [at, 0, 1];
      for (let axis = shape.length - 1; axis >= 0; axis--) {
        scale += Math.floor((rest % (shape[axis] ?? 1)) / (sides[axis] ?? 1)) * stride;
        stride *= counts[axis] ?? 1;
        rest = Math.floor(rest / (shape[axis] ?? 1));
      }
      return scale;
    };
    const { scale, count } = find(element);
    expect(count).toBeGreaterThan(0);
    for (let at = element; at < element + count; at++) expect(scaleOf(at)).toBe(scale);
  }
});
