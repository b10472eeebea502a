/** Gemma 3n: a language model with a tower for images and one for sound (transformers/models/gemma3n/modeling_gemma3n.py). */
import type { Fields } from '../../fields.js';
import { readSizes } from '../configSizes.js';
import type { ModelTensors } from '../tensorGroup.js';
import type { MultimodalEntry } from './multimodalShape.js';

/** Towers of timm, whose sizes follow from their name: parameters by `timm.create_model(name, num_classes=0)` of timm 1.0. */
const towersOfTimm: Readonly<Record<string, number>> = { mobilenetv5_300m_enc: 294_126_912 };

function addVision(model: ModelTensors, prefix: string, config: Fields): boolean {
  const name = config.text('architecture') ?? 'mobilenetv5_300m_enc';
  const parameters = Object.hasOwn(towersOfTimm, name) ? towersOfTimm[name] : undefined;
  if (parameters === undefined) return false;
  model.parameter(`${prefix}timm_model`, [parameters]);
  return true;
}

/** Bands that are left of an input by convolutions of 3 bands with one more at either side. */
function bandsLeft(bands: number, strides: readonly number[]): number {
  return strides.reduce((left, stride) => Math.floor((left - 1) / Math.max(stride, 1)) + 1, bands);
}

/** A conformer: convolutions between attention and two feed-forward parts. */
function addAudio(model: ModelTensors, prefix: string, given: Fields): boolean {
  const config = given.withDefaults({
    hidden_size: 1536,
    input_feat_size: 128,
    conf_num_hidden_layers: 12,
    conf_num_attention_heads: 8,
    conf_conv_kernel_size: 5,
  });
  const keys = ['hidden_size', 'input_feat_size', 'conf_num_hidden_layers', 'conf_num_attention_heads'] as const;
  const sizes = readSizes(config, [...keys, 'conf_conv_kernel_size']);
  const channels = config.has('sscp_conv_channel_size') ? config.integers('sscp_conv_channel_size') : [128, 32];
  const [first, second] = channels ?? [];
  // Other kernels and strides than those that are published are not described here.
  if (sizes === null || first === undefined || second === undefined) return false;
  const { hidden_size: hidden, conf_num_hidden_layers: copies } = sizes;
  const subsampling = `${prefix}subsample_conv_projection`;
  const layer = `${prefix}conformer.N`;
  model
    .convolution(`${subsampling}.conv_0.conv`, [first, 1, 3, 3])
    .norm(`${subsampling}.conv_0.norm`, first)
    .convolution(`${subsampling}.conv_1.conv`, [second, first, 3, 3])
    .norm(`${subsampling}.conv_1.norm`, second)
    .linear(`${subsampling}.input_proj_linear`, second * bandsLeft(sizes.input_feat_size, [2, 2]), hidden);
  for (const part of ['ffw_layer_start', 'ffw_layer_end'])
    model
      .linear(`${layer}.${part}.ffw_layer_1`, hidden, 4 * hidden, { copies })
      .linear(`${layer}.${part}.ffw_layer_2`, 4 * hidden, hidden, { copies })
      .norm(`${layer}.${part}.pre_layer_norm`, hidden, { copies })
      .norm(`${layer}.${part}.post_layer_norm`, hidden, { copies });
  const headSize = Math.floor(hidden / Math.max(sizes.conf_num_attention_heads, 1));
  model.parameter(`${layer}.attention.attn.per_dim_scale`, [headSize], { copies });
  for (const part of ['relative_position_embedding.pos_proj', 'q_proj', 'k_proj', 'v_proj'])
    model.linear(`${layer}.attention.attn.${part}`, hidden, headSize * sizes.conf_num_attention_heads, { copies });
  model
    .linear(`${layer}.attention.post`, hidden, hidden, { copies })
    .linear(`${layer}.lconv1d.linear_start`, hidden, 2 * hidden, { copies })
    .linear(`${layer}.lconv1d.linear_end`, hidden, hidden, { copies })
    .convolution(`${layer}.lconv1d.depthwise_conv1d`, [hidden, 1, sizes.conf_conv_kernel_size], { copies });
  for (const norm of ['attention.pre_attn_norm', 'attention.post_norm', 'lconv1d.pre_layer_norm', 'lconv1d.conv_norm', 'norm'])
    model.norm(`${layer}.${norm}`, hidden, { copies });
  return true;
}

/** Tokens of its own, and the way to the language model (Gemma3nMultimodalEmbedder). */
function addEmbedder(model: ModelTensors, prefix: string, given: Fields, usualSize: number, output: number): boolean {
  const sizes = readSizes(given.withDefaults({ hidden_size: usualSize, vocab_size: 128 }), ['hidden_size', 'vocab_size']);
  if (sizes === null) return false;
  const { hidden_size: hidden, vocab_size: tokens } = sizes;
  model
    .embedding(`${prefix}embedding`, tokens, hidden)
    .norm(`${prefix}hard_embedding_norm`, hidden)
    .norm(`${prefix}soft_embedding_norm`, hidden)
    .linear(`${prefix}embedding_projection`, hidden, output);
  return true;
}

export const gemma3nFamily: MultimodalEntry = {
  modelTypes: ['gemma3n'],
  name: 'Gemma 3n',
  textType: 'gemma3n_text',
  isTied: true,
  towers(model, config, { hidden }) {
    const [vision, audio] = [config.at('vision_config'), config.at('audio_config')];
    return (
      addVision(model, 'model.vision_tower.', vision) &&
      addAudio(model, 'model.audio_tower.', audio) &&
      addEmbedder(model, 'model.embed_vision.', vision, 2048, hidden) &&
      addEmbedder(model, 'model.embed_audio.', audio, 1536, hidden)
    );
  },
};
