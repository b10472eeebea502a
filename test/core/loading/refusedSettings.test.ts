/** Settings with which transformers 5.24 makes no model, as `from_pretrained` answered for each; and configs that are not read at all. */
import { describe, expect, it } from 'vitest';
import { refusedSetting } from '../../../src/core/loading/refusedSettings.js';
import { utf8 } from '../../builders/byteWriter.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';
import { inspectFiles } from '../../builders/torchDirectory.js';
import { inspectModel, tinyBert, tinyGpt2, tinyLlama, type TinyModel } from '../../builders/tinyModels.js';

const models: Readonly<Record<string, TinyModel>> = { llama: tinyLlama, bert: tinyBert, gpt2: tinyGpt2 };

const loadOf = async (name: string, settings: object): ReturnType<typeof inspectModel> => {
  const { config, tensors } = models[name] as TinyModel;
  return inspectModel({ ...config, ...settings }, tensors);
};

describe('a setting that transformers refuses', () => {
  it.each([
    ['llama', { num_hidden_layers: '1' }, 'num_hidden_layers to the text “1”, where a whole number is needed'],
    ['llama', { num_hidden_layers: 1.5 }, 'num_hidden_layers to 1.5, where a whole number is needed'],
    ['llama', { hidden_size: null }, 'hidden_size to null, where a whole number is needed'],
    ['llama', { hidden_size: { a: 1 } }, 'hidden_size to {a: 1}, where a whole number is needed'],
    ['llama', { vocab_size: [20] }, 'vocab_size to a list, where a whole number is needed'],
    ['llama', { vocab_size: true }, 'vocab_size to true, where a whole number is needed'],
    ['llama', { vocab_size: -1 }, 'vocab_size to -1, where greater than 0 is needed'],
    ['llama', { intermediate_size: 0 }, 'intermediate_size to 0, where greater than 0 is needed'],
    ['llama', { num_key_value_heads: 0 }, 'num_key_value_heads to 0, where greater than 0 is needed'],
    ['llama', { num_attention_heads: 0 }, 'num_attention_heads to 0, where greater than 0 is needed'],
    ['llama', { attention_bias: 'false' }, 'attention_bias to the text “false”, where a boolean is needed'],
    ['llama', { tie_word_embeddings: 1 }, 'tie_word_embeddings to 1, where a boolean is needed'],
    ['llama', { tie_word_embeddings: null }, 'tie_word_embeddings to null, where a boolean is needed'],
    ['bert', { tie_word_embeddings: null }, 'tie_word_embeddings to null, where a boolean is needed'],
    ['llama', { initializer_range: null }, 'initializer_range to null or NaN, where a number from 0 to 1 is needed'],
    ['llama', { initializer_range: 2 }, 'initializer_range to 2, where a number from 0 to 1 is needed'],
    [
      'llama',
      { attn_implementation: 'flash_attention_9' },
      'attn_implementation to the text “flash_attention_9”, where an attention that transformers has is needed',
    ],
    ['llama', { text_config: 5 }, 'text_config to 5, where an object is needed'],
    ['llama', { model_type: ['llama'] }, 'model_type to a list, where the name of a model is needed'],
    ['llama', { model_type: 5 }, 'model_type to 5, where the name of a model is needed'],
    ['bert', { num_attention_heads: 3 }, 'num_attention_heads to 3, where a divisor of the width 16 is needed'],
    ['bert', { num_attention_heads: '4' }, 'num_attention_heads to the text “4”, where a whole number is needed'],
    ['bert', { hidden_size: 1e9 }, 'hidden_size to 1,000,000,000, where at most 100,000,000 is needed'],
    ['bert', { num_labels: 0 }, 'num_labels to 0, where greater than 0 is needed'],
    ['bert', { id2label: ['a', 'b'] }, 'id2label to a list, where an object is needed'],
    ['gpt2', { n_head: 1e9 }, 'n_head to 1,000,000,000, where a divisor of the width 16 is needed'],
  ])('%s, %j', async (name, settings, words) => {
    const { load, findings } = await loadOf(name, settings);
    expect([load?.verdict, load?.why]).toEqual(['fails', `config.json sets ${words}.`]);
    expect(findings.map(({ code }) => code)).toContain('config-value-refused');
  });
});

describe('a whole number that is written as a floating-point one', () => {
  const { config, tensors } = tinyLlama;
  const shapes = Object.entries(tensors).map(([name, shape]) => [name, { dtype: 'F32', shape }] as const);
  const withNumber = async (key: string, written: string): ReturnType<typeof inspectModel> =>
    inspectFiles({
      'config.json': utf8(JSON.stringify({ ...config, [key]: '-' }, null, 1).replace('"-"', written)),
      'model.safetensors': buildSafetensors({ metadata: { format: 'pt' }, tensors: Object.fromEntries(shapes) }),
    });

  it.each(['1.0', '1e0', '1.00'])('is refused for a count: %s', async (written) => {
    const { load } = await withNumber('num_hidden_layers', written);
    expect([load?.verdict, load?.why]).toEqual([
      'fails',
      `config.json sets num_hidden_layers to ${written}, where a whole number is needed.`,
    ]);
  });

  it('is taken where a float is', async () => {
    expect((await withNumber('attention_dropout', '0.0')).load?.verdict).toBe('loads');
    expect((await withNumber('num_hidden_layers', '1')).load?.verdict).toBe('loads');
  });
});

describe('a config without model_type', () => {
  const untyped = ({ model_type: _, ...config }: Readonly<Record<string, unknown>>): Record<string, unknown> => config;

  it.each(Object.entries(models))('is loaded by the class that it names: %s', async (_, { config, tensors }) => {
    for (const settings of [untyped(config), { ...config, model_type: null }]) {
      const { load, findings } = await inspectModel(settings, tensors);
      expect(load).toMatchObject({ verdict: 'loads-with-warnings', counts: { missing: 0, unexpected: 0 } });
      expect(load?.why).toContain('no model_type');
      expect(findings.map(({ code }) => code)).toContain('model-type-missing');
    }
  });

  it('and without a class fails where transformers saved it', async () => {
    const { architectures: _, ...config } = untyped(tinyLlama.config);
    expect((await inspectModel({ ...config, transformers_version: '5.24.0' }, tinyLlama.tensors)).load?.verdict).toBe('fails');
    expect((await inspectModel(config, tinyLlama.tensors)).load?.verdict).toBe('unknown');
    const coded = { ...config, transformers_version: '5.24.0', auto_map: { AutoConfig: 'configuration.Config' } };
    expect((await inspectModel(coded, tinyLlama.tensors)).load?.verdict).toBe('unknown');
  });
});

describe('a setting of which it depends on the class', () => {
  it.each([
    ['llama', { num_hidden_layers: -1 }, 'num_hidden_layers to -1, where greater than 0 is needed'],
    ['gpt2', { n_layer: 1e9 }, 'n_layer to 1,000,000,000, where at most 10,000 is needed'],
    ['bert', { num_attention_heads: -1 }, 'num_attention_heads to -1, where greater than 0 is needed'],
    ['bert', { vocab_size: null }, 'vocab_size to null, where a whole number is needed'],
  ])('is named: %s, %j', async (name, settings, words) => {
    const { load, findings } = await loadOf(name, settings);
    expect([load?.verdict, load?.why]).toEqual(['unknown', `config.json sets ${words}.`]);
    expect(findings.map(({ code }) => code)).not.toContain('config-value-refused');
  });

  it('is not named where the class does not read it', async () => {
    for (const settings of [{ attention_bias: 'false' }, { n_layer: '1' }, { initializer_range: 2 }])
      expect((await loadOf('bert', settings)).load?.verdict).toBe('loads');
    const coded = { num_hidden_layers: '1', auto_map: { AutoModel: 'modeling.Model' } };
    expect((await loadOf('bert', coded)).load?.verdict).toBe('loads');
  });
});

const full = 'full_attention';

describe('a setting that decides of no tensor', () => {
  it.each([
    ['llama', { max_position_embeddings: '128' }, 'max_position_embeddings to the text “128”, where a whole number'],
    ['llama', { rms_norm_eps: '1e-5' }, 'rms_norm_eps to the text “1e-5”, where a number'],
    ['llama', { use_cache: 'true' }, 'use_cache to the text “true”, where a boolean'],
    ['bert', { eos_token_id: '2' }, 'eos_token_id to the text “2”, where a whole number or a list of them'],
    ['llama', { hidden_act: 'swiglu_x' }, 'hidden_act to the text “swiglu_x”, where a function that transformers has'],
    ['bert', { dtype: 'bf16' }, 'dtype to the text “bf16”, where a floating-point type of torch'],
    ['llama', { pad_token_id: -21 }, 'pad_token_id to -21, where at least -20 (vocab_size)'],
    ['bert', { pad_token_id: -99 }, 'pad_token_id to -99, where at least -20 (vocab_size)'],
    ['llama', { text_config: { hidden_size: 8 } }, 'text_config to an object, where a config without it'],
    ['llama', { text_config: {} }, 'text_config to an object, where a config without it'],
    ['llama', { decoder: 'x' }, 'decoder to the text “x”, where a config without it'],
    ['gpt2', { torch_dtype: 'float8_e4m3fn' }, 'torch_dtype to the text “float8_e4m3fn”, where a floating-point type of torch'],
  ])('is refused: %s, %j', async (name, settings, words) => {
    const { load } = await loadOf(name, settings);
    expect([load?.verdict, load?.why]).toEqual(['fails', `config.json sets ${words} is needed.`]);
  });

  it.each([
    ['bert', { rms_norm_eps: '1e-5' }],
    ['llama', { pad_token_id: -20 }],
    ['gpt2', { pad_token_id: -99 }],
    ['bert', { text_config: { hidden_size: 8 } }],
    ['llama', { text_config: null, vision_config: { hidden_size: 8 } }],
    ['llama', { rms_norm_eps: 1, eos_token_id: [2, 3], use_cache: false, hidden_act: 'silu' }],
    ['llama', { dtype: 'half', torch_dtype: 'bf16' }],
    ['gpt2', { activation_function: 'gelu_new', torch_dtype: null }],
  ])('is taken: %s, %j', async (name, settings) => {
    expect((await loadOf(name, settings)).load?.verdict).toBe('loads');
  });
});

describe('kinds of layers', () => {
  it.each([
    [[], 'layer_types to a list of 0, where one of 1 (num_hidden_layers) is needed'],
    [[full, full], 'layer_types to a list of 2, where one of 1 (num_hidden_layers) is needed'],
    [['foo'], 'layer_types to the text “foo”, where a kind of layer that transformers has is needed'],
    [[3], 'layer_types to 3, where a kind of layer that transformers has is needed'],
  ])('%j fail', async (listed, words) => {
    const { load } = await loadOf('llama', { layer_types: listed });
    expect([load?.verdict, load?.why]).toEqual(['fails', `config.json sets ${words}.`]);
    const text = { model_type: 'qwen3_vl_text', num_hidden_layers: 1, layer_types: listed };
    expect(refusedSetting({ model_type: 'qwen3_vl', text_config: text })?.key).toBe('text_config.layer_types');
  });

  it('of as many layers load', async () => {
    for (const listed of [[full], ['sliding_attention'], null])
      expect((await loadOf('llama', { layer_types: listed })).load?.verdict).toBe('loads');
  });

  it('are cut with the number of layers', async () => {
    const { load } = await loadOf('llama', { num_hidden_layers: 2, layer_types: [full, full] });
    expect(load?.why).toContain('num_hidden_layers of 1 in place of 2 would fit, with as many in layer_types.');
  });
});

describe('rotary positions', () => {
  it.each([
    [
      'rope_parameters',
      { rope_type: 'llama3', factor: 8 },
      'rope_parameters to the kind llama3 without low_freq_factor, where that key',
    ],
    ['rope_scaling', { type: 'yarn' }, 'rope_scaling to the kind yarn without factor, where that key'],
    [
      'rope_scaling',
      { type: 'longrope', short_factor: [1] },
      'rope_scaling to the kind longrope without long_factor, where that key',
    ],
    [
      'rope_parameters',
      { rope_type: 'foo', factor: 8 },
      'rope_parameters.rope_type to the text “foo”, where a kind that transformers has',
    ],
    ['rope_scaling', { type: 'su' }, 'rope_scaling.type to the text “su”, where a kind that transformers has'],
    ['rope_scaling', { rope_type: null }, 'rope_scaling.rope_type to null, where a kind that transformers has'],
    ['rope_scaling', { type: null }, 'rope_scaling.type to null, where a kind that transformers has'],
    [
      'rope_parameters',
      { rope_type: null, type: 'linear', factor: 2 },
      'rope_parameters.rope_type to null, where a kind that transformers has',
    ],
    ['rope_scaling', 'x', 'rope_scaling to the text “x”, where an object'],
    ['rope_scaling', 5, 'rope_scaling to 5, where an object'],
    ['rope_scaling', [1], 'rope_scaling to a list, where an object'],
    ['rope_parameters', 'x', 'rope_parameters to the text “x”, where an object'],
    ['rope_parameters', [], 'rope_parameters to a list, where an object'],
    ['rope_parameters', { rope_type: 'linear', factor: '2' }, 'rope_parameters.factor to the text “2”, where a number'],
  ])('%s of %j fail', async (key, settings, words) => {
    const { load } = await loadOf('llama', { [key]: settings });
    expect([load?.verdict, load?.why]).toEqual(['fails', `config.json sets ${words} is needed.`]);
  });

  it.each([
    ['llama', { rope_scaling: { type: 'linear', factor: 2 } }],
    ['llama', { rope_scaling: { type: 'dynamic', factor: 2 } }],
    ['llama', { rope_scaling: { type: 'yarn', factor: 2 } }],
    ['llama', { rope_scaling: {}, rope_parameters: { rope_theta: 10000 } }],
    ['llama', { rope_scaling: null, rope_parameters: null }],
    ['llama', { rope_scaling: '', rope_parameters: {} }],
    ['llama', { rope_scaling: false }],
    ['llama', { rope_scaling: [] }],
    ['llama', { rope_scaling: { rope_type: 'linear', type: null, factor: 2 } }],
    ['llama', { rope_parameters: { full_attention: { rope_type: 'default' }, sliding_attention: null } }],
    ['bert', { rope_scaling: { type: 'foo' } }],
  ])('that are all there load: %s, %j', async (name, settings) => {
    expect((await loadOf(name, settings)).load?.verdict).toBe('loads');
  });
});

describe('a setting that the class of a type has itself', () => {
  it.each([
    ['clap_audio_model', { num_attention_heads: [4, 8] }],
    ['cvt', { num_heads: [1, 3], depth: [1, 2], qkv_bias: [true, true] }],
    ['dinat', { num_heads: [2, 4] }],
    ['ernie4_5_vl_moe_text', { moe_intermediate_size: [1536, 512] }],
    ['florence_vision', { num_heads: [4, 8] }],
    ['glm5_next_text', { head_dim: 0 }],
    ['glpn', { num_attention_heads: [1, 2] }],
    ['hiera', { num_heads: [1, 2] }],
    ['levit', { num_attention_heads: [4, 8] }],
    ['lxmert', { num_hidden_layers: { vision: 5, language: 9 } }],
    ['maskformer-swin', { num_heads: [3, 6] }],
    ['pvt', { num_attention_heads: [1, 2] }],
    ['pvt_v2', { num_attention_heads: [1, 2] }],
    ['segformer', { num_attention_heads: [1, 2] }],
    ['swin2sr', { num_heads: [6, 6] }],
    ['beam', { hidden_size: 5120, num_attention_heads: 48 }],
  ])('is none that it refuses: %s, %j', (modelType, settings) => {
    expect(refusedSetting({ model_type: modelType, hidden_size: 64, ...settings })).toBeUndefined();
  });

  it('stays so within another config', () => {
    const backbone = { model_type: 'swin', num_heads: [3, 6], hidden_size: 64 };
    expect(refusedSetting({ model_type: 'upernet', backbone_config: backbone })).toBeUndefined();
  });
});

describe('a config that is not read', () => {
  it('has too many values, or too many levels', async () => {
    const many = Array.from({ length: 100_001 }, () => 0);
    expect((await loadOf('llama', { many })).load?.why).toBe('config.json has more than 100,000 values.');
    let deep: unknown = 0;
    for (let level = 0; level < 20; level++) deep = { deep };
    expect((await loadOf('llama', { deep })).load?.why).toBe('config.json has more than 16 levels.');
  });
});

describe('DeBERTa without distances', () => {
  it('has the norm of their embedding', async () => {
    const config = { ...tinyBert.config, model_type: 'deberta-v2', architectures: ['DebertaV2Model'], type_vocab_size: 0 };
    const missing = async (settings: object): Promise<boolean | undefined> => {
      const { load } = await inspectModel({ ...config, ...settings }, tinyBert.tensors);
      return load?.missing.some(({ name }) => name === 'encoder.LayerNorm.weight');
    };
    expect(await missing({ norm_rel_ebd: 'none|layer_norm' })).toBe(true);
    expect(await missing({ norm_rel_ebd: 'none' })).toBe(false);
  });
});
