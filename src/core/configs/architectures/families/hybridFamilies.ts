import { entryOf } from '../../../text/entryOf.js';
import type { Fields } from '../../fields.js';
import type { Architecture } from '../architecture.js';
import { classDefaults } from '../classDefaults/classDefaults.js';
import { attentionBias, decoder, type DecoderEntry, type DecoderTraits } from '../decoderEntry.js';
import type { DecoderNames, ExpertShape } from '../decoderShape.js';
import { deepseekExperts, expertsOf, latentOf, qwenSparseLayers } from './expertFamilies.js';
import { layersWith, listedLayers, periodicLayers, sparseLayers } from '../layerPattern.js';
import { addDeltaNet, addKimiDelta, type DeltaNetShape } from '../linearAttention.js';
import { type DecoderSizes, flagOr, isOn, size, sizeOr } from '../sizes.js';
import { addMamba, addMamba2, type Mamba2Shape, type MambaShape } from '../stateSpace.js';
import type { ModelTensors, TensorKind } from '../tensorGroup.js';

/** Names of models whose layers are one norm and one mixer (transformers/models/mamba/modeling_mamba.py). */
const backboneNames: Partial<DecoderNames> = {
  embedding: 'backbone.embeddings',
  layer: 'backbone.layers.N',
  finalNorm: 'backbone.norm_f',
};

/** Names of Jamba, Bamba and Falcon-H1 for the feed-forward part. */
const feedForwardNames: Partial<DecoderNames> = {
  gate: 'feed_forward.gate_proj',
  up: 'feed_forward.up_proj',
  down: 'feed_forward.down_proj',
  finalNorm: 'model.final_layernorm',
};

/** A rank that is a sixteenth of the hidden size where the config leaves it to the class (`auto`). */
function stepRank(config: Fields, hidden: number, name: string): number {
  const auto = Math.ceil(hidden / 16);
  return config.texts(name)?.includes('auto') === true ? auto : sizeOr(config, auto, name);
}

function innerSize(config: Fields, hidden: number, ...names: readonly string[]): number {
  return Math.floor((config.number(...names) ?? NaN) * hidden);
}

function mambaOf(config: Fields, hidden: number): MambaShape {
  return {
    hidden,
    // Falcon-Mamba-7B has both, and another size than `expand` gives.
    inner: sizeOr(config, innerSize(config, hidden, 'expand'), 'intermediate_size'),
    state: sizeOr(config, 0, 'state_size'),
    rank: stepRank(config, hidden, 'time_step_rank'),
    kernel: sizeOr(config, 0, 'conv_kernel'),
    convolutionBias: isOn(config, 'use_conv_bias'),
    bias: isOn(config, 'use_bias'),
  };
}

/** Mamba-2 in the words of hybrids (`mamba_…`). */
function hybridMamba2Of(config: Fields, hidden: number): Mamba2Shape {
  const bias = isOn(config, 'mamba_proj_bias');
  return {
    hidden,
    inner: innerSize(config, hidden, 'mamba_expand'),
    heads: sizeOr(config, 0, 'mamba_n_heads'),
    state: sizeOr(config, 0, 'mamba_d_state'),
    groups: sizeOr(config, 1, 'mamba_n_groups'),
    kernel: sizeOr(config, 0, 'mamba_d_conv'),
    convolutionBias: flagOr(config, true, 'mamba_conv_bias'),
    inputBias: bias,
    outputBias: bias,
    hasNorm: true,
  };
}

const entries: readonly DecoderEntry[] = [
  {
    modelTypes: ['mamba', 'falcon_mamba'],
    name: 'Mamba',
    traits: (config, { hidden, layers }) => ({
      attentionLayers: 0,
      feedForwardLayers: 0,
      norms: ['norm'],
      names: backboneNames,
      add: (model) => {
        addMamba(model, mambaOf(config, hidden), layers, 'backbone.layers.N.mixer');
      },
    }),
  },
  {
    modelTypes: ['mamba2'],
    name: 'Mamba-2',
    traits: (config, { hidden, layers }) => {
      const bias = isOn(config, 'use_bias');
      const shape: Mamba2Shape = {
        hidden,
        inner: innerSize(config, hidden, 'expand'),
        heads: sizeOr(config, 0, 'num_heads'),
        state: sizeOr(config, 0, 'state_size'),
        groups: sizeOr(config, 1, 'n_groups'),
        kernel: sizeOr(config, 0, 'conv_kernel'),
        convolutionBias: isOn(config, 'use_conv_bias'),
        inputBias: bias,
        outputBias: bias,
        hasNorm: true,
      };
      return {
        attentionLayers: 0,
        feedForwardLayers: 0,
        norms: ['norm'],
        names: backboneNames,
        add: (model) => {
          addMamba2(model, shape, layers, 'backbone.layers.N.mixer');
        },
      };
    },
  },
  {
    modelTypes: ['jamba'],
    name: 'Jamba',
    traits: jambaTraits,
  },
  {
    modelTypes: ['bamba'],
    name: 'Bamba',
    traits: (config, { hidden, layers }) => {
      const attention = new Set(config.integers('attn_layer_indices') ?? []);
      const attentionLayers = layersWith(layers, (layer) => attention.has(layer));
      return {
        ...attentionBias(config),
        attentionLayers,
        feedForwardBias: isOn(config, 'mlp_bias'),
        norms: ['input_layernorm', 'pre_ff_layernorm'],
        names: feedForwardNames,
        add: (model) => {
          addMamba2(model, hybridMamba2Of(config, hidden), layers - attentionLayers, 'model.layers.N.mamba');
        },
      };
    },
  },
  {
    // Attention and Mamba-2 side by side in every layer.
    modelTypes: ['falcon_h1'],
    name: 'Falcon-H1',
    traits: (config, { hidden, layers }) => {
      const mixer = hybridMamba2Of(config, hidden);
      const shape: Mamba2Shape = {
        ...mixer,
        inner: sizeOr(config, mixer.inner, 'mamba_d_ssm'),
        outputBias: isOn(config, 'projectors_bias'),
        hasNorm: isOn(config, 'mamba_rms_norm'),
      };
      return {
        ...attentionBias(config),
        feedForwardBias: isOn(config, 'mlp_bias'),
        norms: ['input_layernorm', 'pre_ff_layernorm'],
        names: feedForwardNames,
        add: (model) => {
          addMamba2(model, shape, layers, 'model.layers.N.mamba');
        },
      };
    },
  },
  { modelTypes: ['granitemoehybrid'], name: 'Granite 4', traits: graniteHybridTraits },
  {
    modelTypes: ['nemotron_h'],
    name: 'Nemotron-H',
    layers: (config) => nemotronLayers(config).length,
    traits: nemotronTraits,
  },
  { modelTypes: ['zamba'], name: 'Zamba', traits: zambaTraits },
  { modelTypes: ['zamba2'], name: 'Zamba 2', traits: zamba2Traits },
  { modelTypes: ['recurrent_gemma'], name: 'RecurrentGemma', traits: recurrentGemmaTraits },
  { modelTypes: ['rwkv'], name: 'RWKV', traits: rwkvTraits },
  { modelTypes: ['xlstm'], name: 'xLSTM', traits: xlstmTraits },
  {
    modelTypes: ['lfm2'],
    name: 'LFM2',
    traits: (config, sizes) => {
      const named = config.integers('full_attn_idxs');
      return {
        ...lfm2Traits(config, sizes, (layer) => named === undefined || named.includes(layer)),
        sizes: { width: lfm2Width(config, sizeOr(config, sizes.width, 'block_ff_dim')) },
      };
    },
  },
  {
    modelTypes: ['lfm2_moe'],
    name: 'LFM2-MoE',
    traits: (config, sizes) => {
      const traits = lfm2Traits(config, sizes, () => true);
      const dense = sizeOr(config, 0, 'num_dense_layers');
      return {
        ...traits,
        experts: expertsOf(config, sizes, { layers: layersWith(sizes.layers, (layer) => layer >= dense) }),
        names: { ...traits.names, router: 'feed_forward.gate', expert: 'feed_forward.experts.N' },
      };
    },
  },
  {
    modelTypes: ['lfm3'],
    name: 'LFM3',
    traits: (config, sizes) => ({
      ...lfm2Traits(config, sizes, (layer) => layer % 4 === 2 || (layer % 4 === 0 && layer > 0)),
      ...attentionBias(config),
      gate: isOn(config, 'use_attention_gate') ? 'head' : null,
      norms: isOn(config, 'use_sandwich_norm')
        ? ['operator_norm', 'ffn_norm', 'post_operator_norm', 'post_ffn_norm']
        : ['operator_norm', 'ffn_norm'],
      names: { ...lfm2Names, attentionGate: 'self_attn.g_proj' },
    }),
  },
  {
    modelTypes: ['qwen3_next'],
    name: 'Qwen3-Next',
    traits: (config, sizes) => ({
      ...qwenHybridTraits(config, sizes, 'qkvz'),
      experts: sharedGateExperts(config, sizes, qwenSparseLayers(config, sizes.layers)),
    }),
  },
  { modelTypes: ['qwen3_5_text'], name: 'Qwen3.5', traits: (config, sizes) => qwenHybridTraits(config, sizes, 'qkv') },
  {
    modelTypes: ['qwen3_5_moe_text'],
    name: 'Qwen3.5-MoE',
    traits: (config, sizes) => ({
      ...qwenHybridTraits(config, sizes, 'qkv'),
      experts: sharedGateExperts(config, sizes, sizes.layers),
    }),
  },
  { modelTypes: ['lara_mini'], name: 'Lara', traits: laraTraits },
  { modelTypes: ['olmo_hybrid'], name: 'OLMo Hybrid', traits: olmoHybridTraits },
  {
    modelTypes: ['minimax', 'minimax_text_01', 'minimax_m1', 'MiniMaxText01', 'MiniMaxM1'],
    name: 'MiniMax',
    defaults: classDefaults['minimax'],
    traits: minimaxTraits,
  },
  { modelTypes: ['kimi_linear'], name: 'Kimi Linear', traits: kimiLinearTraits },
  { modelTypes: ['bailing_hybrid'], name: 'Ling', traits: bailingTraits },
];

/** Attention in one layer of a period, experts in one of another (modeling_jamba.py). */
function jambaTraits(config: Fields, sizes: DecoderSizes): DecoderTraits {
  const { hidden, layers } = sizes;
  const attentionLayers = periodicLayers(layers, sizeOr(config, 1, 'attn_layer_period'), sizeOr(config, 0, 'attn_layer_offset'));
  const experts = expertsOf(config, sizes, {
    layers: periodicLayers(layers, sizeOr(config, 1, 'expert_layer_period'), sizeOr(config, 0, 'expert_layer_offset')),
  });
  const copies = layers - attentionLayers;
  const mixer: MambaShape = {
    hidden,
    inner: innerSize(config, hidden, 'mamba_expand'),
    state: sizeOr(config, 0, 'mamba_d_state'),
    rank: stepRank(config, hidden, 'mamba_dt_rank'),
    kernel: sizeOr(config, 0, 'mamba_d_conv'),
    convolutionBias: flagOr(config, true, 'mamba_conv_bias'),
    bias: isOn(config, 'mamba_proj_bias'),
  };
  return {
    attentionLayers,
    // One expert is a plain feed-forward part.
    experts: experts.count > 1 ? experts : null,
    norms: ['input_layernorm', 'pre_ff_layernorm'],
    names: { ...feedForwardNames, router: 'feed_forward.router', expert: 'feed_forward.experts.N' },
    add: (model) => {
      addMamba(model, mixer, copies, 'model.layers.N.mamba');
      model
        .norm('model.layers.N.mamba.dt_layernorm', mixer.rank, { copies })
        .norm('model.layers.N.mamba.b_layernorm', mixer.state, { copies })
        .norm('model.layers.N.mamba.c_layernorm', mixer.state, { copies });
    },
  };
}

/** Layers of attention by `layer_types` or the names that went before it; by a rule where the config lists none. */
function attentionLayersOf(config: Fields, layers: number, isAttention: (layer: number) => boolean): number {
  const listed = listedLayers(config, layers, 'layer_types', 'layers_block_type');
  return layersWith(layers, (layer) =>
    listed === null ? isAttention(layer) : /attention/.test(listed[layer] ?? '') && listed[layer] !== 'linear_attention',
  );
}

/** Mamba-2 or attention, then experts where there are some, and a part that all tokens pass (modeling_granitemoehybrid.py). */
function graniteHybridTraits(config: Fields, sizes: DecoderSizes): DecoderTraits {
  const { hidden, layers: copies } = sizes;
  const attentionLayers = attentionLayersOf(config, copies, () => false);
  const shared = sizeOr(config, 0, 'shared_intermediate_size');
  return {
    ...attentionBias(config),
    attentionLayers,
    feedForwardLayers: 0,
    experts: expertsOf(config, sizes),
    names: { router: 'block_sparse_moe.router', expert: 'block_sparse_moe.experts.N' },
    add: (model) => {
      addMamba2(model, hybridMamba2Of(config, hidden), copies - attentionLayers, 'model.layers.N.mamba');
      model
        .linear('model.layers.N.shared_mlp.input_linear', hidden, 2 * shared, { copies })
        .linear('model.layers.N.shared_mlp.output_linear', shared, hidden, { copies });
    },
  };
}

/** What a layer of Nemotron-H is, by the letters of `hybrid_override_pattern`. */
const nemotronLetters: Readonly<Record<string, string>> = { M: 'linear_attention', '*': 'full_attention', '-': 'mlp', E: 'moe' };
const nemotronNames: Readonly<Record<string, string>> = { mamba: 'linear_attention', attention: 'full_attention' };

function nemotronLayers(config: Fields): string[] {
  const listed = config.texts('layers_block_type', 'layer_types');
  if (listed !== undefined && listed.length > 0) return listed.map((type) => entryOf(nemotronNames, type) ?? type);
  const pattern = config.has('hybrid_override_pattern') ? config.text('hybrid_override_pattern') : undefined;
  if (pattern === undefined) return ['linear_attention', 'moe', 'full_attention', 'mlp'];
  return [...pattern].flatMap((letter) => entryOf(nemotronLetters, letter) ?? []);
}

/** One part a layer: Mamba-2, attention, a feed-forward part or experts (modeling_nemotron_h.py). */
function nemotronTraits(config: Fields, sizes: DecoderSizes): DecoderTraits {
  const { hidden, width } = sizes;
  const types = nemotronLayers(config);
  const layersOf = (type: string): number => layersWith(types.length, (layer) => types[layer] === type);
  const moe = layersOf('moe');
  const bias = isOn(config, 'mlp_bias');
  const mixerBias = isOn(config, 'use_bias');
  const latent = size(config, 'moe_latent_size');
  const experts = expertsOf(config, sizes, { isGated: false });
  const outer = latent ?? hidden;
  const routed = { copies: moe * experts.count, activeCopies: moe * Math.min(experts.active, experts.count) };
  // 0 stands for the width of layers without experts.
  const shared = sizeOr(config, 0, 'moe_shared_expert_intermediate_size') || width;
  const mixer: Mamba2Shape = {
    hidden,
    inner: sizeOr(config, 0, 'mamba_num_heads') * sizeOr(config, 0, 'mamba_head_dim'),
    heads: sizeOr(config, 0, 'mamba_num_heads'),
    state: sizeOr(config, 0, 'ssm_state_size'),
    groups: sizeOr(config, 1, 'mamba_n_groups', 'n_groups'),
    kernel: sizeOr(config, 4, 'mamba_d_conv', 'conv_kernel'),
    convolutionBias: flagOr(config, true, 'mamba_conv_bias', 'use_conv_bias'),
    inputBias: mixerBias,
    outputBias: mixerBias,
    hasNorm: true,
  };
  const prefix = 'backbone.layers.N.mixer';
  return {
    isTied: false,
    attentionLayers: layersOf('full_attention'),
    feedForwardLayers: layersOf('mlp'),
    isGated: false,
    feedForwardBias: bias,
    norms: ['norm'],
    names: {
      ...backboneNames,
      query: 'mixer.q_proj',
      key: 'mixer.k_proj',
      value: 'mixer.v_proj',
      output: 'mixer.o_proj',
      up: 'mixer.up_proj',
      down: 'mixer.down_proj',
    },
    add: (model) => {
      addMamba2(model, mixer, layersOf('linear_attention'), prefix);
      model
        .linear(`${prefix}.gate`, hidden, experts.count, { copies: moe })
        .parameter(`${prefix}.gate.e_score_correction_bias`, [experts.count], { copies: moe, kind: 'bias' })
        .linear(`${prefix}.experts.N.up_proj`, outer, experts.width, routed)
        .linear(`${prefix}.experts.N.down_proj`, experts.width, outer, routed)
        .linear(`${prefix}.shared_experts.up_proj`, hidden, shared, { copies: moe, bias })
        .linear(`${prefix}.shared_experts.down_proj`, shared, hidden, { copies: moe, bias });
      if (latent !== undefined)
        model
          .linear(`${prefix}.fc1_latent_proj`, hidden, latent, { copies: moe, bias })
          .linear(`${prefix}.fc2_latent_proj`, latent, hidden, { copies: moe, bias });
    },
  };
}

/** Layers of Zamba that have, beside their mixer, the block that they share. */
function zambaHybrids(config: Fields, layers: number, isHybrid: (layer: number) => boolean): number {
  const listed = listedLayers(config, layers, 'layers_block_type', 'layer_types');
  return layersWith(layers, (layer) => (listed === null ? isHybrid(layer) : listed[layer] === 'hybrid'));
}

interface SharedBlock {
  prefix: string;
  hidden: number;
  attentionSize: number;
  width: number;
  heads: number;
  keyValueHeads: number;
  headSize: number;
  isFused: boolean;
  bias: boolean;
}

/** One transformer block that several layers go through: stored once, and once more in each further layer. */
function addSharedBlock(model: ModelTensors, block: SharedBlock, copies: number, isTied: boolean): void {
  const { prefix, hidden, attentionSize, width, heads, keyValueHeads, headSize, bias } = block;
  const add = (name: string, shape: number[], kind: TensorKind): void => {
    model.parameter(`${prefix}.${name}`, shape, { copies, kind, isTied });
  };
  add('self_attn.q_proj.weight', [heads * headSize, attentionSize], 'linear');
  add('self_attn.k_proj.weight', [keyValueHeads * headSize, attentionSize], 'linear');
  add('self_attn.v_proj.weight', [keyValueHeads * headSize, attentionSize], 'linear');
  add('self_attn.o_proj.weight', [hidden, heads * headSize], 'linear');
  if (block.isFused) add('feed_forward.gate_up_proj.weight', [2 * width, hidden], 'linear');
  else for (const name of ['gate', 'up']) add(`feed_forward.${name}_proj.weight`, [width, hidden], 'linear');
  add('feed_forward.down_proj.weight', [hidden, width], 'linear');
  if (bias) {
    add('feed_forward.gate_up_proj.bias', [2 * width], 'bias');
    add('feed_forward.down_proj.bias', [hidden], 'bias');
  }
  add('input_layernorm.weight', [attentionSize], 'norm');
  add('pre_ff_layernorm.weight', [hidden], 'norm');
}

/** Hybrid layers have their mixer in a module of its own. */
function zambaMixers(layers: number, hybrids: number): { layer: string; copies: number }[] {
  return [
    { layer: 'model.layers.N', copies: layers - hybrids },
    { layer: 'model.layers.N.mamba_decoder', copies: hybrids },
  ];
}

/** Mamba with several heads, and one transformer block for all hybrid layers (modeling_zamba.py). */
function zambaTraits(config: Fields, sizes: DecoderSizes): DecoderTraits {
  const { hidden, layers: copies, heads, keyValueHeads, width } = sizes;
  const period = sizeOr(config, 6, 'attn_layer_period');
  const offset = sizeOr(config, 4, 'attn_layer_offset');
  const hybrids = zambaHybrids(config, copies, (layer) => (layer < 3 ? layer === 2 : (layer - 3) % period === offset));
  const inner = innerSize(config, hidden, 'mamba_expand');
  const state = sizeOr(config, 0, 'mamba_d_state');
  const rank = stepRank(config, hidden, 'mamba_dt_rank');
  const mixerHeads = sizeOr(config, 1, 'n_mamba_heads');
  const mixerSize = Math.floor(inner / mixerHeads);
  const bias = isOn(config, 'mamba_proj_bias');
  const block: SharedBlock = {
    prefix: 'model.layers.N.shared_transf',
    hidden,
    width,
    heads,
    keyValueHeads,
    attentionSize: sizeOr(config, 2 * hidden, 'attention_hidden_size'),
    headSize: sizeOr(config, Math.floor((2 * hidden) / heads), 'attention_head_dim'),
    isFused: false,
    bias: false,
  };
  const addMixer = (model: ModelTensors, prefix: string, copies: number): ModelTensors =>
    model
      .parameter(`${prefix}.x_proj_weight`, [mixerHeads, rank + 2 * state, mixerSize], { copies })
      .parameter(`${prefix}.dt_proj_weight`, [mixerHeads, mixerSize, rank], { copies })
      .parameter(`${prefix}.dt_proj_bias`, [mixerHeads, mixerSize], { copies, kind: 'bias' })
      .parameter(`${prefix}.A_log`, [mixerHeads, mixerSize, state], { copies })
      .parameter(`${prefix}.D`, [mixerHeads, mixerSize], { copies })
      .convolution(`${prefix}.conv1d`, [inner, 1, sizeOr(config, 4, 'mamba_d_conv')], {
        copies,
        bias: flagOr(config, true, 'mamba_conv_bias'),
      })
      .linear(`${prefix}.in_proj`, hidden, 2 * inner, { copies, bias })
      .linear(`${prefix}.out_proj`, inner, hidden, { copies, bias });
  return {
    attentionLayers: 0,
    feedForwardLayers: 0,
    norms: [],
    names: { finalNorm: 'model.final_layernorm' },
    add: (model) => {
      for (const { layer, copies: times } of zambaMixers(copies, hybrids))
        addMixer(model, `${layer}.mamba`, times).norm(`${layer}.input_layernorm`, hidden, { copies: times });
      model.linear('model.layers.N.linear', hidden, hidden, { copies: hybrids });
      addSharedBlock(model, block, Math.min(hybrids, 1), false);
      addSharedBlock(model, block, hybrids - 1, isOn(config, 'tie_word_embeddings'));
    },
  };
}

/** Mamba-2, and some transformer blocks that the hybrid layers take in turn, each with adapters of its own (modeling_zamba2.py). */
function zamba2Traits(config: Fields, sizes: DecoderSizes): DecoderTraits | null {
  const { hidden, layers: copies, heads, keyValueHeads } = sizes;
  // The shared blocks take the states and the embeddings side by side.
  if (sizeOr(config, 2 * hidden, 'attention_hidden_size') !== 2 * hidden) return null;
  const named = config.integers('hybrid_layer_ids');
  const hybrids = zambaHybrids(config, copies, (layer) => (named ?? zamba2Hybrids).includes(layer));
  const blocks = Math.min(sizeOr(config, 1, 'num_mem_blocks'), hybrids);
  const width = sizeOr(config, 4 * hidden, 'intermediate_size');
  const rank = sizeOr(config, 128, 'adapter_rank');
  const bias = isOn(config, 'add_bias_linear');
  const mixer: Mamba2Shape = {
    ...hybridMamba2Of(config, hidden),
    heads: sizeOr(config, 0, 'n_mamba_heads'),
    groups: sizeOr(config, 1, 'mamba_ngroups'),
    convolutionBias: true,
    inputBias: bias,
    outputBias: bias,
  };
  const prefix = 'model.layers.N.shared_transformer';
  const attentionSize = 2 * hidden;
  const isTied = isOn(config, 'tie_word_embeddings');
  const block: SharedBlock = {
    prefix,
    hidden,
    width,
    heads,
    keyValueHeads,
    attentionSize,
    headSize: sizeOr(config, Math.floor((2 * hidden) / heads), 'attention_head_dim'),
    isFused: true,
    bias,
  };
  const adapters: [string, number, number][] = [['feed_forward.gate_up_proj_adapter_list', hidden, 2 * width]];
  if (isOn(config, 'use_shared_attention_adapter'))
    for (const name of ['q', 'k', 'v']) adapters.push([`self_attn.linear_${name}_adapter_list`, attentionSize, attentionSize]);
  return {
    attentionLayers: 0,
    feedForwardLayers: 0,
    norms: [],
    names: { finalNorm: 'model.final_layernorm' },
    add: (model) => {
      for (const { layer, copies: times } of zambaMixers(copies, hybrids)) {
        addMamba2(model, mixer, times, `${layer}.mamba`);
        model.norm(`${layer}.input_layernorm`, hidden, { copies: times });
      }
      model.linear('model.layers.N.linear', hidden, hidden, { copies: hybrids });
      addSharedBlock(model, block, blocks, false);
      // The class ties the blocks by the same flag as the embeddings.
      addSharedBlock(model, block, hybrids - blocks, isTied);
      for (const [name, inputs, outputs] of adapters) {
        model
          .linear(`${prefix}.${name}.N.0`, inputs, rank, { copies: hybrids })
          .linear(`${prefix}.${name}.N.1`, rank, outputs, { copies: hybrids });
        // Every hybrid layer has the adapters of all layers that take its block.
        const again = sharedAgain(hybrids, blocks);
        model
          .parameter(`${prefix}.${name}.N.0.weight`, [rank, inputs], { copies: again, kind: 'linear', isTied })
          .parameter(`${prefix}.${name}.N.1.weight`, [outputs, rank], { copies: again, kind: 'linear', isTied });
      }
    },
  };
}

/** Hybrid layers of Zamba2-2.7B, which the class takes without a list. */
const zamba2Hybrids: readonly number[] = [6, 12, 18, 24, 30, 36, 42, 47, 51];

/** Of `layers` that take `blocks` in turn: pairs of a layer and one that has the same block, without the first of each. */
function sharedAgain(layers: number, blocks: number): number {
  let pairs = 0;
  for (let block = 0; block < blocks; block++) {
    const users = Math.ceil((layers - block) / blocks);
    pairs += users * (users - 1);
  }
  return pairs;
}

/** Gated linear recurrences, and attention in a window (modeling_recurrent_gemma.py). */
function recurrentGemmaTraits(config: Fields, sizes: DecoderSizes): DecoderTraits {
  const { hidden, layers, heads } = sizes;
  const types = listedLayers(config, layers, 'block_types');
  const attentionLayers = layersWith(layers, (layer) => (types === null ? layer % 3 === 2 : types[layer] !== 'recurrent'));
  const copies = layers - attentionLayers;
  const inner = sizeOr(config, hidden, 'lru_width');
  const block = Math.floor(inner / heads);
  const prefix = 'model.layers.N.temporal_block';
  return {
    sizes: { width: Math.floor(sizes.width / 2) },
    attentionLayers,
    queryKeyValueBias: isOn(config, 'attention_bias'),
    outputBias: true,
    feedForwardBias: true,
    norms: ['temporal_pre_norm', 'channel_pre_norm'],
    names: {
      query: 'temporal_block.q_proj',
      key: 'temporal_block.k_proj',
      value: 'temporal_block.v_proj',
      output: 'temporal_block.o_proj',
      gate: 'mlp_block.gate_proj',
      up: 'mlp_block.up_proj',
      down: 'mlp_block.down_proj',
      finalNorm: 'model.final_norm',
    },
    add: (model) => {
      model
        .linear(`${prefix}.linear_y`, hidden, inner, { copies, bias: true })
        .linear(`${prefix}.linear_x`, hidden, inner, { copies, bias: true })
        .linear(`${prefix}.linear_out`, inner, hidden, { copies, bias: true })
        .convolution(`${prefix}.conv_1d`, [inner, 1, sizeOr(config, 4, 'conv1d_width')], { copies, bias: true })
        .parameter(`${prefix}.rg_lru.recurrent_param`, [inner], { copies });
      for (const gate of ['input_gate', 'recurrent_gate'])
        model
          .parameter(`${prefix}.rg_lru.${gate}_weight`, [heads, block, block], { copies })
          .parameter(`${prefix}.rg_lru.${gate}_bias`, [heads, block], { copies, kind: 'bias' });
    },
  };
}

/** RWKV-4 (modeling_rwkv.py). */
function rwkvTraits(config: Fields, { hidden, layers: copies }: DecoderSizes): DecoderTraits {
  const inner = sizeOr(config, hidden, 'attention_hidden_size');
  const width = sizeOr(config, 4 * hidden, 'intermediate_size');
  const attention = 'rwkv.blocks.N.attention';
  const feedForward = 'rwkv.blocks.N.feed_forward';
  return {
    attentionLayers: 0,
    feedForwardLayers: 0,
    norms: ['ln1', 'ln2'],
    normBias: true,
    names: { embedding: 'rwkv.embeddings', layer: 'rwkv.blocks.N', finalNorm: 'rwkv.ln_out', head: 'head' },
    add: (model) => {
      // Before the first layer only.
      if (copies > 0) model.norm('rwkv.blocks.0.pre_ln', hidden, { bias: true });
      model.parameter(`${attention}.time_decay`, [inner], { copies }).parameter(`${attention}.time_first`, [inner], { copies });
      for (const name of ['key', 'value', 'receptance'])
        model
          .parameter(`${attention}.time_mix_${name}`, [1, 1, hidden], { copies })
          .linear(`${attention}.${name}`, hidden, inner, { copies });
      model.linear(`${attention}.output`, inner, hidden, { copies });
      for (const name of ['key', 'receptance']) model.parameter(`${feedForward}.time_mix_${name}`, [1, 1, hidden], { copies });
      model
        .linear(`${feedForward}.key`, hidden, width, { copies })
        .linear(`${feedForward}.receptance`, hidden, hidden, { copies })
        .linear(`${feedForward}.value`, width, hidden, { copies });
    },
  };
}

function roundedUp(value: number, multiple: number): number {
  return multiple * Math.ceil(value / multiple);
}

/** Matrix memories with exponential gates (modeling_xlstm.py). */
function xlstmTraits(config: Fields, { hidden, heads, layers }: DecoderSizes): DecoderTraits | null {
  // The class makes embeddings of this width and layers of the other, which do not fit.
  if ((size(config, 'embedding_dim') ?? hidden) !== hidden) return null;
  const copies = sizeOr(config, layers, 'num_blocks');
  const bias = isOn(config, 'use_bias');
  const keys = innerSize(config, hidden, 'qk_dim_factor');
  const values = innerSize(config, hidden, 'v_dim_factor');
  const width = roundedUp(
    hidden * (config.number('ffn_proj_factor') ?? NaN),
    Math.max(sizeOr(config, 64, 'ffn_round_up_to_multiple_of'), 1),
  );
  const prefix = 'backbone.blocks.N';
  const layer = `${prefix}.mlstm_layer`;
  return {
    sizes: { layers: copies },
    isTied: false,
    attentionLayers: 0,
    feedForwardLayers: 0,
    norms: ['norm_mlstm', 'norm_ffn'],
    normBias: bias,
    hasFinalNorm: false,
    names: { embedding: 'backbone.embeddings', layer: prefix },
    add: (model) => {
      model
        .linear(`${layer}.q`, hidden, keys, { copies, bias })
        .linear(`${layer}.k`, hidden, keys, { copies, bias })
        .linear(`${layer}.v`, hidden, values, { copies, bias })
        .linear(`${layer}.ogate_preact`, hidden, values, { copies, bias })
        .linear(`${layer}.igate_preact`, hidden, heads, { copies, bias: true })
        .linear(`${layer}.fgate_preact`, hidden, heads, { copies, bias: true })
        .norm(`${layer}.multihead_norm`, heads * Math.floor(values / heads), { copies, bias })
        .linear(`${layer}.out_proj`, values, hidden, { copies, bias })
        .linear(`${prefix}.ffn.proj_up_gate`, hidden, width, { copies, bias })
        .linear(`${prefix}.ffn.proj_up`, hidden, width, { copies, bias })
        .linear(`${prefix}.ffn.proj_down`, width, hidden, { copies, bias })
        .norm('backbone.out_norm', hidden);
    },
  };
}

const lfm2Names: Partial<DecoderNames> = {
  gate: 'feed_forward.w1',
  up: 'feed_forward.w3',
  down: 'feed_forward.w2',
  finalNorm: 'model.embedding_norm',
};

/** Short convolutions, and attention in some layers (modeling_lfm2.py). */
function lfm2Traits(config: Fields, { hidden, layers }: DecoderSizes, isAttention: (layer: number) => boolean): DecoderTraits {
  const listed = listedLayers(config, layers, 'layer_types');
  const attentionLayers = layersWith(layers, (layer) => (listed === null ? isAttention(layer) : listed[layer] !== 'conv'));
  const copies = layers - attentionLayers;
  const bias = isOn(config, 'conv_bias');
  return {
    attentionLayers,
    queryKeyNorm: 'head',
    norms: ['operator_norm', 'ffn_norm'],
    isTied: flagOr(config, true, 'tie_embedding', 'tie_word_embeddings'),
    names: {
      ...lfm2Names,
      output: 'self_attn.out_proj',
      queryNorm: 'self_attn.q_layernorm',
      keyNorm: 'self_attn.k_layernorm',
    },
    add: (model) => {
      model
        .convolution('model.layers.N.conv.conv', [hidden, 1, sizeOr(config, 3, 'conv_L_cache')], { copies, bias })
        .linear('model.layers.N.conv.in_proj', hidden, 3 * hidden, { copies, bias })
        .linear('model.layers.N.conv.out_proj', hidden, hidden, { copies, bias });
    },
  };
}

/** The width is two thirds of what the config says, rounded up (modeling_lfm2.py, Lfm2MLP). */
function lfm2Width(config: Fields, width: number): number {
  if (!flagOr(config, true, 'block_auto_adjust_ff_dim')) return width;
  const narrowed = Math.floor((2 * width) / 3);
  const factor = config.number('block_ffn_dim_multiplier');
  if (factor === undefined) return narrowed;
  return roundedUp(Math.floor(factor * narrowed), Math.max(sizeOr(config, 256, 'block_multiple_of'), 1));
}

function deltaNetOf(config: Fields, hidden: number, fused: DeltaNetShape['fused']): DeltaNetShape {
  return {
    hidden,
    keyHeads: sizeOr(config, 0, 'linear_num_key_heads'),
    valueHeads: sizeOr(config, 0, 'linear_num_value_heads'),
    keySize: sizeOr(config, 0, 'linear_key_head_dim'),
    valueSize: sizeOr(config, 0, 'linear_value_head_dim'),
    kernel: sizeOr(config, 0, 'linear_conv_kernel_dim'),
    fused,
  };
}

/** Every so many layers full attention with a gate in its queries' matrix, delta nets in the others (modeling_qwen3_next.py). */
export function qwenHybridTraits(config: Fields, { hidden, layers }: DecoderSizes, fused: DeltaNetShape['fused']): DecoderTraits {
  const period = sizeOr(config, 4, 'full_attention_interval');
  const attentionLayers = attentionLayersOf(config, layers, (layer) => (layer + 1) % period === 0);
  const net = deltaNetOf(config, hidden, fused);
  return {
    ...attentionBias(config),
    attentionLayers,
    queryKeyNorm: 'head',
    gate: 'query',
    names: { sharedExperts: 'mlp.shared_expert' },
    add: (model) => {
      addDeltaNet(model, net, layers - attentionLayers, 'model.layers.N.linear_attn');
    },
  };
}

export function sharedGateExperts(config: Fields, sizes: DecoderSizes, layers: number): ExpertShape {
  const sharedWidth = sizeOr(config, 0, 'shared_expert_intermediate_size');
  return expertsOf(config, sizes, { layers, sharedWidth, hasSharedGate: true });
}

/** Qwen3.5's layers without gates over attention and shared experts (modeling_lara_mini.py). */
function laraTraits(config: Fields, sizes: DecoderSizes): DecoderTraits {
  const attentionLayers = attentionLayersOf(config, sizes.layers, (index) => ![0, 2].includes(index % 5));
  const net = deltaNetOf(config, sizes.hidden, 'qkv');
  return {
    ...attentionBias(config),
    attentionLayers,
    queryKeyNorm: 'head',
    experts: { ...sharedGateExperts(config, sizes, sizes.layers), hasSharedGate: false },
    names: { sharedExperts: 'mlp.shared_expert' },
    add: (model) => {
      addDeltaNet(model, net, sizes.layers - attentionLayers, 'model.layers.N.linear_attn');
    },
  };
}

function olmoHybridTraits(config: Fields, { hidden, layers, heads }: DecoderSizes): DecoderTraits {
  const attentionLayers = attentionLayersOf(config, layers, (layer) => layer % 4 === 3 || (layers < 4 && layer === layers - 1));
  const keyHeads = sizeOr(config, heads, 'linear_num_key_heads');
  const keySize = sizeOr(config, Math.floor((0.75 * hidden) / keyHeads), 'linear_key_head_dim');
  const net: DeltaNetShape = {
    hidden,
    keyHeads,
    valueHeads: sizeOr(config, heads, 'linear_num_value_heads'),
    keySize,
    valueSize: sizeOr(config, 2 * keySize, 'linear_value_head_dim'),
    kernel: sizeOr(config, 4, 'linear_conv_kernel_dim'),
    fused: 'none',
  };
  return {
    ...attentionBias(config),
    attentionLayers,
    queryKeyNorm: 'full',
    norms: ['post_attention_layernorm'],
    add: (model) => {
      addDeltaNet(model, net, layers - attentionLayers, 'model.layers.N.linear_attn');
      // Delta nets have their first norm before them, attention has its second one after the feed-forward part.
      model
        .norm('model.layers.N.input_layernorm', hidden, { copies: layers - attentionLayers })
        .norm('model.layers.N.post_feedforward_layernorm', hidden, { copies: attentionLayers });
    },
  };
}

/** Attention and lightning attention in turn (modeling_minimax.py); the first release lists them as 1 and 0. */
function minimaxTraits(config: Fields, sizes: DecoderSizes): DecoderTraits {
  const { hidden, layers, heads, headSize } = sizes;
  const numbered = config.integers('attn_type_list') ?? [];
  const attentionLayers = attentionLayersOf(config, layers, (layer) =>
    numbered.length > 0 ? numbered[layer % numbered.length] === 1 : layer % 2 === 0,
  );
  const copies = layers - attentionLayers;
  const inner = heads * headSize;
  const prefix = 'model.layers.N.self_attn';
  return {
    attentionLayers,
    experts: expertsOf(config, sizes),
    add: (model) => {
      model
        .norm(`${prefix}.norm`, inner, { copies })
        .linear(`${prefix}.qkv_proj`, hidden, 3 * inner, { copies })
        .linear(`${prefix}.out_proj`, inner, hidden, { copies })
        .linear(`${prefix}.output_gate`, hidden, inner, { copies });
    },
  };
}

/** Attention over latents in some layers, Kimi delta attention in the others (configuration_kimi_linear.py). */
function kimiLinearTraits(config: Fields, sizes: DecoderSizes): DecoderTraits | null {
  // Kimi K3 goes by the same type, but its experts work in a narrower space and its layers have residuals that are chosen.
  if (config.has('routed_expert_hidden_size', 'attn_res_block_size')) return null;
  const { hidden, layers } = sizes;
  const linear = config.at('linear_attn_config');
  // Counted from 1 there.
  const full = linear.integers('full_attn_layers');
  const attentionLayers = attentionLayersOf(config, layers, (layer) =>
    full === undefined ? layer > 0 && layer % 4 === 0 : full.includes(layer + 1),
  );
  const delta = {
    hidden,
    heads: sizeOr(linear, sizeOr(config, 0, 'linear_num_heads'), 'num_heads'),
    headSize: sizeOr(linear, sizeOr(config, 0, 'linear_head_dim'), 'head_dim'),
    kernel: sizeOr(linear, sizeOr(config, 0, 'linear_conv_kernel_dim'), 'short_conv_kernel_size'),
    hasLowRankGates: true,
  };
  return {
    // The class never ties, whatever the config says.
    isTied: false,
    latent: latentOf(config, sizes),
    attentionLayers,
    experts: deepseekExperts(config, sizes, {
      layers: sparseLayers(config, layers, sizeOr(config, 1, 'first_k_dense_replace')),
    }),
    add: (model) => {
      addKimiDelta(model, delta, layers - attentionLayers, 'model.layers.N.self_attn');
    },
  };
}

function bailingTraits(config: Fields, sizes: DecoderSizes): DecoderTraits {
  const { hidden, layers, heads, headSize } = sizes;
  const period = sizeOr(config, 1, 'layer_group_size');
  const attentionLayers = attentionLayersOf(config, layers, (layer) => (layer + 1) % period === 0);
  const inner = sizeOr(config, headSize, 'linear_head_dim');
  const kernel = sizeOr(config, 0, 'short_conv_kernel_size');
  return {
    isTied: false,
    latent: latentOf(config, sizes, { queryRank: null }),
    attentionLayers,
    experts: deepseekExperts(config, sizes),
    add: (model) => {
      model.linear('model.layers.N.self_attn.g_proj', hidden, heads, { copies: attentionLayers });
      const delta = { hidden, heads, headSize: inner, kernel, hasLowRankGates: false };
      addKimiDelta(model, delta, layers - attentionLayers, 'model.layers.N.self_attn');
    },
  };
}

/** State-space models, linear attention, and hybrids of these with attention. */
export const hybridFamilies: readonly Architecture[] = entries.map(decoder);
