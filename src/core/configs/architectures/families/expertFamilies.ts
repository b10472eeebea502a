import type { Fields } from '../../fields.js';
import type { Architecture } from '../architecture.js';
import { attentionBias, decoder, type DecoderEntry, type DecoderTraits } from '../decoderEntry.js';
import type { ExpertShape, LatentAttentionShape } from '../decoderShape.js';
import { classDefaults } from '../classDefaults/classDefaults.js';
import { addAttention } from '../decoderTensors.js';
import { layersWith, listedLayers, periodicLayers, sparseLayers } from '../layerPattern.js';
import { type DecoderSizes, flagOr, isOn, size, sizeOfEach, sizeOr } from '../sizes.js';

/** What all descriptions of experts have in common: their number, how many one token passes, their width. */
export function expertsOf(config: Fields, { width, layers }: DecoderSizes, more: Partial<ExpertShape> = {}): ExpertShape {
  return {
    count: sizeOr(config, 0, 'num_experts', 'num_local_experts', 'n_routed_experts', 'moe_num_experts'),
    active: sizeOfEach(config, 0, 'num_experts_per_tok', 'num_experts_per_token', 'moe_topk', 'moe_k', 'top_k_experts'),
    width: sizeOfEach(config, width, 'moe_intermediate_size'),
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
export function qwenSparseLayers(config: Fields, layers: number, denseLayers: readonly number[] = []): number {
  const step = sizeOr(config, 1, 'decoder_sparse_step');
  if (size(config, 'num_experts', 'num_local_experts') === 0) return 0;
  const dense = new Set(config.integers('mlp_only_layers') ?? denseLayers);
  return layersWith(layers, (layer) => !dense.has(layer) && (layer + 1) % step === 0);
}

/** DeepSeek: the first layers are dense, unless a list tells of each (modeling_deepseek_v3.py). */
function deepseekSparseLayers(config: Fields, layers: number): number {
  const period = config.has('mlp_layer_types') ? 1 : sizeOr(config, 1, 'moe_layer_freq');
  const dense = sizeOr(config, 0, 'first_k_dense_replace');
  if (period === 1) return sparseLayers(config, layers, dense);
  return layersWith(layers, (layer) => layer >= dense && layer % period === 0);
}

/** Attention over latents, as the config has it; biases by `attention_bias`. */
export function latentOf(
  config: Fields,
  { heads, hidden }: DecoderSizes,
  more: Partial<LatentAttentionShape> = {},
): LatentAttentionShape {
  return {
    kind: 'latent',
    heads,
    queryRank: config.isNull('q_lora_rank') ? null : (size(config, 'q_lora_rank') ?? null),
    keyValueRank: sizeOr(config, 0, 'kv_lora_rank'),
    plainSize: sizeOr(config, 0, 'qk_nope_head_dim'),
    rotarySize: sizeOr(config, 0, 'qk_rope_head_dim'),
    valueSize: sizeOr(config, Math.floor(hidden / heads), 'v_head_dim'),
    hasBias: isOn(config, 'attention_bias'),
    ...more,
  };
}

/** Of all shared experts together, each as wide as a routed one. */
function sharedWidthOf(config: Fields, { width }: DecoderSizes): number {
  return sizeOr(config, width, 'moe_intermediate_size') * sizeOr(config, 0, 'n_shared_experts', 'num_shared_experts');
}

export function deepseekExperts(config: Fields, sizes: DecoderSizes, more: Partial<ExpertShape> = {}): ExpertShape {
  return expertsOf(config, sizes, {
    layers: deepseekSparseLayers(config, sizes.layers),
    sharedWidth: sharedWidthOf(config, sizes),
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
      experts: deepseekExperts(config, sizes, { hasCorrectionBias: false, sharedBias: isOn(config, 'mlp_bias') }),
    }),
  },
  {
    // transformers/models/mistral4/modeling_mistral4.py
    modelTypes: ['mistral4'],
    name: 'Mistral 4',
    traits: (config, sizes) => ({
      latent: latentOf(config, sizes),
      experts: deepseekExperts(config, sizes, { hasCorrectionBias: false }),
    }),
  },
  {
    modelTypes: ['deepseek_v3', 'kimi_k2'],
    name: 'DeepSeek-V3',
    // Kimi K2 has the same class (its configuration_deepseek.py), and all sizes in its configs.
    defaults: classDefaults['deepseek_v3'],
    traits: (config, sizes) => ({ latent: latentOf(config, sizes), experts: deepseekExperts(config, sizes) }),
  },
  {
    modelTypes: ['glm4_moe_lite'],
    name: 'GLM-4.7-Flash',
    traits: (config, sizes) => ({
      latent: latentOf(config, sizes),
      experts: deepseekExperts(config, sizes, { layers: sparseLayers(config, sizes.layers, 1) }),
    }),
  },
  {
    modelTypes: ['deepseek_v32', 'glm_moe_dsa'],
    name: 'DeepSeek-V3.2',
    traits: (config, sizes) => ({
      latent: latentOf(config, sizes, { indexer: indexerOf(config, sizes) }),
      experts: deepseekExperts(config, sizes),
    }),
  },
  {
    modelTypes: ['axk1'],
    name: 'A.X K1',
    traits: (config, sizes) => {
      const dense = sizeOr(config, 1, 'first_k_dense_replace');
      const period = sizeOr(config, 1, 'moe_layer_freq');
      const isListed = config.has('mlp_layer_types') && !config.isNull('mlp_layer_types');
      const copies = isListed
        ? sparseLayers(config, sizes.layers, 0)
        : layersWith(sizes.layers, (layer) => layer >= dense && layer % period === 0);
      return {
        latent: latentOf(config, sizes),
        experts: deepseekExperts(config, sizes, { layers: copies }),
        add: (model) => {
          model.norm('model.layers.N.mlp.post_mlp_layernorm', sizes.hidden, { copies });
        },
      };
    },
  },
  {
    modelTypes: ['glm4_moe'],
    name: 'GLM-4.5',
    traits: (config, sizes) => ({
      queryKeyValueBias: isOn(config, 'attention_bias'),
      queryKeyNorm: isOn(config, 'use_qk_norm') ? 'head' : null,
      experts: deepseekExperts(config, sizes),
    }),
  },
  {
    modelTypes: ['solar_open'],
    name: 'Solar Open',
    traits: (config, sizes) => ({
      queryKeyValueBias: isOn(config, 'attention_bias'),
      experts: deepseekExperts(config, sizes, { layers: sizes.layers }),
    }),
  },
  {
    modelTypes: ['dots1'],
    name: 'dots.llm1',
    traits: (config, sizes) => ({
      ...attentionBias(config),
      queryKeyNorm: 'head',
      experts: deepseekExperts(config, sizes),
    }),
  },
  {
    modelTypes: ['exaone_moe'],
    name: 'EXAONE MoE',
    traits: (config, sizes) => ({ queryKeyNorm: 'head', experts: deepseekExperts(config, sizes) }),
  },
  {
    modelTypes: ['hy_v3'],
    name: 'Hunyuan 3',
    traits: (config, sizes) => ({
      ...attentionBias(config),
      queryKeyNorm: 'head',
      feedForwardBias: isOn(config, 'mlp_bias'),
      experts: deepseekExperts(config, sizes, {
        layers: sparseLayers(config, sizes.layers, 1),
        sharedWidth: sharedWidthOf(config, sizes) || sizes.width,
        sharedBias: isOn(config, 'mlp_bias'),
      }),
      names: { correctionBias: 'mlp.e_score_correction_bias' },
    }),
  },
  {
    modelTypes: ['afmoe'],
    name: 'AFMoE',
    traits: (config, sizes) => ({
      ...attentionBias(config),
      queryKeyNorm: 'head',
      gate: 'number',
      norms: ['input_layernorm', 'post_attention_layernorm', 'pre_mlp_layernorm', 'post_mlp_layernorm'],
      experts: deepseekExperts(config, sizes, {
        layers: layersWith(sizes.layers, (layer) => layer >= sizeOr(config, 0, 'num_dense_layers')),
      }),
      names: { router: 'mlp.router.gate', correctionBias: 'mlp.expert_bias' },
    }),
  },
  {
    modelTypes: ['minimax_m2'],
    name: 'MiniMax-M2',
    traits: (config, sizes) => ({
      queryKeyNorm: flagOr(config, true, 'use_qk_norm') ? 'full' : null,
      experts: expertsOf(config, sizes, { hasCorrectionBias: true }),
      names: { router: 'mlp.gate', correctionBias: 'mlp.e_score_correction_bias' },
    }),
  },
  {
    modelTypes: ['minimax_m3_vl_text'],
    name: 'MiniMax-M3',
    traits: minimaxM3Traits,
  },
  {
    modelTypes: ['ernie4_5_moe'],
    name: 'ERNIE 4.5 MoE',
    traits: (config, sizes) => {
      const bias = isOn(config, 'use_bias');
      const width = sizeOr(config, sizes.width, 'moe_intermediate_size');
      return {
        queryKeyValueBias: bias,
        outputBias: bias,
        feedForwardBias: bias,
        headBias: bias,
        experts: expertsOf(config, sizes, {
          layers: ernieSparseLayers(config, sizes.layers),
          sharedWidth: width * sizeOr(config, 0, 'moe_num_shared_experts'),
          sharedBias: bias,
          hasCorrectionBias: true,
        }),
        names: { correctionBias: 'mlp.moe_statics.e_score_correction_bias' },
      };
    },
  },
  {
    modelTypes: ['hunyuan_v1_moe'],
    name: 'Hunyuan MoE',
    traits: (config, sizes) => ({
      ...attentionBias(config),
      queryKeyNorm: 'head',
      experts: expertsOf(config, sizes, {
        count: sizeOfEach(config, 0, 'num_experts', 'num_local_experts'),
        active: sizeOfEach(config, 1, 'moe_topk', 'num_experts_per_tok'),
        width: sizes.width,
        sharedWidth: sizes.width,
      }),
      names: {
        queryNorm: 'self_attn.query_layernorm',
        keyNorm: 'self_attn.key_layernorm',
        router: 'mlp.gate.wg',
        sharedExperts: 'mlp.shared_mlp',
      },
    }),
  },
  {
    modelTypes: ['aria_text'],
    name: 'Aria',
    traits: (config, sizes) => ({
      ...attentionBias(config),
      experts: expertsOf(config, sizes, {
        width: sizes.width,
        sharedWidth: sizes.width * sizeOr(config, 0, 'moe_num_shared_experts'),
        sharedBias: isOn(config, 'mlp_bias'),
      }),
      names: { router: 'mlp.router' },
    }),
  },
  {
    modelTypes: ['dbrx'],
    name: 'DBRX',
    traits: (config, sizes) => {
      const attention = config.at('attn_config');
      const inner = config.at('ffn_config');
      return {
        sizes: { keyValueHeads: sizeOr(attention, 1, 'kv_n_heads'), headSize: Math.floor(sizes.hidden / sizes.heads) },
        norms: ['norm_attn_norm.norm_1', 'norm_attn_norm.norm_2'],
        experts: expertsOf(config, sizes, {
          count: sizeOr(inner, 4, 'moe_num_experts'),
          active: sizeOr(inner, 1, 'moe_top_k'),
          width: sizeOr(inner, 3584, 'ffn_hidden_size'),
        }),
        names: {
          embedding: 'transformer.wte',
          layer: 'transformer.blocks.N',
          queryKeyValue: 'norm_attn_norm.attn.Wqkv',
          output: 'norm_attn_norm.attn.out_proj',
          router: 'ffn.router.layer',
          expert: 'ffn.experts.mlp',
          finalNorm: 'transformer.norm_f',
        },
      };
    },
  },
  { modelTypes: ['jetmoe'], name: 'JetMoE', traits: jetmoeTraits },
  { modelTypes: ['longcat_flash'], name: 'LongCat-Flash', traits: longcatTraits },
  {
    modelTypes: ['cohere2_moe'],
    name: 'Cohere MoE',
    traits: (config, sizes) => ({
      ...attentionBias(config),
      sizes: { width: sizeOr(config, sizes.width, 'prefix_dense_intermediate_size') },
      norms: ['input_layernorm'],
      experts: expertsOf(config, sizes, {
        layers: sparseLayers(config, sizes.layers, sizeOr(config, 0, 'first_k_dense_replace')),
        sharedWidth: sizes.width * sizeOr(config, 0, 'num_shared_experts'),
      }),
    }),
  },
  {
    modelTypes: ['beam'],
    name: 'Beam',
    traits: (config, sizes) => ({
      ...attentionBias(config),
      queryKeyNorm: 'head',
      gate: 'number',
      norms: ['input_layernorm', 'post_attention_layernorm', 'pre_feedforward_layernorm', 'post_feedforward_layernorm'],
      experts: expertsOf(config, sizes, { layers: sparseLayers(config, sizes.layers, 3), hasCorrectionBias: true }),
      add: (model) => {
        model.parameter('model.layers.N.self_attn.gate_bias', [sizes.heads], { copies: sizes.layers, kind: 'bias' });
      },
    }),
  },
  {
    modelTypes: ['flint'],
    name: 'Flint',
    traits: (config, sizes) => ({
      ...attentionBias(config),
      queryKeyNorm: 'head',
      hasSinks: true,
      experts: expertsOf(config, sizes, {
        layers: qwenSparseLayers(config, sizes.layers, [0, 1]),
        sharedWidth: sizeOr(config, 0, 'shared_expert_intermediate_size'),
      }),
      names: { sharedExperts: 'mlp.shared_expert' },
    }),
  },
  {
    modelTypes: ['kolibri1'],
    name: 'Kolibri',
    traits: (config, sizes) => ({
      ...attentionBias(config),
      queryKeyNorm: 'head',
      norms: ['input_layernorm', 'post_attention_layernorm', 'post_self_attn_layernorm', 'post_mlp_layernorm'],
      experts: expertsOf(config, sizes, {
        sharedWidth: sizeOr(config, 0, 'shared_expert_intermediate_size'),
        hasCorrectionBias: true,
      }),
    }),
  },
  {
    modelTypes: ['mellum'],
    name: 'Mellum',
    traits: (config, sizes) => ({
      ...attentionBias(config),
      queryKeyNorm: 'head',
      experts: expertsOf(config, sizes, { layers: sparseLayers(config, sizes.layers, 0) }),
    }),
  },
  { modelTypes: ['laguna'], name: 'Laguna', traits: lagunaTraits },
  { modelTypes: ['mimo_v2_flash'], name: 'MiMo-V2-Flash', traits: mimoTraits },
  { modelTypes: ['doge'], name: 'Doge', traits: dogeTraits },
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

function ernieSparseLayers(config: Fields, layers: number): number {
  const period = sizeOr(config, 1, 'moe_layer_interval');
  const first = sizeOr(config, 0, 'moe_layer_start_index');
  const end = config.signedInteger('moe_layer_end_index') ?? -1;
  const last = end === -1 ? layers - 1 : end;
  return layersWith(layers, (layer) => (layer + 1) % period === 0 && layer >= first && layer <= last);
}

function indexerOf(config: Fields, { layers }: DecoderSizes): NonNullable<LatentAttentionShape['indexer']> {
  const own = listedLayers(config, layers, 'indexer_types') ?? indexerPattern(config, layers);
  return {
    heads: sizeOr(config, 0, 'index_n_heads'),
    size: sizeOr(config, 0, 'index_head_dim'),
    layers: layersWith(layers, (layer) => own[layer] !== 'shared'),
  };
}

/** GLM-5: layers that choose their own tokens and layers that take another's (configuration_glm_moe_dsa.py). */
function indexerPattern(config: Fields, layers: number): string[] {
  const pattern = config.has('index_topk_pattern') ? config.text('index_topk_pattern') : undefined;
  const period = Math.max(sizeOr(config, 1, 'index_topk_freq'), 1);
  const offset = sizeOr(config, 2, 'index_skip_topk_offset');
  return Array.from({ length: layers }, (_, layer) => {
    const isShared =
      pattern === undefined ? Math.max(layer - offset + 1, 0) % period !== 0 : pattern[layer % pattern.length] === 'S';
    return isShared ? 'shared' : 'full';
  });
}

/** Some layers choose blocks of tokens by a small attention of their own (modeling_minimax_m3_vl.py, MiniMaxM3VLIndexer). */
function minimaxM3Traits(config: Fields, sizes: DecoderSizes): DecoderTraits {
  const { hidden, layers } = sizes;
  const types = listedLayers(config, layers, 'layer_types');
  const copies = layersWith(layers, (layer) => types?.[layer] === 'minimax_m3_sparse');
  const indexSize = sizeOr(config, 0, 'index_head_dim');
  const prefix = 'model.layers.N.self_attn.indexer';
  return {
    sizes: { width: sizeOr(config, sizes.width, 'dense_intermediate_size') },
    queryKeyNorm: 'head',
    experts: expertsOf(config, sizes, {
      layers: sparseLayers(config, layers, 0),
      width: sizes.width,
      sharedWidth: sizeOr(config, 0, 'shared_intermediate_size'),
      hasCorrectionBias: true,
    }),
    names: { gateUp: 'mlp.gate_up_proj' },
    add: (model) => {
      model
        .linear(`${prefix}.q_proj`, hidden, indexSize * sizeOr(config, 0, 'index_n_heads'), { copies })
        .linear(`${prefix}.k_proj`, hidden, indexSize, { copies })
        .norm(`${prefix}.q_norm`, indexSize, { copies })
        .norm(`${prefix}.k_norm`, indexSize, { copies });
    },
  };
}

/** Experts in the feed-forward part and in attention, whose queries and output are routed (modeling_jetmoe.py). */
function jetmoeTraits(config: Fields, sizes: DecoderSizes): DecoderTraits {
  const { hidden, layers: copies, width, keyValueHeads } = sizes;
  const { count, active } = expertsOf(config, sizes);
  const inner = sizeOr(config, 128, 'kv_channels', 'head_dim') * keyValueHeads;
  const routed = { copies: copies * count, activeCopies: copies * Math.min(active, count) };
  const prefix = 'model.layers.N';
  return {
    attentionLayers: 0,
    feedForwardLayers: 0,
    add: (model) => {
      model
        .linear(`${prefix}.self_attention.kv_proj`, hidden, 2 * inner, { copies })
        .linear(`${prefix}.self_attention.experts.router.layer`, hidden, count, { copies })
        .linear(`${prefix}.self_attention.experts.input_linear.N`, hidden, inner, routed)
        .linear(`${prefix}.self_attention.experts.output_linear.N`, inner, hidden, routed)
        .parameter(`${prefix}.self_attention.experts.bias`, [hidden], { copies, kind: 'bias' })
        .linear(`${prefix}.mlp.router.layer`, hidden, count, { copies })
        .linear(`${prefix}.mlp.input_linear.N`, hidden, 2 * width, routed)
        .linear(`${prefix}.mlp.output_linear.N`, width, hidden, routed)
        .parameter(`${prefix}.mlp.bias`, [hidden], { copies, kind: 'bias' });
    },
  };
}

/**
 * Two attentions and two dense parts a layer beside one set of experts; some experts give back what they get. The class keeps gate and up
 * matrices for those too (modeling_longcat_flash.py, LongcatFlashExperts).
 */
function longcatTraits(config: Fields, sizes: DecoderSizes): DecoderTraits {
  const { hidden, layers: copies } = sizes;
  const count = sizeOr(config, 0, 'n_routed_experts', 'num_local_experts');
  const all = count + sizeOr(config, 0, 'zero_expert_num');
  const active = Math.min(sizeOr(config, 0, 'moe_topk', 'num_experts_per_tok'), count);
  const width = sizeOr(config, 0, 'expert_ffn_hidden_size', 'moe_intermediate_size');
  const prefix = 'model.layers.N.mlp';
  return {
    sizes: { layers: 2 * copies, width: sizeOr(config, sizes.width, 'ffn_hidden_size', 'intermediate_size') },
    latent: latentOf(config, sizes, { querySize: size(config, 'qk_head_dim') }),
    names: { gate: 'mlps.N.gate_proj', up: 'mlps.N.up_proj', down: 'mlps.N.down_proj' },
    add: (model) => {
      const options = { copies: copies * all, activeCopies: copies * active };
      model
        .linear(`${prefix}.router.classifier`, hidden, all, { copies, bias: isOn(config, 'router_bias') })
        .parameter(`${prefix}.router.e_score_correction_bias`, [all], { copies, kind: 'bias' })
        .linear(`${prefix}.experts.N.gate_proj`, hidden, width, options)
        .linear(`${prefix}.experts.N.up_proj`, hidden, width, options)
        .linear(`${prefix}.experts.N.down_proj`, width, hidden, { copies: copies * count, activeCopies: copies * active });
    },
  };
}

/** Layers may differ in their heads (modeling_laguna.py). */
function lagunaTraits(config: Fields, sizes: DecoderSizes): DecoderTraits {
  return {
    ...attentionBias(config),
    sizes: { heads: sizeOfEach(config, sizes.heads, 'num_attention_heads_per_layer') },
    queryKeyNorm: 'head',
    gate: lagunaGate(config),
    experts: expertsOf(config, sizes, {
      layers: sparseLayers(config, sizes.layers, 1),
      sharedWidth: sizeOr(config, 0, 'shared_expert_intermediate_size'),
      hasCorrectionBias: true,
    }),
    names: { attentionGate: 'self_attn.g_proj' },
  };
}

function lagunaGate(config: Fields): 'head' | 'number' {
  const gating = config.texts('gating')?.[0];
  return gating === 'per-head' || (gating === undefined && flagOr(config, true, 'gating')) ? 'head' : 'number';
}

/** Layers with a window have twice the key-value heads, and sinks (modeling_mimo_v2_flash.py, MiMoV2FlashAttention). */
function mimoTraits(config: Fields, sizes: DecoderSizes): DecoderTraits {
  const { hidden, layers, heads, keyValueHeads, headSize } = sizes;
  const types = listedLayers(config, layers, 'layer_types');
  const full = layersWith(layers, (layer) =>
    types === null ? layer === 0 || (layer + 1) % 6 === 0 : types[layer] === 'full_attention',
  );
  const windowed = layers - full;
  const valueSize = sizeOr(config, headSize, 'v_head_dim');
  const bias = isOn(config, 'attention_bias');
  return {
    queryKeyValueBias: bias,
    attentionLayers: full,
    valueSize,
    experts: expertsOf(config, sizes, { layers: sparseLayers(config, layers, 1), hasCorrectionBias: true }),
    add: (model) => {
      addAttention(
        model,
        {
          kind: 'grouped',
          heads,
          keyValueHeads: 2 * keyValueHeads,
          headSize,
          valueSize,
          queryKeyValueBias: bias,
          outputBias: false,
          queryKeyNorm: null,
          hasSinks: true,
        },
        hidden,
        windowed,
      );
    },
  };
}

/** Learned residuals and a mask, and on demand experts of one row each, found by products of keys (modeling_doge.py). */
function dogeTraits(config: Fields, { hidden, headSize, keyValueHeads, layers: copies }: DecoderSizes): DecoderTraits {
  const bias = isOn(config, 'mlp_bias');
  const count = isOn(config, 'is_moe') ? sizeOr(config, 0, 'num_experts') : 0;
  const prefix = 'model.layers.N';
  return {
    ...attentionBias(config),
    queryKeyNorm: 'head',
    feedForwardBias: bias,
    add: (model) => {
      model
        .parameter(`${prefix}.input_residual`, [hidden], { copies })
        .parameter(`${prefix}.post_attention_residual`, [hidden], { copies })
        .parameter(`${prefix}.self_attn.A`, [keyValueHeads], { copies })
        .linear(`${prefix}.self_attn.dt_proj`, keyValueHeads * headSize, keyValueHeads, {
          copies,
          bias: isOn(config, 'attention_bias'),
        })
        .linear(`${prefix}.mlp.router_gate`, hidden, 2 * Math.floor(Math.sqrt(count)), { copies })
        .embedding(`${prefix}.mlp.down_embed`, count, hidden, { copies })
        .embedding(`${prefix}.mlp.up_embed`, count, hidden, { copies });
    },
  };
}

function llama4SparseLayers(config: Fields, layers: number): number {
  const named = config.integers('moe_layers');
  if (named !== undefined) return layersWith(layers, (layer) => named.includes(layer));
  return periodicLayers(layers, sizeOr(config, 1, 'interleave_moe_layer_step'), -1);
}

/** Decoders with experts. */
export const expertFamilies: readonly Architecture[] = entries.map(decoder);
