/** Embeddings that an adapter is saved with: the Trainer has bitsandbytes keep the state of `nn.Embedding` in 32 bits (transformers/trainer.py, create_optimizer). */
import { expect, it } from 'vitest';
import { estimateText, llamaConfig } from '../../builders/estimateText.js';

const embedding = 128_256 * 4096;
const beside = { 'base/config.json': llamaConfig() };

const axolotl = (saved: string, optimizer: string) =>
  `base_model: base\nmicro_batch_size: 1\ndatasets:\n  - path: a\nadapter: lora\nlora_r: 8\nlora_alpha: 16\nlora_target_modules: [q_proj]\nlora_modules_to_save: [${saved}]\noptimizer: ${optimizer}\nmax_steps: 100\n`;
const factory = (saved: string, optimizer: string) =>
  `stage: sft\ndo_train: true\nmodel_name_or_path: base\ntemplate: llama3\ndataset: identity\noutput_dir: out\nfinetuning_type: lora\nlora_target: q_proj\nadditional_target: ${saved}\noptim: ${optimizer}\nmax_steps: 100\n`;

it.each([
  ['axolotl', axolotl],
  ['LLaMA-Factory', factory],
])('%s keeps the state of a whole embedding in 32 bits, and not that of a head', async (_, config) => {
  const bytesOf = async (saved: string, optimizer: string) => {
    const { report } = await estimateText('a.yaml', config(saved, optimizer), { beside });
    return { bytes: report.checkpoint.bytes ?? 0, parameters: report.checkpoint.parameters ?? 0 };
  };
  const of8Bits = (count: number) => 2 * (count + 4 * Math.ceil(count / 256));
  const whole = await bytesOf('embed_tokens', 'adamw_bnb_8bit');
  const rest = whole.parameters - embedding;
  expect(rest).toBe(32 * 8 * (4096 + 4096));
  expect(whole.bytes).toBe(whole.parameters * 4 + embedding * 8 + of8Bits(rest));
  const head = await bytesOf('lm_head', 'adamw_bnb_8bit');
  expect(head.bytes).toBe(head.parameters * 4 + of8Bits(head.parameters));
  const wide = await bytesOf('embed_tokens', 'adamw_torch');
  expect(wide.bytes).toBe(wide.parameters * 12);
});
