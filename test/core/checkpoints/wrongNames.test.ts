/** Files whose names promise another format than their first bytes have. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { subtitleOf } from '../../../src/core/pages/checkpoint/subtitle.js';
import { concat, overwrite, u32, u64, utf8 } from '../../builders/byteWriter.js';
import { buildGguf } from '../../builders/ggufBuilder.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { buildNpy } from '../../builders/npyBuilder.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';
import { buildTorchZip, stateDict } from '../../builders/torchZipBuilder.js';
import { inspectHostile } from '../../hostile/accountable.js';

const gguf = buildGguf({ tensors: [{ name: 'w', dimensions: [4, 2], type: 0, offset: 0 }], data: new Uint8Array(32) });
const safetensors = buildSafetensors({ tensors: { w: { dtype: 'F32', shape: [4, 2] } } });
const hdf5 = new Uint8Array(readFileSync('test/fixtures/frameworks/misc/hdf5-plain/data/state.h5'));
const torch = buildTorchZip(stateDict({ w: ['f32', [4, 2]] }));

describe('the first bytes decide', () => {
  it.each([
    ['GGUF', 'model.bin', gguf, 'gguf', 'model weights', 'gguf'],
    ['GGUF', 'pytorch_model.bin', gguf, 'gguf', 'model weights', 'gguf'],
    ['GGUF', 'model.safetensors', gguf, 'gguf', 'model weights', 'gguf'],
    ['safetensors', 'consolidated', safetensors, 'safetensors', 'tensors', 'safetensors-file'],
    ['safetensors', 'weights.pt', safetensors, 'safetensors', 'tensors', 'safetensors-file'],
    ['safetensors', 'optimizer.bin', safetensors, 'safetensors', 'optimizer state', 'safetensors-file'],
    ['a torch zip', 'x.safetensors', torch, 'torch-zip', 'torch file', 'torch-file'],
    ['a NumPy array', 'array.bin', buildNpy({ descr: '<f4', shape: [8], data: new Uint8Array(32) }), 'npy', 'array', 'numpy'],
  ])('%s as %s', async (_, name, bytes, format, role, layout) => {
    const report = await inspectHostile(memoryTree(name, { [name]: bytes }));
    expect(report.findings).toEqual([]);
    expect(report.files[0]).toMatchObject({ format, role });
    expect(report.layout).toBe(layout);
    expect(Object.values(report.components).reduce((sum, { tensorBytes }) => sum + tensorBytes, 0)).toBe(32);
    expect(report.components.unexplained).toBeUndefined();
  });

  it('a PyTorch file beside one of another format is still one', async () => {
    const report = await inspectHostile(memoryTree('d', { 'a.bin': gguf, 'b.bin': torch }));
    expect(report.findings).toEqual([]);
    expect(report.files.map(({ format }) => format)).toEqual(['gguf', 'torch-zip']);
    expect(report.layout).toBe('torch-file');
  });
});

describe('what files are called', () => {
  it('a GGUF without a telling name has its version', async () => {
    const report = await inspectHostile(memoryTree('blob', { blob: gguf }));
    expect(report).toMatchObject({ layout: 'gguf', framework: { name: 'gguf', version: '3' } });
  });

  it.each(['blob', 'x.hdf5', 'x.bin'])('files of a format without a layout are called by the format: %s', async (name) => {
    const report = await inspectHostile(memoryTree(name, { [name]: hdf5 }));
    expect(report).toMatchObject({ layout: 'unknown', framework: { name: 'hdf5', version: null } });
    expect(subtitleOf(report)).toMatch(/^hdf5/);
    expect(report.findings).toEqual([]);
  });

  it('files of several formats are called nothing', async () => {
    const report = await inspectHostile(memoryTree('d', { a: hdf5, b: gguf }));
    expect(report).toMatchObject({ layout: 'unknown', framework: { name: 'unknown' } });
  });
});

describe('the name decides', () => {
  it('where its format has these first bytes and is damaged', async () => {
    // A header of 640 bytes begins as a pickle of protocol 2 does.
    const header = utf8(`{"w":{"dtype":"F32","shape":[8],"data_offsets":[0,32]}`.padEnd(640, ' '));
    const report = await inspectHostile(memoryTree('d', { 'x.safetensors': concat(u64(640), header, new Uint8Array(32)) }));
    expect(report.files[0]?.format).toBe('safetensors');
    expect(report.findings.map(({ code }) => code)).toContain('header-corrupt');
  });

  it.each(['x.keras', 'x.npz'])('where %s is a zip without its directory', async (name) => {
    const report = await inspectHostile(memoryTree('d', { [name]: torch.subarray(0, torch.byteLength - 30) }));
    expect(report.files[0]?.format).not.toMatch(/torch/);
    expect(report.findings.map(({ severity }) => severity)).toContain('error');
  });

  it('where the first bytes are of no format', async () => {
    const report = await inspectHostile(memoryTree('d', { 'x.bin': overwrite(gguf, 0, u32(1)) }));
    expect(report.findings.map(({ code }) => code)).toEqual(['binary-not-recognised']);
  });

  it('where the other format cannot be read either: a zip that is no NumPy array', async () => {
    const report = await inspectHostile(memoryTree('d', { 'x.npy': torch.subarray(0, 40) }));
    expect(report.findings.map(({ severity }) => severity)).toContain('error');
  });
});
