/** Adapters whose prompts an encoder makes: it is trained, and its output is saved. */
import { describe, expect, it } from 'vitest';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';
import { codes, inspectFiles, json } from '../../builders/torchDirectory.js';
import { torchState } from '../../builders/torchStateBuilder.js';

const adapter = buildSafetensors({ tensors: { prompt_embeddings: { dtype: 'F32', shape: [10, 16] } } });

const checkpoint = (config: Record<string, string | boolean>): Promise<string[]> =>
  inspectFiles(
    {
      'adapter_config.json': json({ base_model_name_or_path: 'base', ...config }),
      'adapter_model.safetensors': adapter,
      'trainer_state.json': json({ global_step: 3 }),
      'training_args.bin': torchState(() => ({ a: 1 })),
      'scheduler.pt': torchState(() => ({ last_epoch: 3 })),
      'rng_state.pth': torchState((tensor) => ({ python: 1, cpu: tensor([8]) })),
      'optimizer.pt': torchState((tensor) => ({
        state: { '0': { exp_avg: tensor([20, 64]), exp_avg_sq: tensor([20, 64]) }, '1': { exp_avg: tensor([64, 128]) } },
        param_groups: [{ params: [0, 1] }],
      })),
    },
    'checkpoint-3',
  ).then(codes);

describe('optimizer state beside a saved prompt', () => {
  it.each([
    { peft_type: 'P_TUNING' },
    { peft_type: 'PREFIX_TUNING', prefix_projection: true },
    { peft_type: 'MULTITASK_PROMPT_TUNING' },
  ])('is of an encoder that is not saved: %j', async (config) => {
    const found = await checkpoint(config);
    expect(found).toContain('prompt-encoder-unsaved');
    expect(found).not.toContain('optimizer-of-other-model');
  });

  it.each([{ peft_type: 'PREFIX_TUNING', prefix_projection: false }, { peft_type: 'LORA' }])(
    'is of another model without an encoder: %j',
    async (config) => {
      const found = await checkpoint(config);
      expect(found).not.toContain('prompt-encoder-unsaved');
      expect(found).toContain('optimizer-of-other-model');
    },
  );
});
