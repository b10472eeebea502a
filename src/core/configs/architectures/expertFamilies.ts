import type { Fields } from '../fields.js';
import type { Architecture } from './architecture.js';
import { attentionBias, decoder, type DecoderEntry, type DecoderTraits } from './decoderEntry.js';
import type { ExpertShape, LatentAttentionShape } from './decoderShape.js';
import { flagOr, isOn, size, sizeOr, type DecoderSizes } from './sizes.js';
import { layersWith, periodicLayers } from './layerPattern.js';

/** What all descriptions of experts have in common: their number, how many one token passes, their width. */
export function expertsOf(config: Fields, { width, layers }: DecoderSizes, more: Partial<ExpertShape> = {}): ExpertShape {
  return {
    count: sizeOr(config, 0, 'num_experts', 'num_local_experts', 'n_routed_experts', 'moe_num_experts'),
    active: sizeOr(config, 0, 'num_experts_per_tok', 'num_experts_per_token', 'moe_topk', 'moe_k', 'top_k_experts'),
    width: sizeOr(config, width, 'moe_intermediate_size'),
    isGated: true,
    layers,
    sharedWidth: 0,
    hasSharedGate: false,
    routerBias: false,
    expertBias: false,
    ...more,
  };
}

/** Qwen: every so many layers have experts, but for those that are named (modeling_qwen3_moe.py, Qwen3MoeDecoderLayer). */
export function qwenSparseLayers(config: Fields, layers: number): number {
  const step = sizeOr(config, 1, 'decoder_sparse_step');
  const dense = new Set(config.integers('mlp_only_layers') ?? []);
  return layersWith(layers, (layer) => !dense.has(layer) && (layer + 1) % step === 0);
}

/** DeepSeek: the first layers are dense, unless a list tells of each (modeling_deepseek_v3.py). */
export function deepseekSparseLayers(config: Fields, layers: number): number {
  const types = config.texts('mlp_layer_types');
  if (types !== undefined && types.length > 0) return layersWith(layers, (layer) => types[layer % types.length] !== 'dense');
  const dense = sizeOr(config, 0, 'first_k_dense_replace');
  const period = sizeOr(config, 1, 'moe_layer_freq');
  return layersWith(layers, (layer) => layer >= dense && layer % period === 0);
}

/** Attention over latents, as the config has it; biases by `attention_bias`. */
export function latentOf(
  config: Fields,
  { heads }: DecoderSizes,
  more: Partial<LatentAttentionShape> = {},
): LatentAttentionShape {
  return {
    kind: 'latent',
    heads,
    queryRank: config.isNull('q_lora_rank') ? null : (size(config, 'q_lora_rank') ?? null),
    keyValueRank: sizeOr(config, 0, 'kv_lora_rank'),
    plainSize: sizeOr(config, 0, 'qk_nope_head_dim'),
    rotarySize: sizeOr(config, 0, 'qk_rope_head_dim'),
    valueSize: sizeOr(config, 0, 'v_head_dim'),
    hasBias: isOn(config, 'attention_bias'),
    ...more,
  };
}

function deepseekExperts(config: Fields, sizes: DecoderSizes, more: Partial<ExpertShape> = {}): ExpertShape {
  const width = sizeOr(config, sizes.width, 'moe_intermediate_size');
  return expertsOf(config, sizes, {
    layers: deepseekSparseLayers(config, sizes.layers),
    sharedWidth: width * sizeOr(config, 0, 'n_shared_experts', 'num_shared_experts'),
    hasCorrectionBias: true,
    ...more,
  });
}

/** Granite's experts and the part that all tokens pass (modeling_granitemoeshared.py). */
function graniteTraits(config: Fields, sizes: DecoderSizes): DecoderTraits {
  const shared = sizeOr(config, 0, 'shared_intermediate_size');
  const { hidden, layers: copies } = sizes;
  return {
    ...attentionBias(config),
    experts: expertsOf(config, sizes),
    names: { router: 'block_sparse_moe.router', expert: 'block_sparse_moe.experts.N' },
    add: (model) => {
      model
        .linear('model.layers.N.shared_mlp.input_linear', hidden, 2 * shared, { copies })
        .linear('model.layers.N.shared_mlp.output_linear', shared, hidden, { copies });
    },
  };
}

const entries: readonly DecoderEntry[] = [
  { modelTypes: ['mixtral'], name: 'Mixtral', traits: (config, sizes) => ({ experts: expertsOf(config, sizes) }) },
  {
    modelTypes: ['qwen2_moe'],
    name: 'Qwen2-MoE',
    traits: (config, sizes) => ({
      queryKeyValueBias: flagOr(config, true, 'qkv_bias'),
      experts: expertsOf(config, sizes, {
        layers: qwenSparseLayers(config, sizes.layers),
        sharedWidth: sizeOr(config, 0, 'shared_expert_intermediate_size'),
        hasSharedGate: true,
      }),
      names: { sharedExperts: 'mlp.shared_expert' },
    }),
  },
  {
    modelTypes: ['qwen3_moe'],
    name: 'Qwen3-MoE',
    traits: (config, sizes) => ({
      ...attentionBias(config),
      queryKeyNorm: 'head',
      experts: expertsOf(config, sizes, { layers: qwenSparseLayers(config, sizes.layers) }),
    }),
  },
  {
    modelTypes: ['olmoe'],
    name: 'OLMoE',
    traits: (config, sizes) => ({ ...attentionBias(config), queryKeyNorm: 'full', experts: expertsOf(config, sizes) }),
  },
  {
    modelTypes: ['flex_olmo'],
    name: 'FlexOlmo',
    traits: (config, sizes) => ({
      ...attentionBias(config),
      queryKeyNorm: 'full',
      norms: ['post_attention_layernorm', 'post_feedforward_layernorm'],
      experts: expertsOf(config, sizes),
    }),
  },
  { modelTypes: ['granitemoe', 'granitemoeshared'], name: 'Granite MoE', traits: graniteTraits },
  {
    modelTypes: ['granitemoe_swa'],
    name: 'Granite MoE',
    traits: (config, sizes) => ({ ...graniteTraits(config, sizes), hasSinks: true }),
  },
  {
    modelTypes: ['gpt_oss'],
    name: 'gpt-oss',
    traits: (config, sizes) => ({
      ...attentionBias(config),
      hasSinks: true,
      experts: expertsOf(config, sizes, { routerBias: true, expertBias: true }),
      names: { router: 'mlp.router' },
    }),
  },
  {
    modelTypes: ['phimoe'],
    name: 'Phi-MoE',
    traits: (config, sizes) => ({
      ...attentionBias(config),
      normBias: true,
      headBias: isOn(config, 'lm_head_bias'),
      experts: expertsOf(config, sizes),
      names: { router: 'mlp.router' },
    }),
  },
  {
    modelTypes: ['deepseek_v2'],
    name: 'DeepSeek-V2',
    traits: (config, sizes) => ({
      latent: latentOf(config, sizes),
      feedForwardBias: isOn(config, 'mlp_bias'),
      experts: deepseekExperts(config, sizes, { hasCorrectionBias: false, expertBias: false }),
    }),
  },
  {
    modelTypes: ['deepseek_v3', 'kimi_k2', 'glm4_moe_lite'],
    name: 'DeepSeek-V3',
    traits: (config, sizes) => ({ latent: latentOf(config, sizes), experts: deepseekExperts(config, sizes) }),
  },
  {
    modelTypes: ['glm4_moe', 'solar_open', 'dots1'],
    name: 'GLM-4.5',
    traits: (config, sizes) => ({
      queryKeyValueBias: isOn(config, 'attention_bias'),
      queryKeyNorm: isOn(config, 'use_qk_norm') ? 'head' : null,
      experts: deepseekExperts(config, sizes),
    }),
  },
  {
    modelTypes: ['minicpm3', 'youtu'],
    name: 'MiniCPM 3',
    traits: (config, sizes) => ({ latent: latentOf(config, sizes), feedForwardBias: isOn(config, 'mlp_bias') }),
  },
  {
    modelTypes: ['llama4_text'],
    name: 'Llama 4',
    traits: (config, sizes) => ({
      ...attentionBias(config),
      sizes: { width: sizeOr(config, sizes.width, 'intermediate_size_mlp') },
      experts: expertsOf(config, sizes, { layers: llama4SparseLayers(config, sizes.layers), sharedWidth: sizes.width }),
      names: {
        gate: 'feed_forward.gate_proj',
        up: 'feed_forward.up_proj',
        down: 'feed_forward.down_proj',
        router: 'feed_forward.router',
        expert: 'feed_forward.experts.N',
        sharedExperts: 'feed_forward.shared_expert',
      },
    }),
  },
];

function llama4SparseLayers(config: Fields, layers: number): number {
  const named = config.integers('moe_layers');
  if (named !== undefined) return layersWith(layers, (layer) => named.includes(layer));
  return periodicLayers(layers, sizeOr(config, 1, 'interleave_moe_layer_step'), -1);
}

/** Decoders with experts. */
export const expertFamilies: readonly Architecture[] = entries.map(decoder);
