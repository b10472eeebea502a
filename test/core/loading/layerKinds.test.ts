/**
 * Hybrid models whose config says of other layers that they have attention, experts or a state space: as many tensors of each kind as before, in
 * other layers. Each answer is that of `from_pretrained` of transformers 5.24: the layer of the file is left out, and that of the config random.
 */
import { describe, expect, it } from 'vitest';
import { checkTensors } from '../../../src/core/loading/tensors/checkTensors.js';
import { TensorTable } from '../../../src/core/tensors/tensorTable.js';

type Config = Record<string, unknown>;

function check(config: Config, tensors: readonly { name: string; shape: readonly number[] }[]) {
  const table = new TensorTable();
  for (const { name, shape } of tensors) table.add({ name, shape: [...shape], dtype: 'f32', bytes: 1, component: 'weights' });
  const checked = checkTensors(
    table,
    Array.from({ length: table.size }, (_, row) => row),
    config,
  );
  if (checked === null) throw new Error('not compared');
  return checked.differences;
}

/** `1.self_attn` of `model.layers.1.self_attn.q_proj.weight`. */
const parts = (tensors: readonly { name: string }[]): string[] =>
  [...new Set(tensors.map(({ name }) => /\d+\.[^.]+(?:\.experts|\.[a-z]+_proj)?/.exec(name)?.[0] ?? name))].sort();

const sizes = {
  ...{ vocab_size: 20, hidden_size: 16, intermediate_size: 24, num_attention_heads: 4, num_key_value_heads: 2 },
  ...{ num_hidden_layers: 2, tie_word_embeddings: false, head_dim: 4 },
};
const mamba = { mamba_n_heads: 8, mamba_d_head: 4, mamba_n_groups: 1, mamba_d_state: 4, mamba_expand: 2, mamba_d_conv: 4 };

const models: Record<string, { config: Config; change: Config; missing: RegExp[]; unexpected: RegExp[] }> = {
  jamba: {
    config: { ...sizes, num_hidden_layers: 4, attn_layer_offset: 2, attn_layer_period: 4, num_experts: 1, mamba_d_state: 4 },
    change: { attn_layer_offset: 1 },
    missing: [/^1\.self_attn/, /^2\.mamba/],
    unexpected: [/^1\.mamba/, /^2\.self_attn/],
  },
  bamba: {
    config: { ...sizes, ...mamba, attn_layer_indices: [1] },
    change: { attn_layer_indices: [0] },
    missing: [/^0\.self_attn/, /^1\.mamba/],
    unexpected: [/^0\.mamba/, /^1\.self_attn/],
  },
  granitemoehybrid: {
    config: { ...sizes, ...mamba, layer_types: ['mamba', 'attention'], shared_intermediate_size: 16, num_local_experts: 0 },
    change: { layer_types: ['attention', 'mamba'] },
    missing: [/^0\.self_attn/, /^1\.mamba/],
    unexpected: [/^0\.mamba/, /^1\.self_attn/],
  },
  lfm2: {
    config: { ...sizes, layer_types: ['conv', 'full_attention'], conv_L_cache: 3, block_auto_adjust_ff_dim: false },
    change: { layer_types: ['full_attention', 'conv'] },
    missing: [/^0\.self_attn/, /^1\.conv/],
    unexpected: [/^0\.conv/, /^1\.self_attn/],
  },
  nemotron_h: {
    config: {
      ...{ vocab_size: 20, hidden_size: 16, intermediate_size: 24, num_attention_heads: 4, num_key_value_heads: 2, head_dim: 4 },
      ...{ mamba_num_heads: 8, mamba_head_dim: 4, n_groups: 1, ssm_state_size: 4, hybrid_override_pattern: 'M-*-' },
    },
    change: { hybrid_override_pattern: 'M*--' },
    missing: [/^1\.mixer\.[qkvo]_proj/, /^2\.mixer\.(?:up|down)_proj/],
    unexpected: [/^1\.mixer\.(?:up|down)_proj/, /^2\.mixer\.[qkvo]_proj/],
  },
  qwen3_moe: {
    config: { ...sizes, num_experts: 2, num_experts_per_tok: 1, moe_intermediate_size: 8, mlp_only_layers: [0] },
    change: { mlp_only_layers: [1] },
    missing: [/^0\.mlp/, /^1\.mlp\.(?:gate|up|down)_proj/],
    unexpected: [/^0\.mlp\.(?:gate|up|down)_proj/, /^1\.mlp/],
  },
};

describe.each(Object.entries(models))('%s', (modelType, { config, change, missing, unexpected }) => {
  const own = { model_type: modelType, ...config };
  const saved = check(own, []).missing;

  it('as it was saved has what it asks for', () => {
    const { counts } = check(own, saved);
    expect(counts).toMatchObject({ expected: saved.length, found: saved.length, missing: 0, unexpected: 0, mismatched: 0 });
  });

  it('with other layers has random ones', () => {
    const found = check({ ...own, ...change }, saved);
    const strangers = (names: readonly string[], known: readonly RegExp[]): string[] =>
      names.filter((name) => !known.some((pattern) => pattern.test(name)));
    const [absent, others] = [parts(found.missing), parts(found.unexpected)];
    expect(strangers(absent, missing)).toEqual([]);
    expect(strangers(others, unexpected)).toEqual([]);
    expect(missing.filter((pattern) => !absent.some((name) => pattern.test(name)))).toEqual([]);
    expect(unexpected.filter((pattern) => !others.some((name) => pattern.test(name)))).toEqual([]);
  });
});
