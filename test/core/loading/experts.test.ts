/** Models with experts, and configs whose sizes no file could have. */
import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/core/bytes/limits.js';
import { buildSafetensors, type SafetensorsTensor } from '../../builders/safetensorsBuilder.js';
import { inspectFiles, json } from '../../builders/torchDirectory.js';

const config = {
  model_type: 'qwen3_moe',
  architectures: ['Qwen3MoeForCausalLM'],
  vocab_size: 20,
  hidden_size: 16,
  num_hidden_layers: 2,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  head_dim: 4,
  intermediate_size: 32,
  moe_intermediate_size: 8,
  num_experts: 4,
  num_experts_per_tok: 2,
  decoder_sparse_step: 1,
  mlp_only_layers: [],
  tie_word_embeddings: false,
};

const ofLayer: Record<string, number[]> = {
  'self_attn.q_proj': [16, 16],
  'self_attn.k_proj': [8, 16],
  'self_attn.v_proj': [8, 16],
  'self_attn.o_proj': [16, 16],
  'self_attn.q_norm': [4],
  'self_attn.k_norm': [4],
  input_layernorm: [16],
  post_attention_layernorm: [16],
  'mlp.gate': [4, 16],
};
for (const expert of [0, 1, 2, 3]) {
  for (const part of ['gate_proj', 'up_proj']) ofLayer[`mlp.experts.${expert}.${part}`] = [8, 16];
  ofLayer[`mlp.experts.${expert}.down_proj`] = [16, 8];
}

function weights(isLeft: (name: string) => boolean = () => false, prefix = ''): Uint8Array {
  const tensors: Record<string, SafetensorsTensor> = {};
  const add = (name: string, shape: number[]): void => {
    if (!isLeft(name)) tensors[`${prefix}${name}`] = { dtype: 'F32', shape };
  };
  for (const name of ['model.embed_tokens.weight', 'lm_head.weight']) add(name, [20, 16]);
  add('model.norm.weight', [16]);
  for (const layer of [0, 1])
    for (const [name, shape] of Object.entries(ofLayer)) add(`model.layers.${layer}.${name}.weight`, shape);
  return buildSafetensors({ tensors });
}

const inspected = (settings: object, model: Uint8Array): ReturnType<typeof inspectFiles> =>
  inspectFiles({ 'config.json': json(settings), 'model.safetensors': model });

describe('experts', () => {
  it('are all there', async () => {
    const { load, findings } = await inspected(config, weights());
    expect(load).toMatchObject({ verdict: 'loads', counts: { missing: 0, unexpected: 0, mismatched: 0 } });
    expect(findings).toEqual([]);
  });

  it('of which one lacks in a layer make transformers stop', async () => {
    const name = 'model.layers.1.mlp.experts.3.up_proj.weight';
    const { load } = await inspected(
      config,
      weights((one) => one === name),
    );
    expect(load).toMatchObject({ verdict: 'fails', missing: [{ name, shape: [8, 16] }] });
    expect(load?.why).toContain(name);
  });

  it('of a whole layer would be random', async () => {
    const { load } = await inspected(
      config,
      weights((name) => name.startsWith('model.layers.1.mlp.experts.')),
    );
    expect(load).toMatchObject({ verdict: 'loads-with-warnings', counts: { missing: 12 } });
  });
});

describe('sizes that no file has', () => {
  it.each([
    { num_experts: 1e9 },
    { num_hidden_layers: 10_000, num_experts: 100_000 },
    { num_hidden_layers: 9_999, decoder_sparse_step: 2, num_experts: 1e6 },
    { num_experts: limits.loadPlacesOfKey },
    { num_hidden_layers: 8, num_experts: limits.loadPlaces / 8 },
  ])('are counted, and not gone through: %j', async (sizes) => {
    const { load } = await inspected({ ...config, ...sizes }, weights());
    expect(load?.verdict).toBe('fails');
    expect(load?.missing.length).toBeLessThanOrEqual(limits.loadDifferences);
    expect(load?.counts.missing).toBeGreaterThan(1_000_000);
  });
});

describe('a config of as many labels as pictures have', () => {
  it('is compared, in a time that its length does not multiply', async () => {
    const labels = Object.fromEntries(Array.from({ length: 21_843 }, (_, label) => [String(label), `label ${label}`]));
    const own = {
      ...config,
      id2label: labels,
      label2id: Object.fromEntries(Object.entries(labels).map(([id, name]) => [name, id])),
    };
    expect((await inspected(own, weights())).load?.verdict).toBe('loads');
    const other = await inspected({ ...own, num_hidden_layers: 3 }, weights());
    expect(other.load).toMatchObject({
      verdict: 'loads-with-warnings',
      fits: [{ key: 'num_hidden_layers', config: 3, tensors: 2 }],
    });
  });
});

describe('a model that is a part of another one', () => {
  it('is not looked for under the name that it has there', async () => {
    const { load } = await inspected(config, weights(undefined, 'language_model.'));
    expect(load?.verdict).toBe('loads-with-warnings');
    expect(load?.counts).toMatchObject({ missing: 45, unexpected: 45 });
  });
});

describe('code beside the weights', () => {
  it('leaves open what tensors it asks for, and finds nothing wrong with them', async () => {
    const own = { ...config, auto_map: { AutoModelForCausalLM: 'modeling.Model' } };
    const { load, findings } = await inspected(
      own,
      weights((name) => name.endsWith('q_norm.weight')),
    );
    expect(load).toMatchObject({ verdict: 'unknown', counts: { missing: 2 } });
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  });
});
