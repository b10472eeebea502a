/** Gemma 4: a language model that has a tower for images, one for sound, both or none (transformers/models/gemma4/modeling_gemma4.py). */
import type { Fields } from '../../fields.js';
import { readSizes } from '../configSizes.js';
import { addLayers, attentionNames, type LayerNames } from '../encoderLayer.js';
import type { MultimodalEntry } from './multimodalShape.js';
import type { ModelTensors } from '../tensorGroup.js';

const visionLayer: LayerNames = {
  attention: attentionNames('self_attn', 'q_proj.linear k_proj.linear v_proj.linear o_proj.linear'),
  feedForward: ['mlp.gate_proj.linear', 'mlp.up_proj.linear', 'mlp.down_proj.linear'],
  norms: ['input_layernorm', 'post_attention_layernorm', 'pre_feedforward_layernorm', 'post_feedforward_layernorm'],
};

/** Answers the size of its states. */
export function addGemma4Vision(model: ModelTensors, prefix: string, given: Fields): number | null {
  const config = given.withDefaults({
    hidden_size: 768,
    intermediate_size: 3072,
    num_hidden_layers: 16,
    num_attention_heads: 12,
    num_key_value_heads: 12,
    head_dim: 64,
    patch_size: 16,
    position_embedding_size: 10_240,
  });
  const keys = ['hidden_size', 'intermediate_size', 'num_hidden_layers', 'num_attention_heads', 'num_key_value_heads'] as const;
  const sizes = readSizes(config, [...keys, 'head_dim', 'patch_size', 'position_embedding_size']);
  if (sizes === null) return null;
  const { hidden_size: hidden, num_hidden_layers: copies, head_dim: headSize, patch_size: patch } = sizes;
  model
    .parameter(`${prefix}patch_embedder.position_embedding_table`, [2, sizes.position_embedding_size, hidden])
    .linear(`${prefix}patch_embedder.input_proj`, 3 * patch * patch, hidden);
  addLayers(model, `${prefix}encoder.layers.N`, visionLayer, {
    copies,
    hidden,
    inner: sizes.num_attention_heads * headSize,
    keyValue: sizes.num_key_value_heads * headSize,
    width: sizes.intermediate_size,
    hasBias: false,
    normBias: false,
  });
  for (const norm of ['q_norm', 'k_norm']) model.norm(`${prefix}encoder.layers.N.self_attn.${norm}`, headSize, { copies });
  return hidden;
}

/** A conformer: convolutions between attention and two feed-forward parts. */
function addAudio(model: ModelTensors, prefix: string, given: Fields): number | null {
  const config = given.withDefaults({
    hidden_size: 1024,
    num_hidden_layers: 12,
    num_attention_heads: 8,
    conv_kernel_size: 5,
    output_proj_dims: 1536,
  });
  const keys = ['hidden_size', 'num_hidden_layers', 'num_attention_heads', 'conv_kernel_size', 'output_proj_dims'] as const;
  const sizes = readSizes(config, keys);
  const channels = config.has('subsampling_conv_channels') ? config.integers('subsampling_conv_channels') : [128, 32];
  const [first, second] = channels ?? [];
  if (sizes === null || first === undefined || second === undefined) return null;
  const { hidden_size: hidden, num_hidden_layers: copies } = sizes;
  const layer = `${prefix}layers.N`;
  model
    .convolution(`${prefix}subsample_conv_projection.layer0.conv`, [first, 1, 3, 3])
    .norm(`${prefix}subsample_conv_projection.layer0.norm`, first)
    .convolution(`${prefix}subsample_conv_projection.layer1.conv`, [second, first, 3, 3])
    .norm(`${prefix}subsample_conv_projection.layer1.norm`, second)
    // Of 128 bands a quarter is left.
    .linear(`${prefix}subsample_conv_projection.input_proj_linear`, Math.floor(first / 4) * second, hidden);
  for (const part of ['feed_forward1', 'feed_forward2'])
    model
      .linear(`${layer}.${part}.ffw_layer_1.linear`, hidden, 4 * hidden, { copies })
      .linear(`${layer}.${part}.ffw_layer_2.linear`, 4 * hidden, hidden, { copies })
      .norm(`${layer}.${part}.pre_layer_norm`, hidden, { copies })
      .norm(`${layer}.${part}.post_layer_norm`, hidden, { copies });
  model.parameter(`${layer}.self_attn.per_dim_scale`, [Math.floor(hidden / Math.max(sizes.num_attention_heads, 1))], { copies });
  for (const part of ['q_proj.linear', 'k_proj.linear', 'v_proj.linear', 'post.linear', 'relative_k_proj'])
    model.linear(`${layer}.self_attn.${part}`, hidden, hidden, { copies });
  model
    .linear(`${layer}.lconv1d.linear_start.linear`, hidden, 2 * hidden, { copies })
    .linear(`${layer}.lconv1d.linear_end.linear`, hidden, hidden, { copies })
    .convolution(`${layer}.lconv1d.depthwise_conv1d`, [hidden, 1, sizes.conv_kernel_size], { copies });
  for (const norm of ['lconv1d.pre_layer_norm', 'lconv1d.conv_norm', 'norm_pre_attn', 'norm_post_attn', 'norm_out'])
    model.norm(`${layer}.${norm}`, hidden, { copies });
  model.linear(`${prefix}output_proj`, hidden, sizes.output_proj_dims, { bias: true });
  return sizes.output_proj_dims;
}

export const gemma4Family: MultimodalEntry = {
  modelTypes: ['gemma4'],
  name: 'Gemma 4',
  textType: 'gemma4_text',
  isTied: true,
  towers(model, config, { hidden }) {
    for (const [part, add] of [['vision', addGemma4Vision] as const, ['audio', addAudio] as const]) {
      const tower = config.at(`${part}_config`);
      if (tower.keys.length === 0) continue;
      const states = add(model, `model.${part}_tower.`, tower);
      if (states === null) return false;
      model.linear(`model.embed_${part}.embedding_projection`, states, hidden);
    }
    return true;
  },
};

/** One linear layer over patches in place of towers, sound as it comes (transformers/models/gemma4_unified/modeling_gemma4_unified.py). */
export const gemma4UnifiedFamily: MultimodalEntry = {
  modelTypes: ['gemma4_unified'],
  name: 'Gemma 4',
  textType: 'gemma4_unified_text',
  isTied: true,
  towers(model, config, { hidden }) {
    const [vision, audio] = [config.at('vision_config'), config.at('audio_config')];
    if (vision.keys.length > 0 && !addPatchEmbedder(model, vision, hidden)) return false;
    if (audio.keys.length > 0)
      model.linear('model.embed_audio.embedding_projection', audio.integer('audio_embed_dim', 'output_proj_dims') ?? 640, hidden);
    return true;
  },
};

function addPatchEmbedder(model: ModelTensors, given: Fields, output: number): boolean {
  const config = given.withDefaults({
    patch_size: 16,
    pooling_kernel_size: 3,
    mm_embed_dim: 3840,
    mm_posemb_size: 1120,
    output_proj_dims: 3840,
  });
  const keys = ['patch_size', 'pooling_kernel_size', 'mm_embed_dim', 'mm_posemb_size', 'output_proj_dims'] as const;
  const sizes = readSizes(config, keys);
  if (sizes === null) return false;
  const { mm_embed_dim: inner } = sizes;
  const side = config.integer('model_patch_size') ?? sizes.patch_size * sizes.pooling_kernel_size;
  const patch = 3 * side * side;
  const prefix = 'model.embed_vision';
  model
    .parameter(`${prefix}.pos_embedding`, [sizes.mm_posemb_size, 2, inner])
    .norm(`${prefix}.patch_ln1`, patch, { bias: true })
    .linear(`${prefix}.patch_dense`, patch, inner, { bias: true })
    .norm(`${prefix}.patch_ln2`, inner, { bias: true })
    .norm(`${prefix}.pos_norm`, inner, { bias: true })
    .linear(`${prefix}.multimodal_embedder.embedding_projection`, sizes.output_proj_dims, output);
  return true;
}
