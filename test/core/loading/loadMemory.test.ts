/** Bytes of one rank that loads a checkpoint, counted by hand. */
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { LoadMemory } from '../../../src/core/checkpoints/loadReport.js';
import { loadMemory } from '../../../src/core/loading/loadMemory.js';
import type { MemoryFile } from '../../builders/memoryTree.js';
import { createNodeFileTree } from '../../../src/platform/nodeFileTree.js';
import { fixtureRoot } from '../../builders/frameworkFixtures.js';
import { readCheckpoint, readTree } from '../../builders/readCheckpoint.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';
import { json } from '../../builders/torchDirectory.js';
import { torchState } from '../../builders/torchStateBuilder.js';

const memoryOf = async (files: Record<string, MemoryFile>): Promise<LoadMemory[]> =>
  loadMemory((await readCheckpoint(files)).read);
const weights = (dtype = 'F32'): Uint8Array =>
  buildSafetensors({
    tensors: { 'model.embed_tokens.weight': { dtype, shape: [16, 8] }, 'model.norm.weight': { dtype, shape: [8] } },
  });
const sizes = { model_type: 'llama', num_attention_heads: 8, num_key_value_heads: 2 };

describe('memory for serving', () => {
  it('is divided as far as the groups of heads go', async () => {
    const found = await memoryOf({ 'config.json': json(sizes), 'model.safetensors': weights() });
    expect(found.map(({ tensorParallel, bytesPerRank, dtype }) => [tensorParallel, bytesPerRank, dtype])).toEqual([
      [1, (16 * 8 + 8) * 4, 'f32'],
      [2, 8 * 8 * 4 + 8 * 4, 'f32'],
    ]);
    expect(found[1]?.source).toBe(
      '2 tensors as stored, matrices divided among 2 ranks, vectors and the rest whole; without keys, values and activations.',
    );
  });

  it('is that of the dtype of the config', async () => {
    const [found] = await memoryOf({ 'config.json': json({ ...sizes, dtype: 'bfloat16' }), 'model.safetensors': weights() });
    expect(found).toMatchObject({ dtype: 'bf16', bytesPerRank: (16 * 8 + 8) * 2 });
    const quantized = { ...sizes, dtype: 'bfloat16', quantization_config: { quant_method: 'fp8' } };
    const [stored] = await memoryOf({ 'config.json': json(quantized), 'model.safetensors': weights() });
    expect(stored).toMatchObject({ dtype: 'f32', bytesPerRank: (16 * 8 + 8) * 4 });
  });

  it('is not known of an adapter, of damaged files, and without weights', async () => {
    expect(
      await memoryOf({ 'adapter_config.json': json({ peft_type: 'LORA' }), 'adapter_model.safetensors': weights() }),
    ).toEqual([]);
    expect(await memoryOf({ 'config.json': json(sizes), 'model.safetensors': weights().subarray(0, 300) })).toEqual([]);
    expect(await memoryOf({ 'config.json': json(sizes) })).toEqual([]);
  });
});

describe('memory for resuming', () => {
  it('has weights, gradients and the state of the optimizer that is there', async () => {
    const optimizer = torchState((tensor) => ({
      state: {
        '0': { exp_avg: tensor([16, 8]), exp_avg_sq: tensor([16, 8]) },
        '1': { exp_avg: tensor([8]), exp_avg_sq: tensor([8]) },
      },
      param_groups: [{ lr: 0.1, params: [0, 1] }],
    }));
    const found = await memoryOf({
      'config.json': json(sizes),
      'model.safetensors': weights('BF16'),
      'optimizer.pt': optimizer,
      'trainer_state.json': json({ global_step: 5 }),
    });
    expect(found.at(-1)).toEqual({
      purpose: 'resuming',
      dtype: 'bf16',
      tensorParallel: 1,
      pipelineParallel: 1,
      dataParallel: 1,
      bytesPerRank: 136 * (2 + 2 + 4 + 4),
      source:
        'weights, gradients of the same dtype and optimizer state of the files, whole on each rank; without activations and buffers.',
    });
  });

  it('is a share of what all ranks of ZeRO have together', async () => {
    const data = path.join(fixtureRoot, 'deepspeed/zero1-bf16-w2/data');
    const found = loadMemory((await readTree(await createNodeFileTree(data, null))).read);
    // Weights and gradients whole in bfloat16; a half of 32-bit weights and moments.
    expect(found.at(-1)).toMatchObject({
      purpose: 'resuming',
      dataParallel: 2,
      bytesPerRank: 2 * 29_696 + (49_920 + 99_848) / 2,
    });
  });

  it('has gradients of the parameters alone that the optimizer has', async () => {
    const optimizer = torchState((tensor) => ({
      state: { '0': { exp_avg: tensor([8]), exp_avg_sq: tensor([8]) } },
      param_groups: [{ lr: 0.1, params: [0] }],
    }));
    const found = await memoryOf({
      'config.json': json(sizes),
      'model.safetensors': weights('BF16'),
      'optimizer.pt': optimizer,
      'trainer_state.json': json({ global_step: 5 }),
    });
    expect(found.at(-1)).toMatchObject({ purpose: 'resuming', bytesPerRank: 136 * 2 + 8 * (2 + 4 + 4) });
    expect(found.at(-1)?.source).toContain('gradients of the same dtype of the parameters that the optimizer has');
  });
});
