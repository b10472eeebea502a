/** Step 3.7: layers with a window have heads of a number of their own (transformers/models/step3p7/modeling_step3p7.py). */
import type { Fields } from '../../fields.js';
import { readSizes } from '../configSizes.js';
import { decoder, type DecoderTraits } from '../decoderEntry.js';
import type { AttentionShape } from '../decoderShape.js';
import { addAttention } from '../decoderTensors.js';
import { addLayers, attentionNames, type LayerNames } from '../encoderLayer.js';
import { layersWith, listedLayers, sparseLayers } from '../layerPattern.js';
import { type DecoderSizes, isOn, sizeOr } from '../sizes.js';
import type { ModelTensors } from '../tensorGroup.js';
import { expertsOf } from './expertFamilies.js';
import type { MultimodalEntry } from './multimodalShape.js';

/** Layers with experts: `mlp_layer_types`, a list of their indices in earlier configs, or all but three. */
function expertLayers(config: Fields, layers: number): number {
  if (config.has('mlp_layer_types')) return sparseLayers(config, layers, 0);
  const listed = config.text('moe_layers_enum')?.split(',').map(Number) ?? config.integers('moe_layers_enum');
  if (listed === undefined) return Math.max(layers - 3, 0);
  return new Set(listed.filter((index) => index >= 0 && index < layers)).size;
}

/** `gating`: true and `per-head` are the same. */
function isPerHead(config: Fields): boolean {
  return (config.flag('gating') ?? config.text('gating') === 'per-head') || !config.has('gating');
}

function attentionOf(config: Fields, { heads, headSize }: DecoderSizes): AttentionShape {
  const bias = isOn(config, 'attention_bias');
  return {
    kind: 'grouped',
    heads,
    keyValueHeads: sizeOr(config, heads, 'num_attention_groups', 'num_key_value_heads'),
    headSize,
    queryKeyValueBias: bias,
    outputBias: bias,
    queryKeyNorm: 'head',
    hasSinks: false,
    gate: isPerHead(config) ? 'head' : 'number',
  };
}

function textTraits(config: Fields, sizes: DecoderSizes): DecoderTraits {
  const { layers, hidden, heads } = sizes;
  const types = listedLayers(config, layers, 'layer_types');
  const windowed = types === null ? 0 : layersWith(layers, (layer) => types[layer] === 'sliding_attention');
  const other = sizeOr(config.at('attention_other_setting'), heads, 'num_attention_heads');
  const windowHeads = sizeOr(config, other, 'num_sliding_attention_heads');
  return {
    attentionLayers: 0,
    feedForwardBias: isOn(config, 'mlp_bias'),
    experts: expertsOf(config, sizes, {
      count: sizeOr(config, 288, 'moe_num_experts', 'num_local_experts', 'n_routed_experts'),
      active: sizeOr(config, 8, 'moe_top_k', 'num_experts_per_tok'),
      layers: expertLayers(config, layers),
      sharedWidth: sizeOr(config, 1280, 'share_expert_dims', 'share_expert_dim'),
      sharedBias: isOn(config, 'mlp_bias'),
      hasCorrectionBias: true,
    }),
    names: { attentionGate: 'self_attn.g_proj' },
    add: (model) => {
      const shape = attentionOf(config, sizes);
      addAttention(model, shape, hidden, layers - windowed);
      addAttention(model, { ...shape, heads: windowHeads }, hidden, windowed);
    },
  };
}

export const stepText = decoder({
  modelTypes: ['step3p5'],
  name: 'Step 3.7',
  defaults: {
    vocab_size: 128_815,
    hidden_size: 4096,
    intermediate_size: 11_264,
    num_hidden_layers: 45,
    num_attention_heads: 64,
    num_key_value_heads: 8,
    head_dim: 128,
    moe_intermediate_size: 1280,
    n_routed_experts: 288,
    num_experts_per_tok: 8,
    share_expert_dim: 1280,
    tie_word_embeddings: false,
  },
  traits: textTraits,
});

const visionLayer: LayerNames = {
  attention: attentionNames('self_attn', 'q_proj k_proj v_proj out_proj'),
  feedForward: ['mlp.fc1', 'mlp.fc2'],
  norms: ['layernorm_before', 'layernorm_after'],
};

/** Two convolutions after the layers double the states each. */
function addVision(model: ModelTensors, given: Fields): number | null {
  const config = given.withDefaults({
    // As earlier configs call them.
    hidden_size: given.integer('width') ?? 1536,
    num_hidden_layers: given.integer('layers') ?? 47,
    num_channels: 3,
    image_size: 728,
    patch_size: 14,
    mlp_ratio: 8960 / 1536,
  });
  const sizes = readSizes(config, ['hidden_size', 'num_hidden_layers', 'num_channels', 'image_size', 'patch_size']);
  const ratio = config.number('mlp_ratio');
  if (sizes === null || ratio === undefined) return null;
  const { hidden_size: hidden, num_hidden_layers: copies, patch_size: patch } = sizes;
  const prefix = 'model.vision_model.';
  model
    .convolution(`${prefix}embeddings.patch_embedding`, [hidden, sizes.num_channels, patch, patch])
    .embedding(`${prefix}embeddings.position_embedding`, Math.floor(sizes.image_size / Math.max(patch, 1)) ** 2, hidden)
    .norm(`${prefix}pre_layernorm`, hidden, { bias: true });
  addLayers(model, `${prefix}layers.N`, visionLayer, { copies, hidden, width: Math.floor(hidden * ratio) });
  for (const scale of ['lambda_1', 'lambda_2']) model.parameter(`${prefix}layers.N.${scale}`, [hidden], { copies });
  model
    .convolution(`${prefix}downsampler1`, [2 * hidden, hidden, 3, 3], { bias: true })
    .convolution(`${prefix}downsampler2`, [4 * hidden, 2 * hidden, 3, 3], { bias: true });
  return 4 * hidden;
}

export const stepFamily: MultimodalEntry = {
  modelTypes: ['step3p7'],
  name: 'Step 3.7',
  textType: 'step3p5',
  isTextTypeFixed: true,
  absentText: 'root',
  isTied: false,
  towers(model, config, { hidden }) {
    const states = addVision(model, config.at('vision_config'));
    if (states === null) return false;
    model.linear('model.multi_modal_projector', states, hidden, { bias: config.flag('projector_bias') ?? false });
    return true;
  },
};
