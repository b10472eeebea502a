/** Values of arrays in chunks, compressed and not. */
import { gzipSync } from 'node:zlib';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createNodeFileTree } from '../../../src/platform/nodeFileTree.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { scannedValues } from '../../builders/scannedValues.js';

const bytesOf = (...values: number[]): Uint8Array => new Uint8Array(Float32Array.from(values).buffer);
const metadata = (more: object): Uint8Array =>
  new TextEncoder().encode(
    JSON.stringify({
      zarr_format: 2,
      shape: [4, 2],
      chunks: [2, 2],
      dtype: '<f4',
      compressor: { id: 'gzip', level: 5 },
      fill_value: null,
      filters: null,
      order: 'C',
      ...more,
    }),
  );
const chunk = (...values: number[]): Uint8Array => new Uint8Array(gzipSync(bytesOf(...values)));

describe('chunks of a zarr array', () => {
  it('are decompressed as they are read', async () => {
    const files = { 'w/.zarray': metadata({}), 'w/0.0': chunk(1, 2, 3, 4), 'w/1.0': chunk(5, NaN, 7, 8) };
    const report = await scannedValues(memoryTree('m', files));
    expect(report.notRead).toEqual([]);
    const [values] = report.tensors;
    expect(values).toMatchObject({ count: 8, nan: 1, min: 1, max: 8 });
    // In which order the chunks are is not looked at.
    expect(values?.first).toEqual({ index: null, path: 'w/1.0', offset: 0 });
  });

  it('are read as they are where nothing compresses them', async () => {
    const plain = metadata({ compressor: null });
    const files = { 'w/.zarray': plain, 'w/0.0': bytesOf(1, 2, 3, 4), 'w/1.0': bytesOf(5, 6, 7, 8) };
    expect((await scannedValues(memoryTree('m', files))).tensors).toMatchObject([{ count: 8, min: 1, max: 8 }]);
    const short = await scannedValues(memoryTree('m', { ...files, 'w/1.0': bytesOf(5, 6, 7) }));
    expect(short.notRead).toMatchObject([{ code: 'size' }]);
  });

  it('are cut off where they reach beyond the array', async () => {
    const files = { 'w/.zarray': metadata({ shape: [3, 2] }), 'w/0.0': chunk(1, 2, 3, 4), 'w/1.0': chunk(5, 6, 99, 99) };
    expect((await scannedValues(memoryTree('m', files))).tensors).toMatchObject([{ count: 6, min: 1, max: 6 }]);
  });

  it('are not read where one is missing, and in a sample', async () => {
    const files = { 'w/.zarray': metadata({ shape: [3, 2] }), 'w/0.0': chunk(1, 2, 3, 4) };
    expect((await scannedValues(memoryTree('m', files))).notRead).toMatchObject([{ code: 'encoded' }]);
    const even = { ...files, 'w/.zarray': metadata({}), 'w/1.0': chunk(5, 6, 7, 8) };
    const sampled = await scannedValues(memoryTree('m', even), { sample: { share: 0.5, seed: 1 } });
    expect(sampled.notRead).toMatchObject([{ code: 'encoded' }]);
    const shuffled = { ...even, 'w/.zarray': metadata({ filters: [{ id: 'shuffle', elementsize: 4 }] }) };
    expect((await scannedValues(memoryTree('m', shuffled))).notRead).toMatchObject([{ code: 'encoded' }]);
  });

  it.each([
    ['are damaged', new Uint8Array(chunk(5, 6, 7, 8)).fill(0x55, 12, 20)],
    ['end too early', chunk(5, 6, 7, 8).slice(0, -12)],
    ['hold too little', chunk(5, 6)],
    ['hold too much', chunk(...Array<number>(10_000).fill(1))],
  ])('that %s give no numbers', async (_, second) => {
    const files = { 'w/.zarray': metadata({}), 'w/0.0': chunk(1, 2, 3, 4), 'w/1.0': second };
    const report = await scannedValues(memoryTree('m', files));
    expect(report.tensors).toEqual([]);
    expect(report.findings).toMatchObject([{ code: 'values-unreadable', path: 'w/1.0', offset: 0 }]);
  });
});

describe('arrays that Orbax wrote', () => {
  const fixtures = path.join(import.meta.dirname, '../../fixtures/frameworks/orbax');
  const scanned = async (name: string) => scannedValues(await createNodeFileTree(path.join(fixtures, name, 'data')));

  it.each(['ts-ocdbt-interior', 'ts-ocdbt-numbered'])('are read whole from databases (%s)', async (name) => {
    const report = await scanned(name);
    expect(report.notRead).toEqual([]);
    for (const { name: tensor, shape, count, nan, inf, std } of report.tensors) {
      expect(count, tensor).toBe(shape.reduce((product, size) => product * size, 1));
      expect([nan, inf, std === null], tensor).toEqual([0, 0, false]);
    }
  });

  it('are not read where they lie in nodes of the database', async () => {
    const report = await scanned('pytree-inline-values');
    expect(new Set(report.notRead.map(({ code }) => code))).toEqual(new Set(['encoded']));
    expect(report.findings).toEqual([]);
  });
});
