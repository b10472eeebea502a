/** States under names that say nothing of them, and files that are not here whole yet. */
import { describe, expect, it } from 'vitest';
import { inspect } from '../../../src/core/inspection/inspect.js';
import { fixtureBelow } from '../../builders/frameworkFixtures.js';
import { patternBytes } from '../../builders/byteWriter.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { buildNpy } from '../../builders/npyBuilder.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';
import { inspectHostile } from '../../hostile/accountable.js';

const trainer = fixtureBelow('hf/trainer-ddp-2r');
const own = (name: string): Uint8Array => trainer[`checkpoint-2/${name}`] as Uint8Array;

describe('a state under any name', () => {
  it('is a scheduler by its keys', async () => {
    const files = {
      'weights.PTH': fixtureBelow('torch/state-dict')['model.pt'] as Uint8Array,
      'last.state': own('scheduler.pt'),
    };
    const report = await inspectHostile(memoryTree('m', files));
    expect(report.components.scheduler?.otherBytes).toBe(files['last.state'].byteLength);
    expect(report.resume.present).toContain('scheduler');
  });

  it('that holds tensors is what these are', async () => {
    const report = await inspectHostile(memoryTree('m', { 'last.state': own('optimizer.pt') }));
    expect(report.components.scheduler).toBeUndefined();
  });
});

describe('a download', () => {
  const weights = buildSafetensors({ tensors: { w: { dtype: 'F32', shape: [64, 64] } } });

  it('of aria2 is unfinished as long as its control file is there', async () => {
    const files = { 'model.safetensors': weights, 'model.safetensors.aria2': new Uint8Array(60).fill(1) };
    const report = await inspectHostile(memoryTree('m', files));
    expect(report.findings).toContainEqual(expect.objectContaining({ code: 'download-unfinished', path: 'model.safetensors' }));
    expect(report.resume.verdict).toBe('broken');
    const other = await inspectHostile(memoryTree('m', { 'model.safetensors': weights, 'x.aria2': new Uint8Array(60).fill(1) }));
    expect(other.findings.map(({ code }) => code)).not.toContain('download-unfinished');
  });

  it.each(['crdownload', 'opdownload', 'filepart', 'part'])('that ends in .%s is left over, and no shard', async (ending) => {
    const files = { 'model.safetensors': weights, [`model-00002-of-00002.safetensors.${ending}`]: weights.slice(0, 4_000) };
    const report = await inspectHostile(memoryTree('m', files));
    expect(report.findings.map(({ code }) => code)).toEqual(['leftover-file']);
    expect(report.parameters.unique).toBe(64 * 64);
  });
});

it.each(['params.npz', 'model_weights.npz', 'ckpt-100.npz'])(
  'parameters in %s beside tokens have a row of their own',
  async (name) => {
    const params = Object.values(fixtureBelow('misc/npz-optimizer')).find(({ byteLength }) => byteLength > 0) as Uint8Array;
    const tokens = buildNpy({ descr: '<u2', shape: [200_000], data: patternBytes(400_000) });
    const { report } = await inspect(memoryTree('m', { 'train.npy': tokens, [name]: params }), { path: 'm' });
    expect(report.kind === 'collection' ? report.parts.map(({ layout }) => layout).sort() : report.kind).toEqual([
      'numpy',
      'token-array',
    ]);
  },
);
