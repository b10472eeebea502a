import type { Fields } from '../fields.js';
import type { Architecture } from './architecture.js';
import { attentionBias, decoder, type DecoderEntry, type DecoderTraits } from './decoderEntry.js';
import type { DecoderNames } from './decoderShape.js';
import { type DecoderSizes, flagOr, isOn, sizeOr } from './sizes.js';
import { expertsOf } from './expertFamilies.js';
import { layersWith, periodicLayers } from './layerPattern.js';
import { addMamba, addMamba2, type Mamba2Shape, type MambaShape } from './stateSpace.js';

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
    inner: innerSize(config, hidden, 'expand'),
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

/** State-space models, linear attention, and hybrids of these with attention. */
export const hybridFamilies: readonly Architecture[] = entries.map(decoder);
