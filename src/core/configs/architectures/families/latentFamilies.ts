import type { Fields } from '../../fields.js';
import type { Architecture } from '../architecture.js';
import { decoder, type DecoderEntry, type DecoderTraits } from '../decoderEntry.js';
import type { LatentAttentionShape } from '../decoderShape.js';
import { addAttention, addLatentAttention } from '../decoderTensors.js';
import { qwenHybridTraits, sharedGateExperts } from './hybridFamilies.js';
import { deepseekExperts, latentOf } from './expertFamilies.js';
import { glm5NextText } from './glm5NextFamily.js';
import { addStreamMixes } from './hyperConnections.js';
import { inkling2Families } from './inkling2Families.js';
import { layersWith, listedLayers, sparseLayers } from '../layerPattern.js';
import { type DecoderSizes, flagOr, isOn, size, sizeOr } from '../sizes.js';
import type { ModelTensors, TensorGroup } from '../tensorGroup.js';

const layer = 'model.layers.N';

/** Streams that are mixed before each part, and gathered at the end. */
function addHyperConnections(model: ModelTensors, sizes: DecoderSizes, streams: number, mixes: number, scales: number): void {
  addStreamMixes(model, sizes, { streams, mixes, scales });
  model
    .parameter('model.hc_head.hc_fn', [streams, streams * sizes.hidden])
    .parameter('model.hc_head.hc_base', [streams])
    .parameter('model.hc_head.hc_scale', [1]);
}

/** Kinds of attention that DeepSeek-V4 writes as the number of tokens that become one. */
const compressions: Readonly<Record<number, string>> = {
  0: 'sliding_attention',
  4: 'compressed_sparse_attention',
  128: 'heavily_compressed_attention',
};

function deepseek4Layers(config: Fields, layers: number): string[] {
  const listed = listedLayers(config, layers, 'layer_types');
  if (listed !== null) return listed;
  const ratios = config.integers('compress_ratios') ?? [];
  return Array.from({ length: layers }, (_, index) => {
    const ratio = ratios[index % Math.max(ratios.length, 1)];
    if (ratio !== undefined) return compressions[ratio] ?? '';
    return index < 2 || index % 2 === 0 ? 'heavily_compressed_attention' : 'compressed_sparse_attention';
  });
}

/** Keys and values in one head, compressed over tokens in most layers; experts in all (modeling_deepseek_v4.py). */
function deepseek4Traits(config: Fields, sizes: DecoderSizes): DecoderTraits {
  const { hidden, layers: copies, heads, headSize } = sizes;
  const types = deepseek4Layers(config, copies);
  const layersOf = (type: string): number => layersWith(copies, (index) => types[index] === type);
  const hashed = sizeOr(config, 3, 'num_hash_layers');
  const routers = listedLayers(config, copies, 'mlp_layer_types');
  const biased = layersWith(copies, (index) => (routers === null ? index >= hashed : routers[index] !== 'hash_moe'));
  const rank = sizeOr(config, 0, 'q_lora_rank');
  const groups = Math.max(sizeOr(config, 1, 'o_groups'), 1);
  const outputRank = groups * sizeOr(config, 0, 'o_lora_rank');
  const streams = sizeOr(config, 1, 'hc_mult');
  const rates = config.at('compress_rates');
  const sparse = layersOf('compressed_sparse_attention');
  const heavy = layersOf('heavily_compressed_attention');
  const sparseRate = sizeOr(config, sizeOr(rates, 4, 'compressed_sparse_attention'), 'compress_rate_csa');
  const heavyRate = sizeOr(config, sizeOr(rates, 128, 'heavily_compressed_attention'), 'compress_rate_hca');
  const prefix = `${layer}.self_attn`;
  const width = sizeOr(config, sizes.width, 'moe_intermediate_size', 'intermediate_size');
  // One shared expert, whatever their number.
  const routed = deepseekExperts(config, sizes, {
    layers: copies,
    width,
    sharedWidth: width,
    sharedBias: isOn(config, 'mlp_bias'),
    hasCorrectionBias: false,
  });
  return {
    attentionLayers: 0,
    experts: routed,
    add: (model) => {
      model
        .parameter(`${prefix}.sinks`, [heads], { copies })
        .linear(`${prefix}.q_a_proj`, hidden, rank, { copies })
        .norm(`${prefix}.q_a_norm`, rank, { copies })
        .linear(`${prefix}.q_b_proj`, rank, heads * headSize, { copies })
        .linear(`${prefix}.kv_proj`, hidden, headSize, { copies })
        .norm(`${prefix}.kv_norm`, headSize, { copies })
        .linear(`${prefix}.o_a_proj`, Math.floor((heads * headSize) / groups), outputRank, { copies })
        .linear(`${prefix}.o_b_proj`, outputRank, hidden, { copies })
        .parameter(`${layer}.mlp.gate.e_score_correction_bias`, [routed.count], { copies: biased, kind: 'bias' });
      const index = { heads: sizeOr(config, 0, 'index_n_heads'), size: sizeOr(config, 0, 'index_head_dim') };
      addCompressor(model, `${prefix}.compressor`, { hidden, width: headSize, normSize: headSize, rate: heavyRate }, heavy);
      addCompressor(model, `${prefix}.compressor`, { hidden, width: 2 * headSize, normSize: headSize, rate: sparseRate }, sparse);
      addCompressor(
        model,
        `${prefix}.compressor.indexer`,
        { hidden, width: 2 * index.size, normSize: index.size, rate: sparseRate },
        sparse,
      );
      model
        .linear(`${prefix}.compressor.indexer.q_b_proj`, rank, index.heads * index.size, { copies: sparse })
        .linear(`${prefix}.compressor.indexer.scorer.weights_proj`, hidden, index.heads, { copies: sparse });
      addHyperConnections(model, sizes, streams, (2 + streams) * streams, 3);
    },
  };
}

/** Makes one key and value of some tokens: by weights of their position and their content. */
function addCompressor(
  model: ModelTensors,
  prefix: string,
  { hidden, width, normSize, rate }: { hidden: number; width: number; normSize: number; rate: number },
  copies: number,
): void {
  model
    .parameter(`${prefix}.position_bias`, [rate, width], { copies })
    .linear(`${prefix}.kv_proj`, hidden, width, { copies })
    .linear(`${prefix}.gate_proj`, hidden, width, { copies })
    .norm(`${prefix}.kv_norm`, normSize, { copies });
}

/** Hunyuan 4: latent attention with a gate and sinks, streams that are mixed without exchange (modeling_hy_v4.py). */
function hunyuan4Traits(config: Fields, sizes: DecoderSizes): DecoderTraits {
  const { hidden, layers: copies, heads } = sizes;
  const types = listedLayers(config, copies, 'indexer_types');
  const own = layersWith(copies, (index) => (types === null ? index === 0 || (index - 1) % 4 === 0 : types[index] !== 'shared'));
  const indexer = { heads: sizeOr(config, 0, 'index_n_heads'), size: sizeOr(config, 0, 'index_head_dim'), layers: own };
  const streams = sizeOr(config, 1, 'hc_mult');
  const latent = latentOf(config, sizes, { indexer });
  return {
    latent,
    experts: deepseekExperts(config, sizes, { layers: sparseLayers(config, copies, 1) }),
    add: (model) => {
      model
        .linear(`${layer}.self_attn.gate_proj`, hidden, heads * latent.valueSize, { copies })
        .parameter(`${layer}.self_attn.sinks`, [heads], { copies });
      addHyperConnections(model, sizes, streams, 2 * streams, 2);
    },
  };
}

/** A.X K2: queries and a gate in one matrix over twice the rank, norms with a gate of their own (modeling_axk2.py). */
function axk2Traits(config: Fields, sizes: DecoderSizes): DecoderTraits {
  const { hidden, layers: copies, heads } = sizes;
  const dense = sizeOr(config, 1, 'first_k_dense_replace');
  const period = sizeOr(config, 1, 'moe_layer_freq');
  const listed = listedLayers(config, copies, 'mlp_layer_types');
  const sparse = layersWith(copies, (index) =>
    listed === null ? index >= dense && index % period === 0 : listed[index] === 'sparse',
  );
  const indexer = { heads: sizeOr(config, 0, 'index_n_heads'), size: sizeOr(config, 0, 'index_head_dim'), layers: copies };
  const { queryRank, plainSize, rotarySize, valueSize, ...latent } = latentOf(config, sizes, { indexer });
  const rank = queryRank ?? 0;
  const gateRank = sizeOr(config, 0, 'gated_norm_rank');
  return {
    // `q_gate_proj` takes the place of `q_b_proj`.
    latent: { ...latent, queryRank, plainSize, rotarySize, valueSize, querySize: 0 },
    experts: deepseekExperts(config, sizes, { layers: sparse }),
    norms: [],
    add: (model) => {
      model
        .norm(`${layer}.input_layernorm.norm`, hidden, { copies })
        .norm(`${layer}.post_attention_layernorm`, hidden, { copies: copies - sparse })
        .norm(`${layer}.post_attention_layernorm.norm`, hidden, { copies: sparse });
      model.linear(`${layer}.self_attn.q_gate_proj`, 2 * rank, heads * (plainSize + rotarySize + valueSize), { copies });
      for (const [name, gated] of [
        ['input_layernorm', copies],
        ['post_attention_layernorm', sparse],
      ] as const)
        model
          .linear(`${layer}.${name}.mlp.fc1`, hidden, gateRank, { copies: gated })
          .linear(`${layer}.${name}.mlp.fc2`, gateRank, hidden, { copies: gated });
    },
  };
}

/** dots.note: layers with a window have sizes of their own, by `per_layer_config` or keys that begin with `swa_`. */
function dotsNoteTraits(config: Fields, sizes: DecoderSizes): DecoderTraits {
  const { hidden, layers: copies } = sizes;
  const usesWindow = flagOr(config, true, 'use_sliding_window');
  const listed = listedLayers(config, copies, 'layer_types');
  const types = Array.from({ length: copies }, (_, index) => {
    if (listed !== null) return listed[index] ?? '';
    return !usesWindow || index < 2 || index % 4 === 1 ? 'indexed_attention' : 'sliding_attention';
  });
  const expertWidth = sizeOr(config, 0, 'moe_shared_expert_intermediate_size', 'shared_experts_intermediate_size');
  return {
    attentionLayers: 0,
    experts: deepseekExperts(config, sizes, {
      layers: sparseLayers(config, copies, sizeOr(config, 1, 'first_k_dense_replace')),
      sharedWidth: expertWidth * sizeOr(config, 0, 'n_shared_experts'),
    }),
    add: (model) => {
      for (const attention of dotsAttentions(config, sizes, types)) addDotsAttention(model, config, attention, hidden);
    },
  };
}

interface DotsAttention {
  shape: LatentAttentionShape;
  isIndexed: boolean;
  count: number;
}

/** Equal attentions of layers together. */
function dotsAttentions(config: Fields, sizes: DecoderSizes, types: readonly string[]): DotsAttention[] {
  const perLayer = config.at('per_layer_config');
  const isListed = config.has('per_layer_config');
  const keys = new Map(perLayer.keys.map((key) => [Number(key), key]));
  const base = latentOf(config, sizes);
  const windowed = isListed ? base : windowedOf(config, base);
  const groups = new Map<string, DotsAttention>();
  types.forEach((type, index) => {
    const key = keys.get(index);
    const isWindow = type === 'sliding_attention';
    const shape = key === undefined ? (isWindow ? windowed : base) : overridden(perLayer.at(key), base);
    const isIndexed = type === 'indexed_attention' || (type === 'full_attention' && !isListed);
    const name = JSON.stringify([shape, isIndexed]);
    const group = groups.get(name) ?? { shape, isIndexed, count: 0 };
    group.count += 1;
    groups.set(name, group);
  });
  return [...groups.values()];
}

function windowedOf(config: Fields, base: LatentAttentionShape): LatentAttentionShape {
  const plainSize = sizeOr(config, 192, 'swa_qk_nope_head_dim');
  return {
    ...base,
    heads: sizeOr(config, 64, 'swa_num_attention_heads'),
    queryRank: sizeOr(config, 1024, 'swa_q_lora_rank'),
    keyValueRank: sizeOr(config, 1024, 'swa_kv_lora_rank'),
    plainSize,
    rotarySize: sizeOr(config, sizeOr(config, 256, 'swa_head_dim') - plainSize, 'swa_qk_rope_head_dim'),
    valueSize: sizeOr(config, 128, 'swa_v_head_dim'),
  };
}

function overridden(own: Fields, base: LatentAttentionShape): LatentAttentionShape {
  return {
    ...base,
    heads: sizeOr(own, base.heads, 'num_attention_heads'),
    queryRank: size(own, 'q_lora_rank') ?? base.queryRank,
    keyValueRank: sizeOr(own, base.keyValueRank, 'kv_lora_rank'),
    plainSize: sizeOr(own, base.plainSize, 'qk_nope_head_dim'),
    rotarySize: sizeOr(own, base.rotarySize, 'qk_rope_head_dim'),
    valueSize: sizeOr(own, base.valueSize, 'v_head_dim'),
  };
}

function addDotsAttention(
  model: ModelTensors,
  config: Fields,
  { shape, isIndexed, count: copies }: DotsAttention,
  hidden: number,
): void {
  const indexer = { heads: sizeOr(config, 0, 'index_n_heads'), size: sizeOr(config, 0, 'index_head_dim'), layers: copies };
  addLatentAttention(model, isIndexed ? { ...shape, indexer } : shape, hidden, copies);
  model
    .norm(`${layer}.self_attn.k_rope_only_layernorm`, shape.rotarySize, { copies })
    .linear(`${layer}.self_attn.g_proj`, hidden, shape.heads, { copies });
}

/** Zaya: attention in a compressed space with convolutions over queries and keys, a router with layers of its own (modeling_zaya.py). */
function zayaTraits(config: Fields, sizes: DecoderSizes): DecoderTraits {
  const { hidden, layers: copies, heads, keyValueHeads, headSize } = sizes;
  const queries = heads * headSize;
  const keys = keyValueHeads * headSize;
  const bias = isOn(config, 'attention_bias');
  const attention = `${layer}.self_attn`;
  const projection = `${attention}.qkv_proj`;
  const router = `${layer}.mlp.gate`;
  const count = sizeOr(config, 0, 'num_experts');
  const active = Math.min(sizeOr(config, 1, 'num_experts_per_tok'), count);
  const width = sizeOr(config, 0, 'moe_intermediate_size');
  const inner = sizeOr(config, 0, 'router_hidden_size');
  const routed = { copies: copies * count, activeCopies: copies * active };
  return {
    attentionLayers: 0,
    feedForwardLayers: 0,
    headBias: isOn(config, 'lm_head_bias'),
    add: (model) => {
      model
        .parameter('model.input_hidden_states_scale', [hidden])
        .parameter('model.input_hidden_states_bias', [hidden])
        .linear(`${attention}.o_proj`, queries, hidden, { copies, bias })
        .linear(`${projection}.q_proj`, hidden, queries, { copies, bias })
        .linear(`${projection}.k_proj`, hidden, keys, { copies, bias })
        .linear(`${projection}.v_proj_current`, hidden, Math.floor(keys / 2), { copies, bias })
        .linear(`${projection}.v_proj_delayed`, hidden, Math.floor(keys / 2), { copies, bias })
        .convolution(`${projection}.conv_qk_depthwise`, [queries + keys, 1, sizeOr(config, 2, 'cca_time0')], {
          copies,
          bias: true,
        })
        .convolution(`${projection}.conv_qk_grouped`, [queries + keys, headSize, sizeOr(config, 2, 'cca_time1')], {
          copies,
          bias: true,
        })
        .parameter(`${attention}.qk_norm.temp`, [keyValueHeads], { copies })
        .linear(`${router}.down_proj`, hidden, inner, { copies, bias: true })
        .norm(`${router}.router_mlp.norm`, inner, { copies })
        .linear(`${router}.router_mlp.fc1`, inner, inner, { copies, bias: true })
        .linear(`${router}.router_mlp.fc2`, inner, inner, { copies, bias: true })
        // One class more than experts: to skip them.
        .linear(`${router}.router_mlp.out_proj`, inner, count + 1, { copies })
        .parameter(`${router}.router_states_scale`, [inner], { copies: copies - 1 })
        .linear(`${layer}.mlp.experts.N.gate_proj`, hidden, width, routed)
        .linear(`${layer}.mlp.experts.N.up_proj`, hidden, width, routed)
        .linear(`${layer}.mlp.experts.N.down_proj`, width, hidden, routed);
      for (const part of ['post_attention_residual_scale', 'post_mlp_residual_scale'])
        for (const name of ['hidden_states_scale', 'hidden_states_bias', 'residual_scale', 'residual_bias'])
          model.parameter(`${layer}.${part}.${name}`, [hidden], { copies });
    },
  };
}

/** Inkling: short convolutions after keys, values and both parts, positions by their distance (modeling_inkling.py). */
function inklingTraits(config: Fields, sizes: DecoderSizes): DecoderTraits {
  const { hidden, layers: copies, heads, keyValueHeads, headSize } = sizes;
  const local = config.integers('local_layer_ids');
  const types = listedLayers(config, copies, 'layer_types');
  const windowed = layersWith(copies, (index) => {
    if (types !== null) return types[index] === 'hybrid_sliding';
    return local === undefined ? (index + 1) % 6 !== 0 : local.includes(index);
  });
  // Where there is a width of dense layers, `intermediate_size` is the experts'.
  const dense = size(config, 'dense_intermediate_size');
  const width = dense === undefined ? sizeOr(config, sizes.width, 'moe_intermediate_size') : sizes.width;
  const kernel = sizeOr(config, 0, 'conv_kernel_size', 'sconv_kernel_size');
  const relative = sizeOr(config, 0, 'd_rel');
  const shared = sizeOr(config, 0, 'n_shared_experts');
  const sparse = sparseLayers(config, copies, sizeOr(config, 0, 'dense_mlp_idx'));
  const experts = deepseekExperts(config, sizes, { width, sharedWidth: 0, layers: sparse });
  const global = { heads, keyValueHeads, headSize, reach: sizeOr(config, 0, 'rel_extent') };
  const own = {
    heads: sizeOr(config, heads, 'swa_num_attention_heads'),
    keyValueHeads: sizeOr(config, keyValueHeads, 'swa_num_key_value_heads'),
    headSize: sizeOr(config, headSize, 'swa_head_dim'),
    reach: sizeOr(config, 0, 'sliding_window_size', 'sliding_window'),
  };
  return {
    isTied: false,
    attentionLayers: 0,
    sizes: { width: dense ?? sizes.width },
    experts,
    add: (model) => {
      model.norm('model.embed_tokens.embed_norm', hidden);
      for (const [shape, count] of [
        [own, windowed],
        [global, copies - windowed],
      ] as const) {
        const keys = shape.keyValueHeads * shape.headSize;
        addAttention(model, { ...plainAttention, ...shape }, hidden, count);
        model
          .linear(`${layer}.self_attn.r_proj`, hidden, shape.heads * relative, { copies: count })
          .convolution(`${layer}.self_attn.k_sconv.conv1d`, [keys, 1, kernel], { copies: count })
          .convolution(`${layer}.self_attn.v_sconv.conv1d`, [keys, 1, kernel], { copies: count })
          .parameter(`${layer}.self_attn.rel_logits_proj.proj`, [relative, shape.reach], { copies: count });
      }
      model
        .convolution(`${layer}.attn_sconv.conv1d`, [hidden, 1, kernel], { copies })
        .convolution(`${layer}.mlp_sconv.conv1d`, [hidden, 1, kernel], { copies })
        // The router tells of the shared experts too.
        .linear(`${layer}.mlp.shared_gate`, hidden, shared, { copies: sparse })
        .parameter(`${layer}.mlp.gate.global_scale`, [1], { copies })
        .linear(`${layer}.mlp.shared_experts.gate_proj.N`, hidden, width, { copies: sparse * shared })
        .linear(`${layer}.mlp.shared_experts.up_proj.N`, hidden, width, { copies: sparse * shared })
        .linear(`${layer}.mlp.shared_experts.down_proj.N`, width, hidden, { copies: sparse * shared });
    },
  };
}

const plainAttention = {
  kind: 'grouped',
  queryKeyValueBias: false,
  outputBias: false,
  queryKeyNorm: 'head',
  hasSinks: false,
} as const;

/** Qwen 4 (experimental): delta nets, attention that chooses its tokens, streams of hidden states mixed through a low rank. */
function qwen4Traits(config: Fields, sizes: DecoderSizes): DecoderTraits | null {
  // Embeddings of word pairs have as many rows as certain primes say.
  if ((config.integers('ple_layer_ids') ?? []).length > 0) return null;
  const { hidden, layers: copies } = sizes;
  const base = qwenHybridTraits(config, sizes, 'qkv');
  const full = base.attentionLayers ?? 0;
  const streams = sizeOr(config, 1, 'hc_count');
  const rank = sizeOr(config, 0, 'hc_lowrank');
  const inner = streams * hidden;
  const indexSize = sizeOr(config, 0, 'indexer_head_dim');
  const indexHeads = sizeOr(config, 0, 'indexer_n_heads') + sizeOr(config, 0, 'indexer_kv_heads');
  return {
    ...base,
    norms: [],
    hasFinalNorm: false,
    experts: sharedGateExperts(config, sizes, copies),
    add: (model) => {
      base.add?.(model);
      model
        .linear(`${layer}.self_attn.indexer.index_qk_proj`, hidden, indexHeads * indexSize, { copies: full })
        .norm(`${layer}.self_attn.indexer.q_layernorm`, indexSize, { copies: full })
        .norm(`${layer}.self_attn.indexer.k_layernorm`, indexSize, { copies: full });
      for (const name of [`${layer}.attn_hyper_connection`, `${layer}.mlp_hyper_connection`, 'model.hyper_connection_mixer']) {
        const options = { copies: name.startsWith(layer) ? copies : 1 };
        model
          .norm(`${name}.hc_norm`, inner, options)
          .linear(`${name}.input_mix_weight_down`, inner, rank, options)
          .linear(`${name}.input_mix_weight_up`, rank, inner, options);
        if (name.startsWith(layer)) model.linear(`${name}.block_inject_weight`, inner, streams, options);
      }
    },
  };
}

/** CPM-Ant (modeling_cpmant.py). */
function cpmAntTraits(config: Fields, sizes: DecoderSizes): DecoderTraits {
  const { hidden, heads } = sizes;
  const segments = sizeOr(config, 0, 'segment_types');
  const prompts = sizeOr(config, 0, 'prompt_types') * sizeOr(config, 0, 'prompt_length');
  return {
    sizes: {
      keyValueHeads: heads,
      headSize: sizeOr(config, Math.floor(hidden / heads), 'dim_head'),
      width: sizeOr(config, 4 * hidden, 'dim_ff'),
    },
    // The input has rows for prompts beside the vocabulary, and the class ties nothing.
    isTied: false,
    norms: ['self_att.layernorm_before_attention', 'ffn.layernorm_before_ffn'],
    names: {
      embedding: 'cpmant.input_embedding',
      layer: 'cpmant.encoder.layers.N',
      query: 'self_att.self_attention.project_q',
      key: 'self_att.self_attention.project_k',
      value: 'self_att.self_attention.project_v',
      output: 'self_att.self_attention.attention_out',
      gate: 'ffn.ffn.w_in.w_0',
      up: 'ffn.ffn.w_in.w_1',
      down: 'ffn.ffn.w_out',
      finalNorm: 'cpmant.encoder.output_layernorm',
    },
    add: (model) => {
      model
        .embedding('cpmant.input_embedding.prompts', prompts, hidden)
        .embedding('cpmant.segment_embedding', segments, hidden)
        .parameter('cpmant.position_bias.relative_attention_bias', [
          segments * segments + sizeOr(config, 0, 'position_bias_num_buckets'),
          heads,
        ]);
    },
  };
}

const entries: readonly DecoderEntry[] = [
  { modelTypes: ['inkling_text'], name: 'Inkling', traits: inklingTraits },
  { modelTypes: ['qwen4_exp_text'], name: 'Qwen 4', traits: qwen4Traits },
  { modelTypes: ['cpmant'], name: 'CPM-Ant', traits: cpmAntTraits },
  { modelTypes: ['deepseek_v4'], name: 'DeepSeek-V4', traits: deepseek4Traits },
  { modelTypes: ['hy_v4'], name: 'Hunyuan 4', traits: hunyuan4Traits },
  { modelTypes: ['axk2'], name: 'A.X K2', traits: axk2Traits },
  { modelTypes: ['dots3_note_text'], name: 'dots.note', traits: dotsNoteTraits },
  { modelTypes: ['zaya'], name: 'Zaya', traits: zayaTraits },
  glm5NextText,
  {
    // The first layer has no norm before attention; the head has a layer of its own (modeling_modernbert_decoder.py).
    modelTypes: ['modernbert-decoder'],
    name: 'ModernBERT decoder',
    traits: (config, { hidden, layers }) => {
      const bias = isOn(config, 'attention_bias');
      const normBias = isOn(config, 'norm_bias');
      return {
        queryKeyValueBias: bias,
        outputBias: bias,
        feedForwardBias: isOn(config, 'mlp_bias'),
        norms: ['mlp_norm'],
        normBias,
        headBias: isOn(config, 'decoder_bias'),
        names: {
          embedding: 'model.embeddings.tok_embeddings',
          query: 'attn.q_proj',
          key: 'attn.k_proj',
          value: 'attn.v_proj',
          output: 'attn.Wo',
          gateUp: 'mlp.Wi',
          down: 'mlp.Wo',
          finalNorm: 'model.final_norm',
          head: 'decoder',
        },
        add: (model) => {
          model
            .norm('model.embeddings.norm', hidden, { bias: normBias })
            .norm(`${layer}.attn_norm`, hidden, { copies: layers - 1, bias: normBias })
            .linear('lm_head.dense', hidden, hidden, { bias: isOn(config, 'classifier_bias') })
            .norm('lm_head.norm', hidden, { bias: normBias });
        },
      };
    },
  },
  {
    // Two stacks that work at two paces; the number of layers counts every pass (modeling_hrm_text.py).
    modelTypes: ['hrm_text'],
    name: 'HRM',
    traits: (config, { hidden, heads, headSize, layers, width }) => {
      const copies = sizeOr(config, layers, 'num_layers_per_stack');
      const bias = isOn(config, 'attention_bias');
      return {
        sizes: { layers: 2 * copies, keyValueHeads: heads, headSize, width },
        queryKeyValueBias: bias,
        outputBias: bias,
        gate: 'number',
        feedForwardBias: isOn(config, 'mlp_bias'),
        norms: [],
        hasFinalNorm: false,
        add: (model) => {
          model.parameter('model.z_L_init', [hidden]);
          if (bias)
            model.parameter(`${layer}.self_attn.gate_proj.bias`, [heads * headSize], { copies: 2 * copies, kind: 'bias' });
          const groups = model.groups.splice(0);
          for (const group of groups.flatMap(inBothStacks)) model.groups.push(group);
        },
      };
    },
  },
];

/** HRM's layers are half in one stack and half in the other. */
function inBothStacks(group: TensorGroup): TensorGroup[] {
  if (!group.name.startsWith(layer)) return [group];
  const [copies, activeCopies] = [group.copies / 2, group.activeCopies / 2];
  return ['L', 'H'].map((stack) => ({
    ...group,
    name: group.name.replace('model.', `model.${stack}_module.`),
    copies,
    activeCopies,
  }));
}

/** Decoders whose attention or residuals are unlike Llama's, most of them over latents. */
export const latentFamilies: readonly Architecture[] = [...entries, ...inkling2Families].map(decoder);
