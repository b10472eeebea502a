/** Models with the names of other frameworks than transformers, against the sizes that their files state. */
import { describe, expect, it } from 'vitest';
import { buildSafetensors, type SafetensorsTensor } from '../../builders/safetensorsBuilder.js';
import { inspectFiles, json } from '../../builders/torchDirectory.js';
import { torchState } from '../../builders/torchStateBuilder.js';
import { limits } from '../../../src/core/bytes/limits.js';
import { compareDialect } from '../../../src/core/loading/dialects/compareDialect.js';
import { ggufConfig } from '../../../src/core/loading/dialects/ggufConfig.js';
import { checkTensors } from '../../../src/core/loading/tensors/checkTensors.js';
import { readConfig } from '../../../src/core/loading/tensors/readConfig.js';
import { storedPatterns, type StoredPattern } from '../../../src/core/loading/tensors/storedPatterns.js';
import { TensorTable } from '../../../src/core/tensors/tensorTable.js';

const keyValues = {
  'general.architecture': 'llama',
  'llama.embedding_length': 64,
  'llama.block_count': 2,
  'llama.feed_forward_length': 128,
  'llama.attention.head_count': 4,
  'llama.attention.head_count_kv': 2,
  'llama.vocab_size': 256,
};
const ofLayer: Record<string, number[]> = {
  'attn_norm.weight': [64],
  'ffn_norm.weight': [64],
  'attn_q.weight': [64, 64],
  'attn_k.weight': [32, 64],
  'attn_v.weight': [32, 64],
  'attn_output.weight': [64, 64],
  'ffn_gate.weight': [128, 64],
  'ffn_up.weight': [128, 64],
  'ffn_down.weight': [64, 128],
};

function ggufPatterns(layers: number, without: readonly string[] = []): Map<string, StoredPattern> {
  const table = new TensorTable();
  const add = (name: string, shape: number[]): void => {
    if (!without.includes(name)) table.add({ name, dtype: 'f16', shape, bytes: 2, component: 'weights' });
  };
  add('token_embd.weight', [256, 64]);
  add('output_norm.weight', [64]);
  for (let layer = 0; layer < layers; layer++)
    for (const [name, shape] of Object.entries(ofLayer)) add(`blk.${layer}.${name}`, shape);
  return storedPatterns(
    table,
    Array.from({ length: table.size }, (_, row) => row),
  );
}

function compared(layers: number, without?: readonly string[], other: object = {}): ReturnType<typeof compareDialect> {
  const reading = readConfig(ggufConfig({ ...keyValues, ...other }) ?? {})?.reading;
  return compareDialect(reading?.tensors.groups ?? [], ggufPatterns(layers, without), 'gguf', 'llama');
}

describe('a GGUF and its own key-values', () => {
  it('agree', () => {
    expect(compared(2)).toMatchObject({
      differences: { counts: { expected: 20, found: 20, missing: 0, unexpected: 0, mismatched: 0 } },
      unnamed: 0,
    });
  });

  it('lack a tensor', () => {
    const { counts, missing } = compared(2, ['blk.1.ffn_up.weight']).differences;
    expect(counts).toMatchObject({ missing: 1, unexpected: 0 });
    expect(missing[0]).toEqual({ name: 'model.layers.N.mlp.up_proj.weight', shape: [128, 64] });
  });

  it('are of more layers or another width', () => {
    expect(compared(3).differences.counts).toMatchObject({ missing: 0, unexpected: 9 });
    expect(compared(2, [], { 'llama.feed_forward_length': 96 }).differences.counts).toMatchObject({ mismatched: 6 });
  });

  it.each([{}, { 'general.architecture': 'unheard-of' }, { ...keyValues, 'llama.block_count': -1 }, null, 'text'])(
    'without sizes are not compared: %j',
    (values) => {
      expect(ggufConfig(values)).toBeNull();
    },
  );
});

describe('Meta’s names', () => {
  const shapes: Record<string, number[]> = {
    'tok_embeddings.weight': [256, 64],
    'norm.weight': [64],
    'output.weight': [256, 64],
  };
  const layer: Record<string, number[]> = {
    'attention.wq.weight': [64, 64],
    'attention.wk.weight': [32, 64],
    'attention.wv.weight': [32, 64],
    'attention.wo.weight': [64, 64],
    'feed_forward.w1.weight': [256, 64],
    'feed_forward.w2.weight': [64, 256],
    'feed_forward.w3.weight': [256, 64],
    'attention_norm.weight': [64],
    'ffn_norm.weight': [64],
  };
  for (const [name, shape] of Object.entries(layer)) for (const at of [0, 1]) shapes[`layers.${at}.${name}`] = shape;
  const params = { dim: 64, n_layers: 2, n_heads: 4, n_kv_heads: 2, vocab_size: 256, multiple_of: 256, norm_eps: 1e-5 };
  const state = (left: string): Uint8Array =>
    torchState((tensor) =>
      Object.fromEntries(
        Object.entries(shapes)
          .filter(([name]) => name !== left)
          .map(([name, shape]) => [name, tensor(shape)]),
      ),
    );

  it('are compared with params.json', async () => {
    const { load } = await inspectFiles({ 'params.json': json(params), 'consolidated.00.pth': state('') });
    expect(load).toMatchObject({ verdict: 'loads', counts: { expected: 21, missing: 0, mismatched: 0 } });
    const other = await inspectFiles({ 'params.json': json(params), 'consolidated.00.pth': state('layers.1.ffn_norm.weight') });
    expect(other.load).toMatchObject({ verdict: 'fails', counts: { missing: 1 } });
  });
});

describe('a model of transformers', () => {
  const config = {
    model_type: 'llama',
    architectures: ['LlamaForCausalLM'],
    vocab_size: 100,
    hidden_size: 16,
    intermediate_size: 32,
    num_hidden_layers: 2,
    num_attention_heads: 4,
    num_key_value_heads: 2,
    tie_word_embeddings: false,
  };
  const tensors: Record<string, SafetensorsTensor> = {};
  const add = (name: string, ...shape: number[]): unknown => (tensors[name] = { dtype: 'F32', shape });
  for (const name of ['model.embed_tokens.weight', 'lm_head.weight']) add(name, 100, 16);
  add('model.norm.weight', 16);
  for (const at of [0, 1]) {
    const layer = `model.layers.${at}`;
    for (const part of ['q_proj', 'o_proj']) add(`${layer}.self_attn.${part}.weight`, 16, 16);
    for (const part of ['k_proj', 'v_proj']) add(`${layer}.self_attn.${part}.weight`, 8, 16);
    for (const part of ['gate_proj', 'up_proj']) add(`${layer}.mlp.${part}.weight`, 32, 16);
    add(`${layer}.mlp.down_proj.weight`, 16, 32);
    for (const part of ['input_layernorm', 'post_attention_layernorm']) add(`${layer}.${part}.weight`, 16);
  }
  const inspected = (settings: object): ReturnType<typeof inspectFiles> =>
    inspectFiles({ 'config.json': json(settings), 'model.safetensors': buildSafetensors({ tensors }) });

  it('loads', async () => {
    const { load, findings, checks } = await inspected(config);
    expect(load).toMatchObject({ framework: 'transformers', architecture: 'LlamaForCausalLM', verdict: 'loads', missing: [] });
    expect(findings).toEqual([]);
    expect(checks.done).toContain('config.json: names and shapes of 21 tensors that Llama has');
  });

  it.each([
    [{ num_hidden_layers: 3 }, 'number of layers is 3, that of the weights 2'],
    [{ vocab_size: 120 }, 'vocab_size is 120, and the weights have 100 rows'],
    [{ num_key_value_heads: 4 }, 'num_key_value_heads is 4, that of the weights 2'],
    [{ intermediate_size: 64 }, 'intermediate_size is 64, that of the weights 32'],
  ])('of another config names the value that would fit: %j', async (change, words) => {
    const { load, findings } = await inspected({ ...config, ...change });
    expect(load?.verdict).not.toBe('loads');
    expect(findings.map(({ message }) => message).join()).toContain(words);
  });

  it('without the output layer of its task begins the training of one', async () => {
    const { 'lm_head.weight': _, ...base } = tensors;
    const { load, findings, resume } = await inspectFiles({
      'config.json': json({ ...config, architectures: ['LlamaForSequenceClassification'] }),
      'model.safetensors': buildSafetensors({ tensors: base }),
    });
    expect(load).toMatchObject({ verdict: 'loads-with-warnings', missing: [{ name: 'score.weight' }] });
    expect(findings.map(({ code, severity }) => [code, severity])).toEqual([['task-head-absent', 'warning']]);
    expect(resume.verdict).toBe('weights-only');
    const { [Object.keys(base).find((name) => name.includes('up_proj')) ?? '']: lost, ...rest } = base;
    const other = await inspectFiles({ 'config.json': json(config), 'model.safetensors': buildSafetensors({ tensors: rest }) });
    expect(lost).toBeDefined();
    expect([other.load?.verdict, other.resume.verdict]).toEqual(['loads-with-warnings', 'broken']);
    expect(other.findings.map(({ effect }) => effect).join()).toContain('a run does not go on from where it was');
  });

  it('of an architecture or code that is not known says so', async () => {
    const own = await inspected({ ...config, model_type: 'unheard_of', auto_map: { AutoModel: 'modeling.Model' } });
    expect(own.load).toMatchObject({ verdict: 'unknown' });
    expect(own.load?.why).toContain('its code is not run');
  });

  it.each<[settings: unknown, verdict: string]>([
    [null, 'fails'],
    [[], 'fails'],
    ['text', 'fails'],
    [4, 'fails'],
    [{ model_type: 'llama', hidden_size: { a: 1 } }, 'fails'],
    [{ ...config, num_hidden_layers: 1e9 }, 'unknown'],
  ])('whose config is none is a report all the same: %j', async (settings, verdict) => {
    const { load } = await inspectFiles({
      'config.json': json(settings),
      'model.safetensors': buildSafetensors({ tensors }),
    });
    expect(load?.verdict).toBe(verdict);
  });
});

describe('transformers', () => {
  const counts = (config: object, tensors: Record<string, number[]>): object | undefined => {
    const table = new TensorTable();
    for (const [name, shape] of Object.entries(tensors)) table.add({ name, dtype: 'f32', shape, bytes: 4, component: 'weights' });
    return checkTensors(
      table,
      Array.from({ length: table.size }, (_, row) => row),
      config,
    )?.differences.counts;
  };
  const t5 = { model_type: 't5', d_model: 16, d_kv: 4, num_heads: 4, d_ff: 32, num_layers: 1, vocab_size: 20 };
  const layer = (name: string, inner: number): Record<string, number[]> =>
    Object.fromEntries(['q', 'k', 'v', 'o'].map((part) => [`${name}.${part}.weight`, [16, inner]]));
  const encoder = {
    'shared.weight': [20, 16],
    ...layer('encoder.block.0.layer.0.SelfAttention', 16),
    'encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight': [32, 4],
    'encoder.block.0.layer.0.layer_norm.weight': [16],
    'encoder.block.0.layer.1.DenseReluDense.wi.weight': [32, 16],
    'encoder.block.0.layer.1.DenseReluDense.wo.weight': [16, 32],
    'encoder.block.0.layer.1.layer_norm.weight': [16],
    'encoder.final_layer_norm.weight': [16],
  };
  const decoder = {
    'decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight': [32, 4],
    'decoder.final_layer_norm.weight': [16],
  };

  it('leaves the decoder out of an encoder, and an old bias out of all', () => {
    const own = { ...t5, architectures: ['T5EncoderModel'] };
    expect(counts(own, { ...encoder, ...decoder })).toMatchObject({ missing: 0, unexpected: 0, mismatched: 0 });
  });

  it('stops at a norm of a further axis', () => {
    const other = { ...encoder, 'encoder.final_layer_norm.weight': [16, 1] };
    expect(counts({ ...t5, architectures: ['T5EncoderModel'] }, other)).toMatchObject({ mismatched: 1 });
  });
});

it('takes no size of a config from the columns of packed weights', async () => {
  const packed = Object.fromEntries(
    Object.entries({ 'mlp.gate_proj': [64, 2], 'mlp.up_proj': [64, 2], 'mlp.down_proj': [16, 8] }).map(([name, shape]) => [
      `model.layers.0.${name}.qweight`,
      { dtype: 'I32', shape },
    ]),
  );
  const attention = Object.fromEntries(
    ['q_proj', 'k_proj', 'v_proj', 'o_proj'].map((name) => [
      `model.layers.0.self_attn.${name}.qweight`,
      { dtype: 'I32', shape: [16, 2] },
    ]),
  );
  const others = Object.fromEntries(
    ['model.layers.0.input_layernorm', 'model.layers.0.post_attention_layernorm', 'model.norm'].map((name) => [
      `${name}.weight`,
      { dtype: 'F16', shape: [16] },
    ]),
  );
  const { load } = await inspectFiles({
    'config.json': json({
      model_type: 'llama',
      architectures: ['LlamaForCausalLM'],
      vocab_size: 20,
      hidden_size: 16,
      intermediate_size: 64,
      num_hidden_layers: 1,
      num_attention_heads: 4,
      quantization_config: { quant_method: 'awq', version: 'gemv' },
    }),
    'model.safetensors': buildSafetensors({
      tensors: {
        ...packed,
        ...attention,
        ...others,
        'model.embed_tokens.weight': { dtype: 'F16', shape: [20, 16] },
        'lm_head.weight': { dtype: 'F16', shape: [20, 16] },
        'model.layers.0.self_attn.q_proj.bias': { dtype: 'F16', shape: [16] },
      },
    }),
  });
  expect(load).toMatchObject({ counts: { missing: 0, unexpected: 1, mismatched: 0 } });
  expect(load?.fits.filter(({ tensors }) => typeof tensors === 'number')).toEqual([]);
});

describe('differences', () => {
  it('are counted, and listed up to loadDifferences', async () => {
    const tensors = Object.fromEntries(
      Array.from({ length: limits.loadDifferences + 500 }, (_, at) => [`model.other.${at}.weight`, { dtype: 'F32', shape: [2] }]),
    );
    const { load } = await inspectFiles({
      'config.json': json({
        model_type: 'llama',
        vocab_size: 10,
        hidden_size: 8,
        num_hidden_layers: 400,
        num_attention_heads: 2,
      }),
      'model.safetensors': buildSafetensors({ tensors }),
    });
    expect(load).toMatchObject({ verdict: 'loads-with-warnings', counts: { unexpected: limits.loadDifferences + 500 } });
    expect(load?.unexpected).toHaveLength(limits.loadDifferences);
    expect(load?.missing).toHaveLength(limits.loadDifferences);
    expect(load?.counts.missing).toBeGreaterThan(limits.loadDifferences);
  });
});
