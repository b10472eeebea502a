/** The tower that a `vision_config` describes, whichever model it is part of. */
import type { Fields } from '../../fields.js';
import { patchesOf, readSizes, sidesOf } from '../configSizes.js';
import { addLayers, attentionNames, clipLayer, type LayerNames } from '../encoderLayer.js';
import type { ModelTensors } from '../tensorGroup.js';
import { addClipVision, addSiglipVision, towerSizes } from './visionTowers.js';

/** Adds the tensors of a tower; answers the size of its states, null where it is not known or lacks a size. */
export function addImageTower(model: ModelTensors, prefix: string, config: Fields, usualType: string): number | null {
  const typed = config.withDefaults({ model_type: usualType });
  const add = towers.get(typed.text('model_type') ?? usualType);
  return add === undefined ? null : add(model, prefix, typed);
}

type Tower = (model: ModelTensors, prefix: string, config: Fields) => number | null;

/** SigLIP's layers; positions for images of all forms (transformers/models/{idefics2,idefics3}/modeling_*.py). */
function addIdeficsVision(hidden: number): Tower {
  const defaults = {
    vision_use_head: false,
    hidden_size: hidden,
    intermediate_size: 3072,
    num_hidden_layers: 12,
    num_channels: 3,
    image_size: 224,
    patch_size: 32,
  };
  return (model, prefix, config) => addSiglipVision(model, prefix, config, defaults);
}

const pixtralLayer: LayerNames = {
  attention: attentionNames('attention'),
  feedForward: ['feed_forward.gate_proj', 'feed_forward.up_proj', 'feed_forward.down_proj'],
  norms: ['attention_norm', 'ffn_norm'],
};

/** Rotary positions in two dimensions (transformers/models/pixtral/modeling_pixtral.py). */
function addPixtralVision(model: ModelTensors, prefix: string, given: Fields): number | null {
  const config = given.withDefaults({
    hidden_size: 1024,
    intermediate_size: 4096,
    num_hidden_layers: 24,
    num_channels: 3,
    patch_size: 16,
  });
  const sizes = readSizes(config, towerSizes);
  if (sizes === null) return null;
  const { hidden_size: hidden, patch_size: patch, num_hidden_layers: copies, intermediate_size: width } = sizes;
  model.convolution(`${prefix}patch_conv`, [hidden, sizes.num_channels, patch, patch]).norm(`${prefix}ln_pre`, hidden);
  addLayers(model, `${prefix}transformer.layers.N`, pixtralLayer, { copies, hidden, width, hasBias: false, normBias: false });
  return hidden;
}

const internLayer: LayerNames = {
  attention: attentionNames('attention', 'q_proj k_proj v_proj projection_layer'),
  feedForward: ['mlp.fc1', 'mlp.fc2'],
  norms: ['layernorm_before', 'layernorm_after'],
};

/** transformers/models/internvl/modeling_internvl.py, InternVLVisionModel */
function addInternVision(model: ModelTensors, prefix: string, given: Fields): number | null {
  const config = given.withDefaults({ hidden_size: 1024, intermediate_size: 4096, num_hidden_layers: 24, num_channels: 3 });
  const sizes = readSizes(config, ['hidden_size', 'intermediate_size', 'num_hidden_layers', 'num_channels']);
  if (sizes === null) return null;
  const { hidden_size: hidden, num_hidden_layers: copies, intermediate_size: width } = sizes;
  const image = sidesOf(config, 'image_size', 448);
  const patch = sidesOf(config, 'patch_size', 14);
  const patches = Math.floor(image[0] / Math.max(patch[0], 1)) * Math.floor(image[1] / Math.max(patch[1], 1));
  const normBias = (config.text('norm_type') ?? 'layer_norm') === 'layer_norm';
  const layer = `${prefix}encoder.layer.N`;
  model.parameter(`${prefix}embeddings.cls_token`, [1, 1, hidden]);
  if (config.flag('use_mask_token') === true) model.parameter(`${prefix}embeddings.mask_token`, [1, 1, hidden]);
  if (config.flag('use_absolute_position_embeddings') ?? true)
    model.parameter(`${prefix}embeddings.position_embeddings`, [1, patches + 1, hidden]);
  model.convolution(`${prefix}embeddings.patch_embeddings.projection`, [hidden, sizes.num_channels, ...patch], { bias: true });
  for (const scale of ['lambda_1', 'lambda_2']) model.parameter(`${layer}.${scale}`, [hidden], { copies });
  addLayers(model, layer, internLayer, { copies, hidden, width, queryBias: config.flag('attention_bias') ?? false, normBias });
  if (config.flag('use_qk_norm') === true)
    for (const norm of ['q_norm', 'k_norm']) model.norm(`${layer}.attention.${norm}`, hidden, { copies });
  if (!(config.flag('use_mean_pooling') ?? true)) model.norm(`${prefix}layernorm`, hidden, { bias: true });
  return hidden;
}

/** transformers/models/llama4/modeling_llama4.py, Llama4VisionModel; what it answers has gone through an adapter. */
function addLlama4Vision(model: ModelTensors, prefix: string, given: Fields): number | null {
  const config = given.withDefaults({
    hidden_size: 768,
    intermediate_size: 5632,
    num_hidden_layers: 34,
    num_channels: 3,
    image_size: 448,
    patch_size: 14,
    projector_input_dim: 4096,
    projector_output_dim: 4096,
    vision_output_dim: 7680,
  });
  const keys = ['image_size', 'projector_input_dim', 'projector_output_dim', 'vision_output_dim'] as const;
  const sizes = readSizes(config, [...towerSizes, ...keys]);
  const ratio = config.number('pixel_shuffle_ratio') ?? 0.5;
  if (sizes === null || !(ratio > 0)) return null;
  const { hidden_size: hidden, patch_size: patch, num_hidden_layers: copies, intermediate_size: width } = sizes;
  model
    .parameter(`${prefix}class_embedding`, [hidden])
    .parameter(`${prefix}positional_embedding_vlm`, [patchesOf(sizes.image_size, patch) + 1, hidden])
    .linear(`${prefix}patch_embedding.linear`, sizes.num_channels * patch * patch, hidden)
    .norm(`${prefix}layernorm_pre`, hidden, { bias: true })
    .norm(`${prefix}layernorm_post`, hidden, { bias: true });
  const names = {
    ...clipLayer,
    attention: attentionNames('self_attn'),
    norms: ['input_layernorm', 'post_attention_layernorm'],
  };
  addLayers(model, `${prefix}model.layers.N`, names, { copies, hidden, width });
  model
    .linear(`${prefix}vision_adapter.mlp.fc1`, width, sizes.projector_input_dim)
    .linear(`${prefix}vision_adapter.mlp.fc2`, sizes.projector_output_dim, sizes.projector_output_dim);
  return sizes.vision_output_dim;
}

/** Tiles of a large image (transformers/models/mllama/modeling_mllama.py, MllamaVisionModel); answers states of several layers together. */
function addMllamaVision(model: ModelTensors, prefix: string, given: Fields): number | null {
  const config = given.withDefaults({
    hidden_size: 1280,
    intermediate_size: 5120,
    num_hidden_layers: 32,
    num_global_layers: 8,
    num_channels: 3,
    image_size: 448,
    patch_size: 14,
    max_num_tiles: 4,
    vision_output_dim: 7680,
  });
  const keys = ['num_global_layers', 'image_size', 'max_num_tiles', 'vision_output_dim'] as const;
  const sizes = readSizes(config, [...towerSizes, ...keys]);
  if (sizes === null) return null;
  const { hidden_size: hidden, patch_size: patch, intermediate_size: width, max_num_tiles: tiles } = sizes;
  const forms = config.has('supported_aspect_ratios') ? config.lengthOf('supported_aspect_ratios') : 8;
  if (forms === undefined) return null;
  const patches = patchesOf(sizes.image_size, patch) + 1;
  model
    .parameter(`${prefix}class_embedding`, [hidden])
    .convolution(`${prefix}patch_embedding`, [hidden, sizes.num_channels, patch, patch])
    .parameter(`${prefix}gated_positional_embedding.gate`, [1])
    .parameter(`${prefix}gated_positional_embedding.embedding`, [patches, hidden])
    .embedding(`${prefix}gated_positional_embedding.tile_embedding`, forms + 1, tiles * patches * hidden)
    .norm(`${prefix}layernorm_pre`, hidden, { bias: true })
    .norm(`${prefix}layernorm_post`, hidden, { bias: true });
  for (const place of ['pre', 'post'])
    model
      .parameter(`${prefix}${place}_tile_positional_embedding.gate`, [1])
      .embedding(`${prefix}${place}_tile_positional_embedding.embedding`, forms + 1, tiles * hidden);
  const names = {
    ...clipLayer,
    attention: attentionNames('self_attn'),
    norms: ['input_layernorm', 'post_attention_layernorm'],
  };
  const shape = { hidden, width, queryBias: false, outputBias: false };
  addLayers(model, `${prefix}transformer.layers.N`, names, { ...shape, copies: sizes.num_hidden_layers });
  addLayers(model, `${prefix}global_transformer.layers.N`, names, { ...shape, copies: sizes.num_global_layers });
  for (const gate of ['gate_attn', 'gate_ffn'])
    model.parameter(`${prefix}global_transformer.layers.N.${gate}`, [1], { copies: sizes.num_global_layers });
  return sizes.vision_output_dim;
}

/** Queries, keys and values in one (transformers/models/blip_2/modeling_blip_2.py, Blip2VisionModel). */
function addBlip2Vision(model: ModelTensors, prefix: string, given: Fields): number | null {
  const config = given.withDefaults({
    hidden_size: 1408,
    intermediate_size: 6144,
    num_hidden_layers: 39,
    num_channels: 3,
    image_size: 224,
    patch_size: 14,
  });
  const sizes = readSizes(config, [...towerSizes, 'image_size']);
  if (sizes === null) return null;
  const { hidden_size: hidden, patch_size: patch, num_hidden_layers: copies, intermediate_size: width } = sizes;
  model
    .parameter(`${prefix}embeddings.class_embedding`, [1, 1, hidden])
    .parameter(`${prefix}embeddings.position_embedding`, [1, patchesOf(sizes.image_size, patch) + 1, hidden])
    .convolution(`${prefix}embeddings.patch_embedding`, [hidden, 3, patch, patch], { bias: true });
  const layer = `${prefix}encoder.layers.N`;
  model
    .linear(`${layer}.self_attn.qkv`, hidden, 3 * hidden, { copies, bias: config.flag('qkv_bias') ?? true })
    .linear(`${layer}.self_attn.projection`, hidden, hidden, { copies, bias: true })
    .linear(`${layer}.mlp.fc1`, hidden, width, { copies, bias: true })
    .linear(`${layer}.mlp.fc2`, width, hidden, { copies, bias: true });
  for (const norm of clipLayer.norms) model.norm(`${layer}.${norm}`, hidden, { copies, bias: true });
  model.norm(`${prefix}post_layernorm`, hidden, { bias: true });
  return hidden;
}

const towers: ReadonlyMap<string, Tower> = new Map<string, Tower>([
  ['clip_vision_model', addClipVision],
  ['siglip_vision_model', (model, prefix, config) => addSiglipVision(model, prefix, config)],
  ['siglip2_vision_model', (model, prefix, config) => addSiglipVision(model, prefix, config)],
  ['idefics2_vision', addIdeficsVision(768)],
  ['idefics3_vision', addIdeficsVision(1152)],
  ['smolvlm_vision', addIdeficsVision(1152)],
  ['pixtral', addPixtralVision],
  ['internvl_vision', addInternVision],
  ['llama4_vision_model', addLlama4Vision],
  ['mllama_vision_model', addMllamaVision],
  ['blip_2_vision_model', addBlip2Vision],
]);
