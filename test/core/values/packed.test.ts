/** Arrays that are compressed, against numpy: see test/fixtures/values/PROVENANCE.md. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/core/bytes/limits.js';
import { createRandom } from '../../../src/core/datasets/text/random.js';
import { inspect } from '../../../src/core/inspection/inspect.js';
import type { TensorValues, ValuesReport } from '../../../src/core/values/valuesReport.js';
import { memoryTree } from '../../builders/memoryTree.js';
import * as p from '../../builders/pickleBuilder.js';
import { scannedValues, valuesOf } from '../../builders/scannedValues.js';
import { seed } from '../../builders/seed.js';
import { buildTorchZip } from '../../builders/torchZipBuilder.js';

const fixtures = path.join(import.meta.dirname, '../../fixtures/values');
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
}

const truths = JSON.parse(new TextDecoder().decode(fileOf('packed.json'))) as Record<string, Record<string, Truth>>;

function expectTruth(values: TensorValues, { count, nan, inf, zeros, min, max, mean, std }: Truth): void {
  expect(values).toMatchObject({ count, nan, inf, zeros, min, max });
  expect(Math.abs((values.mean ?? NaN) - mean)).toBeLessThanOrEqual(Math.abs(mean) * 1e-12);
  expect(Math.abs((values.std ?? NaN) - std)).toBeLessThanOrEqual(Math.abs(std) * 1e-12);
}

const reasonsOf = ({ notRead }: ValuesReport): Record<string, string> =>
  Object.fromEntries(notRead.map(({ name, code }) => [name, code]));

describe('members of a .npz that savez_compressed deflated', async () => {
  const file = fileOf('packed.npz');
  const report = await scannedValues(memoryTree('m', { 'packed.npz': file }));

  it.each(Object.entries(truths['npz'] ?? {}))('%s', (name, truth) => {
    expectTruth(valuesOf(report, name), truth);
  });

  it('say where the first value is that is not finite', () => {
    expect(valuesOf(report, 'broken.f8').first?.index).toEqual([13, 10]);
    expect(report.findings).toMatchObject([{ code: 'values-not-finite' }]);
  });

  it('are damage where they do not unpack to what their header declares', async () => {
    const at = Buffer.from(file).indexOf('broken.f8.npy') + 400;
    const report = await scannedValues(memoryTree('m', { 'packed.npz': file.slice().fill(0xff, at, at + 40) }));
    expect(reasonsOf(report)).toEqual({ 'broken.f8': 'unreadable' });
    expect(report.findings).toMatchObject([{ code: 'values-unreadable', path: 'packed.npz' }]);
  });

  it('are left out of a sample', async () => {
    const report = await scannedValues(memoryTree('m', { 'packed.npz': file }), { sample: { share: 0.5, seed: 1 } });
    expect(new Set(Object.values(reasonsOf(report)))).toEqual(new Set(['encoded']));
  });
});

describe('storages of a torch archive that another program deflated', async () => {
  const numbers = Float32Array.from({ length: 600 }, (_, at) => at % 7);
  const view = (shape: number[], more: { offset?: number; stride?: number[] } = {}): Uint8Array =>
    p.torchTensor({ storageType: 'FloatStorage', key: '0', storageNumel: 600n, shape, ...more });
  const pickle = p.pickle(
    p.dict(
      [p.str('whole'), view([20, 30])],
      [p.str('part'), view([5, 2])],
      [p.str('behind'), view([5, 2], { offset: 8 })],
      [p.str('turned'), view([30, 20], { stride: [1, 30] })],
    ),
  );
  const storages = { 0: new Uint8Array(numbers.buffer) };
  const fileWith = (change: object): Uint8Array => buildTorchZip({ pickle, storages, records: { 'data/0': change } });
  const report = await scannedValues(memoryTree('m', { 'model.pt': fileWith({ deflate: true }) }));

  it('are read where a tensor is all of its storage', () => {
    expect(valuesOf(report, 'whole')).toMatchObject({ count: 600, min: 0, max: 6, zeros: 86 });
  });

  it('are not read as numbers where it is a part of it, or has strides', () => {
    expect(reasonsOf(report)).toEqual({ part: 'encoded', behind: 'encoded', turned: 'encoded' });
  });

  it('are not read in a compression that is not undone as a stream', async () => {
    const other = await scannedValues(
      memoryTree('m', { 'model.pt': fileWith({ packed: { method: 14, bytes: new Uint8Array(90) } }) }),
    );
    expect(new Set(Object.values(reasonsOf(other)))).toEqual(new Set(['encoded']));
  });

  it('have every byte of the file in one component', async () => {
    const file = fileWith({ deflate: true });
    const { report: inspected } = await inspect(memoryTree('m', { 'model.pt': file }), { path: '/m' });
    if (inspected.kind !== 'checkpoint') throw new Error(inspected.kind);
    const { weights } = inspected.components;
    expect(inspected.totalBytes).toBe(file.byteLength);
    expect(weights?.logicalBytes).toBe(2400);
    expect(weights?.tensorBytes).toBeLessThan(500);
    expect(inspected.findings.map(({ code }) => code)).toEqual([]);
  });
});

describe('chunks that are unpacked as a whole', () => {
  it('are not read where they are larger than what each thread may hold', async () => {
    const elements = limits.valueChunkBytes / 4 + 1;
    const array = (codecs: string[]): Uint8Array =>
      new TextEncoder().encode(
        JSON.stringify({
          zarr_format: 3,
          node_type: 'array',
          shape: [elements],
          data_type: 'float32',
          chunk_grid: { name: 'regular', configuration: { chunk_shape: [elements] } },
          codecs: ['bytes', ...codecs].map((name) => ({ name })),
          fill_value: 0,
        }),
      );
    const files = (codecs: string[]) => ({ 'w/zarr.json': array(codecs), 'w/c/0': new Uint8Array(90) });
    const whole = await scannedValues(memoryTree('m', files(['gzip', 'crc32c'])));
    expect(whole.notRead).toMatchObject([{ code: 'encoded', detail: `a chunk of ${limits.valueChunkBytes + 4} bytes` }]);
    const asStream = await scannedValues(memoryTree('m', files(['gzip'])));
    expect(asStream.notRead).toMatchObject([{ code: 'unreadable' }]);
  });
});

describe.each(['packed.h5', 'packed_latest.h5'])('chunks that h5py wrote (%s)', async (name) => {
  const file = fileOf(name);
  const report = await scannedValues(memoryTree('m', { [name]: file }));

  it.each(Object.entries(truths[name] ?? {}))('%s', (dataset, truth) => {
    expectTruth(valuesOf(report, dataset), truth);
  });

  it('are not read where some were never written', () => {
    expect(reasonsOf(report)).toEqual({ holes: 'encoded' });
  });

  it('have a place for the first value that is not finite', () => {
    const { first } = valuesOf(report, 'broken');
    expect(first).toMatchObject({ index: null, path: name });
  });

  it('are damage where they do not unpack', async () => {
    const { first } = valuesOf(report, 'broken');
    const at = (first?.offset ?? 0) + 4;
    const damaged = await scannedValues(memoryTree('m', { [name]: file.slice().fill(0xff, at, at + 12) }));
    expect(reasonsOf(damaged)).toEqual({ holes: 'encoded', broken: 'unreadable' });
  });
});

describe('chunks that zarr wrote', async () => {
  const stored = JSON.parse(new TextDecoder().decode(fileOf('packed_zarr.json'))) as Record<string, string>;
  const files = Object.fromEntries(
    Object.entries(stored).map(([name, text]) => [name, new Uint8Array(Buffer.from(text, 'base64'))]),
  );
  const report = await scannedValues(memoryTree('m', files));

  it.each(Object.entries(truths['zarr'] ?? {}))('%s', (name, truth) => {
    expectTruth(valuesOf(report, name), truth);
  });

  it('are all read', () => {
    expect(report.notRead).toEqual([]);
  });

  it('give a report or say that they are damaged, whatever is changed in them', async () => {
    const random = createRandom(seed);
    const below = (most: number): number => Math.floor(random() * most);
    const chunks = Object.keys(files).filter((name) => name.startsWith('blosc.') && !name.endsWith('.zarray'));
    for (let round = 0; round < 400; round++) {
      const name = chunks[below(chunks.length)] ?? '';
      const chunk = (files[name] ?? new Uint8Array(0)).slice();
      const places = Array.from({ length: 1 + below(3) }, () => (below(2) === 0 ? below(32) : below(chunk.byteLength)));
      for (const place of places) chunk[place % chunk.byteLength] = below(256);
      const array = name.slice(0, name.indexOf('/'));
      const own = Object.fromEntries(Object.entries(files).filter(([path]) => path.startsWith(`${array}/`)));
      const { tensors, notRead } = await scannedValues(memoryTree('m', { ...own, [name]: chunk }));
      expect(tensors.length + notRead.length).toBe(1);
      for (const { code } of notRead) expect(code).toBe('unreadable');
    }
  });
});
