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
  qzeros: ['I32', inputs / 32, outputs / 8],
  scales: ['F16', inputs / 32, outputs],
  g_idx: ['I32', inputs],
});
const awq: Linear = (outputs, inputs) => ({
  qweight: ['I32', inputs, outputs / 8],
  qzeros: ['I32', inputs / 32, outputs / 8],
  scales: ['F16', inputs / 32, outputs],
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
    ['gptq', { bits: 4, group_size: 32 }, gptq],
    ['awq', { bits: 4, group_size: 32 }, awq],
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

  it.each<[what: string, verdict: string, linear: Linear, missing: number, unexpected: number, mismatched: number]>([
    ['GPTQ', 'loads-with-warnings', gptq, 14, 56, 0],
    ['halves in a byte', 'fails', (o, i) => ({ weight: ['U8', o, i / 2] }), 0, 0, 14],
    ['bytes in one column', 'fails', (o, i) => ({ weight: ['U8', (o * i) / 2, 1] }), 0, 0, 14],
    ['int8 with scales', 'loads-with-warnings', (o, i) => ({ weight: ['I8', o, i], weight_scale: ['F32', o] }), 0, 14, 0],
    ['LLM.int8', 'loads-with-warnings', (o, i) => ({ weight: ['I8', o, i], SCB: ['F32', o], weight_format: ['U8'] }), 0, 28, 0],
    ['scaled floats', 'loads-with-warnings', scaledFloat, 0, 28, 0],
  ])('without a config of it are taken for plain ones: %s', async (_, verdict, linear, missing, unexpected, mismatched) => {
    const { load, findings } = await reportOf({ dtype: 'float32' }, modelOf(linear));
    expect(load).toMatchObject({ verdict, counts: { missing, unexpected, mismatched } });
    expect(findings.map(({ code }) => code)).toContain('quantization-config-missing');
    expect(findings.map(({ code }) => code)).not.toContain('tensor-shapes-differ');
  });

  it.each(['I8', 'U8', 'I32', 'I64', 'BOOL', 'F8_E4M3'])('of the shapes of plain ones are cast: %s', async (dtype) => {
    const plain: Linear = (o, i) => ({ weight: [dtype, o, i] });
    const { load, findings } = await reportOf({}, modelOf(plain));
    expect([load?.verdict, load?.counts.mismatched, findings]).toEqual(['loads', 0, []]);
  });

  it('of integers alone need a dtype in the config', async () => {
    const integers = Object.fromEntries(Object.entries(modelOf(plain)).map(([name, [, ...shape]]) => [name, ['I8', ...shape]]));
    const without = await reportOf({}, integers as Tensors);
    expect([without.load?.verdict, without.findings.map(({ code }) => code)]).toEqual(['fails', ['config-value-refused']]);
    expect((await reportOf({ dtype: 'float32' }, integers as Tensors)).load?.verdict).toBe('loads');
  });

  it('whose config names no method do not load', async () => {
    const { load, findings } = await reportOf({ quantization_config: { bits: 4 } }, modelOf(plain));
    expect([load?.verdict, findings.map(({ code }) => code)]).toEqual(['fails', ['quantization-method-missing']]);
  });
});

describe('weights in another form than the config asks for', () => {
  const ofThree: Linear = (o, i) => ({
    ...gptq(o, i),
    qweight: ['I32', (i * 3) / 32, o],
    qzeros: ['I32', i / 32, (o * 3) / 32],
  });
  const { g_idx: _, ...withoutOrder } = gptq(64, 64);
  const unordered: Linear = (o, i) =>
    Object.fromEntries(Object.keys(withoutOrder).map((leaf) => [leaf, gptq(o, i)[leaf]])) as Tensors;
  const half: Linear = (o, i) => ({ weight: ['U8', (o * i) / 2, 1] });
  const ofGptq = { bits: 4, group_size: 32 };

  it.each<[what: string, method: string, settings: object, linear: Linear]>([
    ['GPTQ', 'gptq', ofGptq, gptq],
    ['GPTQ of 3 bits', 'gptq', { ...ofGptq, bits: 3 }, ofThree],
    [
      'GPTQ of one group',
      'gptq',
      { bits: 4, group_size: -1 },
      (o, i) => ({ ...gptq(o, i), qzeros: ['I32', 1, o / 8], scales: ['F16', 1, o] }),
    ],
    ['AWQ', 'awq', { group_size: 32, version: 'GEMM' }, awq],
  ])('load where they are in it: %s', async (_what, method, settings, linear) => {
    const { load } = await reportOf(by(method, settings), modelOf(linear));
    expect(load).toMatchObject({ verdict: 'loads', notChecked: [], counts: { mismatched: 0, missing: 0 } });
  });

  it.each<[what: string, method: string, settings: object, linear: Linear, mismatched: number, fits: object[]]>([
    [
      'group size',
      'gptq',
      { ...ofGptq, group_size: 64 },
      gptq,
      28,
      [{ key: 'quantization_config.group_size', config: 64, tensors: 32 }],
    ],
    [
      'group size left out',
      'gptq',
      { bits: 4 },
      gptq,
      28,
      [{ key: 'quantization_config.group_size', config: null, tensors: 32 }],
    ],
    ['bits', 'gptq', { ...ofGptq, bits: 8 }, gptq, 28, [{ key: 'quantization_config.bits', config: 8, tensors: 4 }]],
    ['AWQ for GPTQ', 'gptq', ofGptq, awq, 14, []],
    ['GPTQ for AWQ', 'awq', { group_size: 32 }, gptq, 14, []],
    ['group size of AWQ', 'awq', {}, awq, 28, [{ key: 'quantization_config.group_size', config: null, tensors: 32 }]],
  ])('fail by their shapes: %s', async (_what, method, settings, linear, mismatched, fits) => {
    const { load, findings } = await reportOf(by(method, settings), modelOf(linear));
    expect(load).toMatchObject({ verdict: 'fails', fits, counts: { mismatched } });
    expect(findings.map(({ code }) => code).filter((code) => code !== 'tensors-absent').length).toBe(1);
  });

  it('are random where a tensor beside them lacks', async () => {
    const { load } = await reportOf(by('gptq', ofGptq), modelOf(unordered));
    expect(load).toMatchObject({ verdict: 'loads-with-warnings', counts: { missing: 14 } });
    expect(load?.missing).toContainEqual({ name: 'model.layers.0.mlp.down_proj.g_idx', shape: [128] });
  });

  it.each<[what: string, verdict: string, method: string, settings: object, linear: Linear]>([
    ['plain for GPTQ', 'loads-with-warnings', 'gptq', ofGptq, plain],
    ['plain for AWQ', 'loads-with-warnings', 'awq', {}, plain],
    ['bitsandbytes for GPTQ', 'loads-with-warnings', 'gptq', ofGptq, half],
    ['GPTQ for bitsandbytes', 'fails', 'bitsandbytes', { load_in_4bit: true }, gptq],
  ])('are named: %s', async (_what, verdict, method, settings, linear) => {
    const { load, findings } = await reportOf(by(method, settings), modelOf(linear));
    expect(load?.verdict).toBe(verdict);
    const found = findings.find(({ code }) => code === 'quantization-form-differs');
    expect(found?.message).toContain(`quant_method to ${method}, and 14 weights are in another form`);
  });

  it('are quantized by bitsandbytes where they are plain', async () => {
    const { load, findings } = await reportOf(by('bitsandbytes', { load_in_4bit: true }), modelOf(plain));
    expect([load?.verdict, findings]).toEqual(['loads', []]);
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
    ['loads', modelOf((o, i) => ({ weight: ['I8', o, i] }))],
    ['loads-with-warnings', modelOf(scaledFloat)],
    ['loads-with-warnings', modelOf(gptq)],
    ['fails', modelOf(nvfp4)],
  ])('of a method that is not known are taken for plain ones: %s', async (verdict, tensors) => {
    const { load, findings } = await reportOf(by('of-tomorrow'), tensors);
    expect([load?.framework, load?.verdict]).toEqual(['transformers', verdict]);
    const [unknown] = findings.filter(({ code }) => code === 'quantization-method-unknown');
    expect(unknown?.message).toContain('quant_method to of-tomorrow');
  });

  it.each<[method: unknown, advice: string]>([
    ['bitsandbytes', 'load_in_4bit'],
    ['GPTQ', 'remove the quantization_config'],
    [5, 'remove the quantization_config'],
  ])('of a method that transformers skips load as plain ones: %s', async (method, advice) => {
    const { load, findings } = await reportOf({ quantization_config: { quant_method: method } }, modelOf(plain));
    expect([load?.verdict, findings.map(({ code }) => code)]).toEqual(['loads', ['quantization-method-unknown']]);
    expect(findings[0]?.advice).toContain(advice);
  });
});

describe('settings of quantization that transformers refuses', () => {
  const bits = { quant_method: 'bitsandbytes', load_in_4bit: true };
  const packed = { quant_method: 'gptq', bits: 4 };
  it.each<[key: string, settings: unknown]>([
    ...[5, 0, [], [packed], '', 'gptq', true, false].map((value): [string, unknown] => ['', value]),
    ['.quant_method', { quant_method: ['gptq'] }],
    ['.quant_method', { quant_method: 'nvfp4' }],
    ['.llm_int8_skip_modules', { ...bits, llm_int8_skip_modules: 'null' }],
    ['.llm_int8_skip_modules', { ...bits, llm_int8_skip_modules: [5] }],
    ['.llm_int8_threshold', { ...bits, llm_int8_threshold: '6.0' }],
    ['.load_in_4bit', { quant_method: 'bitsandbytes', load_in_4bit: 'true' }],
    ['.load_in_8bit', { ...bits, load_in_8bit: true }],
    ['.bnb_4bit_compute_dtype', { ...bits, bnb_4bit_compute_dtype: 'torch.float16' }],
    ['.bnb_4bit_quant_storage', { ...bits, bnb_4bit_quant_storage: 'int4' }],
    ['.bits', { quant_method: 'gptq' }],
    ['.bits', { ...packed, bits: '4' }],
    ['.group_size', { ...packed, group_size: 0 }],
    ['.damp_percent', { ...packed, damp_percent: 1 }],
    ['.version', { quant_method: 'awq', version: 'gemmm' }],
    ['.format', { quant_method: 'awq', format: 'x' }],
    ['.backend', { quant_method: 'awq', backend: null }],
  ])('%s of %j', async (key, settings) => {
    const { load, findings } = await reportOf({ quantization_config: settings }, modelOf(plain));
    expect(load?.verdict).toBe('fails');
    expect(load?.why).toContain(`config.json sets quantization_config${key} to `);
    expect(findings.map(({ code }) => code)).toEqual(['config-value-refused']);
  });

  it.each<[settings: unknown]>([
    [null],
    [{ ...bits, llm_int8_skip_modules: null, llm_int8_threshold: 6, bnb_4bit_compute_dtype: 'bfloat16' }],
    [{ quant_method: 'bitsandbytes_4bit' }],
  ])('and those that it takes: %j', async (settings) => {
    const { load, findings } = await reportOf({ quantization_config: settings }, modelOf(plain));
    expect([load?.verdict, findings]).toEqual(['loads', []]);
  });
});
