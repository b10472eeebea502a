/** Quantized weights in the forms of their programs: what transformers 5.24 did with them, and who loads the others. */
import { describe, expect, it } from 'vitest';
import type { CheckpointReport } from '../../../src/core/checkpoints/checkpointReport.js';
import { inspectCheckpoint } from '../../builders/inspectCheckpoint.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';
import { json } from '../../builders/torchDirectory.js';

const config = {
  ...{ model_type: 'llama', architectures: ['LlamaForCausalLM'], hidden_size: 64, num_hidden_layers: 2, intermediate_size: 128 },
  ...{ num_attention_heads: 4, num_key_value_heads: 4, vocab_size: 96, tie_word_embeddings: false },
};

type Tensors = Record<string, [dtype: string, ...shape: number[]]>;
/** Tensors of a linear layer, by what follows its name. */
type Linear = (outputs: number, inputs: number) => Tensors;

function named(module: string, tensors: Tensors): Tensors {
  return Object.fromEntries(Object.entries(tensors).map(([leaf, tensor]) => [`${module}.${leaf}`, tensor]));
}

function modelOf(linear: Linear, whole: Linear = (rows, width) => ({ weight: ['BF16', rows, width] })): Tensors {
  const norm: Tensors = { weight: ['BF16', 64] };
  const layers = [0, 1].map((layer): Tensors => {
    const at = `model.layers.${layer}.`;
    return {
      ...named(`${at}input_layernorm`, norm),
      ...named(`${at}post_attention_layernorm`, norm),
      ...named(`${at}self_attn.q_proj`, linear(64, 64)),
      ...named(`${at}self_attn.k_proj`, linear(64, 64)),
      ...named(`${at}self_attn.v_proj`, linear(64, 64)),
      ...named(`${at}self_attn.o_proj`, linear(64, 64)),
      ...named(`${at}mlp.gate_proj`, linear(128, 64)),
      ...named(`${at}mlp.up_proj`, linear(128, 64)),
      ...named(`${at}mlp.down_proj`, linear(64, 128)),
    };
  });
  const ends = {
    ...named('model.embed_tokens', whole(96, 64)),
    ...named('lm_head', whole(96, 64)),
    ...named('model.norm', norm),
  };
  return Object.assign(ends, ...layers) as Tensors;
}

async function reportOf(settings: object, tensors: Tensors, files: Record<string, object> = {}): Promise<CheckpointReport> {
  const shapes = Object.entries(tensors).map(([name, [dtype, ...shape]]) => [name, { dtype, shape }] as const);
  const tree = memoryTree('save', {
    'config.json': json({ ...config, ...settings }),
    'model.safetensors': buildSafetensors({ tensors: Object.fromEntries(shapes) }),
    ...Object.fromEntries(Object.entries(files).map(([name, value]) => [name, json(value)])),
  });
  return (await inspectCheckpoint(tree, { path: '/save' })).report;
}

const by = (method: string, more: object = {}): object => ({ quantization_config: { quant_method: method, ...more } });
const mlx: Linear = (outputs, inputs) => ({
  weight: ['U32', outputs, inputs / 8],
  scales: ['BF16', outputs, inputs / 32],
  biases: ['BF16', outputs, inputs / 32],
});
const scaledFloat: Linear = (outputs, inputs) => ({
  weight: ['F8_E4M3', outputs, inputs],
  weight_scale: ['F32'],
  input_scale: ['F32'],
});
const plain: Linear = (outputs, inputs) => ({ weight: ['BF16', outputs, inputs] });
const gptq: Linear = (outputs, inputs) => ({
  qweight: ['I32', inputs / 8, outputs],
  qzeros: ['I32', 2, outputs / 8],
  scales: ['F16', 2, outputs],
  g_idx: ['I32', inputs],
});
const nvfp4: Linear = (outputs, inputs) => ({
  weight: ['U8', outputs, inputs / 2],
  weight_scale: ['F8_E4M3', outputs, inputs / 16],
  weight_scale_2: ['F32'],
});

describe('weights of a quantizer of transformers', () => {
  it.each<[method: string, settings: object, linear: Linear]>([
    [
      'fp8',
      { weight_block_size: [32, 32] },
      (o, i) => ({ weight: ['F8_E4M3', o, i], weight_scale_inv: ['F32', o / 32, i / 32] }),
    ],
    ['compressed-tensors', { format: 'float-quantized' }, scaledFloat],
    [
      'compressed-tensors',
      { format: 'pack-quantized' },
      (o, i) => ({
        weight_packed: ['I32', o, i / 8],
        weight_scale: ['BF16', o, 2],
        weight_shape: ['I64', 2],
        weight_g_idx: ['I32', i],
      }),
    ],
    [
      'bitsandbytes',
      { load_in_4bit: true },
      (o, i) => ({
        weight: ['U8', (o * i) / 2, 1],
        'weight.absmax': ['U8', (o * i) / 64],
        'weight.quant_map': ['F32', 16],
        'weight.quant_state.bitsandbytes__nf4': ['U8', 90],
      }),
    ],
    ['bitsandbytes', { load_in_8bit: true }, (o, i) => ({ weight: ['I8', o, i], SCB: ['F32', o], weight_format: ['U8'] })],
    ['gptq', { bits: 4 }, gptq],
    ['awq', { bits: 4 }, (o, i) => ({ qweight: ['I32', i, o / 8], qzeros: ['I32', 2, o / 8], scales: ['F16', 2, o] })],
    [
      'hqq',
      {},
      (o, i) => ({
        W_q: ['U8', (o * i) / 128, 64],
        scale: ['BF16', (o * i) / 64, 1],
        zero: ['BF16', (o * i) / 64, 1],
        nbits: ['I64', 1],
      }),
    ],
    ['torchao', {}, (o, i) => ({ _weight_qdata: ['I8', o, i], _weight_scale: ['BF16', o, 1] })],
    ['quanto', {}, (o, i) => ({ 'weight._data': ['I8', o, i], 'weight._scale': ['BF16', o, 1], input_scale: ['BF16'] })],
  ])('load: %s %j', async (method, settings, linear) => {
    const { load } = await reportOf(by(method, settings), modelOf(linear));
    expect(load).toMatchObject({
      ...{ framework: 'transformers', verdict: 'loads' },
      counts: { expected: 21, found: 21, missing: 0, unexpected: 0, mismatched: 0 },
    });
  });

  it('without a config of it do not load, and scaled ones load without their scales', async () => {
    const packed = await reportOf({}, modelOf(gptq));
    expect([packed.load?.verdict, packed.findings.map(({ code }) => code)]).toEqual(['fails', ['quantization-config-missing']]);
    const scaled = await reportOf({}, modelOf(scaledFloat));
    expect([scaled.load?.verdict, scaled.findings.map(({ code }) => code)]).toEqual([
      'loads-with-warnings',
      ['quantization-config-missing'],
    ]);
    const cast = await reportOf(
      {},
      modelOf((o, i) => ({ weight: ['F8_E4M3', o, i] })),
    );
    expect([cast.load?.verdict, cast.findings]).toEqual(['loads', []]);
  });

  it('whose config names no method do not load', async () => {
    const { load, findings } = await reportOf({ quantization_config: { bits: 4 } }, modelOf(plain));
    expect([load?.verdict, findings.map(({ code }) => code)]).toEqual(['fails', ['quantization-method-missing']]);
  });
});

describe('weights of another program', () => {
  const settings = { group_size: 32, bits: 4 };
  const modelopt = { 'hf_quant_config.json': { producer: { name: 'modelopt' }, quantization: { quant_algo: 'NVFP4' } } };
  it.each<[what: string, loader: string, settings: object, tensors: Tensors, files: Record<string, object>]>([
    ['MLX', 'mlx-lm', { quantization: settings }, modelOf(mlx, mlx), {}],
    ['MLX in both keys', 'mlx-lm', { quantization: settings, quantization_config: settings }, modelOf(mlx, mlx), {}],
    ['modelopt beside the config', 'vLLM', {}, modelOf(nvfp4), modelopt],
    ['modelopt, floats', 'vLLM', {}, modelOf(scaledFloat), modelopt],
    ['modelopt in the config', 'vLLM', by('modelopt'), modelOf(scaledFloat), {}],
  ])('are named with what loads them: %s', async (_, loader, own, tensors, files) => {
    const { load, findings } = await reportOf(own, tensors, files);
    expect(load).toMatchObject({ framework: loader, verdict: 'loads', counts: { expected: 21, found: 21, unexpected: 0 } });
    expect(load?.notChecked.map(({ detail }) => detail).join()).toContain('transformers has no quantizer');
    expect(findings).toMatchObject([
      { code: 'quantization-of-other-loader', severity: 'note', advice: `Load them with ${loader}.` },
    ]);
  });

  it.each<[verdict: string, tensors: Tensors]>([
    ['loads', modelOf(plain)],
    ['loads-with-warnings', modelOf(scaledFloat)],
    ['fails', modelOf(nvfp4)],
  ])('of a method that is not known are taken for plain ones: %s', async (verdict, tensors) => {
    const { load, findings } = await reportOf(by('of-tomorrow'), tensors);
    expect([load?.framework, load?.verdict]).toEqual(['transformers', verdict]);
    expect(findings.map(({ code }) => code)).toContain('quantization-of-other-loader');
  });
});
