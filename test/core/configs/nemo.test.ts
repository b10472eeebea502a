import { describe, expect, it } from 'vitest';
import { countModel } from '../../../src/core/configs/countModel.js';
import { readText } from './readConfigFixture.js';

const gpt = `trainer:
  max_steps: 1000
exp_manager:
  exp_dir: out
model:
  micro_batch_size: 1
  num_layers: 12
  hidden_size: 768
  num_attention_heads: 12
  encoder_seq_length: 2048
  vocab_size: 50257
`;

async function countOf(more: string): Promise<number | null | undefined> {
  const read = await readText('conf.yaml', gpt + more);
  return read === null ? undefined : ((await countModel(read.reading.model, read.access)).model?.counts.unique ?? null);
}

describe('NeMo', () => {
  it('counts GPT, with a padded vocabulary and learned positions', async () => {
    expect(await countOf('')).toBe((50_304 + 2048) * 768 + 12 * (12 * 768 ** 2 + 13 * 768) + 2 * 768);
  });

  it('trains nothing without data to train on and an optimizer', async () => {
    const data = '  data:\n    validation_ds:\n      micro_batch_size: 64\n';
    const text = `trainer:\n  devices: 1\nexp_manager:\n  exp_dir: null\nmodel:\n  restore_from_path: null\n  megatron_amp_O2: false\n${data}`;
    expect(await readText('eval.yaml', text)).toBeNull();
    for (const more of ['    train_ds:\n      micro_batch_size: 1\n', '  optim:\n    name: fused_adam\n'])
      expect((await readText('tune.yaml', text + more))?.id).toBe('nemo');
  });

  it.each([
    ['a hybrid of state spaces', '  hybrid_override_pattern: null\n'],
    ['state spaces', '  mamba_ssm_ngroups: 8\n'],
    ['Griffin', '  activations_checkpoint_recurrent: false\n'],
    ['Hyena', '  name: te_gpt_hyena\n  hyena:\n    order: 2\n'],
    ['Retro', '  retro:\n    retro_encoder_num_layers: 2\n'],
    ['Retro of older versions', '  enc_num_layers: 4\n  dec_num_layers: 6\n'],
    ['images beside text', '  mm_cfg:\n    vision_encoder:\n      freeze: true\n'],
  ])('takes no model of %s for GPT', async (_, more) => {
    expect(await countOf(more)).toBeNull();
  });

  it.each([
    ['generation', 'inference:\n  greedy: false\n  tokens_to_generate: 300\n'],
    ['quantization', 'quantization:\n  algorithm: fp8\n'],
  ])('has no run for %s', async (_, more) => {
    expect(await countOf(more)).toBeUndefined();
  });
});
