/** The worked examples of docs/numbers.md are what the code says. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { OptimizerId, TrainingPlan } from '../../../../src/core/configs/trainingPlan.js';
import { estimateText, llamaConfig } from '../../../builders/estimateText.js';

const page = readFileSync('docs/numbers.md', 'utf8');
const kimi = JSON.stringify({
  model_type: 'kimi_k2',
  vocab_size: 163_840,
  hidden_size: 7168,
  intermediate_size: 18_432,
  moe_intermediate_size: 2048,
  num_hidden_layers: 61,
  num_attention_heads: 64,
  num_key_value_heads: 64,
  n_shared_experts: 1,
  n_routed_experts: 384,
  num_experts_per_tok: 8,
  first_k_dense_replace: 1,
  q_lora_rank: 1536,
  kv_lora_rank: 512,
  qk_nope_head_dim: 128,
  qk_rope_head_dim: 64,
  v_head_dim: 128,
  tie_word_embeddings: false,
});
const sizes = (hidden: number, width: number, layers: number, heads: number) =>
  llamaConfig({ hidden_size: hidden, intermediate_size: width, num_hidden_layers: layers, num_attention_heads: heads });

it.each([
  ['Llama 3 8B', sizes(4096, 14_336, 32, 32)],
  ['Llama 3 70B', sizes(8192, 28_672, 80, 64)],
  ['Llama 3.1 405B', sizes(16_384, 53_248, 126, 128)],
  ['Kimi K2, a 1T mixture of experts', kimi],
])('%s', async (name, config) => {
  const bytes = async (plan: Partial<TrainingPlan>) =>
    (await estimateText('config.json', config, { plan })).report.checkpoint.bytes;
  const optimizer = (id: OptimizerId) => bytes({ optimizer: id });
  const { report } = await estimateText('config.json', config);
  const numbers = [
    report.parameters?.unique,
    report.checkpoint.bytes,
    await bytes({ writer: 'torchtitan', precision: 'bf16' }),
    await optimizer('lion'),
    await optimizer('adam-8bit'),
  ];
  const row = page.split('\n').find((line) => line.startsWith(`| ${name} `)) ?? '';
  expect([...row.matchAll(/\d{1,3}(?:,\d{3})+/g)].map(([text]) => Number(text.replaceAll(',', '')))).toEqual(numbers);
});
