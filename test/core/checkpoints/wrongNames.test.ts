/** Files whose names promise another format than their first bytes have. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fileFormats } from '../../../src/core/checkpoints/fileFormats.js';
import { subtitleOf } from '../../../src/core/pages/checkpoint/subtitle.js';
import { concat, overwrite, u32, u64, utf8 } from '../../builders/byteWriter.js';
import { buildGguf } from '../../builders/ggufBuilder.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { buildNpy } from '../../builders/npyBuilder.js';
import * as p from '../../builders/pickleBuilder.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';
import { buildTorchZip, stateDict } from '../../builders/torchZipBuilder.js';
import { inspectAnyHostile, inspectHostile } from '../../hostile/accountable.js';

const gguf = buildGguf({ tensors: [{ name: 'w', dimensions: [4, 2], type: 0, offset: 0 }], data: new Uint8Array(32) });
const safetensors = buildSafetensors({ tensors: { w: { dtype: 'F32', shape: [4, 2] } } });
const hdf5 = new Uint8Array(readFileSync('test/fixtures/frameworks/misc/hdf5-plain/data/state.h5'));
const npy = buildNpy({ descr: '<f4', shape: [8], data: new Uint8Array(32) });
const torch = buildTorchZip(stateDict({ w: ['f32', [4, 2]] }));

describe('the first bytes decide', () => {
  it.each([
    ['GGUF', 'model.bin', gguf, 'gguf', 'model weights', 'gguf', []],
    ['GGUF', 'pytorch_model.bin', gguf, 'gguf', 'model weights', 'gguf', ['name-of-another-format']],
    ['GGUF', 'model.safetensors', gguf, 'gguf', 'model weights', 'gguf', ['name-of-another-format']],
    ['safetensors', 'consolidated', safetensors, 'safetensors', 'tensors', 'safetensors-file', []],
    ['safetensors', 'weights.pt', safetensors, 'safetensors', 'tensors', 'safetensors-file', ['safetensors-under-another-name']],
    [
      'safetensors',
      'optimizer.bin',
      safetensors,
      'safetensors',
      'optimizer state',
      'safetensors-file',
      ['safetensors-under-another-name'],
    ],
    ['a torch zip', 'x.safetensors', torch, 'torch-zip', 'torch file', 'torch-file', ['pickle-under-another-name']],
    ['a torch zip', 'checkpoint.tar', torch, 'torch-zip', 'pickled object', 'torch-file', []],
    ['a NumPy array', 'array.bin', npy, 'npy', 'array', 'numpy', []],
    ['a NumPy array', 'x.idx', npy, 'npy', 'array', 'numpy', ['name-of-another-format']],
  ])('%s as %s', async (_, name, bytes, format, role, layout, codes) => {
    const report = await inspectHostile(memoryTree(name, { [name]: bytes }));
    expect(report.findings.map(({ code }) => code)).toEqual(codes);
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

describe('a pickle with the name of a format without code', () => {
  const pickle = p.pickle(p.reduce(p.global('os', 'system'), p.tuple(p.str('true'))));
  const others = fileFormats.filter(({ id }) => id !== 'torch');
  const names = others.flatMap((format) => (format.names ?? []).flatMap(({ extensions }) => extensions));

  it.each(names)('.%s is an error that says so, whether it is in a zip or not', async (extension) => {
    for (const file of [pickle, torch]) {
      const report = await inspectHostile(memoryTree(`x.${extension}`, { [`x.${extension}`]: file }));
      const errors = report.findings.filter(({ severity }) => severity === 'error').map(({ code }) => code);
      // An archive that is none of the format's names what it lacks.
      expect(errors.length, `${extension}: ${errors.join()}`).toBeGreaterThan(0);
      if (file === pickle) expect(report.pickleImports.map(({ name }) => name)).toEqual(['os.system']);
      if (file === pickle) expect(errors).toEqual(['pickle-calls-unexpected', 'pickle-under-another-name']);
      expect(report.resume.verdict).toBe('broken');
    }
  });
});

describe('content of checkpoints with the names of bare tokens', () => {
  it.each(['x.u16', 'x.npy', 'x.ds'])('%s is no tokens', async (name) => {
    for (const file of [safetensors, hdf5, gguf, torch]) {
      const report = await inspectAnyHostile(memoryTree(name, { [name]: file }));
      expect(report.kind === 'dataset' ? report.tokens : null).toBeNull();
      expect(report.findings.filter(({ severity }) => severity !== 'note')).not.toEqual([]);
    }
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
