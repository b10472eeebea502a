/** Molmo 2: states of some layers of the tower together, pooled by attention (transformers/models/molmo2/modeling_molmo2.py). */
import type { Fields } from '../../fields.js';
import { readSizes } from '../configSizes.js';
import type { DecoderEntry } from '../decoderEntry.js';
import { addLayers, attentionNames, type LayerNames } from '../encoderLayer.js';
import { flagOr, isOn, sizeOr } from '../sizes.js';
import type { ModelTensors } from '../tensorGroup.js';
import type { MultimodalEntry } from './multimodalShape.js';

export const molmoText: DecoderEntry = {
  modelTypes: ['molmo2_text'],
  name: 'Molmo 2',
  traits: (config, { vocabulary }) => ({
    sizes: { vocabulary: vocabulary + sizeOr(config, 128, 'additional_vocab_size') },
    // Words that are only read have no row, and so nothing is tied.
    headRows: vocabulary,
    isTied: false,
    queryKeyValueBias: isOn(config, 'attention_bias'),
    queryKeyNorm: config.text('qk_norm_type') === 'olmo' ? 'full' : 'head',
  }),
};

const layer: LayerNames = {
  attention: attentionNames('self_attn'),
  feedForward: ['mlp.fc1', 'mlp.fc2'],
  norms: ['layer_norm1', 'layer_norm2'],
};

const projector = 'model.multi_modal_projector';
const attentionKeys = ['hidden_size', 'intermediate_size', 'num_attention_heads', 'num_key_value_heads', 'head_dim'] as const;
const attentionDefaults = { hidden_size: 1152, num_attention_heads: 16, num_key_value_heads: 16, head_dim: 72 };

function addTower(model: ModelTensors, prefix: string, given: Fields, layers: number | null): boolean {
  const config = given.withDefaults({ ...attentionDefaults, intermediate_size: 4304, num_channels: 3 });
  const sizes = readSizes(config, [...attentionKeys, 'num_channels']);
  const patch = config.integer('image_patch_size', 'patch_size') ?? 14;
  const [height = 378, width = 378] = config.integers('image_default_input_size', 'image_size') ?? [];
  const positions =
    config.integer('image_num_pos', 'num_position_embeddings') ?? Math.floor(height / patch) * Math.floor(width / patch);
  if (sizes === null || layers === null) return false;
  const { hidden_size: hidden, head_dim: headSize } = sizes;
  model
    .parameter(`${prefix}positional_embedding`, [positions, hidden])
    .linear(`${prefix}patch_embedding`, patch * patch * sizes.num_channels, hidden, { bias: true });
  addLayers(model, `${prefix}layers.N`, layer, {
    copies: layers,
    hidden,
    inner: sizes.num_attention_heads * headSize,
    keyValue: sizes.num_key_value_heads * headSize,
    width: sizes.intermediate_size,
    hasBias: flagOr(config, true, 'attention_bias'),
    feedForwardBias: true,
  });
  return true;
}

/** Attention over the states of neighbours, then a gated feed-forward part (Molmo2Adapter). */
function addAdapter(model: ModelTensors, given: Fields, taken: number): boolean {
  const config = given.withDefaults({ ...attentionDefaults, intermediate_size: 18_944, text_hidden_size: 3584 });
  const sizes = readSizes(config, [...attentionKeys, 'text_hidden_size']);
  if (sizes === null) return false;
  const { hidden_size: hidden, head_dim: headSize, intermediate_size: width } = sizes;
  const attention = { bias: flagOr(config, true, 'attention_bias') };
  const feedForward = { bias: isOn(config, 'mlp_bias') };
  const pooling = `${projector}.image_pooling_2d`;
  const output = `${projector}.image_projector`;
  model
    .linear(`${pooling}.q_proj`, taken * hidden, sizes.num_attention_heads * headSize, attention)
    .linear(`${pooling}.k_proj`, taken * hidden, sizes.num_key_value_heads * headSize, attention)
    .linear(`${pooling}.v_proj`, taken * hidden, sizes.num_key_value_heads * headSize, attention)
    .linear(`${pooling}.o_proj`, sizes.num_attention_heads * headSize, hidden, attention)
    .linear(`${output}.gate_proj`, hidden, width, feedForward)
    .linear(`${output}.up_proj`, hidden, width, feedForward)
    .linear(`${output}.down_proj`, width, sizes.text_hidden_size);
  return true;
}

export const molmoFamily: MultimodalEntry = {
  modelTypes: ['molmo2'],
  name: 'Molmo 2',
  textType: 'molmo2_text',
  isTied: null,
  towers(model, config) {
    const adapter = config.at('adapter_config');
    const features = adapter.integers('vit_layers', 'vision_feature_layer') ?? [24, 18];
    const isOld = config.at('vision_config').keys.length === 0 && config.at('vit_config').keys.length > 0;
    const vision = config.at(isOld ? 'vit_config' : 'vision_config');
    const written = vision.integer('num_hidden_layers') ?? 25;
    // Published configs have layers that no feature is taken from, and that are not in the file (configuration_molmo2.py).
    const deepest = features.reduce((most, index) => Math.max(most, index < 0 ? index + written : index), 0);
    const layers = isOld ? deepest + 1 : written;
    return addTower(model, 'model.vision_tower.', vision, layers) && addAdapter(model, adapter, features.length);
  },
};
