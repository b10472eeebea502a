import type { Fields } from '../../fields.js';
import type { Architecture } from '../architecture.js';
import { attentionBias, decoder, type DecoderEntry, type DecoderTraits } from '../decoderEntry.js';
import type { AttentionShape } from '../decoderShape.js';
import { addAttention } from '../decoderTensors.js';
import { listedLayers } from '../layerPattern.js';
import { type DecoderSizes, isOn, size, sizeOfEach, sizeOr } from '../sizes.js';
import type { ModelTensors } from '../tensorGroup.js';

const norms = ['input_layernorm', 'post_attention_layernorm', 'pre_feedforward_layernorm', 'post_feedforward_layernorm'] as const;
const layer = 'model.layers.N';

/** Attention that takes keys and values from an earlier layer: queries and output only. */
function addSharedAttention(model: ModelTensors, shape: AttentionShape, hidden: number, copies: number): void {
  const queries = shape.heads * shape.headSize;
  model
    .linear(`${layer}.self_attn.q_proj`, hidden, queries, { copies, bias: shape.queryKeyValueBias })
    .norm(`${layer}.self_attn.q_norm`, shape.headSize, { copies })
    .linear(`${layer}.self_attn.o_proj`, queries, hidden, { copies, bias: shape.outputBias });
}

/** An embedding for each layer, and what brings it in (modeling_gemma3n.py, Gemma3nTextModel). */
function addLayerEmbeddings(model: ModelTensors, config: Fields, { hidden, layers: copies }: DecoderSizes): void {
  const inner = sizeOr(config, 0, 'hidden_size_per_layer_input');
  if (inner === 0) return;
  model
    .embedding('model.embed_tokens_per_layer', sizeOr(config, 0, 'vocab_size_per_layer_input'), copies * inner)
    .linear('model.per_layer_model_projection', hidden, copies * inner)
    .norm('model.per_layer_projection_norm', inner)
    .linear(`${layer}.per_layer_input_gate`, hidden, inner, { copies })
    .linear(`${layer}.per_layer_projection`, inner, hidden, { copies })
    .norm(`${layer}.post_per_layer_input_norm`, hidden, { copies });
}

function attentionOf(config: Fields, { heads, keyValueHeads, headSize }: DecoderSizes): AttentionShape {
  const bias = isOn(config, 'attention_bias');
  return {
    kind: 'grouped',
    heads,
    keyValueHeads,
    headSize,
    queryKeyValueBias: bias,
    outputBias: bias,
    queryKeyNorm: 'head',
    hasSinks: false,
  };
}

/** The last layers, which take keys and values of earlier ones; NaN for more than there are, which are others in each version of the class. */
function sharedLayers(config: Fields, layers: number): number {
  const listed = sizeOr(config, 0, 'num_kv_shared_layers');
  return listed <= layers ? listed : NaN;
}

/** Gemma 3n: several streams of hidden states (AltUp), low-rank residuals (LAuReL), embeddings for each layer. */
function gemma3nTraits(config: Fields, sizes: DecoderSizes): DecoderTraits {
  const { hidden, layers: copies } = sizes;
  const shared = sharedLayers(config, copies);
  const streams = sizeOr(config, 4, 'altup_num_inputs');
  const rank = sizeOr(config, 64, 'laurel_rank');
  return {
    ...attentionBias(config),
    sizes: { width: sizeOfEach(config, 16384, 'intermediate_size') },
    attentionLayers: copies - shared,
    queryKeyNorm: 'head',
    norms,
    add: (model) => {
      addSharedAttention(model, attentionOf(config, sizes), hidden, shared);
      addLayerEmbeddings(model, config, sizes);
      model
        .parameter(`${layer}.altup.correct_output_scale`, [hidden], { copies })
        .linear(`${layer}.altup.correction_coefs`, streams, streams, { copies })
        .linear(`${layer}.altup.prediction_coefs`, streams, streams * streams, { copies })
        .linear(`${layer}.altup.modality_router`, hidden, streams, { copies })
        .norm(`${layer}.altup.router_norm`, hidden, { copies })
        .linear(`${layer}.laurel.linear_left`, hidden, rank, { copies })
        .linear(`${layer}.laurel.linear_right`, rank, hidden, { copies })
        .norm(`${layer}.laurel.post_laurel_norm`, hidden, { copies })
        .linear('model.altup_projections.N', hidden, hidden, { copies: streams - 1 })
        .linear('model.altup_unembed_projections.N', hidden, hidden, { copies: streams - 1 });
    },
  };
}

/** What differs in a layer of Gemma 4: `per_layer_config`, or the keys of the first release for layers of full attention. */
interface Gemma4Layer {
  headSize: number;
  keyValueHeads: number;
  isFull: boolean;
}

function gemma4Layers(config: Fields, { layers, headSize, keyValueHeads }: DecoderSizes): Gemma4Layer[] {
  const types = listedLayers(config, layers, 'layer_types');
  const perLayer = config.at('per_layer_config');
  const isListed = config.has('per_layer_config') && !config.isNull('per_layer_config');
  const own = new Map(perLayer.keys.map((key) => [Number(key), key]));
  const globalHeads = isOn(config, 'attention_k_eq_v') ? size(config, 'num_global_key_value_heads') : undefined;
  const global = { headSize: sizeOr(config, 512, 'global_head_dim'), keyValueHeads: globalHeads ?? keyValueHeads };
  return Array.from({ length: layers }, (_, index) => {
    // The last layer is always full (configuration_gemma4.py).
    const isFull = index === layers - 1 || (types === null ? (index + 1) % 6 === 0 : types[index] === 'full_attention');
    if (!isListed) return { isFull, ...(isFull ? global : { headSize, keyValueHeads }) };
    const key = own.get(index);
    const fields = key === undefined ? perLayer : perLayer.at(key);
    return {
      isFull,
      headSize: key === undefined ? headSize : sizeOr(fields, headSize, 'head_dim'),
      keyValueHeads: key === undefined ? keyValueHeads : sizeOr(fields, keyValueHeads, 'num_key_value_heads'),
    };
  });
}

/** Gemma 4: wider heads in layers of full attention, whose values may be their keys; shared keys and values; experts beside the dense part. */
function gemma4Traits(config: Fields, sizes: DecoderSizes): DecoderTraits {
  const { hidden, layers, width } = sizes;
  const shared = Math.min(sizeOr(config, 0, 'num_kv_shared_layers'), layers);
  const isDouble = isOn(config, 'use_double_wide_mlp');
  const keysAreValues = isOn(config, 'attention_k_eq_v');
  const perLayer = gemma4Layers(config, sizes);
  const wide = isDouble ? shared : 0;
  return {
    attentionLayers: 0,
    feedForwardLayers: layers - wide,
    norms,
    add: (model) => {
      const base = attentionOf(config, sizes);
      for (const { isFull, headSize, keyValueHeads, copies, isShared } of grouped(perLayer, layers - shared)) {
        const shape = { ...base, headSize, keyValueHeads };
        if (isShared) addSharedAttention(model, shape, hidden, copies);
        else if (isFull && keysAreValues) addWithoutValues(model, shape, hidden, copies);
        else addAttention(model, shape, hidden, copies);
      }
      const options = { copies: wide };
      model
        .linear(`${layer}.mlp.gate_proj`, hidden, 2 * width, options)
        .linear(`${layer}.mlp.up_proj`, hidden, 2 * width, options)
        .linear(`${layer}.mlp.down_proj`, 2 * width, hidden, options);
      if (config.text('model_type') !== 'gemma4_unified_text') addLayerEmbeddings(model, config, sizes);
      if (isOn(config, 'enable_moe_block')) addGemma4Experts(model, config, sizes);
    },
  };
}

/** Keys that are values too: one projection for both. */
function addWithoutValues(model: ModelTensors, shape: AttentionShape, hidden: number, copies: number): void {
  addSharedAttention(model, shape, hidden, copies);
  model
    .linear(`${layer}.self_attn.k_proj`, hidden, shape.keyValueHeads * shape.headSize, {
      copies,
      bias: shape.queryKeyValueBias,
    })
    .norm(`${layer}.self_attn.k_norm`, shape.headSize, { copies });
}

function addGemma4Experts(model: ModelTensors, config: Fields, { hidden, layers: copies }: DecoderSizes): void {
  const count = sizeOr(config, 0, 'num_experts');
  const active = Math.min(sizeOr(config, 0, 'top_k_experts', 'num_experts_per_tok'), count);
  const width = sizeOr(config, 0, 'moe_intermediate_size');
  const options = { copies: copies * count, activeCopies: copies * active };
  model
    .linear(`${layer}.router.proj`, hidden, count, { copies })
    .parameter(`${layer}.router.scale`, [hidden], { copies })
    .parameter(`${layer}.router.per_expert_scale`, [count], { copies })
    .linear(`${layer}.experts.N.gate_proj`, hidden, width, options)
    .linear(`${layer}.experts.N.up_proj`, hidden, width, options)
    .linear(`${layer}.experts.N.down_proj`, width, hidden, options)
    .norm(`${layer}.post_feedforward_layernorm_1`, hidden, { copies })
    .norm(`${layer}.post_feedforward_layernorm_2`, hidden, { copies })
    .norm(`${layer}.pre_feedforward_layernorm_2`, hidden, { copies });
}

/** Equal layers together; those from `firstShared` on have no keys and values of their own. */
function grouped(layers: readonly Gemma4Layer[], firstShared: number): (Gemma4Layer & { copies: number; isShared: boolean })[] {
  const groups = new Map<string, Gemma4Layer & { copies: number; isShared: boolean }>();
  layers.forEach((own, index) => {
    const isShared = index >= firstShared;
    const key = `${own.headSize} ${own.keyValueHeads} ${String(own.isFull)} ${String(isShared)}`;
    const group = groups.get(key) ?? { ...own, isShared, copies: 0 };
    group.copies += 1;
    groups.set(key, group);
  });
  return [...groups.values()];
}

const entries: readonly DecoderEntry[] = [
  { modelTypes: ['gemma'], name: 'Gemma', traits: attentionBias },
  { modelTypes: ['gemma2'], name: 'Gemma 2', traits: (config) => ({ ...attentionBias(config), norms }) },
  {
    modelTypes: ['gemma3_text'],
    name: 'Gemma 3',
    traits: (config) => ({ ...attentionBias(config), norms, queryKeyNorm: 'head' }),
  },
  {
    modelTypes: ['vaultgemma'],
    name: 'VaultGemma',
    traits: (config) => ({ ...attentionBias(config), norms: ['input_layernorm', 'pre_feedforward_layernorm'] }),
  },
  { modelTypes: ['gemma3n_text'], name: 'Gemma 3n', traits: gemma3nTraits },
  { modelTypes: ['gemma4_text', 'gemma4_unified_text'], name: 'Gemma 4', traits: gemma4Traits },
];

/** Google's Gemma. */
export const gemmaFamilies: readonly Architecture[] = entries.map(decoder);
