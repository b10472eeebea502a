/** Counts that other tools get wrong: packed, quantized, tied, buffers. Shapes as the quantizers' own savers write them. */
import { describe, expect, it } from 'vitest';
import { inspectCheckpoint } from '../../builders/inspectCheckpoint.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { buildSafetensors, type SafetensorsTensor } from '../../builders/safetensorsBuilder.js';

const t = (dtype: string, ...shape: number[]): SafetensorsTensor => ({ dtype, shape });

async function count(
  tensors: Record<string, SafetensorsTensor>,
  config: unknown = {},
): Promise<{ stored: number; unique: number }> {
  const files = {
    'model.safetensors': buildSafetensors({ tensors }),
    'config.json': new TextEncoder().encode(JSON.stringify(config)),
  };
  const { report } = await inspectCheckpoint(memoryTree('m', files), { path: 'm' });
  return { stored: report.parameters.stored, unique: report.parameters.unique };
}

const norm = { 'model.norm.weight': t('BF16', 64) };

describe('packed weights count by what they unpack to', () => {
  it.each([
    [
      'GPTQ, 4 bits',
      {
        'q.qweight': t('I32', 8, 128),
        'q.qzeros': t('I32', 1, 16),
        'q.scales': t('F16', 1, 128),
        'q.g_idx': t('I32', 64),
        ...norm,
      },
      { quantization_config: { quant_method: 'gptq', bits: 4 } },
      64 * 128 + 64,
    ],
    [
      'GPTQ, 8 bits',
      { 'q.qweight': t('I32', 16, 128), 'q.qzeros': t('I32', 1, 32), 'q.scales': t('F16', 1, 128), ...norm },
      { quantization_config: { quant_method: 'gptq', bits: 8 } },
      64 * 128 + 64,
    ],
    [
      'AWQ',
      { 'q.qweight': t('I32', 64, 16), 'q.qzeros': t('I32', 1, 16), 'q.scales': t('F16', 1, 128), ...norm },
      { quantization_config: { quant_method: 'awq', w_bit: 4 } },
      64 * 128 + 64,
    ],
    [
      'compressed-tensors W4A16',
      { 'q.weight_packed': t('I32', 128, 8), 'q.weight_scale': t('BF16', 128, 1), 'q.weight_shape': t('I64', 2), ...norm },
      { quantization_config: { config_groups: { group_0: { weights: { num_bits: 4 } } } } },
      64 * 128 + 64,
    ],
    [
      'NVFP4',
      {
        'q.weight_packed': t('U8', 128, 32),
        'q.weight_scale': t('F8_E4M3', 128, 4),
        'q.weight_global_scale': t('F32', 1),
        ...norm,
      },
      {},
      64 * 128 + 64,
    ],
    [
      'MXFP4 of gpt-oss, without a config',
      { 'mlp.experts.down_proj_blocks': t('U8', 2, 64, 2, 16), 'mlp.experts.down_proj_scales': t('U8', 2, 64, 2), ...norm },
      {},
      2 * 64 * 64 + 64,
    ],
    [
      'MXFP4 as OpenAI stores it, blocks without their scales',
      { 'block.0.mlp.mlp1_weight.blocks': t('U8', 2, 64, 2, 16) },
      {},
      2 * 64 * 64,
    ],
    [
      'MLX, 8 bits',
      { 'q.weight': t('U32', 128, 16), 'q.scales': t('F16', 128, 1), 'q.biases': t('F16', 128, 1), ...norm },
      { quantization: { bits: 8, group_size: 64 } },
      64 * 128 + 64,
    ],
    [
      'bitsandbytes NF4',
      {
        'q.weight': t('U8', 4096, 1),
        'q.weight.absmax': t('F32', 128),
        'q.weight.quant_map': t('F32', 16),
        'q.weight.quant_state.bitsandbytes__nf4': t('U8', 80),
        ...norm,
      },
      {},
      64 * 128 + 64,
    ],
    [
      'bitsandbytes int8',
      { 'q.weight': t('I8', 128, 64), 'q.SCB': t('F32', 128), 'q.weight_format': t('U8'), ...norm },
      {},
      64 * 128 + 64,
    ],
    [
      'FP8 with block scales',
      { 'q.weight': t('F8_E4M3', 128, 64), 'q.weight_scale_inv': t('F32', 1, 1), ...norm },
      {},
      64 * 128 + 64,
    ],
    [
      'torchao int8',
      {
        'q._weight_qdata': t('I8', 128, 64),
        'q._weight_scale': t('F32', 128, 1),
        'q._weight_zero_point': t('I8', 128, 1),
        ...norm,
      },
      {},
      64 * 128 + 64,
    ],
  ] as [string, Record<string, SafetensorsTensor>, unknown, number][])('%s', async (_, tensors, config, unique) => {
    expect((await count(tensors, config)).unique).toBe(unique);
  });
});

describe('widths that no config states, or that differ within a model, come from the shapes', () => {
  const gptq = (bits: number, more: Record<string, SafetensorsTensor> = {}): Record<string, SafetensorsTensor> => ({
    'q.qweight': t('I32', (64 * bits) / 32, 128),
    'q.scales': t('F16', 2, 128),
    ...more,
  });
  const packed64 = 64 * 128;
  it.each<[what: string, tensors: Record<string, SafetensorsTensor>, config: unknown, unique: number]>([
    ['GPTQ by its order of inputs', gptq(8, { 'q.g_idx': t('I32', 64) }), {}, packed64],
    ['GPTQ of 3 bits by its zero points', gptq(3, { 'q.qzeros': t('I32', 2, 12) }), {}, packed64],
    ['GPTQ by the size of groups', gptq(2), { quantization_config: { quant_method: 'gptq', bits: 4, group_size: 32 } }, packed64],
    [
      'GPTQ with other bits for one module',
      { ...gptq(8, { 'q.g_idx': t('I32', 64) }), 'k.qweight': t('I32', 8, 128), 'k.g_idx': t('I32', 64) },
      { quantization_config: { quant_method: 'gptq', bits: 4, group_size: 32, dynamic: { '+:.*q': { bits: 8 } } } },
      2 * packed64,
    ],
    [
      'AWQ by its scales',
      { 'q.qweight': t('I32', 64, 32), 'q.qzeros': t('I32', 1, 32), 'q.scales': t('F16', 1, 128) },
      {},
      packed64,
    ],
    ['Marlin', { 'q.B': t('I32', 4, 256), 'q.s': t('F16', 1, 128), 'q.workspace': t('I32', 16) }, {}, packed64],
    [
      'compressed-tensors of 8 and of 4 bits',
      {
        'q.weight_packed': t('I32', 128, 16),
        'q.weight_scale': t('BF16', 128, 2),
        'q.weight_shape': t('I64', 2),
        'k.weight_packed': t('I32', 128, 8),
        'k.weight_scale': t('BF16', 128, 2),
      },
      {
        quantization_config: {
          quant_method: 'compressed-tensors',
          config_groups: { a: { weights: { num_bits: 8, group_size: 32 } }, b: { weights: { num_bits: 4, group_size: 32 } } },
        },
      },
      2 * packed64,
    ],
    [
      'MLX of two widths',
      {
        'embed.weight': t('U32', 128, 16),
        'embed.scales': t('F16', 128, 1),
        'embed.biases': t('F16', 128, 1),
        'q.weight': t('U32', 128, 8),
        'q.scales': t('F16', 128, 1),
        'q.biases': t('F16', 128, 1),
        'k.weight': t('U32', 128, 6),
        'k.scales': t('F16', 128, 2),
        'k.biases': t('F16', 128, 2),
      },
      { quantization: { group_size: 64, bits: 4, embed: { group_size: 64, bits: 8 }, k: { group_size: 32, bits: 3 } } },
      3 * packed64,
    ],
    [
      'EXL2',
      {
        'q.q_weight': t('I32', 9, 128),
        'q.q_scale': t('I32', 2, 16),
        'q.q_scale_max': t('F16', 2),
        'q.q_groups': t('I16', 4),
        'q.q_invperm': t('I16', 64),
      },
      { quantization_config: { quant_method: 'exl2', bits: 4.5 } },
      packed64,
    ],
    [
      'EXL3',
      { 'q.trellis': t('I16', 4, 8, 48), 'q.suh': t('F16', 64), 'q.svh': t('F16', 128) },
      { quantization_config: { quant_method: 'exl3', bits: 3 } },
      packed64,
    ],
    [
      'HQQ by its groups',
      { 'q.W_q': t('U8', 32, 128), 'q.scale': t('F16', 128, 1), 'q.zero': t('F16', 128, 1), 'q.shape': t('I64', 2) },
      { quantization_config: { quant_method: 'hqq', quant_config: { weight_quant_params: { nbits: 4, group_size: 64 } } } },
      packed64,
    ],
    [
      'HQQ of 3 bits, which leave two of a word',
      { 'q.W_q': t('I32', 7, 128), 'q.scale': t('F16', 1, 128), 'q.zero': t('F16', 1, 128) },
      { quantization_config: { quant_method: 'hqq', quant_config: { weight_quant_params: { nbits: 3, group_size: 64 } } } },
      packed64,
    ],
    [
      'AQLM',
      { 'q.codes': t('I16', 128, 8, 1), 'q.codebooks': t('F16', 1, 65_536, 1, 8), 'q.scales': t('F16', 128, 1, 1, 1) },
      { quantization_config: { quant_method: 'aqlm' } },
      packed64,
    ],
    [
      'QuIP#',
      {
        'q.Qidxs': t('I16', 128, 8),
        'q.SU': t('F16', 64),
        'q.SV': t('F16', 128),
        'q.Wscale': t('F32'),
        'q.codebook_id': t('I32'),
      },
      { quantization_config: { quant_method: 'quip_sharp' } },
      packed64,
    ],
    [
      'HIGGS',
      { 'q.weight': t('I16', 32, 64), 'q.scales': t('F16', 128, 1), 'q.tables': t('F16', 16), 'q.tables2': t('F32', 16, 16, 1) },
      { quantization_config: { quant_method: 'higgs', bits: 4, group_size: 64 } },
      packed64,
    ],
    [
      'VPTQ by its config',
      {
        'q.indices': t('I32', 1, 16, 60),
        'q.centroids.weight': t('F16', 1, 2048),
        'q.weight_scale': t('F16', 64),
        'q.weight_bias': t('F16', 64),
        'q.perm': t('I16', 64),
      },
      { quantization_config: { quant_method: 'vptq', config_for_layers: { q: { in_features: 64, out_features: 128 } } } },
      packed64,
    ],
    [
      'BitNet',
      { 'q.weight': t('U8', 32, 64), 'q.weight_scale': t('BF16', 1) },
      { quantization_config: { quant_method: 'bitnet' } },
      packed64,
    ],
    [
      'EETQ',
      { 'q.weight': t('I8', 64, 128), 'q.weight_scales': t('F16', 128) },
      { quantization_config: { quant_method: 'eetq' } },
      packed64,
    ],
    [
      'FBGEMM FP8',
      { 'q.weight': t('F8_E4M3', 128, 64), 'q.weight_scale': t('F32', 128, 1), 'q.input_scale_ub': t('F32', 1) },
      { quantization_config: { quant_method: 'fbgemm_fp8' } },
      packed64,
    ],
    [
      'torchao in tiles',
      { 'q._weight_qdata': t('I32', 16, 1, 32, 2), 'q._weight_scale_and_zero': t('BF16', 1, 128, 2) },
      { quantization_config: { quant_method: 'torchao' } },
      packed64,
    ],
    [
      'quanto of 2 bits',
      { 'q._data': t('U8', 128, 16), 'q._scale': t('F16', 128, 1), 'q._shift': t('F16', 128, 1) },
      { quantization_config: { quant_method: 'quanto', weights: 'int2' } },
      packed64,
    ],
  ])('%s', async (_, tensors, config, unique) => {
    expect(await count({ ...tensors, ...norm }, config)).toEqual({ stored: unique + 64, unique: unique + 64 });
  });

  it.each<[what: string, tensors: Record<string, SafetensorsTensor>, config: unknown]>([
    [
      'bits in bytes of a width that nothing states',
      { 'q._data': t('U8', 128, 16), 'q._scale': t('F16', 128, 1), 'q._shift': t('F16', 128, 1) },
      { quantization_config: { quant_method: 'quanto' } },
    ],
    [
      'SpQR',
      {
        'q.dense_weights': t('I64', 400),
        'q.row_offsets': t('I32', 129),
        'q.col_vals': t('I32', 12),
        'q.in_perm': t('I16', 64),
      },
      { quantization_config: { quant_method: 'spqr', bits: 3 } },
    ],
    [
      'a method of tomorrow',
      { 'q.w': t('U8', 100), 'q.w_scale_a': t('F16', 9) },
      { quantization_config: { quant_method: 'new' } },
    ],
    ['VPTQ without its config', { 'q.indices': t('I32', 1, 16, 60) }, { quantization_config: { quant_method: 'vptq' } }],
    ['MLX without a config', { 'q.weight': t('U32', 128, 8), 'q.scales': t('F16', 128, 1) }, {}],
    [
      'HIGGS without the size of groups',
      { 'q.weight': t('I16', 32, 64), 'q.scales': t('F16', 128, 1) },
      { quantization_config: { quant_method: 'higgs' } },
    ],
  ])('or are said to be not known: %s', async (_, tensors, config) => {
    const files = {
      'model.safetensors': buildSafetensors({ tensors: { ...tensors, ...norm } }),
      'config.json': new TextEncoder().encode(JSON.stringify(config)),
    };
    const { report } = await inspectCheckpoint(memoryTree('m', files), { path: 'm' });
    expect(report.parameters).toMatchObject({ unique: 64, uncountedTensors: expect.any(Number) as number });
    expect(report.parameters.source).toContain('not counted');
    expect(report.bytesPerParameter).toBeNull();
    expect(report.findings.map(({ code }) => code)).toContain('parameters-not-known');
  });
});

describe('what is no parameter', () => {
  it.each([
    [
      'batch norm statistics',
      {
        'bn.weight': t('F32', 8),
        'bn.running_mean': t('F32', 8),
        'bn.running_var': t('F32', 8),
        'bn.num_batches_tracked': t('I64'),
      },
      8,
    ],
    ['rotary frequencies', { 'q.weight': t('F32', 8), 'rotary_emb.inv_freq': t('F32', 4) }, 8],
    ['masks and positions', { 'q.weight': t('F32', 8), 'attn.bias': t('BOOL', 4, 4), position_ids: t('I64', 1, 4) }, 8],
    ['only running statistics', { 'bn.running_mean': t('F32', 8), 'bn.running_var': t('F32', 8) }, 0],
    ['moving statistics of Keras', { 'bn/moving_mean': t('F32', 8), 'bn/moving_variance': t('F32', 8) }, 0],
    [
      'statistics of flax',
      { 'batch_stats.bn.mean': t('F32', 8), 'batch_stats.bn.var': t('F32', 8), 'params.mean': t('F32', 2) },
      2,
    ],
    ['only integers and booleans', { labels: t('I64', 8), mask: t('BOOL', 8) }, 0],
    ['scales alone in a shard', { 'mlp.down_proj_scales': t('U8', 2, 64), 'mlp.mlp1_weight.scales': t('U8', 2, 64) }, 0],
    [
      'vectors of the power iteration',
      { 'q.weight_orig': t('F32', 4, 2), 'q.weight_u': t('F32', 4), 'q.weight_v': t('F32', 2) },
      8,
    ],
  ])('%s', async (_, tensors, unique) => {
    expect((await count(tensors)).unique).toBe(unique);
  });

  it('the router bias of DeepSeek-V3 is one, as in its published count', async () => {
    expect((await count({ 'q.weight': t('F32', 8), 'mlp.gate.e_score_correction_bias': t('F32', 4) })).unique).toBe(12);
  });

  it('both halves of weight_norm are', async () => {
    expect((await count({ 'q.weight_g': t('F32', 4, 1), 'q.weight_v': t('F32', 4, 2) })).unique).toBe(12);
  });

  it('a learned scale of a model is one', async () => {
    expect((await count({ 'q.weight': t('F32', 8), logit_scale: t('F32') })).unique).toBe(9);
  });
});

describe('tied weights count once', () => {
  const both = { 'lm_head.weight': t('F32', 10, 4), 'model.embed_tokens.weight': t('F32', 10, 4) };
  it('where the config says so', async () => {
    expect(await count(both, { tie_word_embeddings: true })).toEqual({ stored: 80, unique: 40 });
  });
  it('and twice where it does not', async () => {
    expect(await count(both, { tie_word_embeddings: false })).toEqual({ stored: 80, unique: 80 });
  });
});

it('counts the floating-point elements of arrays with any names', async () => {
  expect((await count({ 'array 1': t('F32', 3), 'array 2': t('I64', 5) })).unique).toBe(3);
});
