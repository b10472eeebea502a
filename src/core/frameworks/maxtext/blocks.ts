/** Decoder blocks of MaxText that are models of transformers under other names: their sizes as the class there reads them (maxtext/layers, maxtext/models). */
import type { Fields } from '../../configs/fields.js';

/** The config of transformers that has the same parameters; null for blocks that are not among them, or whose sizes are missing. */
export function transformersValues(fields: Fields): Record<string, unknown> | null {
  const block = fields.text('decoder_block') ?? '';
  const values = Object.hasOwn(families, block) ? families[block]?.(fields) : undefined;
  return values === undefined ? null : { ...common(fields), ...values };
}

function common(fields: Fields): Record<string, unknown> {
  return {
    hidden_size: fields.integer('base_emb_dim'),
    intermediate_size: fields.integer('base_mlp_dim'),
    num_hidden_layers: fields.integer('base_num_decoder_layers'),
    num_attention_heads: fields.integer('base_num_query_heads'),
    num_key_value_heads: fields.integer('base_num_kv_heads'),
    head_dim: fields.integer('head_dim'),
    vocab_size: fields.integer('vocab_size'),
    tie_word_embeddings: fields.flag('logits_via_embedding') ?? false,
    num_experts_per_tok: fields.integer('num_experts_per_tok'),
  };
}

const families: Readonly<Record<string, (fields: Fields) => Record<string, unknown>>> = {
  deepseek: deepseekValues,
  gpt3: gptValues,
  gpt_oss: (fields) => ({ model_type: 'gpt_oss', num_local_experts: fields.integer('num_experts'), attention_bias: true }),
  llama4: llama4Values,
  olmo3: () => ({ model_type: 'olmo3' }),
  qwen3_next: nextValues,
};

/** Latent attention; a routing bias came with the third version, a sparse index of keys with 3.2. */
function deepseekValues(fields: Fields): Record<string, unknown> {
  const isIndexed = fields.flag('use_indexer', 'use_sparse_indexer') === true;
  const rank = fields.integer('q_lora_rank') ?? 0;
  return {
    model_type: isIndexed ? 'deepseek_v32' : fields.flag('routed_bias') === true ? 'deepseek_v3' : 'deepseek_v2',
    moe_intermediate_size: fields.integer('base_moe_mlp_dim'),
    first_k_dense_replace: fields.integer('first_num_dense_layers') ?? 0,
    q_lora_rank: rank === 0 ? null : rank,
    kv_lora_rank: fields.integer('kv_lora_rank') ?? 512,
    qk_nope_head_dim: fields.integer('qk_nope_head_dim') ?? 128,
    qk_rope_head_dim: fields.integer('qk_rope_head_dim') ?? 64,
    v_head_dim: fields.integer('v_head_dim') ?? 128,
    n_routed_experts: fields.integer('num_experts'),
    n_shared_experts: fields.integer('shared_experts') ?? 0,
    head_dim: undefined,
    ...(isIndexed
      ? {
          index_n_heads: fields.integer('indexer_n_heads') ?? 64,
          index_head_dim: fields.integer('indexer_head_dim') ?? 128,
        }
      : {}),
  };
}

/** Biases everywhere, learned positions, and an output layer that is the embedding: GPT-2's tensors. */
function gptValues(fields: Fields): Record<string, unknown> {
  return {
    model_type: 'gpt2',
    n_embd: fields.integer('base_emb_dim'),
    n_layer: fields.integer('base_num_decoder_layers'),
    n_head: fields.integer('base_num_query_heads'),
    n_inner: fields.integer('base_mlp_dim'),
    n_positions: fields.integer('trainable_position_size'),
  };
}

/** Without the tower for images, which `use_multimodal` adds. The experts of some layers; the norm of queries and keys has no weights. */
function llama4Values(fields: Fields): Record<string, unknown> {
  return {
    model_type: 'llama4_text',
    intermediate_size_mlp: fields.integer('base_mlp_dim'),
    intermediate_size: fields.integer('base_moe_mlp_dim') ?? fields.integer('base_mlp_dim'),
    num_local_experts: fields.integer('num_experts'),
    interleave_moe_layer_step: fields.integer('interleave_moe_layer_step') ?? 1,
  };
}

/** Delta nets, with full attention every so many layers. */
function nextValues(fields: Fields): Record<string, unknown> {
  return {
    model_type: 'qwen3_next',
    moe_intermediate_size: fields.integer('base_moe_mlp_dim'),
    num_experts: fields.integer('num_experts'),
    shared_expert_intermediate_size: (fields.integer('shared_experts') ?? 1) * (fields.integer('base_moe_mlp_dim') ?? 0),
    full_attention_interval: fields.integer('inhomogeneous_layer_cycle_interval') ?? 4,
    linear_conv_kernel_dim: fields.integer('gdn_conv_kernel_dim') ?? 4,
    linear_key_head_dim: fields.integer('gdn_key_head_dim') ?? 128,
    linear_value_head_dim: fields.integer('gdn_value_head_dim') ?? 128,
    linear_num_key_heads: fields.integer('gdn_num_key_heads') ?? 16,
    linear_num_value_heads: fields.integer('gdn_num_value_heads') ?? 32,
  };
}
