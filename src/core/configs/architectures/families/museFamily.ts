/** Muse Glimmer: a gate over what attention answers, and a tower whose neighbours become one before it is projected (transformers/models/muse_glimmer/modeling_muse_glimmer.py). */
import type { Fields } from '../../fields.js';
import { readSizes } from '../configSizes.js';
import { attentionBias, type DecoderEntry } from '../decoderEntry.js';
import { addLayers, attentionNames, type LayerNames } from '../encoderLayer.js';
import type { ModelTensors } from '../tensorGroup.js';
import type { MultimodalEntry } from './multimodalShape.js';

export const museText: DecoderEntry = {
  modelTypes: ['muse_glimmer_text'],
  name: 'Muse Glimmer',
  traits: (config) => ({
    ...attentionBias(config),
    gate: 'number',
    norms: ['input_layernorm', 'post_attention_layernorm', 'pre_feedforward_layernorm', 'post_feedforward_layernorm'],
  }),
};

const layer: LayerNames = {
  attention: attentionNames('attn', 'q_proj k_proj v_proj proj'),
  feedForward: ['mlp.fc1', 'mlp.fc2'],
  norms: ['norm1', 'norm2'],
};

function addTower(model: ModelTensors, prefix: string, given: Fields): boolean {
  const config = given.withDefaults({
    hidden_size: 1536,
    intermediate_size: 8960,
    num_hidden_layers: 50,
    patch_size: 14,
    patch_temporal: 2,
    pos_emb_height: 32,
    pos_emb_width: 32,
  });
  const keys = ['hidden_size', 'intermediate_size', 'num_hidden_layers', 'patch_size', 'patch_temporal'] as const;
  const sizes = readSizes(config, [...keys, 'pos_emb_height', 'pos_emb_width']);
  if (sizes === null) return false;
  const { hidden_size: hidden, num_hidden_layers: copies, intermediate_size: width, patch_size: patch } = sizes;
  model
    .linear(`${prefix}patch_embedder.patch_embedding`, sizes.patch_temporal * 3 * patch * patch, hidden)
    .embedding(`${prefix}patch_embedder.position_embedding_table`, sizes.pos_emb_height * sizes.pos_emb_width, hidden)
    .norm(`${prefix}ln_pre`, hidden, { bias: true })
    .norm(`${prefix}ln_post`, hidden, { bias: true });
  addLayers(model, `${prefix}layers.N`, layer, { copies, hidden, width });
  return true;
}

export const museFamily: MultimodalEntry = {
  modelTypes: ['muse_glimmer'],
  name: 'Muse Glimmer',
  textType: 'muse_glimmer_text',
  isTied: false,
  towers(model, config, { hidden }) {
    const sizes = readSizes(config.withDefaults({ out_hidden_size: 6144, projector_hidden_size: 4096 }), [
      'out_hidden_size',
      'projector_hidden_size',
    ]);
    if (sizes === null || !addTower(model, 'model.vision_tower.', config.at('vision_config'))) return false;
    const { out_hidden_size: merged, projector_hidden_size: inner } = sizes;
    model
      .linear('model.vision_adapter.fc1', merged, inner)
      .linear('model.vision_adapter.fc2', inner, inner)
      .linear('model.vision_projection', inner, hidden);
    return true;
  },
};
