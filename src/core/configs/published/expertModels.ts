import { decoderConfig, type DecoderSizes, type PublishedConfig, type PublishedTable } from './publishedConfig.js';

const qwen3Experts: PublishedConfig = {
  head_dim: 128,
  num_experts: 128,
  num_experts_per_tok: 8,
  decoder_sparse_step: 1,
  mlp_only_layers: [],
};

const latent: PublishedConfig = {
  kv_lora_rank: 512,
  qk_nope_head_dim: 128,
  qk_rope_head_dim: 64,
  v_head_dim: 128,
  moe_layer_freq: 1,
};

const deepseekV3 = decoderConfig('deepseek_v3', 129_280, [7168, 61, 128, 128, 18_432], {
  ...latent,
  q_lora_rank: 1536,
  moe_intermediate_size: 2048,
  n_routed_experts: 256,
  n_shared_experts: 1,
  num_experts_per_tok: 8,
  first_k_dense_replace: 3,
  num_nextn_predict_layers: 1,
  quantization_config: { quant_method: 'fp8', weight_block_size: [128, 128] },
});

const kimiK2: PublishedConfig = {
  ...deepseekV3,
  model_type: 'kimi_k2',
  vocab_size: 163_840,
  num_attention_heads: 64,
  num_key_value_heads: 64,
  n_routed_experts: 384,
  first_k_dense_replace: 1,
  num_nextn_predict_layers: 0,
};

const glm5 = decoderConfig('glm_moe_dsa', 154_880, [6144, 78, 64, 64, 12_288], {
  ...latent,
  q_lora_rank: 2048,
  qk_nope_head_dim: 192,
  v_head_dim: 256,
  moe_intermediate_size: 2048,
  n_routed_experts: 256,
  n_shared_experts: 1,
  num_experts_per_tok: 8,
  first_k_dense_replace: 3,
  num_nextn_predict_layers: 1,
  index_head_dim: 128,
  index_n_heads: 32,
});

const nemotron3Nano = decoderConfig('nemotron_h', 131_072, [2688, 52, 32, 2, 1856], {
  head_dim: 128,
  hybrid_override_pattern: 'MEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEMEM*EMEMEMEME',
  conv_kernel: 4,
  expand: 2,
  mamba_head_dim: 64,
  mamba_num_heads: 64,
  n_groups: 8,
  ssm_state_size: 128,
  use_conv_bias: true,
  moe_intermediate_size: 1856,
  moe_shared_expert_intermediate_size: 3712,
  n_routed_experts: 128,
  n_shared_experts: 1,
  num_experts_per_tok: 6,
});

const gptOss: PublishedConfig = {
  head_dim: 64,
  num_experts_per_tok: 4,
  attention_bias: true,
  sliding_window: 128,
  quantization_config: { quant_method: 'mxfp4' },
};

const glm: PublishedConfig = {
  head_dim: 128,
  attention_bias: true,
  n_routed_experts: 128,
  n_shared_experts: 1,
  num_experts_per_tok: 8,
  num_nextn_predict_layers: 1,
};

const glmAt355 = decoderConfig('glm4_moe', 151_552, [5120, 92, 96, 8, 12_288], {
  ...glm,
  moe_intermediate_size: 1536,
  n_routed_experts: 160,
  first_k_dense_replace: 3,
  use_qk_norm: true,
});

const miniMaxM2 = decoderConfig('minimax_m2', 200_064, [3072, 62, 48, 8, 1536], {
  head_dim: 128,
  num_local_experts: 256,
  num_experts_per_tok: 8,
  use_qk_norm: true,
});

/** Each fourth layer has attention, the others a gated delta net. */
const qwen3NextAt80 = decoderConfig('qwen3_next', 151_936, [2048, 48, 16, 2, 5120], {
  head_dim: 256,
  layer_types: Array.from({ length: 48 }, (_, index) => (index % 4 === 3 ? 'full_attention' : 'linear_attention')),
  linear_conv_kernel_dim: 4,
  linear_key_head_dim: 128,
  linear_num_key_heads: 16,
  linear_num_value_heads: 32,
  linear_value_head_dim: 128,
  moe_intermediate_size: 512,
  shared_expert_intermediate_size: 512,
  num_experts: 512,
  num_experts_per_tok: 10,
  decoder_sparse_step: 1,
  mlp_only_layers: [],
});

/** One of ten layers has attention, the others Mamba-2; `shared` is the width of what all tokens pass. */
function granite4(sizes: DecoderSizes, shared: number, rest: PublishedConfig): PublishedConfig {
  return decoderConfig('granitemoehybrid', 100_352, sizes, {
    tie_word_embeddings: true,
    shared_intermediate_size: shared,
    num_local_experts: 0,
    num_experts_per_tok: 0,
    mamba_d_state: 128,
    layer_types: Array.from({ length: 10 }, (_, layer) => (layer === 5 ? 'attention' : 'mamba')),
    ...rest,
  });
}

/** Decoders with experts. */
export const expertModels: PublishedTable = [
  [
    'mistralai/Mixtral-8x7B-v0.1',
    decoderConfig('mixtral', 32_000, [4096, 32, 32, 8, 14_336], {
      sliding_window: null,
      num_local_experts: 8,
      num_experts_per_tok: 2,
    }),
  ],
  [
    'mistralai/Mixtral-8x22B-v0.1',
    decoderConfig('mixtral', 32_000, [6144, 56, 48, 8, 16_384], {
      sliding_window: null,
      num_local_experts: 8,
      num_experts_per_tok: 2,
    }),
  ],
  [
    'mistralai/Mixtral-8x22B-v0.3',
    decoderConfig('mixtral', 32_768, [6144, 56, 48, 8, 16_384], {
      sliding_window: null,
      num_local_experts: 8,
      num_experts_per_tok: 2,
    }),
  ],
  [
    'Qwen/Qwen1.5-MoE-A2.7B',
    decoderConfig('qwen2_moe', 151_936, [2048, 24, 16, 16, 5632], {
      moe_intermediate_size: 1408,
      shared_expert_intermediate_size: 5632,
      num_experts: 60,
      num_experts_per_tok: 4,
      decoder_sparse_step: 1,
      mlp_only_layers: [],
    }),
  ],
  [
    'Qwen/Qwen2-57B-A14B',
    decoderConfig('qwen2_moe', 151_936, [3584, 28, 28, 4, 18_944], {
      moe_intermediate_size: 2560,
      shared_expert_intermediate_size: 20_480,
      num_experts: 64,
      num_experts_per_tok: 8,
      decoder_sparse_step: 1,
      mlp_only_layers: [],
    }),
  ],
  [
    'Qwen/Qwen3-30B-A3B',
    decoderConfig('qwen3_moe', 151_936, [2048, 48, 32, 4, 6144], { ...qwen3Experts, moe_intermediate_size: 768 }),
  ],
  [
    'Qwen/Qwen3-235B-A22B',
    decoderConfig('qwen3_moe', 151_936, [4096, 94, 64, 4, 12_288], { ...qwen3Experts, moe_intermediate_size: 1536 }),
  ],
  [
    'Qwen/Qwen3-Coder-480B-A35B',
    decoderConfig('qwen3_moe', 151_936, [6144, 62, 96, 8, 8192], {
      ...qwen3Experts,
      num_experts: 160,
      moe_intermediate_size: 2560,
    }),
  ],
  ['Qwen/Qwen3-Next-80B-A3B', qwen3NextAt80],
  ['Qwen/Qwen3-Coder-Next', qwen3NextAt80],
  [
    'allenai/OLMoE-1B-7B-0924',
    decoderConfig('olmoe', 50_304, [2048, 16, 16, 16, 1024], { num_experts: 64, num_experts_per_tok: 8 }),
  ],
  [
    'microsoft/Phi-3.5-MoE',
    decoderConfig('phimoe', 32_064, [4096, 32, 32, 8, 6400], {
      num_local_experts: 16,
      num_experts_per_tok: 2,
      attention_bias: true,
      lm_head_bias: true,
    }),
  ],
  // The table of their model cards; the vocabulary is that of their GGUF files. Others of Granite 4 (350M, 1B, previews) are not in it.
  ['ibm-granite/granite-4.0-micro', granite4([2560, 40, 40, 8, 8192], 8192, { layer_types: ['attention'] })],
  ['ibm-granite/granite-4.0-h-micro', granite4([2048, 40, 32, 8, 8192], 8192, { mamba_n_heads: 64 })],
  [
    'ibm-granite/granite-4.0-h-tiny',
    granite4([1536, 40, 12, 4, 512], 1024, { mamba_n_heads: 48, num_local_experts: 64, num_experts_per_tok: 6 }),
  ],
  [
    'ibm-granite/granite-4.0-h-small',
    granite4([4096, 40, 32, 8, 768], 1536, { mamba_n_heads: 128, num_local_experts: 72, num_experts_per_tok: 10 }),
  ],
  [
    'ibm-granite/granite-3.1-1b-a400m',
    decoderConfig('granitemoe', 49_155, [1024, 24, 16, 8, 512], {
      tie_word_embeddings: true,
      num_local_experts: 32,
      num_experts_per_tok: 8,
    }),
  ],
  [
    'ibm-granite/granite-3.1-1b-a400m-base',
    decoderConfig('granitemoe', 49_152, [1024, 24, 16, 8, 512], {
      tie_word_embeddings: true,
      num_local_experts: 32,
      num_experts_per_tok: 8,
    }),
  ],
  [
    'ibm-granite/granite-3.1-3b-a800m',
    decoderConfig('granitemoe', 49_155, [1536, 32, 24, 8, 512], {
      tie_word_embeddings: true,
      num_local_experts: 40,
      num_experts_per_tok: 8,
    }),
  ],
  [
    'deepseek-ai/DeepSeek-V2-Lite',
    decoderConfig('deepseek_v2', 102_400, [2048, 27, 16, 16, 10_944], {
      ...latent,
      q_lora_rank: null,
      moe_intermediate_size: 1408,
      n_routed_experts: 64,
      n_shared_experts: 2,
      num_experts_per_tok: 6,
      first_k_dense_replace: 1,
    }),
  ],
  [
    'deepseek-ai/DeepSeek-V2',
    decoderConfig('deepseek_v2', 102_400, [5120, 60, 128, 128, 12_288], {
      ...latent,
      q_lora_rank: 1536,
      moe_intermediate_size: 1536,
      n_routed_experts: 160,
      n_shared_experts: 2,
      num_experts_per_tok: 6,
      first_k_dense_replace: 1,
    }),
  ],
  ['deepseek-ai/DeepSeek-V3', deepseekV3],
  ['deepseek-ai/DeepSeek-V3-0324', deepseekV3],
  ['deepseek-ai/DeepSeek-V3.1', deepseekV3],
  ['deepseek-ai/DeepSeek-R1', deepseekV3],
  ['deepseek-ai/DeepSeek-R1-0528', deepseekV3],
  // aiconfigurator, model_configs.
  ['deepseek-ai/DeepSeek-V3.2', { ...deepseekV3, model_type: 'deepseek_v32', index_head_dim: 128, index_n_heads: 64 }],
  ['zai-org/GLM-5', glm5],
  ['zai-org/GLM-5.1', glm5],
  ['nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16', nemotron3Nano],
  ['moonshotai/Kimi-K2', kimiK2],
  // Experts of 4 bits, in groups that are not here.
  ['moonshotai/Kimi-K2-Thinking', { ...kimiK2, quantization_config: { quant_method: 'compressed-tensors' } }],
  ['openai/gpt-oss-20b', decoderConfig('gpt_oss', 201_088, [2880, 24, 64, 8, 2880], { ...gptOss, num_local_experts: 32 })],
  ['openai/gpt-oss-120b', decoderConfig('gpt_oss', 201_088, [2880, 36, 64, 8, 2880], { ...gptOss, num_local_experts: 128 })],
  [
    'zai-org/GLM-4.5-Air',
    decoderConfig('glm4_moe', 151_552, [4096, 46, 96, 8, 10_944], {
      ...glm,
      moe_intermediate_size: 1408,
      first_k_dense_replace: 1,
      use_qk_norm: false,
    }),
  ],
  ['zai-org/GLM-4.5', glmAt355],
  ['zai-org/GLM-4.6', glmAt355],
  ['zai-org/GLM-4.7', glmAt355],
  [
    'deepseek-ai/deepseek-moe-16b',
    decoderConfig('deepseek', 102_400, [2048, 28, 16, 16, 10_944], {
      moe_intermediate_size: 1408,
      n_routed_experts: 64,
      n_shared_experts: 2,
      num_experts_per_tok: 6,
      first_k_dense_replace: 1,
      moe_layer_freq: 1,
    }),
  ],
  [
    // The class takes these sizes without a config (transformers/models/jamba/configuration_jamba.py).
    'ai21labs/Jamba-v0.1',
    decoderConfig('jamba', 65_536, [4096, 32, 32, 8, 14_336], {
      num_experts: 16,
      num_experts_per_tok: 2,
      expert_layer_period: 2,
      expert_layer_offset: 1,
      attn_layer_period: 8,
      attn_layer_offset: 4,
      mamba_d_state: 16,
      mamba_d_conv: 4,
      mamba_expand: 2,
    }),
  ],
  ['MiniMaxAI/MiniMax-M2', miniMaxM2],
  ['MiniMaxAI/MiniMax-M2.5', miniMaxM2],
];
