/** Which bytes are read for which tensor, and what becomes of those that cannot be. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ByteSource } from '../../../src/core/bytes/byteSource.js';
import { FormatError } from '../../../src/core/bytes/formatError.js';
import { memorySource } from '../../../src/core/bytes/memorySource.js';
import { createRandom } from '../../../src/core/datasets/text/random.js';
import { inspect } from '../../../src/core/inspection/inspect.js';
import { headline } from '../../../src/core/pages/values/valuesPage.js';
import { formatBytes } from '../../../src/core/text/units.js';
import { LeadingBits } from '../../../src/core/values/leadingBits.js';
import { PatternCounter } from '../../../src/core/values/patternCounter.js';
import { indexInView, viewRuns } from '../../../src/core/values/viewRuns.js';
import { matchesGlob } from '../../../src/core/values/tensorGlob.js';
import { createNodeFileTree } from '../../../src/platform/nodeFileTree.js';
import { buildNpy } from '../../builders/npyBuilder.js';
import { memoryTree, type ReadLog } from '../../builders/memoryTree.js';
import { repeatedSource } from '../../builders/repeatedSource.js';
import { buildSafetensors, type SafetensorsTensor } from '../../builders/safetensorsBuilder.js';
import { scannedValues, valuesOf } from '../../builders/scannedValues.js';
import { seed } from '../../builders/seed.js';

const random = createRandom(seed);
const below = (most: number): number => Math.floor(random() * most);

function floats(...values: number[]): Uint8Array {
  return new Uint8Array(Float32Array.from(values).buffer);
}

function f32(shape: readonly number[], ...values: number[]): SafetensorsTensor {
  return { dtype: 'F32', shape, data: floats(...values) };
}

function treeOf(tensors: Readonly<Record<string, SafetensorsTensor>>, log?: ReadLog) {
  return memoryTree('m', { 'model.safetensors': buildSafetensors({ tensors }) }, log);
}

describe('views of a storage', () => {
  const folder = path.join(import.meta.dirname, '../../fixtures/frameworks/torch/views');
  const bytes = readFileSync(path.join(folder, 'data/views.pt'));
  interface TrueTensor {
    name: string;
    dtype: string;
    shape: number[];
    stride?: number[];
    storageOffset?: number;
    storageFileOffset: number;
  }
  const truth = JSON.parse(readFileSync(path.join(folder, 'truth.json'), 'utf8')) as { tensors: TrueTensor[] };

  it.each(truth.tensors.filter(({ dtype, shape }) => dtype === 'f32' && !shape.includes(0)))(
    '$name is read by the strides that torch has',
    async (tensor) => {
      const { name, shape, stride, storageOffset = 0, storageFileOffset } = tensor;
      const values = valuesOf(await scannedValues(memoryTree('views.pt', { 'views.pt': bytes })), name);
      const strides = stride ?? shape.map((_, axis) => shape.slice(axis + 1).reduce((product, size) => product * size, 1));
      // An element that several indices lead to is one.
      const places = new Set([0]);
      shape.forEach((size, axis) => {
        for (const place of [...places])
          for (let index = 1; index < size; index++) places.add(place + index * (strides[axis] ?? 0));
      });
      const own = [...places].map((place) => bytes.readFloatLE(storageFileOffset + 4 * (storageOffset + place)));
      expect(values).toMatchObject({ count: own.length, min: Math.min(...own), max: Math.max(...own) });
      expect(values.mean).toBeCloseTo(
        own.reduce((sum, value) => sum + value / own.length, 0),
        10,
      );
    },
  );

  it('are stretches with each element once, whose index is found again', () => {
    for (let round = 0; round < 200; round++) {
      const axes = Array.from({ length: 1 + below(3) }, () => ({ size: 1 + below(4), step: 1 + below(2) }));
      let stride = 1;
      const strided = axes.map(({ size, step }) => {
        const own = stride * step;
        stride = own * size;
        return { size, stride: own };
      });
      strided.sort(() => random() - 0.5);
      const [shape, strides] = [strided.map(({ size }) => size), strided.map((axis) => axis.stride)];
      const offset = below(5);
      const runs = viewRuns(shape, strides, offset);
      if (typeof runs === 'string') throw new Error(runs);
      const elements = runs.starts.flatMap((start) => Array.from({ length: runs.length }, (_, at) => start + at));
      const naive = new Map<number, number[]>();
      const visit = (index: number[], place: number): void => {
        if (index.length === shape.length) naive.set(place, index);
        else
          for (let at = 0; at < (shape[index.length] ?? 0); at++)
            visit([...index, at], place + at * (strides[index.length] ?? 0));
      };
      visit([], offset);
      expect([...elements].sort((a, b) => a - b)).toEqual([...naive.keys()].sort((a, b) => a - b));
      for (const [place, index] of naive) expect(indexInView(place - offset, shape, strides)).toEqual(index);
    }
  });

  it('are not read where elements overlap, or are in too many stretches', () => {
    expect(viewRuns([4, 4], [1, 1], 0)).toBe('overlapping');
    expect(viewRuns([10, 3], [2, 1], 0)).toBe('overlapping');
    expect(viewRuns([1_000_000, 2], [4, 1], 0)).toBe('scattered');
    expect(viewRuns([1_000_000, 2], [2, 1], 3)).toEqual({ starts: [3], length: 2_000_000 });
    expect(viewRuns([7, 5], [0, 1], 0)).toEqual({ starts: [0], length: 5 });
  });
});

describe('arrays of NumPy', () => {
  it('with the first axis fastest have the index of that order', async () => {
    const data = floats(1, 2, 3, NaN, 5, 6);
    const npy = buildNpy({ descr: '<f4', shape: [2, 3], fortranOrder: true, data });
    const report = await scannedValues(memoryTree('w.npy', { 'w.npy': npy }));
    expect(valuesOf(report, 'w')).toMatchObject({ nan: 1, max: 6, first: { index: [1, 1] } });
  });

  it('are read with the most significant byte first', async () => {
    const data = floats(1, -2.5, 3, 4).map((_, at, all) => all[at - (at % 4) + 3 - (at % 4)] ?? 0);
    const report = await scannedValues(memoryTree('w.npy', { 'w.npy': buildNpy({ descr: '>f4', shape: [4], data }) }));
    expect(valuesOf(report, 'w')).toMatchObject({ min: -2.5, max: 4, mean: 1.375 });
  });
});

it('reads the shares of a tensor that ranks hold', async () => {
  const folder = path.join(import.meta.dirname, '../../fixtures/frameworks/torch/dtensor-2r/data');
  const report = await scannedValues(await createNodeFileTree(folder));
  expect(report.notRead).toEqual([]);
  for (const { name, shape, count, copiesNotRead, std } of report.tensors) {
    expect(count, name).toBe(shape.reduce((product, size) => product * size, 1));
    expect([copiesNotRead >= 0, std === null], name).toEqual([true, false]);
  }
});

it('reads pairs of 4 bits as codes', async () => {
  const report = await scannedValues(treeOf({ a: { dtype: 'F4', shape: [2, 2], data: Uint8Array.of(0x1f, 0x70) } }));
  expect(valuesOf(report, 'a')).toMatchObject({ basis: 'codes', count: 4, min: -6, max: 6, zeros: 1, mean: 0.125 });
});

describe('shared bytes', () => {
  const log: ReadLog = { reads: [] };
  const payload = floats(1, 2, 3, 4, 5, 6, 7, 8);
  const header = {
    a: { dtype: 'F32', shape: [4], data_offsets: [0, 16] },
    b: { dtype: 'F32', shape: [2, 2], data_offsets: [0, 16] },
    c: { dtype: 'F32', shape: [4], data_offsets: [8, 24] },
    d: { dtype: 'F32', shape: [2], data_offsets: [24, 32] },
  };

  it('are read once, whoever has them', async () => {
    const file = buildSafetensors({ header, payload });
    const report = await scannedValues(memoryTree('m', { 'model.safetensors': file }, log));
    expect(report.tensors.map(({ name, mean, sameAs }) => [name, mean, sameAs])).toEqual([
      ['a', 2.5, null],
      ['b', 2.5, 'a'],
      ['c', 4.5, null],
      ['d', 7.5, null],
    ]);
    const inspected: ReadLog = { reads: [] };
    await inspect(memoryTree('m', { 'model.safetensors': file }, inspected), { path: '/m' });
    const offset = file.byteLength - payload.byteLength;
    expect(log.reads.slice(inspected.reads.length)).toEqual([{ path: 'model.safetensors', offset, length: payload.byteLength }]);
  });

  it('of thousands of tensors are counted for some of them at a time', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, at) => [`t${at}`, { dtype: 'U8', shape: [4_000 - at], data_offsets: [at, 4_000] }]),
    );
    const report = await scannedValues(
      memoryTree('m', { 'model.safetensors': buildSafetensors({ header: many, payload: 4_000 }) }),
    );
    expect(report.tensors).toHaveLength(32);
    expect(report.notRead).toHaveLength(2_000 - 32);
    expect(new Set(report.notRead.map(({ code }) => code))).toEqual(new Set(['shared']));
  });
});

describe('sizes that lie', () => {
  it('give no numbers, and the others are read', async () => {
    const tensors = {
      ok: f32([2], 1, 3),
      // Its bytes are those of two elements, its shape has three.
      large: { dtype: 'F32', shape: [3], data: floats(1, 2) },
      beyond: { dtype: 'F32', shape: [1_000], offsets: [16, 4_016], data: floats() },
      overflow: { dtype: 'F32', shape: [2 ** 40, 2 ** 40], offsets: [0, 8], data: floats() },
    } satisfies Record<string, SafetensorsTensor>;
    const report = await scannedValues(treeOf(tensors));
    expect(report.tensors.map(({ name, mean }) => [name, mean])).toEqual([['ok', 2]]);
    expect(report.notRead.map(({ name, code }) => [name, code]).sort()).toEqual([
      ['beyond', 'unreadable'],
      ['large', 'size'],
      ['overflow', 'size'],
    ]);
    const own = report.findings.map(({ code }) => code).filter((code) => code.startsWith('values-'));
    expect(own).toEqual(['values-unreadable']);
  });

  it('of no elements are no damage', async () => {
    const report = await scannedValues(treeOf({ empty: f32([0, 4]), scalar: f32([], 2) }));
    expect(valuesOf(report, 'empty')).toMatchObject({
      count: 0,
      min: null,
      mean: null,
      histogram: null,
      allZero: false,
      allEqual: false,
    });
    expect(valuesOf(report, 'scalar')).toMatchObject({ count: 1, mean: 2, std: 0, shape: [] });
    expect(report.findings).toEqual([]);
  });
});

describe('a place that cannot be read', () => {
  it('costs the tensors that it is in, and is located', async () => {
    const file = buildSafetensors({
      tensors: { a: f32([1_024], ...Array<number>(1_024).fill(1)), b: f32([2_048], ...Array<number>(2_048).fill(2)) },
    });
    const inner = memorySource('model.safetensors', file);
    const start = file.byteLength - 8_192;
    const source: ByteSource = {
      ...inner,
      read: (offset, length, signal) =>
        offset + length > start && offset > 100
          ? Promise.reject(new FormatError('io', 'the disk reports an error (EIO)'))
          : inner.read(offset, length, signal),
    };
    const other = buildSafetensors({ tensors: { c: f32([1], 3) } });
    const report = await scannedValues(memoryTree('m', { 'model.safetensors': source, 'other.safetensors': other }));
    expect(report.tensors.map(({ name }) => name)).toEqual(['a', 'c']);
    expect(report.notRead).toMatchObject([{ name: 'b', code: 'unreadable', detail: 'the disk reports an error (EIO)' }]);
    expect(report.findings).toMatchObject([{ code: 'values-unreadable', severity: 'error', path: 'model.safetensors' }]);
  });
});

it('ends when it is cancelled', async () => {
  const controller = new AbortController();
  const file = buildSafetensors({ tensors: { a: { dtype: 'F32', shape: [3_000_000] } } });
  const inner = memorySource('model.safetensors', file);
  let reads = 0;
  const source: ByteSource = {
    ...inner,
    read(offset, length, signal) {
      if (length > 1_000_000 && ++reads === 2) controller.abort();
      return inner.read(offset, length, signal);
    },
  };
  const reading = scannedValues(memoryTree('m', { 'model.safetensors': source }), {}, controller.signal);
  await expect(reading).rejects.toMatchObject({ code: 'cancelled' });
  expect(reads).toBe(2);
});

describe('a sample', () => {
  const unit = floats(...Array.from({ length: 1_024 }, (_, at) => at % 7));

  it('reads its share at even places that follow from the seed', async () => {
    const offsetsOf = async (sampleSeed: number): Promise<number[]> => {
      const log: ReadLog = { reads: [] };
      const data = new Uint8Array(unit.byteLength * 4_096);
      for (let at = 0; at < data.byteLength; at += unit.byteLength) data.set(unit, at);
      const tree = treeOf({ a: { dtype: 'F32', shape: [1_024 * 4_096], data } }, log);
      const report = await scannedValues(tree, { sample: { share: 0.05, seed: sampleSeed } });
      const values = valuesOf(report, 'a');
      expect(values.sampled?.share).toBeCloseTo(0.05, 2);
      expect(values.count * 4).toBe(values.sampled?.bytes);
      expect(values).toMatchObject({ min: 0, max: 6, nan: 0 });
      const reads = log.reads.filter(({ length }) => length > 32 * 1024);
      expect(reads.reduce((sum, { length }) => sum + length, 0)).toBe(values.sampled?.bytes);
      // One in each of as many even stretches.
      const stretch = (16 * 1024 * 1024) / reads.length;
      reads.forEach(({ offset }, at) => expect(Math.abs(offset - at * stretch)).toBeLessThanOrEqual(stretch + 100));
      return reads.map(({ offset }) => offset);
    };
    const first = await offsetsOf(1);
    expect(await offsetsOf(1)).toEqual(first);
    expect(await offsetsOf(2)).not.toEqual(first);
  });

  it('is spread over a tensor of 1 MB, and says its true share', async () => {
    const ramp = new Float32Array(250_000).map((_, at) => at);
    const tree = treeOf({ a: { dtype: 'F32', shape: [250_000], data: new Uint8Array(ramp.buffer) }, b: f32([3], 1, 2, 3) });
    const report = await scannedValues(tree, { sample: { share: 0.01, seed: 1 } });
    const { min, max, sampled } = valuesOf(report, 'a');
    expect(Number(min)).toBeLessThan(250_000 / 16);
    expect(Number(max)).toBeGreaterThan((250_000 * 15) / 16 - 1_000);
    expect(sampled?.share).toBeCloseTo(0.01, 3);
    expect(report.sample).toEqual({ share: 0.01, seed: 1, ofBytes: 1_000_012 });
    expect(report.bytesRead).toBe((sampled?.bytes ?? 0) + 12);
    expect(headline(report)).toContain(`a sample: ${formatBytes(report.bytesRead)} of 1 MB, 1.0 %`);
  });

  it('reads small tensors whole', async () => {
    const report = await scannedValues(treeOf({ a: f32([3], 1, 2, 3) }), { sample: { share: 0.01, seed: 1 } });
    expect(valuesOf(report, 'a')).toMatchObject({ count: 3, sampled: null });
  });

  it('finds positions by the whole tensor', async () => {
    const elements = 200_000;
    const data = new Uint8Array(new Float32Array(elements).fill(NaN).buffer);
    const report = await scannedValues(treeOf({ a: { dtype: 'F32', shape: [elements], data } }), {
      sample: { share: 0.3, seed: 9 },
    });
    const { first, sampled } = valuesOf(report, 'a');
    expect(sampled).not.toBeNull();
    const start = buildSafetensors({ tensors: { a: { dtype: 'F32', shape: [elements], data } } }).byteLength - elements * 4;
    expect(first?.index).toEqual([((first?.offset ?? 0) - start) / 4]);
  });
});

describe('more than 2^32 elements', () => {
  it('are read where they are', async () => {
    const tensors = { a: { dtype: 'U8', shape: [2 ** 33], offsets: [0, 2 ** 33], data: floats() } } as const;
    const header = buildSafetensors({ tensors, payload: 0 });
    const ones = repeatedSource('ones', new Uint8Array(1024 * 1024).fill(1), 2 ** 13);
    const offsets: number[] = [];
    const source: ByteSource = {
      name: 'model.safetensors',
      sizeBytes: header.byteLength + ones.sizeBytes,
      read(offset, length) {
        if (offset + length <= header.byteLength) return Promise.resolve(header.slice(offset, offset + length));
        offsets.push(offset);
        return ones.read(Math.max(0, offset - header.byteLength), length);
      },
      close: () => Promise.resolve(),
    };
    const report = await scannedValues(memoryTree('m', { 'model.safetensors': source }), { sample: { share: 0.001, seed: 1 } });
    expect(valuesOf(report, 'a')).toMatchObject({ min: 1, max: 1, allEqual: true, shape: [2 ** 33] });
    expect(Math.max(...offsets)).toBeGreaterThan(2 ** 33 - 2 ** 27);
  });

  it('are counted beyond what a counter holds', () => {
    const bytes = Uint8Array.from({ length: 40_000 }, () => below(256));
    const [often, seldom] = [new PatternCounter('f16', false, 300), new PatternCounter('f16', false)];
    for (let at = 0; at < bytes.byteLength; at += 200) {
      often.add(bytes.subarray(at, at + 200), true);
      seldom.add(bytes.subarray(at, at + 200), true);
    }
    expect(often.summary()).toEqual(seldom.summary());
    const numbers = Float32Array.from({ length: 900 }, () => random() - 0.5);
    const [few, many] = [new LeadingBits('f32', 1_000), new LeadingBits('f32')];
    for (let round = 0; round < 5; round++) {
      few.add(numbers);
      many.add(numbers);
    }
    expect(few.histogram(-1, 1)).toEqual(many.histogram(-1, 1));
  });
});

it('chooses tensors by a glob', () => {
  expect(matchesGlob('model.layers.10.mlp.weight', '*.mlp.*')).toBe(true);
  expect(matchesGlob('model.layers.10.mlp.weight', 'model.layers.?.mlp.weight')).toBe(false);
  expect(matchesGlob('model.layers.10.mlp.weight', 'model.layers.??.mlp.weight')).toBe(true);
  expect(matchesGlob('abc', 'a*b')).toBe(false);
  expect(matchesGlob('', '*')).toBe(true);
  expect(matchesGlob('a'.repeat(5_000), `${'*a'.repeat(200)}b`)).toBe(false);
});

describe('findings', () => {
  const zeros = Array<number>(64).fill(0);
  const codesOf = async (tensors: Readonly<Record<string, SafetensorsTensor>>): Promise<string[]> =>
    (await scannedValues(treeOf(tensors))).findings.map(({ code, message }) => `${code}: ${message}`);

  it('name tensor, position and byte of what is not finite', async () => {
    const tensors = { w: f32([2, 3], 1, 2, 3, 4, NaN, Infinity) };
    const { findings } = await scannedValues(treeOf(tensors));
    const file = buildSafetensors({ tensors });
    expect(findings).toMatchObject([
      { code: 'values-not-finite', severity: 'error', path: 'model.safetensors', offset: file.byteLength - 8 },
    ]);
    expect(findings[0]?.message).toBe('1 NaN and 1 Inf among 6 values of w, the first at [1, 1].');
  });

  it('are not made of masks that are -Inf by design', async () => {
    expect(await codesOf({ 'h.0.attn.causal_mask': f32([1, 2], 0, -Infinity) })).toEqual([]);
    expect(await codesOf({ 'h.0.attn.causal_mask': f32([1, 2], 0, NaN) })).toHaveLength(1);
    expect(await codesOf({ 'h.0.attn.weight': f32([1, 2], 0, -Infinity) })).toHaveLength(1);
  });

  it('note weights of one value, and leave out what is so by design', async () => {
    expect(await codesOf({ 'mlp.weight': f32([8, 8], ...zeros) })).toEqual([
      'values-all-zero: All 64 values of mlp.weight are 0.',
    ]);
    expect(await codesOf({ 'mlp.weight': f32([8, 8], ...zeros.map(() => 0.5)) })).toEqual([
      'values-all-equal: All 64 values of mlp.weight are 0.5.',
    ]);
    const usual = ['q_proj.lora_B.weight', 'input_layernorm.weight', 'mlp.bias', 'down.zero_conv.weight', 'weight_scale'];
    for (const name of usual) expect(await codesOf({ [name]: f32([8, 8], ...zeros) }), name).toEqual([]);
    expect(await codesOf({ 'norm.weight': f32([64], ...zeros.map(() => 1)) })).toEqual([]);
  });
});
