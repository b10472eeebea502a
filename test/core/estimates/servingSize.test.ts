/** What serving takes, against values worked out from the published sizes, and DeepSeek-V3's own 70 kB a token. */
import { describe, expect, it } from 'vitest';
import { estimateText, llamaConfig } from '../../builders/estimateText.js';
import { renderEstimateTerminal } from '../../../src/core/pages/estimate/estimateTerminal.js';

const servingOf = async (text: string) => (await estimateText('config.json', text)).report.serving;
const context = { torch_dtype: 'bfloat16', max_position_embeddings: 8192 };

describe('the cache of keys and values', () => {
  it('has the groups of grouped queries', async () => {
    // 32 layers, keys and values of 8 groups of 128 numbers, 2 bytes each.
    const bytesPerToken = 32 * 2 * 8 * 128 * 2;
    expect(await servingOf(llamaConfig(context))).toEqual({
      weights: { bytes: 2 * 8_030_261_248, as: 'bf16', basis: 'model' },
      cache: {
        attention: 'grouped',
        dtype: 'bf16',
        fullLayers: 32,
        windowLayers: 0,
        windowTokens: null,
        stateLayers: 0,
        copies: 1,
        bytesPerToken,
        contextTokens: 8192,
        contextBasis: 'model',
        bytes: 8192 * bytesPerToken,
      },
      sequences: null,
      cacheBytes: null,
    });
  });

  it('is what latent attention makes keys and values of', async () => {
    const { cache } = (await servingOf(
      JSON.stringify({
        model_type: 'deepseek_v3',
        architectures: ['DeepseekV3ForCausalLM'],
        num_hidden_layers: 61,
        max_position_embeddings: 163_840,
        torch_dtype: 'bfloat16',
        quantization_config: { quant_method: 'fp8', weight_block_size: [128, 128] },
      }),
    )) ?? { cache: null };
    // arXiv 2412.19437: a rank of 512 and 64 rotary numbers.
    expect(cache).toMatchObject({ attention: 'latent', dtype: 'bf16', bytesPerToken: 61 * (512 + 64) * 2 });
  });

  it('ends at the window of layers that have one', async () => {
    const mistral = llamaConfig({
      ...context,
      model_type: 'mistral',
      architectures: ['MistralForCausalLM'],
      sliding_window: 4096,
    });
    const each = 2 * 8 * 128 * 2;
    expect((await servingOf(mistral))?.cache).toMatchObject({
      fullLayers: 0,
      windowLayers: 32,
      windowTokens: 4096,
      bytes: 32 * each * 4096,
    });
    const qwen = llamaConfig({
      ...context,
      model_type: 'qwen2',
      architectures: ['Qwen2ForCausalLM'],
      sliding_window: 4096,
      use_sliding_window: false,
    });
    expect((await servingOf(qwen))?.cache).toMatchObject({ fullLayers: 32, windowLayers: 0, bytes: 32 * each * 8192 });
    const listed = llamaConfig({
      ...context,
      model_type: 'qwen3',
      architectures: ['Qwen3ForCausalLM'],
      sliding_window: 1024,
      layer_types: ['sliding_attention', 'sliding_attention', 'full_attention', 'linear_attention'],
    });
    expect((await servingOf(listed))?.cache).toMatchObject({
      fullLayers: 8,
      windowLayers: 16,
      bytes: each * (8 * 8192 + 16 * 1024),
    });
  });

  it.each([
    ['every fourth layer of Qwen3-Next', { model_type: 'qwen3_next', full_attention_interval: 4, num_hidden_layers: 48 }, 12],
    ['every fourth layer by the class', { model_type: 'qwen3_next', num_hidden_layers: 48 }, 12],
    [
      'the marked layers of MiniMax-Text-01',
      { model_type: 'minimax_text_01', attn_type_list: [0, 0, 0, 1], num_hidden_layers: 32 },
      8,
    ],
  ])('is that of the layers with attention: %s', async (_name, values, fullLayers) => {
    const config = llamaConfig({ ...context, ...values, head_dim: 128 });
    expect((await servingOf(config))?.cache).toMatchObject({ fullLayers, windowLayers: 0 });
  });

  it('has none of layers that read what earlier ones keep', async () => {
    const config = llamaConfig({
      ...context,
      model_type: 'gemma3n_text',
      architectures: ['Gemma3nForCausalLM'],
      num_hidden_layers: 30,
      num_kv_shared_layers: 10,
      num_key_value_heads: 2,
      head_dim: 256,
      sliding_window: 512,
    });
    const { cache } = (await servingOf(config)) ?? { cache: null };
    expect(cache).toMatchObject({ fullLayers: 4, windowLayers: 16, bytesPerToken: 20 * 2 * 2 * 256 * 2 });
  });

  it.each([
    [
      'a state space alone',
      { model_type: 'mamba2', architectures: ['Mamba2ForCausalLM'], state_size: 128, num_heads: 128, head_dim: 64 },
    ],
    [
      'an encoder with a decoder',
      { model_type: 't5', architectures: ['T5ForConditionalGeneration'], d_kv: 64, num_heads: 6, d_model: 512, num_layers: 8 },
    ],
  ])('is not told of %s', async (_name, values) => {
    expect((await servingOf(JSON.stringify({ ...context, ...values })))?.cache ?? null).toBeNull();
  });

  it.each([
    // The last of each so many layers keeps all tokens.
    ['gemma2', {}, 16, 16],
    ['gemma3_text', {}, 5, 27],
    ['gemma3_text', { sliding_window_pattern: 4 }, 8, 24],
    ['gpt_oss', {}, 16, 16],
    ['qwen2', { use_sliding_window: true, max_window_layers: 20 }, 20, 12],
  ])('has the windows of %s with %o', async (type, change, fullLayers, windowLayers) => {
    const config = llamaConfig({
      ...context,
      model_type: type,
      architectures: ['AForCausalLM'],
      sliding_window: 1024,
      ...change,
    });
    expect((await servingOf(config))?.cache).toMatchObject({ fullLayers, windowLayers, windowTokens: 1024 });
  });

  it.each([
    ['windows of which layers is not known', { ...JSON.parse(llamaConfig(context)), sliding_window: 1024 }],
    ['an encoder', { model_type: 'bert', architectures: ['BertForMaskedLM'], hidden_size: 64 }],
    [
      'an encoder and a decoder',
      { model_type: 't5', architectures: ['T5ForConditionalGeneration'], is_encoder_decoder: true, d_model: 64 },
    ],
    [
      'layers that share their weights',
      { model_type: 'zamba2', architectures: ['Zamba2ForCausalLM'], hidden_size: 2560, num_hidden_layers: 54 },
    ],
    ['absurdly many layers', { ...JSON.parse(llamaConfig(context)), num_hidden_layers: 1e9, layer_types: ['full_attention'] }],
  ])('is not told for %s', async (_, config) => {
    expect((await servingOf(JSON.stringify(config)))?.cache ?? null).toBeNull();
  });

  it('is in the card of a model, and not in that of a run', async () => {
    const { report } = await estimateText('config.json', llamaConfig(context));
    expect(renderEstimateTerminal(report, { width: 100, color: false })).toContain(
      'Serving takes 16.1 GB of weights (bf16) and 131 kB of cache (bf16) for each token of each sequence: 17.1 GB with one of 8,192 tokens',
    );
    const run = await estimateText('ds.json', '{"zero_optimization": {"stage": 2}, "train_batch_size": 8}');
    expect(run.report.serving).toBeNull();
  });
});

it.each([
  // Rows of k_proj and v_proj of transformers' own classes with their defaults, on the meta device.
  ['jamba', 'JambaForCausalLM', {}, 16_384, 4, 28],
  ['bamba', 'BambaForCausalLM', { attn_layer_indices: [9, 18, 27] }, 12_288, 3, 29],
  ['falcon_h1', 'FalconH1ForCausalLM', {}, 131_072, 32, 0],
])(
  'the cache of %s is that of its layers with attention',
  async (type, architecture, keys, bytesPerToken, fullLayers, stateLayers) => {
    const text = JSON.stringify({
      model_type: type,
      architectures: [architecture],
      dtype: 'bfloat16',
      hidden_size: 4096,
      num_hidden_layers: 32,
      ...keys,
    });
    expect((await servingOf(text))?.cache).toMatchObject({ bytesPerToken, fullLayers, stateLayers });
  },
);

describe('the cache of families whose heads are their own', () => {
  const config = (modelType: string, architecture: string, keys: object = {}) =>
    servingOf(
      JSON.stringify({ model_type: modelType, architectures: [architecture], dtype: 'bfloat16', vocab_size: 1000, ...keys }),
    );

  // As transformers 5.9 keeps them for its default config of each class, in numbers of a token.
  it.each([
    ['jetmoe', 'JetMoeForCausalLM', {}, 49_152],
    ['jetmoe', 'JetMoeForCausalLM', { kv_channels: 24 }, 9216],
    ['longcat_flash', 'LongcatFlashForCausalLM', {}, 32_256],
    ['dbrx', 'DbrxForCausalLM', { attn_config: { kv_n_heads: 8 } }, 24 * 2 * 8 * 128],
    ['mimo_v2_flash', 'MiMoV2FlashForCausalLM', { layer_types: mimoLayers() }, 111_360],
    ['gemma4_text', 'Gemma4ForCausalLM', { layer_types: gemmaLayers() }, 71_680],
    ['gemma4_text', 'Gemma4ForCausalLM', { layer_types: gemmaLayers(), per_layer_config: { '05': { head_dim: 128 } } }, 56_320],
    [
      'gemma4_text',
      'Gemma4ForCausalLM',
      { layer_types: gemmaLayers(), attention_k_eq_v: true, num_global_key_value_heads: 2 },
      61_440,
    ],
    ['mllama', 'MllamaForConditionalGeneration', { text_config: mllamaText }, 65_536],
    // With the keys of the index of each layer.
    ['deepseek_v32', 'DeepseekV32ForCausalLM', {}, 42_944],
    ['glm_moe_dsa', 'GlmMoeDsaForCausalLM', {}, 54_912],
  ])('is that of the class of %s', async (modelType, architecture, keys, values) => {
    expect((await config(modelType, architecture, keys))?.cache).toMatchObject({ bytesPerToken: 2 * values });
  });

  it.each([
    ['xlstm', 'xLSTMForCausalLM'],
    ['dory', 'DoryForCausalLM'],
    ['openai-gpt', 'OpenAIGPTLMHeadModel'],
    ['xlnet', 'XLNetLMHeadModel'],
  ])('is not said of %s, which has none or passes layers several times', async (modelType, architecture) => {
    expect((await config(modelType, architecture))?.cache).toBeNull();
  });

  it('is not said where a list has layers of another kind', async () => {
    const layer_types = Array.from({ length: 32 }, (_, layer) => (layer % 2 === 0 ? 'full_attention' : 'of_another_kind'));
    expect((await servingOf(llamaConfig({ ...context, layer_types })))?.cache).toBeNull();
  });
});

const mllamaText = {
  model_type: 'mllama_text_model',
  hidden_size: 4096,
  num_hidden_layers: 40,
  num_attention_heads: 32,
  num_key_value_heads: 8,
  cross_attention_layers: [3, 8, 13, 18, 23, 28, 33, 38],
};

function mimoLayers(): string[] {
  return Array.from({ length: 48 }, (_, layer) =>
    layer === 0 || (layer + 1) % 6 === 0 ? 'full_attention' : 'sliding_attention',
  );
}

function gemmaLayers(): string[] {
  return Array.from({ length: 30 }, (_, layer) => ((layer + 1) % 6 === 0 ? 'full_attention' : 'sliding_attention'));
}
