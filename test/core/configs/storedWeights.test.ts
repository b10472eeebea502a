/** Bytes of quantized weights, against the payloads of published checkpoints and the modules that transformers makes. */
import { describe, expect, it } from 'vitest';
import { readArchitecture } from '../../../src/core/configs/architectures/readArchitecture.js';
import { type StoredWeights, storedWeights } from '../../../src/core/configs/storage/storedWeights.js';
import type { TensorGroup } from '../../../src/core/configs/architectures/tensorGroup.js';
import { Fields } from '../../../src/core/configs/fields.js';

const plain = { dtype: 'bf16', bytesPerElement: 2 };

function storedOf(config: Record<string, unknown>, quantization: Record<string, unknown>): StoredWeights | null {
  const reading = readArchitecture(Fields.fromValues(config));
  return reading === null ? null : storedWeights(reading.tensors.groups, Fields.fromValues(quantization), plain);
}

const deepseekV3 = {
  model_type: 'deepseek_v3',
  architectures: ['DeepseekV3ForCausalLM'],
  vocab_size: 129_280,
  hidden_size: 7168,
  intermediate_size: 18_432,
  moe_intermediate_size: 2048,
  num_hidden_layers: 61,
  num_attention_heads: 128,
  num_key_value_heads: 128,
  n_routed_experts: 256,
  n_shared_experts: 1,
  num_experts_per_tok: 8,
  first_k_dense_replace: 3,
  q_lora_rank: 1536,
  kv_lora_rank: 512,
  qk_nope_head_dim: 128,
  qk_rope_head_dim: 64,
  v_head_dim: 128,
  tie_word_embeddings: false,
};
const kimiK2 = {
  ...deepseekV3,
  vocab_size: 163_840,
  num_attention_heads: 64,
  num_key_value_heads: 64,
  n_routed_experts: 384,
  first_k_dense_replace: 1,
};
const gptOss = {
  model_type: 'gpt_oss',
  architectures: ['GptOssForCausalLM'],
  vocab_size: 201_088,
  hidden_size: 2880,
  intermediate_size: 2880,
  num_attention_heads: 64,
  num_key_value_heads: 8,
  head_dim: 64,
  num_experts_per_tok: 4,
  attention_bias: true,
};
const blocks = { quant_method: 'fp8', weight_block_size: [128, 128], activation_scheme: 'dynamic', fmt: 'e4m3' };
const mxfp4 = {
  quant_method: 'mxfp4',
  modules_to_not_convert: ['model.layers.*.self_attn', 'model.layers.*.mlp.router', 'model.embed_tokens', 'lm_head'],
};

const llama = {
  model_type: 'llama',
  architectures: ['LlamaForCausalLM'],
  vocab_size: 1000,
  hidden_size: 300,
  intermediate_size: 500,
  num_hidden_layers: 4,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  head_dim: 74,
};
const qwen3Moe = {
  ...llama,
  model_type: 'qwen3_moe',
  architectures: ['Qwen3MoeForCausalLM'],
  num_experts: 6,
  moe_intermediate_size: 40,
};

describe('a published checkpoint', () => {
  // The sums are those of shared/reference/sizing.md, table 2.3; files also hold some buffers, which are no parameters.
  it('of Kimi K2, 8 bits', () => {
    const bytes = storedOf(kimiK2, blocks)?.bytes ?? 0;
    expect(Math.abs(bytes - 1_029_173_256_720)).toBeLessThan(10_000);
  });

  it('of Kimi K2 Thinking, whose experts have 4 bits', () => {
    const weights = { num_bits: 4, type: 'int', strategy: 'group', group_size: 32, symmetric: true, dynamic: false };
    const stored = storedOf(kimiK2, {
      quant_method: 'compressed-tensors',
      format: 'pack-quantized',
      config_groups: { group_0: { targets: ['Linear'], weights, input_activations: null } },
      ignore: ['lm_head', 're:.*self_attn.*', 're:.*shared_experts.*', 're:.*mlp\\.(gate|up|gate_up|down)_proj.*'],
    });
    expect(Math.abs((stored?.bytes ?? 0) - 594_205_920_512)).toBeLessThan(1_000_000);
  });

  it('of gpt-oss, whose experts have 4 bits and a scale for 32 of them', () => {
    expect(storedOf({ ...gptOss, num_hidden_layers: 24, num_local_experts: 32 }, mxfp4)?.bytes).toBe(13_761_264_768);
    const large = storedOf({ ...gptOss, num_hidden_layers: 36, num_local_experts: 128 }, mxfp4);
    expect((large?.bytes ?? 0) / 65.19e9).toBeCloseTo(1, 2);
  });

  it('of DeepSeek-V3: scales of blocks, without the layer that predicts further tokens', () => {
    const scales = storedOf(deepseekV3, blocks)?.parts.find(({ name }) => name === 'scales');
    // Of 41,540,496 published ones that layer has 11,448 for its attention and 257 x 2,688 for its experts.
    expect(scales).toMatchObject({ dtype: 'f32', bytes: 4 * (41_540_496 - 11_448 - 257 * 2688) });
  });
});

describe('8-bit weights as transformers makes them', () => {
  // replace_with_fp8_linear on the meta device: bytes of bf16, of f8_e4m3, and of f32.
  it.each([
    [llama, {}, 1_205_400, 2_865_600, 1056],
    [
      llama,
      { weight_block_size: [64, 32], modules_to_not_convert: ['lm_head', 'model.layers.1.mlp', 'v_proj'] },
      2_460_600,
      2_238_000,
      4960,
    ],
    [llama, { weight_block_size: null }, 1_205_400, 2_865_600, 112],
    [llama, { activation_scheme: 'static' }, 1_205_400, 2_865_600, 1168],
    [llama, { modules_to_not_convert: ['model.layers.*.self_attn'] }, 2_736_600, 2_100_000, 672],
    [{ ...qwen3Moe, mlp_only_layers: [1] }, {}, 1_217_384, 2_163_600, 1272],
    [qwen3Moe, { modules_to_not_convert: ['lm_head', 'model.layers.3'] }, 2_185_784, 1_447_200, 1008],
  ])('%o, %o', (config, changes, plainBytes, quantizedBytes, scaleBytes) => {
    const stored = storedOf(config, { ...blocks, ...changes });
    const bytesOf = (dtype: string): number =>
      stored?.parts.filter((part) => part.dtype === dtype).reduce((sum, { bytes }) => sum + bytes, 0) ?? 0;
    expect([bytesOf('bf16'), bytesOf('f8_e4m3'), bytesOf('f32')]).toEqual([plainBytes, quantizedBytes, scaleBytes]);
    expect(stored?.bytes).toBe(plainBytes + quantizedBytes + scaleBytes);
  });
});

describe('one matrix of 256 outputs and 1,024 inputs', () => {
  const matrix: TensorGroup = {
    name: 'model.layers.N.mlp.up_proj.weight',
    shape: [256, 1024],
    copies: 1,
    activeCopies: 1,
    kind: 'linear',
  };
  const packed = (weights: Record<string, unknown>, format: string, more = {}): Record<string, unknown> => ({
    quant_method: 'compressed-tensors',
    format,
    config_groups: { group_0: { targets: ['Linear'], weights, ...more } },
  });

  it.each([
    ['GPTQ', { quant_method: 'gptq', bits: 4, group_size: 128 }, 131_072 + 8 * 256 * 2 + 8 * 32 * 4 + 4096],
    ['GPTQ in 3 bits, one group', { quant_method: 'gptq', bits: 3, group_size: -1 }, 98_304 + 512 + 24 * 4 + 4096],
    ['AWQ', { quant_method: 'awq', bits: 4, group_size: 64 }, 131_072 + 16 * 256 * 2 + 16 * 32 * 4],
    ['bitsandbytes in 8 bits', { quant_method: 'bitsandbytes', load_in_8bit: true }, 262_144 + 1024 + 1],
    ['bitsandbytes in 4 bits', { load_in_4bit: true }, 131_072 + 4 * 4096 + 64],
    [
      'bitsandbytes, scales in 8 bits',
      { quant_method: 'bitsandbytes', load_in_4bit: true, bnb_4bit_use_double_quant: true },
      131_072 + 4096 + 4 * 16 + 1024 + 64,
    ],
    ['FBGEMM', { quant_method: 'fbgemm_fp8' }, 262_144 + 1024],
    ['float8, a scale a row', packed({ num_bits: 8, type: 'float', strategy: 'channel' }, 'float-quantized'), 262_144 + 512],
    [
      'float8, one scale, and one of the inputs',
      packed({ num_bits: 8, type: 'float', strategy: 'tensor' }, 'float-quantized', {
        input_activations: { num_bits: 8, dynamic: false },
      }),
      262_144 + 4,
    ],
    [
      'int4 with zero points and an order',
      packed(
        { num_bits: 4, type: 'int', strategy: 'group', group_size: 128, symmetric: false, actorder: 'group' },
        'pack-quantized',
      ),
      131_072 + 256 * 8 * 2 + 16 + 32 * 8 * 4 + 4096,
    ],
    [
      'NVFP4',
      packed({ num_bits: 4, type: 'float', strategy: 'tensor_group', group_size: 16 }, 'nvfp4-pack-quantized'),
      131_072 + 16_384 + 4,
    ],
  ])('%s', (_, quantization, bytes) => {
    expect(storedWeights([matrix], Fields.fromValues(quantization), plain)?.bytes).toBe(bytes);
  });

  it.each([
    [{}],
    [{ quant_method: 'constructor' }],
    [{ quant_method: 'aqlm' }],
    [{ quant_method: 'gptq', bits: 5 }],
    [{ quant_method: 'gptq' }],
    [{ quant_method: 'gptq', bits: 4, dynamic: { '+:.*': { bits: 8 } } }],
    [{ quant_method: 'fp8', weight_block_size: [0, 128] }],
    [{ quant_method: 'compressed-tensors' }],
    [packed({ num_bits: 4 }, 'pack-sparse')],
    [{ ...packed({ num_bits: 8 }, 'int-quantized'), ignore: ['re:(?!lm_head).*'] }],
  ])('%o is not known', (quantization) => {
    expect(storedWeights([matrix], Fields.fromValues(quantization), plain)).toBeNull();
  });

  it('has no bytes beyond all integers', () => {
    const huge = { ...matrix, shape: [2 ** 40, 2 ** 40] };
    expect(storedWeights([huge], Fields.fromValues({ quant_method: 'gptq', bits: 4 }), plain)).toBeNull();
  });
});
