/** Damage to files that loading does not open leaves the verdict alone, and is no error. */
import { describe, expect, it } from 'vitest';
import { linkWithoutTarget, specialFile } from '../../../src/core/files/fileTree.js';
import { utf8 } from '../../builders/byteWriter.js';
import { inspectCheckpoint } from '../../builders/inspectCheckpoint.js';
import { memoryTree, type MemoryFile } from '../../builders/memoryTree.js';
import { buildSafetensors as safetensors } from '../../builders/safetensorsBuilder.js';
import { torchState } from '../../builders/torchStateBuilder.js';

const json = (value: unknown): Uint8Array => utf8(JSON.stringify(value));
const pointer = utf8(`version https://git-lfs.github.com/spec/v1\noid sha256:${'0a'.repeat(32)}\nsize 4976698672\n`);
const dangling: MemoryFile = { entry: { error: linkWithoutTarget, link: { target: '/gone', inside: false } } };
const pipe: MemoryFile = { entry: { error: specialFile } };
const weights = safetensors({ tensors: { 'a.weight': { dtype: 'F32', shape: [64, 8] } } });
const cut = weights.subarray(0, weights.byteLength - 1_000);
const model = { 'config.json': json({ model_type: 'llama' }), 'model.safetensors': weights };
const trainer = { ...model, 'trainer_state.json': json({ global_step: 3 }) };

async function verdictWith(files: Record<string, MemoryFile>) {
  const { report } = await inspectCheckpoint(memoryTree('here', files), { path: 'here' });
  return { verdict: report.resume.verdict, errors: report.findings.filter(({ severity }) => severity === 'error') };
}

async function severityOf(code: string, files: Record<string, MemoryFile>) {
  const { report } = await inspectCheckpoint(memoryTree('here', files), { path: 'here' });
  return report.findings.find((finding) => finding.code === code)?.severity;
}

describe('a file that no loader opens', () => {
  it.each<[string, MemoryFile]>([
    ['wandb', dangling],
    ['logs', dangling],
    ['README.md', dangling],
    ['run.log', dangling],
    ['eval_results.json', dangling],
    ['figures/arch.png', pointer],
    ['pipe', pipe],
    ['train.py', dangling],
    ['runs/events.out.tfevents.1', dangling],
  ])('%s leaves the verdict alone', async (path, file) => {
    for (const files of [model, trainer]) {
      const { verdict, errors } = await verdictWith({ ...files, [path]: file });
      expect(errors).toEqual([]);
      expect(verdict).toBe('weights-only');
    }
    const code = file === pointer ? 'file-is-lfs-pointer' : 'file-unreadable';
    expect(await severityOf(code, { ...model, [path]: file })).toBe('note');
  });

  it('is the same beside the files of other frameworks', async () => {
    const state = torchState((tensor) => ({ 'a.weight': tensor([4, 8]) }));
    const { verdict, errors } = await verdictWith({ 'model.pt': state, wandb: dangling, 'README.md': dangling });
    expect({ verdict, errors }).toEqual({ verdict: 'weights-only', errors: [] });
  });

  it('of an unknown name is a warning, as some program may open it', async () => {
    expect(await severityOf('file-is-lfs-pointer', { ...model, 'qwen.tiktoken': pointer })).toBe('warning');
  });
});

describe('weights that loaders leave closed', () => {
  it.each<[string, MemoryFile]>([
    ['pytorch_model_old.safetensors', cut],
    ['pytorch_model.bin', pointer],
    ['model.fp16.safetensors', cut],
    ['onnx/model.onnx', pointer],
    ['original/consolidated.00.pth', pointer],
    ['tf_model.h5', pointer],
    ['old.gguf', pointer],
  ])('%s beside an intact model', async (path, file) => {
    const { verdict, errors } = await verdictWith({ ...model, [path]: file });
    expect({ verdict, errors }).toEqual({ verdict: 'weights-only', errors: [] });
    expect(await severityOf(file === cut ? 'file-truncated' : 'file-is-lfs-pointer', { ...model, [path]: file })).toBe('warning');
  });

  it('of an index beside a whole model', async () => {
    const index = json({ metadata: {}, weight_map: { 'a.weight': 'pytorch_model-00001-of-00001.bin' } });
    const { verdict, errors } = await verdictWith({ ...model, 'pytorch_model.bin.index.json': index });
    expect({ verdict, errors }).toEqual({ verdict: 'weights-only', errors: [] });
  });
});

describe('damage that loading meets', () => {
  const index = json({ metadata: {}, weight_map: { 'a.weight': 'odd.safetensors' } });
  it.each<[string, Record<string, MemoryFile>]>([
    ['the file that loaders take first', { ...model, 'model.safetensors': cut, 'pytorch_model_old.safetensors': weights }],
    [
      'a shard of any name that the index lists',
      { 'config.json': model['config.json'], 'model.safetensors.index.json': index, 'odd.safetensors': cut },
    ],
    ['weights of another name, where there are no others', { 'config.json': model['config.json'], 'weights.safetensors': cut }],
    ['a config', { ...model, 'config.json': pointer }],
    ['code of the model', { ...model, 'modeling_own.py': dangling }],
    ['code that the code of the model imports', { ...model, 'modeling_own.py': utf8('x = 1'), 'layers.py': dangling }],
    ['state', { ...trainer, 'optimizer.pt': pointer }],
    ['a part of a pipeline', { 'model_index.json': json({}), 'unet/model.safetensors': weights, 'vae/model.safetensors': cut }],
  ])('%s', async (_, files) => {
    const { verdict, errors } = await verdictWith(files);
    expect(errors.length).toBeGreaterThan(0);
    expect(verdict).toBe('broken');
  });
});
