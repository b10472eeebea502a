/** Janus: a tower that reads images, and tokens of images that are written (transformers/models/janus/modeling_janus.py). */
import type { Fields } from '../../fields.js';
import { patchesOf, readSizes } from '../configSizes.js';
import { addLayers, attentionNames, clipLayer } from '../encoderLayer.js';
import { flagOr, isOn } from '../sizes.js';
import type { ModelTensors } from '../tensorGroup.js';
import type { MultimodalEntry } from './multimodalShape.js';
import { addQuantizerDecoder, addQuantizerEncoder, mostStages, type QuantizerShape } from './vectorQuantizer.js';

const layer = { ...clipLayer, attention: attentionNames('self_attn', 'q_proj k_proj v_proj projection_layer') };

function addTower(model: ModelTensors, given: Fields): boolean {
  const config = given.withDefaults({
    hidden_size: 1024,
    num_hidden_layers: 24,
    num_channels: 3,
    image_size: 384,
    patch_size: 16,
    projection_dim: 2048,
    depth: 2,
  });
  const keys = [
    'hidden_size',
    'num_hidden_layers',
    'num_channels',
    'image_size',
    'patch_size',
    'projection_dim',
    'depth',
  ] as const;
  const sizes = readSizes(config, keys);
  if (sizes === null) return false;
  const { hidden_size: hidden, num_hidden_layers: copies, patch_size: patch } = sizes;
  const prefix = 'model.vision_model.';
  model
    .convolution(`${prefix}embeddings.patch_embedding`, [hidden, sizes.num_channels, patch, patch], { bias: true })
    .embedding(`${prefix}embeddings.position_embedding`, patchesOf(sizes.image_size, patch), hidden);
  const width = Math.floor(hidden * (config.number('mlp_ratio') ?? 4));
  addLayers(model, `${prefix}encoder.layers.N`, layer, {
    copies,
    hidden,
    width,
    queryBias: flagOr(config, true, 'attention_bias'),
  });
  if (isOn(config, 'use_qk_norm'))
    for (const norm of ['q_norm', 'k_norm'])
      model.norm(`${prefix}encoder.layers.N.self_attn.${norm}`, hidden, { copies, bias: true });
  model.norm(`${prefix}post_layernorm`, hidden, { bias: true });
  addAligner(model, 'model.aligner', hidden, sizes.projection_dim, sizes.depth);
  return true;
}

function addAligner(model: ModelTensors, prefix: string, inputs: number, width: number, depth: number): void {
  model
    .linear(`${prefix}.fc1`, inputs, width, { bias: true })
    .linear(`${prefix}.hidden_layers.N`, width, width, { copies: depth - 1, bias: true });
}

/** Tokens of images: what makes them, what reads them, and the output layer over them. */
function addWriter(model: ModelTensors, given: Fields): boolean {
  const config = given.withDefaults({
    embed_dim: 8,
    num_embeddings: 16_384,
    latent_channels: 256,
    in_channels: 3,
    out_channels: 3,
    base_channels: 128,
    num_res_blocks: 2,
    projection_dim: 2048,
    num_hidden_layers: 2,
    image_token_embed_dim: 2048,
  });
  const keys = ['embed_dim', 'num_embeddings', 'latent_channels', 'in_channels', 'out_channels', 'base_channels'] as const;
  const sizes = readSizes(config, [...keys, 'num_res_blocks', 'projection_dim', 'num_hidden_layers', 'image_token_embed_dim']);
  const multipliers = config.has('channel_multiplier') ? config.integers('channel_multiplier') : [1, 1, 2, 2, 4];
  if (sizes === null || multipliers === undefined || multipliers.length > mostStages || sizes.num_res_blocks > mostStages)
    return false;
  const { embed_dim: width, num_embeddings: tokens, latent_channels: latent, projection_dim: inner } = sizes;
  const shape: QuantizerShape = {
    channels: sizes.in_channels,
    base: sizes.base_channels,
    multipliers,
    blocks: sizes.num_res_blocks,
    latent: isOn(config, 'double_latent') ? 2 * latent : latent,
    stages: {
      residual: (stage, block) => `down.${stage}.block.${block}`,
      attention: (stage, block) => `down.${stage}.attn.${block}`,
      between: (stage) => `down.${stage}.downsample`,
      hasAttention: (stage) => stage === multipliers.length - 1,
    },
  };
  const prefix = 'model.vqmodel.';
  addQuantizerEncoder(model, `${prefix}encoder`, shape);
  model
    .embedding(`${prefix}quantize.embedding`, tokens, width)
    .convolution(`${prefix}quant_conv`, [width, latent, 1, 1], { bias: true })
    .convolution(`${prefix}post_quant_conv`, [latent, width, 1, 1], { bias: true });
  const up = {
    residual: (stage: number, block: number) => `up.${stage}.block.${block}`,
    attention: (stage: number, block: number) => `up.${stage}.attn.${block}`,
    between: (stage: number) => `up.${stage}.upsample`,
  };
  addQuantizerDecoder(model, `${prefix}decoder`, {
    ...shape,
    channels: sizes.out_channels,
    latent,
    stages: { ...up, hasAttention: (stage) => stage === 0 },
  });
  model.embedding('model.generation_embeddings', tokens, width);
  addAligner(model, 'model.generation_aligner', width, inner, sizes.num_hidden_layers);
  model
    .linear('model.generation_head.proj_out', sizes.image_token_embed_dim, inner, { bias: true })
    .linear('model.generation_head.vision_head', inner, tokens, { bias: true });
  return true;
}

export const janusFamily: MultimodalEntry = {
  modelTypes: ['janus'],
  name: 'Janus',
  textType: 'llama',
  isTied: true,
  towers: (model, config) => addTower(model, config.at('vision_config')) && addWriter(model, config.at('vq_config')),
};
