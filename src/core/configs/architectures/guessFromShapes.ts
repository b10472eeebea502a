import type { Fields } from '../fields.js';
import { attentionBias, decoderShapeOf, type DecoderTraits } from './decoderEntry.js';
import { decoderTensors } from './decoderTensors.js';
import { latentOf } from './families/expertFamilies.js';
import { sparseLayers } from './layerPattern.js';
import { type DecoderSizes, decoderSizes, flagOr, headNames, isOn, mostLayers, size, sizeOr } from './sizes.js';
import type { ModelTensors } from './tensorGroup.js';

/**
 * The tensors that a decoder of these sizes has, for types without an entry: whatever names their configs use. Null where there are not
 * even a hidden size, layers and a vocabulary.
 */
export function guessFromShapes(config: Fields): ModelTensors | null {
  const sizes = sizesByAnyName(config);
  if (sizes === null) return null;
  return decoderTensors(decoderShapeOf(config, sizes, traitsByAnyName(config, sizes)));
}

function sizesByAnyName(config: Fields): DecoderSizes | null {
  const renamed = decoderSizes(config) ?? otherSizes(config);
  if (renamed === null) return null;
  const { hidden, heads } = renamed;
  return {
    ...renamed,
    keyValueHeads: sizeOr(
      config,
      isOn(config, 'multi_query', 'multi_query_attention') ? 1 : heads,
      'num_key_value_heads',
      'num_kv_heads',
      'n_kv_heads',
      'n_head_kv',
      'multi_query_group_num',
      'num_query_groups',
    ),
    headSize: sizeOr(config, Math.floor(hidden / heads), 'head_dim', 'kv_channels', 'attention_head_dim', 'head_size', 'd_kv'),
    width: sizeOr(
      config,
      4 * hidden,
      'intermediate_size',
      'ffn_hidden_size',
      'n_inner',
      'ffn_dim',
      'd_ff',
      'mlp_dim',
      'inner_dim',
    ),
  };
}

/** Names of the hidden size, the layers and the vocabulary that no class of transformers has for its decoders. */
function otherSizes(config: Fields): DecoderSizes | null {
  const vocabulary = size(config, 'vocab_size', 'padded_vocab_size', 'embedding_size');
  const hidden = size(config, 'hidden_size', 'n_embd', 'd_model', 'dim', 'model_dim', 'n_embed', 'embed_dim');
  const layers = size(
    config,
    'num_hidden_layers',
    'n_layer',
    'n_layers',
    'num_layers',
    'num_transformer_layers',
    'num_decoder_layers',
    'depth',
  );
  const heads = sizeOr(config, 1, ...headNames);
  if (vocabulary === undefined || hidden === undefined || layers === undefined) return null;
  if (!(vocabulary > 0) || !(hidden > 0) || !(heads > 0) || !(layers <= mostLayers)) return null;
  return { vocabulary, hidden, layers, heads, keyValueHeads: heads, headSize: Math.floor(hidden / heads), width: 4 * hidden };
}

/** Two matrices for plain activations, three for gated ones: newer models have SiLU and gates, older ones GELU or ReLU and none. */
function isGated(config: Fields): boolean {
  const activation =
    config.texts('hidden_act', 'hidden_activation', 'activation_function', 'activation', 'mlp_activation')?.[0] ?? '';
  // T5 and its kin, which name the two together: `gated-gelu`.
  const projection = config.text('feed_forward_proj');
  if (projection !== undefined) return projection.startsWith('gated');
  return activation === '' ? !config.has('n_embd', 'ffn_dim', 'n_inner', 'd_ff') : /silu|swish|glu|tanh/i.test(activation);
}

function traitsByAnyName(config: Fields, sizes: DecoderSizes): DecoderTraits {
  const gated = isGated(config);
  const bias = isOn(config, 'use_bias', 'bias');
  const count = size(config, 'num_experts', 'num_local_experts', 'n_routed_experts', 'moe_num_experts') ?? 0;
  const hasLatent = (size(config, 'kv_lora_rank') ?? 0) > 0;
  const output = attentionBias(config);
  return {
    queryKeyValueBias: bias || isOn(config, 'attention_bias', 'qkv_bias', 'use_qkv_bias', 'add_qkv_bias'),
    outputBias: bias || output.outputBias === true,
    queryKeyNorm: isOn(config, 'qk_norm', 'use_qk_norm', 'qk_layernorm') ? 'head' : null,
    isGated: gated,
    feedForwardBias: bias || isOn(config, 'mlp_bias'),
    positions: gated ? 0 : sizeOr(config, 0, 'n_positions'),
    isTied: flagOr(config, !gated, 'tie_word_embeddings', 'tie_embeddings', 'weight_tying'),
    ...(hasLatent && { latent: latentOf(config, sizes) }),
    experts: count === 0 ? null : guessedExperts(config, sizes, count, gated),
  };
}

/** The last of so many layers each, where there is such an interval; else all but the first ones. */
function layersWithExperts(config: Fields, layers: number): number {
  const interval = size(config, 'moe_layer_interval', 'moe_layer_frequency', 'expert_interval') ?? 0;
  if (interval > 0) return Math.floor(layers / interval);
  return sparseLayers(config, layers, sizeOr(config, 0, 'first_k_dense_replace', 'num_dense_layers'));
}

function guessedExperts(
  config: Fields,
  sizes: DecoderSizes,
  count: number,
  gated: boolean,
): NonNullable<DecoderTraits['experts']> {
  const width = sizeOr(config, sizes.width, 'moe_intermediate_size', 'expert_intermediate_size', 'moe_ffn_hidden_size');
  const shared = sizeOr(config, 0, 'n_shared_experts', 'num_shared_experts', 'moe_num_shared_experts');
  return {
    count,
    active: sizeOr(
      config,
      1,
      'num_experts_per_tok',
      'num_experts_per_token',
      'experts_per_token',
      'moe_top_k',
      'moe_topk',
      'moe_k',
      'top_k',
    ),
    width,
    isGated: gated,
    layers: layersWithExperts(config, sizes.layers),
    sharedWidth: sizeOr(
      config,
      shared * width,
      'shared_expert_intermediate_size',
      'moe_shared_expert_intermediate_size',
      'shared_intermediate_size',
    ),
    hasSharedGate: false,
    routerBias: false,
    expertBias: false,
  };
}
