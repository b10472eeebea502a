import type { PublishedConfig, PublishedTable } from './publishedConfig.js';

function gpt2(hidden: number, layers: number, heads: number): PublishedConfig {
  return { model_type: 'gpt2', vocab_size: 50_257, n_positions: 1024, n_embd: hidden, n_layer: layers, n_head: heads };
}

function neox(hidden: number, layers: number, heads: number, vocabulary = 50_304): PublishedConfig {
  return {
    model_type: 'gpt_neox',
    vocab_size: vocabulary,
    hidden_size: hidden,
    num_hidden_layers: layers,
    num_attention_heads: heads,
    intermediate_size: 4 * hidden,
    tie_word_embeddings: false,
  };
}

function neo(hidden: number, layers: number, heads: number): PublishedConfig {
  return {
    model_type: 'gpt_neo',
    vocab_size: 50_257,
    hidden_size: hidden,
    num_layers: layers,
    num_heads: heads,
    max_position_embeddings: 2048,
  };
}

function opt(hidden: number, layers: number, heads: number, rest: PublishedConfig = {}): PublishedConfig {
  return {
    model_type: 'opt',
    vocab_size: 50_272,
    hidden_size: hidden,
    num_hidden_layers: layers,
    num_attention_heads: heads,
    ffn_dim: 4 * hidden,
    max_position_embeddings: 2048,
    word_embed_proj_dim: hidden,
    ...rest,
  };
}

function bloom(hidden: number, layers: number, heads: number): PublishedConfig {
  return { model_type: 'bloom', vocab_size: 250_880, hidden_size: hidden, n_layer: layers, n_head: heads };
}

function mamba(hidden: number, layers: number): PublishedConfig {
  return {
    model_type: 'mamba',
    vocab_size: 50_280,
    hidden_size: hidden,
    num_hidden_layers: layers,
    intermediate_size: 2 * hidden,
    state_size: 16,
    conv_kernel: 4,
    time_step_rank: Math.ceil(hidden / 16),
    use_bias: false,
    use_conv_bias: true,
    tie_word_embeddings: true,
  };
}

function mpt(hidden: number, layers: number, heads: number): PublishedConfig {
  return {
    model_type: 'mpt',
    vocab_size: 50_432,
    d_model: hidden,
    n_layers: layers,
    n_heads: heads,
    expansion_ratio: 4,
    no_bias: true,
  };
}

const starcoder: PublishedConfig = {
  model_type: 'gpt_bigcode',
  vocab_size: 49_152,
  n_positions: 8192,
  n_embd: 6144,
  n_layer: 40,
  n_head: 48,
  n_inner: 24_576,
  multi_query: true,
};

const phi: PublishedConfig = { model_type: 'phi', vocab_size: 51_200, num_attention_heads: 32, tie_word_embeddings: false };

/** Decoders and state-space models whose configs have words of their own. */
export const olderModels: PublishedTable = [
  ['openai-community/gpt2', gpt2(768, 12, 12)],
  ['openai-community/gpt2-medium', gpt2(1024, 24, 16)],
  ['openai-community/gpt2-large', gpt2(1280, 36, 20)],
  ['openai-community/gpt2-xl', gpt2(1600, 48, 25)],
  ['distilbert/distilgpt2', gpt2(768, 6, 12)],
  ['EleutherAI/gpt-neo-125m', neo(768, 12, 12)],
  ['EleutherAI/gpt-neo-1.3B', neo(2048, 24, 16)],
  ['EleutherAI/gpt-neo-2.7B', neo(2560, 32, 20)],
  [
    'EleutherAI/gpt-j-6b',
    {
      model_type: 'gptj',
      vocab_size: 50_400,
      n_embd: 4096,
      n_layer: 28,
      n_head: 16,
      n_positions: 2048,
      tie_word_embeddings: false,
    },
  ],
  ['EleutherAI/gpt-neox-20b', neox(6144, 44, 64, 50_432)],
  ['EleutherAI/pythia-14m', neox(128, 6, 4)],
  ['EleutherAI/pythia-31m', neox(256, 6, 8)],
  ['EleutherAI/pythia-70m', neox(512, 6, 8)],
  ['EleutherAI/pythia-160m', neox(768, 12, 12)],
  ['EleutherAI/pythia-410m', neox(1024, 24, 16)],
  ['EleutherAI/pythia-1b', neox(2048, 16, 8)],
  ['EleutherAI/pythia-1.4b', neox(2048, 24, 16)],
  ['EleutherAI/pythia-2.8b', neox(2560, 32, 32)],
  ['EleutherAI/pythia-6.9b', neox(4096, 32, 32, 50_432)],
  ['EleutherAI/pythia-12b', neox(5120, 36, 40, 50_688)],
  // litgpt/config.py; rows are padded to multiples of 512 and 256.
  ['stabilityai/stablelm-base-alpha-3b', neox(4096, 16, 32, 50_688)],
  ['stabilityai/stablelm-base-alpha-7b', neox(6144, 16, 48, 50_432)],
  ['facebook/opt-125m', opt(768, 12, 12)],
  ['facebook/opt-350m', opt(1024, 24, 16, { word_embed_proj_dim: 512, do_layer_norm_before: false })],
  ['facebook/opt-1.3b', opt(2048, 24, 32)],
  ['facebook/opt-2.7b', opt(2560, 32, 32)],
  ['facebook/opt-6.7b', opt(4096, 32, 32)],
  ['facebook/opt-13b', opt(5120, 40, 40)],
  ['facebook/opt-30b', opt(7168, 48, 56)],
  ['facebook/opt-66b', opt(9216, 64, 72)],
  ['facebook/opt-175b', opt(12_288, 96, 96)],
  ['bigscience/bloom-560m', bloom(1024, 24, 16)],
  ['bigscience/bloom-1b1', bloom(1536, 24, 16)],
  ['bigscience/bloom-1b7', bloom(2048, 24, 16)],
  ['bigscience/bloom-3b', bloom(2560, 30, 32)],
  ['bigscience/bloom-7b1', bloom(4096, 30, 32)],
  ['bigscience/bloom', bloom(14_336, 70, 112)],
  [
    'tiiuae/falcon-7b',
    {
      model_type: 'falcon',
      vocab_size: 65_024,
      hidden_size: 4544,
      num_hidden_layers: 32,
      num_attention_heads: 71,
      multi_query: true,
      parallel_attn: true,
      bias: false,
    },
  ],
  [
    'tiiuae/falcon-40b',
    {
      model_type: 'falcon',
      vocab_size: 65_024,
      hidden_size: 8192,
      num_hidden_layers: 60,
      num_attention_heads: 128,
      num_kv_heads: 8,
      new_decoder_architecture: true,
      bias: false,
    },
  ],
  [
    'tiiuae/falcon-180B',
    {
      model_type: 'falcon',
      vocab_size: 65_024,
      hidden_size: 14_848,
      num_hidden_layers: 80,
      num_attention_heads: 232,
      num_kv_heads: 8,
      new_decoder_architecture: true,
      bias: false,
    },
  ],
  // NeMo, nemo/collections/llm/gpt/model/starcoder.py; arXiv 2305.06161.
  ['bigcode/starcoder', starcoder],
  ['bigcode/starcoderbase', starcoder],
  ['mosaicml/mpt-7b', mpt(4096, 32, 32)],
  ['mosaicml/mpt-30b', mpt(7168, 48, 64)],
  ['microsoft/phi-1', { ...phi, hidden_size: 2048, num_hidden_layers: 24, intermediate_size: 8192 }],
  ['microsoft/phi-1_5', { ...phi, hidden_size: 2048, num_hidden_layers: 24, intermediate_size: 8192 }],
  ['microsoft/phi-2', { ...phi, hidden_size: 2560, num_hidden_layers: 32, intermediate_size: 10_240 }],
  ['state-spaces/mamba-130m', mamba(768, 24)],
  ['state-spaces/mamba-370m', mamba(1024, 48)],
  ['state-spaces/mamba-790m', mamba(1536, 48)],
  ['state-spaces/mamba-1.4b', mamba(2048, 48)],
  ['state-spaces/mamba-2.8b', mamba(2560, 64)],
];
