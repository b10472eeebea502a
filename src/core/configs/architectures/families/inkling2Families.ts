/** Inkling 2: layers that choose among the states of earlier ones, and a variant that passes some layers in a loop. */
import type { Fields } from '../../fields.js';
import type { DecoderEntry, DecoderTraits } from '../decoderEntry.js';
import { expertsOf } from './expertFamilies.js';
import { layersWith, listedLayers } from '../layerPattern.js';
import { type DecoderSizes, sizeOr } from '../sizes.js';
import type { ModelTensors } from '../tensorGroup.js';

const layer = 'model.layers.N';
const attention = `${layer}.self_attn`;

/** Attention of one kind of layers. */
interface AttentionKind {
  copies: number;
  /** The first layer has no earlier states to choose from. */
  chosen: number;
  heads: number;
  keyValueHeads: number;
  headSize: number;
  reach: number;
  /** Attention in a window; the other kind convolves by weights that follow from the states. */
  isWindowed: boolean;
}

function kindsOf(config: Fields, { layers, heads, keyValueHeads, headSize }: DecoderSizes): AttentionKind[] {
  const types = listedLayers(config, layers, 'layer_types');
  const isWindowed = (index: number): boolean => (types === null ? (index + 1) % 6 !== 0 : types[index] === 'hybrid_sliding');
  const windowed = layersWith(layers, isWindowed);
  const startsWindowed = layers > 0 && isWindowed(0);
  return [
    {
      copies: windowed,
      chosen: windowed - (startsWindowed ? 1 : 0),
      heads: sizeOr(config, heads, 'swa_num_attention_heads'),
      keyValueHeads: sizeOr(config, keyValueHeads, 'swa_num_key_value_heads'),
      headSize: sizeOr(config, headSize, 'swa_head_dim'),
      reach: sizeOr(config, 0, 'sliding_window_size', 'sliding_window'),
      isWindowed: true,
    },
    {
      copies: layers - windowed,
      chosen: layers - windowed - (startsWindowed ? 0 : 1),
      heads,
      keyValueHeads,
      headSize,
      reach: sizeOr(config, 0, 'rel_extent'),
      isWindowed: false,
    },
  ];
}

/** transformers/models/inkling2/modeling_inkling2.py, Inkling2SlidingAttention and Inkling2FullAttention */
function addAttentionKind(model: ModelTensors, config: Fields, kind: AttentionKind, hidden: number): void {
  const { copies, heads, headSize } = kind;
  const inner = heads * headSize;
  const keys = kind.keyValueHeads * headSize;
  const relative = sizeOr(config, 0, 'd_rel');
  model
    .linear(`${attention}.q_proj.linear`, hidden, inner, { copies })
    .parameter(`${attention}.q_proj.norm.scale`, [heads, headSize], { copies })
    .linear(`${attention}.k_proj.linear`, hidden, keys, { copies })
    .linear(`${attention}.v_proj.linear`, hidden, keys, { copies })
    .linear(`${attention}.o_proj.gate_proj`, hidden, inner, { copies })
    .linear(`${attention}.o_proj.linear`, inner, hidden, { copies })
    .linear(`${attention}.sink_proj`, hidden, heads, { copies })
    .parameter(`${attention}.relative_position_bias.proj`, [relative, kind.reach], { copies })
    .linear(`${attention}.relative_position_bias.linear`, hidden, heads * relative, { copies })
    .parameter(`${attention}.relative_position_bias.norm.scale`, [heads, relative], { copies });
  const kernel = sizeOr(config, 0, 'conv_kernel_size', 'sconv_kernel_size');
  for (const part of ['k_proj', 'v_proj']) {
    const convolution = `${attention}.${part}.sconv`;
    if (kind.isWindowed) model.convolution(`${convolution}.conv1d`, [keys, 1, kernel], { copies });
    else
      model
        .parameter(`${convolution}.static_weight`, [kernel, keys], { copies })
        .linear(`${convolution}.weight_proj`, hidden, kind.keyValueHeads * kernel, { copies });
  }
  // Queries, keys and values each choose their own states where attention has no window.
  const inputs = kind.isWindowed ? ['input'] : ['q_input', 'k_input', 'v_input'];
  for (const input of inputs) model.norm(`${layer}.${input}_layernorm`, hidden, { copies });
  model.parameter(`${layer}.attention_input.query`, kind.isWindowed ? [hidden] : [inputs.length, hidden], {
    copies: kind.chosen,
  });
}

function traits(config: Fields, sizes: DecoderSizes): DecoderTraits {
  const { hidden, layers: copies, vocabulary } = sizes;
  const kernel = sizeOr(config, 0, 'conv_kernel_size', 'sconv_kernel_size');
  return {
    isTied: false,
    // Rows of the embedding that are padding have none in the output layer.
    headRows: sizeOr(config, vocabulary, 'unpadded_vocab_size'),
    attentionLayers: 0,
    experts: expertsOf(config, sizes, { hasCorrectionBias: true }),
    norms: ['post_attention_layernorm'],
    add: (model) => {
      model.norm('model.embed_tokens.embed_norm', hidden).parameter('model.final_input.query', [hidden]);
      for (const kind of kindsOf(config, sizes)) addAttentionKind(model, config, kind, hidden);
      model
        .parameter(`${layer}.mlp_input.query`, [hidden], { copies })
        .convolution(`${layer}.post_attention_convolution.conv1d`, [hidden, 1, kernel], { copies })
        .convolution(`${layer}.post_mlp_convolution.conv1d`, [hidden, 1, kernel], { copies });
    },
  };
}

/** Gates between the passes of a loop; `loop_config` goes before the keys of their own (configuration_inkling2_loop.py). */
function addLoop(model: ModelTensors, config: Fields, { hidden, layers }: DecoderSizes): void {
  const own = config.at('loop_config');
  const start = sizeOr(own, sizeOr(config, 6, 'loop_layer_index_start'), 'core_start');
  const end = sizeOr(own, sizeOr(config, 18, 'loop_layer_index_end'), 'core_end');
  const rank = sizeOr(own, sizeOr(config, 64, 'loop_gate_rank'), 'gate_rank');
  const copies = Math.max(Math.min(end, layers) - start, 0);
  model.parameter('model.message_input.query', [end - start, 4, hidden]);
  for (const part of ['q', 'k', 'v', 'mlp']) {
    const gate = `${layer}.${part}_message_gate`;
    model
      .linear(`${gate}.down_proj`, 2 * hidden, rank, { copies })
      .linear(`${gate}.forget_gate_proj`, rank, hidden, { copies })
      .linear(`${gate}.message_gate_proj`, rank, hidden, { copies });
  }
}

function loopTraits(config: Fields, sizes: DecoderSizes): DecoderTraits {
  const base = traits(config, sizes);
  return {
    ...base,
    add: (model) => {
      base.add?.(model);
      addLoop(model, config, sizes);
    },
  };
}

export const inkling2Families: readonly DecoderEntry[] = [
  { modelTypes: ['inkling2_text'], name: 'Inkling 2', traits },
  { modelTypes: ['inkling2_loop_text'], name: 'Inkling 2, looped', traits: loopTraits },
];
