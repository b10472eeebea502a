/** Verdicts of files without a model: each that fails names why, and what is no damage does not fail. */
import { describe, expect, it } from 'vitest';
import type { CheckpointReport } from '../../../src/core/checkpoints/checkpointReport.js';
import { headlineOf } from '../../../src/core/pages/checkpoint/headline.js';
import { casesBelow, fixtureBelow, fixtureRoot } from '../../builders/frameworkFixtures.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { bytes, concat, u32, u64, utf8 } from '../../builders/byteWriter.js';
import { buildTar } from '../../builders/tarBuilder.js';
import { torchState } from '../../builders/torchStateBuilder.js';
import { inspectAnyHostile, inspectHostile } from '../../hostile/accountable.js';

const reportOf = (name: string, file: Uint8Array): Promise<CheckpointReport> =>
  inspectHostile(memoryTree(name, { [name]: file }));
const codes = ({ findings }: CheckpointReport): string[] => findings.map(({ code }) => code);

describe('a verdict of broken comes with an error', () => {
  /** What saves leave behind: nothing, zeros, a part. */
  const damages: Readonly<Record<string, (file: Uint8Array) => Uint8Array>> = {
    empty: () => new Uint8Array(0),
    zeros: ({ byteLength }) => new Uint8Array(byteLength),
    cut: (file) => file.subarray(0, Math.floor(file.byteLength / 2)),
  };

  // inspectAnyHostile checks it of each report.
  it.each(casesBelow(fixtureRoot, 'checkpoint'))('%s, whole and with each kind of file damaged', async (name) => {
    const files = fixtureBelow(name);
    await inspectAnyHostile(memoryTree('data', files));
    const kinds = new Map(Object.keys(files).map((path) => [path.replace(/^.*\//, '').replace(/\d+/g, '#'), path]));
    for (const path of kinds.values()) {
      const file = files[path] as Uint8Array;
      const alone = path.slice(path.lastIndexOf('/') + 1);
      await inspectAnyHostile(memoryTree(alone, { [alone]: file }));
      for (const damage of Object.values(damages)) {
        await inspectAnyHostile(memoryTree(alone, { [alone]: damage(file) }));
        await inspectAnyHostile(memoryTree('data', { ...files, [path]: damage(file) }));
      }
    }
  });

  it.each([
    ['a tar without a part of a model', buildTar([{ name: 'model_config.yaml', data: utf8('name: x') }]), 'weights-missing'],
    ['an empty tar', new Uint8Array(10_240), 'file-zero-filled'],
  ])('%s as .nemo', async (_, file, code) => {
    const report = await reportOf('e.nemo', file);
    expect(report.resume).toMatchObject({ verdict: 'broken', blockedBy: [code] });
    expect(report.findings).toMatchObject([{ code, severity: 'error', path: 'e.nemo' }]);
  });

  it('an empty file with the name of flax', async () => {
    expect(codes(await reportOf('checkpoint_5', new Uint8Array(0)))).toContain('file-empty');
  });
});

describe('no damage', () => {
  it('a safetensors file without tensors', async () => {
    const report = await reportOf('x.safetensors', concat(u64(2), utf8('{}')));
    expect(report.findings).toEqual([]);
    expect(report.resume).toMatchObject({ verdict: 'none', blockedBy: [] });
    expect(headlineOf(report).resume).toBe('No checkpoint: no tensors and no training state found.');
  });

  it('a model.safetensors without tensors, in a directory of a model, is one', async () => {
    const files = { 'model.safetensors': concat(u64(2), utf8('{}')), 'config.json': utf8('{"model_type":"llama"}') };
    expect(codes(await inspectHostile(memoryTree('d', files)))).toContain('weights-missing');
  });

  it('a model of ggml that is not supported: its verdict is not known', async () => {
    const report = await reportOf('x.ggml', concat(u32(0x67676d6c), bytes(...Array.from({ length: 200 }, () => 255))));
    expect(report.findings).toMatchObject([{ code: 'unsupported-version', severity: 'warning' }]);
    expect(report.resume).toMatchObject({ verdict: 'unknown', missing: [], blockedBy: [] });
    expect(headlineOf(report).resume).toMatch(/^Resume: not known\./);
  });

  it('the state of an optimizer by itself', async () => {
    const state = torchState((tensor) => ({ state: { 0: { exp_avg: tensor([4]), exp_avg_sq: tensor([4]) } }, param_groups: [] }));
    const report = await reportOf('optimizer.pt', state);
    expect(report.findings).toEqual([]);
    expect(report.resume).toMatchObject({ verdict: 'state-only', present: ['optimizer'] });
    expect(headlineOf(report).resume).toBe('Resume: state only. Contains optimizer, no weights.');
  });
});
