/** Encoders of images by themselves: models of their own, and towers of models that also read text. */
import type { Defaults, Fields } from '../../fields.js';
import { patchesOf, readSizes } from '../configSizes.js';
import { addLayers, clipLayer } from '../encoderLayer.js';
import type { ModelTensors } from '../tensorGroup.js';

export const clipVisionDefaults = {
  hidden_size: 768,
  intermediate_size: 3072,
  projection_dim: 512,
  num_hidden_layers: 12,
  num_attention_heads: 12,
  num_channels: 3,
  image_size: 224,
  patch_size: 32,
};

export const siglipVisionDefaults = {
  hidden_size: 768,
  intermediate_size: 3072,
  num_hidden_layers: 12,
  num_attention_heads: 12,
  num_channels: 3,
  image_size: 224,
  patch_size: 16,
};

export const towerSizes = ['hidden_size', 'intermediate_size', 'num_hidden_layers', 'num_channels', 'patch_size'] as const;

/** transformers/models/clip/modeling_clip.py. Answers its hidden size; null where a size is missing. */
export function addClipVision(model: ModelTensors, prefix: string, given: Fields): number | null {
  const config = given.withDefaults(clipVisionDefaults);
  const sizes = readSizes(config, [...towerSizes, 'image_size']);
  if (sizes === null) return null;
  const { hidden_size: hidden, patch_size: patch, num_hidden_layers: copies, intermediate_size: width } = sizes;
  model
    .parameter(`${prefix}embeddings.class_embedding`, [hidden])
    .convolution(`${prefix}embeddings.patch_embedding`, [hidden, sizes.num_channels, patch, patch])
    .embedding(`${prefix}embeddings.position_embedding`, patchesOf(sizes.image_size, patch) + 1, hidden)
    // Spelled like this in every checkpoint.
    .norm(`${prefix}pre_layrnorm`, hidden, { bias: true });
  addLayers(model, `${prefix}encoder.layers.N`, clipLayer, { copies, hidden, width });
  model.norm(`${prefix}post_layernorm`, hidden, { bias: true });
  return hidden;
}

/** transformers/models/siglip/modeling_siglip.py; siglip2 has patches as vectors. */
export function addSiglipVision(
  model: ModelTensors,
  prefix: string,
  given: Fields,
  defaults: Defaults = siglipVisionDefaults,
): number | null {
  const isSecond = given.text('model_type')?.startsWith('siglip2') === true;
  const config = given.withDefaults({ vision_use_head: true, num_patches: 256, ...defaults });
  const sizes = readSizes(config, [...towerSizes, isSecond ? 'num_patches' : 'image_size']);
  if (sizes === null) return null;
  const { hidden_size: hidden, patch_size: patch, num_hidden_layers: copies, intermediate_size: width } = sizes;
  if (isSecond) model.linear(`${prefix}embeddings.patch_embedding`, sizes.num_channels * patch * patch, hidden, { bias: true });
  else model.convolution(`${prefix}embeddings.patch_embedding`, [hidden, sizes.num_channels, patch, patch], { bias: true });
  const positions = isSecond ? sizes.num_patches : patchesOf(sizes.image_size, patch);
  model.embedding(`${prefix}embeddings.position_embedding`, positions, hidden);
  addLayers(model, `${prefix}encoder.layers.N`, clipLayer, { copies, hidden, width });
  model.norm(`${prefix}post_layernorm`, hidden, { bias: true });
  if (config.flag('vision_use_head') === true) addAttentionPooling(model, `${prefix}head`, hidden, width);
  return hidden;
}

/** One learned question to all patches. */
function addAttentionPooling(model: ModelTensors, prefix: string, hidden: number, width: number): void {
  model
    .parameter(`${prefix}.probe`, [1, 1, hidden])
    .parameter(`${prefix}.attention.in_proj_weight`, [3 * hidden, hidden])
    .parameter(`${prefix}.attention.in_proj_bias`, [3 * hidden], { kind: 'bias' })
    .linear(`${prefix}.attention.out_proj`, hidden, hidden, { bias: true })
    .norm(`${prefix}.layernorm`, hidden, { bias: true })
    .linear(`${prefix}.mlp.fc1`, hidden, width, { bias: true })
    .linear(`${prefix}.mlp.fc2`, width, hidden, { bias: true });
}

/** Encoders of text that CLIP and SigLIP have beside their towers. Answers the hidden size. */
export function addClipText(model: ModelTensors, prefix: string, given: Fields): number | null {
  const config = given.withDefaults({
    vocab_size: 49_408,
    hidden_size: 512,
    intermediate_size: 2048,
    num_hidden_layers: 12,
    max_position_embeddings: 77,
  });
  return addTextEncoder(model, prefix, config);
}

export function addSiglipText(model: ModelTensors, prefix: string, given: Fields): number | null {
  const config = given.withDefaults({
    vocab_size: 32_000,
    hidden_size: 768,
    intermediate_size: 3072,
    num_hidden_layers: 12,
    max_position_embeddings: 64,
  });
  const hidden = addTextEncoder(model, prefix, config);
  if (hidden === null) return null;
  model.linear(`${prefix}head`, hidden, config.integer('projection_size') ?? hidden, { bias: true });
  return hidden;
}

function addTextEncoder(model: ModelTensors, prefix: string, config: Fields): number | null {
  const sizes = readSizes(config, [
    'vocab_size',
    'hidden_size',
    'intermediate_size',
    'num_hidden_layers',
    'max_position_embeddings',
  ]);
  if (sizes === null) return null;
  const { hidden_size: hidden, intermediate_size: width, num_hidden_layers: copies } = sizes;
  model
    .embedding(`${prefix}embeddings.token_embedding`, sizes.vocab_size, hidden)
    .embedding(`${prefix}embeddings.position_embedding`, sizes.max_position_embeddings, hidden);
  addLayers(model, `${prefix}encoder.layers.N`, clipLayer, { copies, hidden, width });
  model.norm(`${prefix}final_layer_norm`, hidden, { bias: true });
  return hidden;
}
