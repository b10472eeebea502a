/** Two files with tensors of the same names: copies only where their bytes agree. */
import { describe, expect, it, vi } from 'vitest';
import { CopyCandidates } from '../../../src/core/checkpoints/copies.js';
import type { CheckpointReport } from '../../../src/core/checkpoints/checkpointReport.js';
import { limits } from '../../../src/core/bytes/limits.js';
import { buildNpy } from '../../builders/npyBuilder.js';
import { buildZip } from '../../builders/torchZipBuilder.js';
import { buildSafetensors, type SafetensorsTensor } from '../../builders/safetensorsBuilder.js';
import { inspectCheckpoint } from '../../builders/inspectCheckpoint.js';
import { memoryTree, type MemoryFile } from '../../builders/memoryTree.js';
import { patternBytes } from '../../builders/byteWriter.js';

const values = 256 * 1024;

/** A model of two tensors, whose bytes are a pattern but for one value. */
function model(changedAt: number | null): Uint8Array {
  const file = buildSafetensors({
    tensors: {
      'a.weight': { dtype: 'F32', shape: [values], data: patternBytes(values * 4) },
      'b.weight': { dtype: 'F32', shape: [4], data: patternBytes(16) },
    },
  });
  const copy = file.slice();
  if (changedAt !== null) copy[copy.length - 16 - values * 4 + changedAt] = 0xaa;
  return copy;
}

async function reportOf(files: Record<string, MemoryFile>): Promise<CheckpointReport> {
  return (
    await inspectCheckpoint(memoryTree('m', { 'config.json': new TextEncoder().encode('{"model_type": "llama"}'), ...files }), {
      path: 'm',
    })
  ).report;
}

const codes = ({ findings }: CheckpointReport): string[] => findings.map(({ code }) => code);

describe('files with tensors of the same names', () => {
  it('are copies where sampled bytes agree, which is said', async () => {
    const report = await reportOf({ 'model.safetensors': model(null), 'model.fp32.safetensors': model(null) });
    expect(report.storedTwice).toMatchObject({
      bytes: values * 4 + 16,
      items: [{ basis: 'sampled', coverage: { counted: 2, of: 2, unit: 'tensors' } }],
    });
    expect(report.parameters.unique).toBe(values + 4);
    expect(codes(report)).toContain('weights-stored-twice');
  });

  it('are two models where they differ, and count as such', async () => {
    const report = await reportOf({ 'model.safetensors': model(null), 'model.fp32.safetensors': model(0) });
    expect(report.storedTwice).toEqual({ bytes: 0, items: [] });
    expect(report.parameters.unique).toBe(2 * (values + 4));
    expect(codes(report)).toContain('weights-differ');
  });

  it('are two models where small tensors alone differ', async () => {
    const trained = (seed: number): Uint8Array => {
      const tensors: Record<string, SafetensorsTensor> = {};
      for (let layer = 0; layer < 200; layer++) {
        tensors[`layers.${layer}.weight`] = { dtype: 'F32', shape: [8192], data: patternBytes(32_768) };
        tensors[`layers.${layer}.norm.weight`] = { dtype: 'F32', shape: [64], data: patternBytes(256 + seed).slice(seed) };
      }
      return buildSafetensors({ tensors });
    };
    const report = await reportOf({ 'model.safetensors': trained(0), 'model.b.safetensors': trained(1) });
    expect(report.storedTwice.items).toEqual([]);
    expect(codes(report)).toContain('weights-differ');
    expect(report.parameters.unique).toBe(2 * 200 * (8192 + 64));
    expect(report.io.bytesRead).toBeLessThan(limits.copyBytes + 200_000);
  });

  it('are compared at a few places', async () => {
    const report = await reportOf({ 'model.safetensors': model(null), 'model.fp32.safetensors': model(null) });
    expect(report.io.bytesRead).toBeLessThan(limits.copyBytes);
  });

  it('are found to be copies with others between them', async () => {
    const files = { 'model.safetensors': model(null), 'model.b.safetensors': model(0), 'model.c.safetensors': model(null) };
    const report = await reportOf(files);
    expect(report.storedTwice.items).toMatchObject([{ bytes: values * 4 + 16, basis: 'sampled' }]);
    expect(report.parameters.unique).toBe(2 * (values + 4));
  });

  it('are two models where their shapes or dtypes differ', async () => {
    const half = buildSafetensors({
      tensors: { 'a.weight': { dtype: 'F32', shape: [values / 2], data: patternBytes(values * 2) } },
    });
    const halfDtype = buildSafetensors({
      tensors: { 'a.weight': { dtype: 'F16', shape: [values], data: patternBytes(values * 2) } },
    });
    const report = await reportOf({
      'model.safetensors': model(null),
      'model.b.safetensors': half,
      'model.c.safetensors': halfDtype,
    });
    expect(report.parameters.unique).toBe(values + 4 + values / 2 + values);
    expect(report.storedTwice).toEqual({ bytes: 0, items: [] });
  });

  it('are compared within a budget, however many there are', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 90 }, (_, at) => [
        `model.${String.fromCodePoint(97 + (at % 26))}${at}x${at}.safetensors`,
        model(at * 4),
      ]),
    );
    const report = await reportOf(files);
    expect(report.io.bytesRead).toBeLessThan(limits.allCopiesBytes);
  });
});

describe('hard links', () => {
  const linked = (bytes: Uint8Array, fileId: string): MemoryFile => ({ entry: { fileId }, bytes });

  it('are the same file: nothing is compared, and nothing is stored twice', async () => {
    const files = { 'model.safetensors': linked(model(null), '1:7'), 'model.fp32.safetensors': linked(model(null), '1:7') };
    const report = await reportOf(files);
    expect(report.storedTwice).toEqual({ bytes: 0, items: [] });
    expect(report.parameters.unique).toBe(values + 4);
    expect(report.io.bytesRead).toBeLessThan(2_000);
    expect(report.findings.find(({ code }) => code === 'hard-link')).toMatchObject({ severity: 'note' });
    expect(report.files.filter(({ sameFileAs }) => sameFileAs !== undefined)).toMatchObject([
      { path: 'model.safetensors', sameFileAs: 'model.fp32.safetensors' },
    ]);
  });

  it('to another file do not say so', async () => {
    const report = await reportOf({
      'model.safetensors': linked(model(null), '1:7'),
      'model.b.safetensors': linked(model(null), '1:8'),
    });
    expect(report.storedTwice.items).toHaveLength(1);
    expect(codes(report)).not.toContain('hard-link');
  });
});

describe('arrays outside of a model', () => {
  const numpyOptions = { prefix: '', alignment: 1, dataDescriptors: false } as const;
  const npy = (byte: number): Uint8Array => buildNpy({ shape: [64], data: new Uint8Array(256).fill(byte) });
  const npz = (byte: number): Uint8Array => buildZip([{ name: 'x.npy', data: npy(byte) }], numpyOptions);
  const arraysIn = async (files: Record<string, MemoryFile>): Promise<CheckpointReport> =>
    (await inspectCheckpoint(memoryTree('tests', files), { path: 'tests' })).report;

  it('are called arrays where they agree', async () => {
    const report = await arraysIn({ 'a.npz': npz(1), 'b.npz': npz(1) });
    expect(report.storedTwice).toMatchObject({
      bytes: 256,
      items: [{ what: 'arrays of the same names in a.npz and b.npz', basis: 'sampled' }],
    });
  });

  it('are no two models where they differ', async () => {
    const report = await arraysIn({ 'a.npz': npz(1), 'b.npz': npz(2) });
    expect(report.storedTwice).toEqual({ bytes: 0, items: [] });
    expect(codes(report)).toEqual([]);
  });

  it('are no copies where their values cannot be compared', async () => {
    const packed = buildZip([{ name: 'x.npy', data: npy(1), deflate: true }], numpyOptions);
    const report = await arraysIn({ 'a.npz': packed, 'b.npz': packed });
    expect(report.storedTwice).toEqual({ bytes: 0, items: [] });
    expect(report.parameters.unique).toBe(128);
  });

  it('are weights where the files are called so', async () => {
    const report = await arraysIn({ 'weights_a.npz': npz(1), 'weights_b.npz': npz(1) });
    expect(report.storedTwice.items).toMatchObject([{ what: 'weights of the same names in weights_a.npz and weights_b.npz' }]);
  });
});

describe('many files with tensors of the same names', () => {
  const small = buildSafetensors({ tensors: { w: { dtype: 'F32', shape: [4], data: patternBytes(16) } } });

  async function comparisonsOf(names: readonly string[]): Promise<number> {
    const pairOf = vi.spyOn(CopyCandidates.prototype, 'pairOf');
    await reportOf(Object.fromEntries(names.map((name) => [`${name}.safetensors`, small])));
    const { length } = pairOf.mock.calls;
    pairOf.mockRestore();
    return length;
  }

  it('are not compared with each other where they are saves of a series', async () => {
    expect(await comparisonsOf(Array.from({ length: 300 }, (_, step) => `w${step}`))).toBe(0);
  });

  it('are compared with a bounded number of others each', async () => {
    const word = (index: number): string => [...String(index)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
    const count = limits.comparedGroups * 2;
    expect(await comparisonsOf(Array.from({ length: count }, (_, index) => word(index)))).toBeLessThanOrEqual(
      count * limits.comparedGroups,
    );
  });
});
