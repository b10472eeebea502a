/**
 * Saves of Megatron-LM against the arguments in them. Names and shapes are those that Megatron-LM core_v0.16.1 wrote on two ranks for the arguments of
 * `megatron` below (32 wide, 2 layers, RMSNorm, rotary positions, SwiGLU, no biases), and with LayerNorm, learned positions and biases for `withBiases`.
 */
import { describe, expect, it } from 'vitest';
import type { LoadReport } from '../../../src/core/checkpoints/loadReport.js';
import { patternBytes } from '../../builders/byteWriter.js';
import type { MemoryFile } from '../../builders/memoryTree.js';
import { zarray } from '../../builders/ocdbtBuilder.js';
import { inspectFiles, json } from '../../builders/torchDirectory.js';
import { namespace, torchState, type State } from '../../builders/torchStateBuilder.js';

type Arguments = Readonly<Record<string, State>>;
type Shapes = Readonly<Record<string, readonly number[]>>;

const megatron: Arguments = {
  num_layers: 2,
  hidden_size: 32,
  num_attention_heads: 4,
  group_query_attention: false,
  num_query_groups: 1,
  kv_channels: 8,
  ffn_hidden_size: 64,
  padded_vocab_size: 128,
  max_position_embeddings: 16,
  position_embedding_type: 'rope',
  normalization: 'RMSNorm',
  add_bias_linear: false,
  add_qkv_bias: false,
  swiglu: true,
  untie_embeddings_and_output_weights: false,
  qk_layernorm: false,
  num_experts: null,
  spec: null,
  tensor_model_parallel_size: 2,
  pipeline_model_parallel_size: 2,
};

const distributed: Shapes = {
  'embedding.word_embeddings.weight': [128, 32],
  'decoder.layers.self_attention.linear_qkv.layer_norm_weight': [2, 32],
  'decoder.layers.self_attention.linear_proj.weight': [2, 32, 32],
  'decoder.layers.self_attention.linear_qkv.weight': [2, 96, 32],
  'decoder.layers.mlp.linear_fc1.layer_norm_weight': [2, 32],
  'decoder.layers.mlp.linear_fc1.weight': [2, 128, 32],
  'decoder.layers.mlp.linear_fc2.weight': [2, 32, 64],
  'decoder.final_layernorm.weight': [32],
};

const withBiases: Shapes = {
  ...distributed,
  'embedding.position_embeddings.weight': [16, 32],
  'decoder.layers.self_attention.linear_qkv.layer_norm_bias': [2, 32],
  'decoder.layers.self_attention.linear_proj.bias': [2, 32],
  'decoder.layers.self_attention.linear_qkv.bias': [2, 96],
  'decoder.layers.mlp.linear_fc1.layer_norm_bias': [2, 32],
  'decoder.layers.mlp.linear_fc1.weight': [2, 64, 32],
  'decoder.layers.mlp.linear_fc1.bias': [2, 64],
  'decoder.layers.mlp.linear_fc2.bias': [2, 32],
  'decoder.final_layernorm.bias': [32],
};

const biased = { position_embedding_type: 'learned_absolute', normalization: 'LayerNorm', add_bias_linear: true, swiglu: false };

const experts: Shapes = {
  'embedding.word_embeddings.weight': [128, 32],
  'decoder.layers.self_attention.linear_proj.weight': [2, 32, 32],
  'decoder.layers.self_attention.linear_qkv.weight': [2, 96, 32],
  'decoder.layers.mlp.router.weight': [2, 4, 32],
  'decoder.layers.mlp.experts.experts.linear_fc1.weight': [2, 4, 128, 32],
  'decoder.layers.mlp.experts.experts.linear_fc2.weight': [2, 4, 32, 64],
  'decoder.layers.self_attention.linear_qkv.layer_norm_weight': [2, 32],
  'decoder.layers.mlp.linear_fc1.layer_norm_weight': [2, 32],
  'decoder.final_layernorm.weight': [32],
};

/** With layers that are not all alike, whose tensors are not stacked. */
function byLayer(layers: number): Shapes {
  const all = Object.entries(distributed).flatMap(([name, shape]) =>
    name.startsWith('decoder.layers.')
      ? Array.from({ length: layers }, (_, layer) => [name.replace('layers.', `layers.${layer}.`), shape.slice(1)] as const)
      : [[name, shape] as const],
  );
  return Object.fromEntries(all);
}

async function loadOf(files: Record<string, MemoryFile>): Promise<LoadReport> {
  const { load } = await inspectFiles(files, 'iter_0000005');
  expect(load).not.toBeNull();
  return load as LoadReport;
}

/** A distributed save, in arrays of zarr. */
function loadDistributed(shapes: Shapes, args: Arguments = {}): Promise<LoadReport> {
  const files: Record<string, MemoryFile> = {
    'common.pt': torchState(() => ({ iteration: 5, args: namespace({ ...megatron, ...args }) })),
    'metadata.json': json({ sharded_backend: 'zarr', common_backend: 'torch' }),
  };
  for (const [name, shape] of Object.entries(shapes)) {
    files[`${name}/.zarray`] = zarray([...shape]);
    files[`${name}/${shape.map(() => 0).join('.')}`] = patternBytes(4 * shape.reduce((product, size) => product * size, 1));
  }
  return loadOf(files);
}

const ofLayer: Shapes = {
  'input_layernorm.weight': [32],
  'self_attention.linear_proj.weight': [32, 16],
  'self_attention.linear_qkv.weight': [48, 32],
  'pre_mlp_layernorm.weight': [32],
  'mlp.linear_fc1.weight': [64, 32],
  'mlp.linear_fc2.weight': [32, 32],
};

/** What each of two pipeline stages has, a layer each; the last one has the tied embedding once more. */
function stage(index: number, layers = 1): Shapes {
  const own = Array.from({ length: layers }, (_, layer) =>
    Object.entries(ofLayer).map(([name, shape]) => [`decoder.layers.${layer}.${name}`, shape] as const),
  ).flat();
  const ends: Shapes =
    index === 0
      ? { 'embedding.word_embeddings.weight': [64, 32] }
      : { 'decoder.final_layernorm.weight': [32], 'output_layer.weight': [64, 32] };
  return { ...Object.fromEntries(own), ...ends };
}

/** A legacy save of two tensor- and two pipeline-parallel ranks. */
function loadLegacy(
  args: Arguments = {},
  shapesOf: (stage: number, tensorRank: number) => Shapes = (at) => stage(at),
): Promise<LoadReport> {
  const files: Record<string, MemoryFile> = {};
  for (const tensorRank of [0, 1])
    for (const at of [0, 1])
      files[`mp_rank_0${tensorRank}_00${at}/model_optim_rng.pt`] = torchState((tensor) => ({
        args: namespace({ ...megatron, world_size: 4, ...args }),
        iteration: 5,
        model: Object.fromEntries(Object.entries(shapesOf(at, tensorRank)).map(([name, shape]) => [name, tensor(shape)])),
      }));
  return loadOf(files);
}

describe('a distributed save of Megatron', () => {
  it.each<[string, Shapes, Arguments, number]>([
    ['with layers stacked', distributed, {}, 14],
    ['with biases and learned positions', withBiases, biased, 28],
    ['with experts', experts, { num_experts: 4, moe_layer_freq: 1, moe_router_topk: 2 }, 28],
    ['with each layer by itself', byLayer(2), {}, 14],
    [
      'with an output layer of its own',
      { ...distributed, 'output_layer.weight': [128, 32] },
      { untie_embeddings_and_output_weights: true },
      15,
    ],
    [
      'with groups of queries',
      { ...distributed, 'decoder.layers.self_attention.linear_qkv.weight': [2, 64, 32] },
      { group_query_attention: true, num_query_groups: 2 },
      14,
    ],
  ])('%s has the tensors of its arguments', async (_, shapes, args, expected) => {
    const load = await loadDistributed(shapes, args);
    expect(load).toMatchObject({ verdict: 'loads', architecture: 'GPT', checked: ['config'] });
    expect(load.counts).toEqual({ expected, found: expected, missing: 0, unexpected: 0, mismatched: 0 });
  });

  it.each<[string, Shapes, Arguments, string]>([
    ['of fewer layers', distributed, { num_layers: 3 }, '6 tensors of another shape'],
    [
      'of other heads',
      distributed,
      { group_query_attention: true, num_query_groups: 2 },
      '1 tensor of another shape: decoder.layers.self_attention.linear_qkv.weight is 2 × 96 × 32, the saved arguments ask for 2 × 64 × 32.',
    ],
    ['of another width', distributed, { ffn_hidden_size: 32 }, '2 tensors of another shape'],
    ['without gates', distributed, { swiglu: false }, '1 tensor of another shape: decoder.layers.mlp.linear_fc1.weight'],
    [
      'without its biases',
      distributed,
      { add_qkv_bias: true },
      '2 tensors of the model not here: decoder.layers.N.self_attention.linear_qkv.bias.',
    ],
    [
      'without its output layer',
      distributed,
      { untie_embeddings_and_output_weights: true },
      '1 tensor of the model not here: output_layer.weight.',
    ],
    ['without a layer', byLayer(2), { num_layers: 3 }, '6 tensors of the model not here'],
    ['of fewer experts', experts, { num_experts: 8 }, '3 tensors of another shape'],
  ])('%s fails', async (_, shapes, args, why) => {
    const load = await loadDistributed(shapes, args);
    expect(load.verdict).toBe('fails');
    expect(load.why).toContain(why);
  });

  it('of more layers than its arguments leaves them out where each is by itself', async () => {
    expect(await loadDistributed(byLayer(3))).toMatchObject({ verdict: 'loads-with-warnings', counts: { unexpected: 6 } });
  });

  it('of another vocabulary loads, whether embeddings are tied or not', async () => {
    const args = { padded_vocab_size: 256 };
    expect(await loadDistributed(distributed, args)).toMatchObject({ verdict: 'loads-with-warnings', counts: { mismatched: 1 } });
    const untied = { ...distributed, 'output_layer.weight': [128, 32] };
    expect((await loadDistributed(untied, { ...args, untie_embeddings_and_output_weights: true })).verdict).toBe(
      'loads-with-warnings',
    );
  });

  it.each<[string, Shapes, Arguments, string]>([
    ['sets other modules', distributed, { multi_latent_attention: true }, 'Its arguments set multi_latent_attention'],
    ['names layers of its own', distributed, { spec: ['module', 'function'] }, 'Its arguments set spec'],
    [
      'has another kind of positions',
      distributed,
      { position_embedding_type: 'relative' },
      'Its arguments set position_embedding_type',
    ],
    ['has no vocabulary', distributed, { padded_vocab_size: null }, 'Its arguments have no padded_vocab_size'],
    ['has experts beyond any count', experts, { num_experts: 2 ** 53 - 1 }, 'a value of another kind'],
    ['has a text in place of a flag', distributed, { swiglu: 'perhaps' }, 'a value of another kind'],
    ['has no size of a head', distributed, { kv_channels: 0 }, 'Its argument kv_channels is no count'],

    ['has no layers', distributed, { num_layers: 0 }, 'Its arguments have no num_layers'],
    [
      'has an object in place of a word',
      distributed,
      { normalization: namespace({}) },
      'Its argument normalization is an object',
    ],
    ['has layers of another kind', distributed, { linear_attention_freq: 4 }, 'layers that are not known here'],
    [
      'has other tensors',
      { ...distributed, 'decoder.layers.adapter.weight': [2, 4, 32] },
      {},
      'has no tensor decoder.layers.adapter.weight',
    ],
    ['has few of the tensors', { 'embedding.word_embeddings.weight': [128, 32] }, {}, 'Too few of its tensors are here'],
  ])('that %s is not judged', async (_, shapes, args, why) => {
    const load = await loadDistributed(shapes, args);
    expect(load).toMatchObject({ verdict: 'unknown', checked: [] });
    expect(load.why).toContain(why);
  });
});

describe('a legacy save of Megatron', () => {
  it('has the parts of its arguments on its ranks', async () => {
    const load = await loadLegacy();
    expect(load.verdict).toBe('loads');
    expect(load.counts).toEqual({ expected: 28, found: 30, missing: 0, unexpected: 0, mismatched: 0 });
  });

  it.each<[string, Arguments, string]>([
    ['another vocabulary', { padded_vocab_size: 256 }, '4 tensors of another shape: embedding.word_embeddings.weight'],
    ['another width', { ffn_hidden_size: 32 }, '8 tensors of another shape'],
  ])('with %s fails', async (_, args, why) => {
    const load = await loadLegacy(args);
    expect(load.verdict).toBe('fails');
    expect(load.why.replace('model.', '')).toContain(why);
  });

  it.each<[string, Arguments, string]>([
    ['fewer layers', { num_layers: 3 }, '12 tensors of the model not here'],
    ['more layers', { num_layers: 1 }, '12 tensors more than the saved arguments ask for'],
  ])('with %s loads with warnings', async (_, args, why) => {
    const load = await loadLegacy(args);
    expect(load.verdict).toBe('loads-with-warnings');
    expect(load.why).toContain(why);
    expect(load.why).toContain('Megatron Core before 0.14 stops there');
  });

  it('loads with warnings where a rank lacks a tensor', async () => {
    const load = await loadLegacy({}, (at, tensorRank) => {
      const { 'decoder.final_layernorm.weight': norm, ...others } = stage(at);
      return norm === undefined || tensorRank === 1 ? others : { ...others, 'decoder.final_layernorm.weight': norm };
    });
    expect(load).toMatchObject({ verdict: 'loads-with-warnings', counts: { missing: 1 } });
  });

  it.each<[string, Arguments, string]>([
    ['experts', { num_experts: 4 }, 'How experts are spread over the ranks'],
    [
      'fewer groups of queries than ranks',
      { group_query_attention: true, num_query_groups: 1 },
      'Its ranks share groups of queries',
    ],
    ['sizes that its ranks do not divide', { ffn_hidden_size: 63 }, 'does not divide its tensors'],
  ])('with %s is not judged', async (_, args, why) => {
    const load = await loadLegacy(args);
    expect(load.verdict).toBe('unknown');
    expect(load.why).toContain(why);
  });
});
