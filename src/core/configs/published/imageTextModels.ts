import { decoderConfig, type DecoderSizes, type PublishedConfig, type PublishedTable } from './publishedConfig.js';

const tied = { tie_word_embeddings: true };

/** What of a model that sees is written around its language model and its tower. */
function seeing(modelType: string, model: string, parts: PublishedConfig): PublishedConfig {
  return { model_type: modelType, architectures: [`${model}ForConditionalGeneration`], ...parts };
}

/** One tower for all (SigLIP). */
function gemma3(sizes: DecoderSizes, headSize: number): PublishedConfig {
  return seeing('gemma3', 'Gemma3', {
    mm_tokens_per_image: 256,
    text_config: decoderConfig('gemma3_text', 262_208, sizes, { ...tied, head_dim: headSize, sliding_window: 1024 }),
    vision_config: {
      model_type: 'siglip_vision_model',
      hidden_size: 1152,
      intermediate_size: 4304,
      num_hidden_layers: 27,
      num_attention_heads: 16,
      image_size: 896,
      patch_size: 14,
      vision_use_head: false,
    },
  });
}

/** Each fifth layer sees all; the last layers take the keys and values of former ones. */
function gemma3n(layers: number, width: number, shared: number): PublishedConfig {
  return seeing('gemma3n', 'Gemma3n', {
    ...tied,
    text_config: decoderConfig('gemma3n_text', 262_400, [2048, layers, 8, 2, width], {
      ...tied,
      head_dim: 256,
      sliding_window: 512,
      num_kv_shared_layers: shared,
      hidden_size_per_layer_input: 256,
      vocab_size_per_layer_input: 262_144,
      altup_num_inputs: 4,
      laurel_rank: 64,
    }),
    vision_config: {
      model_type: 'gemma3n_vision',
      architecture: 'mobilenetv5_300m_enc',
      hidden_size: 2048,
      vocab_size: 128,
    },
    audio_config: {
      model_type: 'gemma3n_audio',
      hidden_size: 1536,
      input_feat_size: 128,
      conf_num_hidden_layers: 12,
      conf_num_attention_heads: 8,
      conf_conv_kernel_size: 5,
      sscp_conv_channel_size: [128, 32],
      vocab_size: 128,
    },
  });
}

/** Five layers with a window before each that sees all; those have keys and values of their own size. */
const gemma4Text: PublishedConfig = { ...tied, head_dim: 256, global_head_dim: 512, hidden_size_per_layer_input: 0 };
const gemma4Vision: PublishedConfig = {
  model_type: 'gemma4_vision',
  hidden_size: 1152,
  intermediate_size: 4304,
  num_hidden_layers: 27,
  num_attention_heads: 16,
  num_key_value_heads: 16,
  head_dim: 72,
  patch_size: 16,
  position_embedding_size: 10_240,
  standardize: true,
  use_clipped_linears: false,
};

function gemma4(sizes: DecoderSizes, globalKeyValueHeads: number, rest: PublishedConfig = {}): PublishedConfig {
  return seeing('gemma4', 'Gemma4', {
    ...tied,
    audio_config: null,
    text_config: decoderConfig('gemma4_text', 262_144, sizes, {
      ...gemma4Text,
      num_global_key_value_heads: globalKeyValueHeads,
      attention_k_eq_v: true,
      ...rest,
    }),
    vision_config: gemma4Vision,
  });
}

/** Models for phones, which also hear: embeddings for each layer, and last layers that take the keys and values of former ones. */
function gemma4ForPhones(
  sizes: DecoderSizes,
  period: number,
  sharing: PublishedConfig & { num_kv_shared_layers: number },
): PublishedConfig {
  const isFull = (index: number) => index % period === period - 1;
  return seeing('gemma4', 'Gemma4', {
    ...tied,
    text_config: decoderConfig('gemma4_text', 262_144, sizes, {
      ...gemma4Text,
      hidden_size_per_layer_input: 256,
      vocab_size_per_layer_input: 262_144,
      layer_types: Array.from({ length: sizes[1] }, (_, index) => (isFull(index) ? 'full_attention' : 'sliding_attention')),
      ...sharing,
    }),
    vision_config: {
      ...gemma4Vision,
      hidden_size: 768,
      intermediate_size: 3072,
      num_hidden_layers: 16,
      num_attention_heads: 12,
      num_key_value_heads: 12,
      head_dim: 64,
      standardize: false,
      use_clipped_linears: true,
    },
    audio_config: {
      model_type: 'gemma4_audio',
      hidden_size: 1024,
      num_hidden_layers: 12,
      num_attention_heads: 8,
      subsampling_conv_channels: [128, 32],
      conv_kernel_size: 5,
      output_proj_dims: 1536,
    },
  });
}

/** Patches and sound go straight into the language model. */
const gemma4At12 = seeing('gemma4_unified', 'Gemma4Unified', {
  ...tied,
  text_config: decoderConfig('gemma4_unified_text', 262_144, [3840, 48, 16, 8, 15_360], {
    ...gemma4Text,
    num_global_key_value_heads: 1,
    attention_k_eq_v: true,
  }),
  vision_config: {
    model_type: 'gemma4_unified_vision',
    patch_size: 16,
    pooling_kernel_size: 3,
    mm_embed_dim: 3840,
    mm_posemb_size: 1120,
    output_proj_dims: 3840,
  },
  audio_config: { model_type: 'gemma4_unified_audio', audio_embed_dim: 640 },
});

/** A tower of one width and depth, which ends as wide as the language model. */
function qwen2Vl(sizes: DecoderSizes, vocabulary: number, rest: PublishedConfig = {}): PublishedConfig {
  return {
    ...decoderConfig('qwen2_vl', vocabulary, sizes, rest),
    ...seeing('qwen2_vl', 'Qwen2VL', {
      vision_config: {
        model_type: 'qwen2_vl',
        depth: 32,
        embed_dim: 1280,
        mlp_ratio: 4,
        num_heads: 16,
        hidden_size: sizes[0],
        patch_size: 14,
        spatial_merge_size: 2,
        temporal_patch_size: 2,
      },
    }),
  };
}

/** Towers of one depth; their width differs. */
function qwen25Vl(
  sizes: DecoderSizes,
  vocabulary: number,
  { width, ...rest }: PublishedConfig & { width: number },
): PublishedConfig {
  return {
    ...decoderConfig('qwen2_5_vl', vocabulary, sizes, rest),
    ...seeing('qwen2_5_vl', 'Qwen2_5_VL', {
      vision_config: {
        model_type: 'qwen2_5_vl',
        depth: 32,
        hidden_size: 1280,
        intermediate_size: width,
        num_heads: 16,
        out_hidden_size: sizes[0],
        patch_size: 14,
        spatial_merge_size: 2,
        temporal_patch_size: 2,
      },
    }),
  };
}

type Tower = readonly [depth: number, hidden: number, width: number, heads: number];
const smallTower: Tower = [24, 1024, 4096, 16];
const largeTower: Tower = [27, 1152, 4304, 16];

/** Qwen3-VL's tower, and that of Qwen3.5, which hands on its last layer only. */
function qwen3Tower(
  modelType: string,
  [depth, hidden, width, heads]: Tower,
  output: number,
  handedOn: readonly number[],
): PublishedConfig {
  return {
    model_type: modelType,
    depth,
    hidden_size: hidden,
    intermediate_size: width,
    num_heads: heads,
    num_position_embeddings: 2304,
    out_hidden_size: output,
    patch_size: 16,
    spatial_merge_size: 2,
    temporal_patch_size: 2,
    deepstack_visual_indexes: handedOn,
  };
}

function qwen3Vl(sizes: DecoderSizes, tower: Tower, rest: PublishedConfig = {}): PublishedConfig {
  const handedOn = tower === smallTower ? [5, 11, 17] : [8, 16, 24];
  return seeing('qwen3_vl', 'Qwen3VL', {
    tie_word_embeddings: false,
    ...rest,
    text_config: decoderConfig('qwen3_vl_text', 151_936, sizes, { head_dim: 128, ...rest }),
    vision_config: qwen3Tower('qwen3_vl', tower, sizes[0], handedOn),
  });
}

function qwen3VlExperts(sizes: DecoderSizes, expertWidth: number): PublishedConfig {
  return seeing('qwen3_vl_moe', 'Qwen3VLMoe', {
    tie_word_embeddings: false,
    text_config: decoderConfig('qwen3_vl_moe_text', 151_936, sizes, {
      head_dim: 128,
      moe_intermediate_size: expertWidth,
      num_experts: 128,
      num_experts_per_tok: 8,
      decoder_sparse_step: 1,
      mlp_only_layers: [],
    }),
    vision_config: qwen3Tower('qwen3_vl_moe', largeTower, sizes[0], [8, 16, 24]),
  });
}

/** Each fourth layer has attention, the others a gated delta net. */
function qwen35Layers(layers: number, valueHeads: number): PublishedConfig {
  return {
    head_dim: 256,
    attn_output_gate: true,
    layer_types: Array.from({ length: layers }, (_, index) => (index % 4 === 3 ? 'full_attention' : 'linear_attention')),
    linear_conv_kernel_dim: 4,
    linear_key_head_dim: 128,
    linear_num_key_heads: 16,
    linear_num_value_heads: valueHeads,
    linear_value_head_dim: 128,
    mtp_num_hidden_layers: 1,
  };
}

function qwen35(sizes: DecoderSizes, valueHeads: number, tower: Tower, rest: PublishedConfig = {}): PublishedConfig {
  return seeing('qwen3_5', 'Qwen3_5', {
    tie_word_embeddings: false,
    ...rest,
    text_config: decoderConfig('qwen3_5_text', 248_320, sizes, { ...qwen35Layers(sizes[1], valueHeads), ...rest }),
    vision_config: qwen3Tower('qwen3_5', tower, sizes[0], []),
  });
}

function qwen35Experts(
  [hidden, layers, heads, keyValueHeads]: readonly [hidden: number, layers: number, heads: number, keyValueHeads: number],
  valueHeads: number,
  experts: readonly [count: number, active: number, width: number],
): PublishedConfig {
  const [count, active, width] = experts;
  return seeing('qwen3_5_moe', 'Qwen3_5Moe', {
    tie_word_embeddings: false,
    text_config: decoderConfig('qwen3_5_moe_text', 248_320, [hidden, layers, heads, keyValueHeads, width], {
      ...qwen35Layers(layers, valueHeads),
      moe_intermediate_size: width,
      shared_expert_intermediate_size: width,
      num_experts: count,
      num_experts_per_tok: active,
    }),
    vision_config: qwen3Tower('qwen3_5_moe', largeTower, hidden, []),
  });
}

/** Layers that look at the picture, each fifth from the fourth on, come on top of a Llama 3.1. */
function mllama(sizes: DecoderSizes, imageSize: number): PublishedConfig {
  const crossing = Array.from({ length: sizes[1] / 5 }, (_, index) => 5 * index + 3);
  return seeing('mllama', 'Mllama', {
    text_config: decoderConfig('mllama_text_model', 128_256, sizes, { cross_attention_layers: crossing }),
    vision_config: {
      model_type: 'mllama_vision_model',
      hidden_size: 1280,
      intermediate_size: 5120,
      num_hidden_layers: 32,
      num_global_layers: 8,
      attention_heads: 16,
      vision_output_dim: 7680,
      image_size: imageSize,
      patch_size: 14,
      max_num_tiles: 4,
      supported_aspect_ratios: [
        [1, 1],
        [1, 2],
        [1, 3],
        [1, 4],
        [2, 1],
        [2, 2],
        [3, 1],
        [4, 1],
      ],
      intermediate_layers_indices: [3, 7, 15, 23, 30],
    },
  });
}

/** Of Maverick each second layer has experts, of Scout each. */
function llama4(experts: number, step: number): PublishedConfig {
  return seeing('llama4', 'Llama4', {
    text_config: decoderConfig('llama4_text', 202_048, [5120, 48, 40, 8, 8192], {
      head_dim: 128,
      intermediate_size_mlp: 16_384,
      num_local_experts: experts,
      num_experts_per_tok: 1,
      interleave_moe_layer_step: step,
      attention_chunk_size: 8192,
    }),
    vision_config: {
      model_type: 'llama4_vision_model',
      hidden_size: 1408,
      intermediate_size: 5632,
      num_hidden_layers: 34,
      num_attention_heads: 16,
      vision_output_dim: 4096,
      projector_input_dim: 4096,
      projector_output_dim: 4096,
      image_size: 336,
      patch_size: 14,
      pixel_shuffle_ratio: 0.5,
    },
  });
}

/** One tower for all (Pixtral's, of 24 layers). */
function mistral3(textType: string, sizes: DecoderSizes, isTied = false): PublishedConfig {
  return seeing('mistral3', 'Mistral3', {
    tie_word_embeddings: isTied,
    spatial_merge_size: 2,
    multimodal_projector_bias: false,
    text_config: decoderConfig(textType, 131_072, sizes, { head_dim: 128, tie_word_embeddings: isTied }),
    vision_config: {
      model_type: 'pixtral',
      hidden_size: 1024,
      intermediate_size: 4096,
      num_hidden_layers: 24,
      num_attention_heads: 16,
      head_dim: 64,
      image_size: 1540,
      patch_size: 14,
    },
  });
}

const mistralSmallAt24 = mistral3('mistral', [5120, 40, 32, 8, 32_768]);

function llava(sizes: DecoderSizes): PublishedConfig {
  return seeing('llava', 'Llava', {
    tie_word_embeddings: false,
    text_config: decoderConfig('llama', 32_064, sizes),
    vision_config: {
      model_type: 'clip_vision_model',
      hidden_size: 1024,
      intermediate_size: 4096,
      num_hidden_layers: 24,
      num_attention_heads: 16,
      image_size: 336,
      patch_size: 14,
    },
  });
}

/** Language models that see. */
export const imageTextModels: PublishedTable = [
  ['google/gemma-3-4b', gemma3([2560, 34, 8, 4, 10_240], 256)],
  ['google/gemma-3-12b', gemma3([3840, 48, 16, 8, 15_360], 256)],
  ['google/gemma-3-27b', gemma3([5376, 62, 32, 16, 21_504], 128)],
  ['google/gemma-3n-E2B', gemma3n(30, 8192, 10)],
  ['google/gemma-3n-E4B', gemma3n(35, 16_384, 15)],
  ['google/gemma-4-E2B', gemma4ForPhones([1536, 35, 8, 1, 6144], 5, { num_kv_shared_layers: 20, use_double_wide_mlp: true })],
  ['google/gemma-4-E4B', gemma4ForPhones([2560, 42, 8, 2, 10_240], 6, { num_kv_shared_layers: 18, use_double_wide_mlp: false })],
  ['google/gemma-4-12B', gemma4At12],
  ['google/gemma-4-31B', gemma4([5376, 60, 32, 16, 21_504], 4)],
  [
    'google/gemma-4-26B-A4B',
    gemma4([2816, 30, 16, 8, 2112], 2, {
      enable_moe_block: true,
      moe_intermediate_size: 704,
      num_experts: 128,
      top_k_experts: 8,
    }),
  ],
  ['Qwen/Qwen2-VL-2B', qwen2Vl([1536, 28, 12, 2, 8960], 151_936, tied)],
  ['Qwen/Qwen2-VL-7B', qwen2Vl([3584, 28, 28, 4, 18_944], 152_064)],
  ['Qwen/Qwen2-VL-72B', qwen2Vl([8192, 80, 64, 8, 29_568], 152_064)],
  ['Qwen/Qwen2.5-VL-3B', qwen25Vl([2048, 36, 16, 2, 11_008], 151_936, { ...tied, width: 3420 })],
  ['Qwen/Qwen2.5-VL-7B', qwen25Vl([3584, 28, 28, 4, 18_944], 152_064, { width: 3420 })],
  ['Qwen/Qwen2.5-VL-32B', qwen25Vl([5120, 64, 40, 8, 27_648], 152_064, { width: 3456 })],
  ['Qwen/Qwen2.5-VL-72B', qwen25Vl([8192, 80, 64, 8, 29_568], 152_064, { width: 3456 })],
  ['Qwen/Qwen3-VL-2B', qwen3Vl([2048, 28, 16, 8, 6144], smallTower, tied)],
  ['Qwen/Qwen3-VL-4B', qwen3Vl([2560, 36, 32, 8, 9728], smallTower, tied)],
  ['Qwen/Qwen3-VL-8B', qwen3Vl([4096, 36, 32, 8, 12_288], largeTower)],
  ['Qwen/Qwen3-VL-32B', qwen3Vl([5120, 64, 64, 8, 25_600], largeTower)],
  ['Qwen/Qwen3-VL-30B-A3B', qwen3VlExperts([2048, 48, 32, 4, 6144], 768)],
  ['Qwen/Qwen3-VL-235B-A22B', qwen3VlExperts([4096, 94, 64, 4, 12_288], 1536)],
  ['Qwen/Qwen3.5-0.8B', qwen35([1024, 24, 8, 2, 3584], 16, [12, 768, 3072, 12], tied)],
  ['Qwen/Qwen3.5-2B', qwen35([2048, 24, 8, 2, 6144], 16, smallTower, tied)],
  ['Qwen/Qwen3.5-4B', qwen35([2560, 32, 16, 4, 9216], 32, smallTower, tied)],
  ['Qwen/Qwen3.5-9B', qwen35([4096, 32, 16, 4, 12_288], 32, largeTower)],
  ['Qwen/Qwen3.5-27B', qwen35([5120, 64, 24, 4, 17_408], 48, largeTower)],
  ['Qwen/Qwen3.5-35B-A3B', qwen35Experts([2048, 40, 16, 2], 32, [256, 8, 512])],
  ['Qwen/Qwen3.5-122B-A10B', qwen35Experts([3072, 48, 32, 2], 64, [256, 8, 1024])],
  ['Qwen/Qwen3.5-397B-A17B', qwen35Experts([4096, 60, 32, 2], 64, [512, 10, 1024])],
  ['Qwen/Qwen3.6-27B', qwen35([5120, 64, 24, 4, 17_408], 48, largeTower)],
  ['Qwen/Qwen3.6-35B-A3B', qwen35Experts([2048, 40, 16, 2], 32, [256, 8, 512])],
  ['meta-llama/Llama-3.2-11B-Vision-Instruct', mllama([4096, 40, 32, 8, 14_336], 560)],
  ['meta-llama/Llama-3.2-11B-Vision', mllama([4096, 40, 32, 8, 14_336], 448)],
  ['meta-llama/Llama-3.2-90B-Vision', mllama([8192, 100, 64, 8, 28_672], 560)],
  ['meta-llama/Llama-4-Scout-17B-16E', llama4(16, 1)],
  ['meta-llama/Llama-4-Maverick-17B-128E', llama4(128, 2)],
  ['mistralai/Mistral-Small-3.1-24B', mistralSmallAt24],
  ['mistralai/Mistral-Small-3.2-24B', mistralSmallAt24],
  ['mistralai/Magistral-Small-2509', mistralSmallAt24],
  ['mistralai/Devstral-Small-2-24B', mistral3('ministral3', [5120, 40, 32, 8, 32_768])],
  ['mistralai/Ministral-3-3B', mistral3('ministral3', [3072, 26, 32, 8, 9216], true)],
  ['mistralai/Ministral-3-8B', mistral3('ministral3', [4096, 34, 32, 8, 14_336])],
  ['mistralai/Ministral-3-14B', mistral3('ministral3', [5120, 40, 32, 8, 16_384])],
  ['llava-hf/llava-1.5-7b-hf', llava([4096, 32, 32, 32, 11_008])],
  ['llava-hf/llava-1.5-13b-hf', llava([5120, 40, 40, 40, 13_824])],
];
