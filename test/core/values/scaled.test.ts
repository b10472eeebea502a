/** Packed values with scales beside them against numpy: see test/fixtures/values/PROVENANCE.md. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { inspect } from '../../../src/core/inspection/inspect.js';
import { memoryTree, type ReadLog } from '../../builders/memoryTree.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';
import { scannedValues, valuesOf } from '../../builders/scannedValues.js';

const fixtures = path.join(import.meta.dirname, '../../fixtures/values');
interface Truth {
  count: number;
  nan: number;
  zeros: number;
  min: number;
  max: number;
  mean: number;
  std: number;
}
const truths = JSON.parse(readFileSync(path.join(fixtures, 'scaled.json'), 'utf8')) as Record<string, Truth>;
const file = new Uint8Array(readFileSync(path.join(fixtures, 'scaled.safetensors')));
const log: ReadLog = { reads: [] };
const report = await scannedValues(memoryTree('m', { 'model.safetensors': file }, log));

describe.each(Object.entries(truths))('%s', (name, truth) => {
  const values = valuesOf(report, name);

  it('has the values of its codes and scales', () => {
    const { count, nan, zeros, min, max } = truth;
    expect(values).toMatchObject({ basis: 'values', count, nan, zeros, min, max });
    for (const key of ['mean', 'std'] as const)
      expect(Math.abs((values[key] ?? NaN) - truth[key])).toBeLessThanOrEqual(Math.abs(truth[key]) * 1e-12);
  });
});

it('locates a scale that is NaN by the byte of its first value', () => {
  const { first } = valuesOf(report, 'experts.gate_up_proj_blocks');
  // The tenth of the groups, of which a row has four.
  expect(first?.index).toEqual([0, 2, 1, 0]);
});

it('counts scales as well, and reads no byte twice', async () => {
  expect(valuesOf(report, 'nv.weight_scale')).toMatchObject({ basis: 'values', dtype: 'f8_e4m3', count: 128 });
  const inspected: ReadLog = { reads: [] };
  await inspect(memoryTree('m', { 'model.safetensors': file }, inspected), { path: '/m' });
  const bytes = log.reads.slice(inspected.reads.length).reduce((sum, { length }) => sum + length, 0);
  expect(bytes).toBe(report.bytesRead);
});

it('gives codes of a sample, and where scales are missing or do not fit', async () => {
  const sampled = await scannedValues(memoryTree('m', { 'model.safetensors': file }), { sample: { share: 0.5, seed: 1 } });
  expect(valuesOf(sampled, 'nf.weight')).toMatchObject({ basis: 'codes', max: 255 });
  const u8 = (bytes: number) => ({ dtype: 'U8', shape: [bytes], data: new Uint8Array(bytes).fill(0x21) });
  const tensors = {
    'a.weight_packed': u8(64),
    'b.weight_packed': u8(64),
    'b.weight_scale': u8(3),
    'c.weight': u8(64),
    'c.weight.absmax': { dtype: 'F32', shape: [2] },
    'c.weight.quant_map': { dtype: 'F32', shape: [16] },
    'c.weight.quant_state.bitsandbytes__nf4': { dtype: 'U8', shape: [5], data: new TextEncoder().encode('[1,2]') },
  };
  const other = await scannedValues(memoryTree('m', { 'model.safetensors': buildSafetensors({ tensors }) }));
  for (const name of ['a.weight_packed', 'b.weight_packed', 'c.weight'])
    expect(valuesOf(other, name), name).toMatchObject({ basis: 'codes', count: 64, min: 0x21, max: 0x21 });
  expect(other.findings).toEqual([]);
});
