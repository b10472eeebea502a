/** Apertus 1.5: images and sound as tokens of the language model's own vocabulary (transformers/models/apertus1p5/modeling_apertus1p5.py). */
import type { Fields } from '../../fields.js';
import { readSizes } from '../configSizes.js';
import { flagOr } from '../sizes.js';
import type { ModelTensors } from '../tensorGroup.js';
import type { MultimodalEntry } from './multimodalShape.js';
import { addQuantizerEncoder, mostStages } from './vectorQuantizer.js';

function addImageTokenizer(model: ModelTensors, given: Fields): boolean {
  const config = given.withDefaults({
    codebook_size: 131_072,
    embed_dim: 256,
    latent_channels: 256,
    in_channels: 3,
    base_channels: 256,
    num_res_blocks: 4,
    resolution: 256,
  });
  const keys = ['codebook_size', 'embed_dim', 'latent_channels', 'in_channels', 'base_channels', 'num_res_blocks'] as const;
  const sizes = readSizes(config, [...keys, 'resolution']);
  const multipliers = config.has('channel_multiplier') ? config.integers('channel_multiplier') : [1, 1, 2, 2, 4];
  const attended = config.has('attn_resolutions') ? config.integers('attn_resolutions') : [16];
  if (sizes === null || multipliers === undefined || attended === undefined) return false;
  if (multipliers.length > mostStages || sizes.num_res_blocks > mostStages) return false;
  const prefix = 'model.vision_tokenizer.';
  addQuantizerEncoder(model, `${prefix}encoder`, {
    channels: sizes.in_channels,
    base: sizes.base_channels,
    multipliers,
    blocks: sizes.num_res_blocks,
    latent: sizes.latent_channels,
    stages: {
      residual: (stage, block) => `stages.${stage}.layers.${block}.resnet`,
      attention: (stage, block) => `stages.${stage}.layers.${block}.attention`,
      between: (stage) => `stages.${stage}.downsample`,
      hasAttention: (stage) => attended.includes(Math.floor(sizes.resolution / 2 ** stage)),
    },
  });
  model
    .linear(`${prefix}quantize.embedding`, sizes.embed_dim, sizes.codebook_size)
    .convolution(`${prefix}quant_conv`, [sizes.embed_dim, sizes.latent_channels, 1, 1], { bias: true });
  return true;
}

/** A weight kept as a length and a direction, or a norm after the convolution. */
function addConvolution(model: ModelTensors, prefix: string, shape: readonly [number, number, number], hasNorm: boolean): void {
  const [outputs] = shape;
  model.parameter(`${prefix}.conv.bias`, [outputs], { kind: 'bias' });
  if (hasNorm) model.convolution(`${prefix}.conv`, shape).norm(`${prefix}.norm`, outputs, { bias: true });
  else
    model
      .parameter(`${prefix}.conv.parametrizations.weight.original0`, [outputs, 1, 1])
      .parameter(`${prefix}.conv.parametrizations.weight.original1`, shape, { kind: 'convolution' });
}

/** transformers/models/wavtokenizer/modeling_wavtokenizer.py, WavTokenizerEncoder; its codebook is a buffer. */
function addSoundTokenizer(model: ModelTensors, given: Fields): boolean {
  const config = given.withDefaults({
    audio_channels: 1,
    num_filters: 32,
    num_residual_layers: 1,
    compress: 2,
    kernel_size: 7,
    last_kernel_size: 7,
    residual_kernel_size: 3,
    num_lstm_layers: 2,
    hidden_size: 512,
  });
  const keys = ['audio_channels', 'num_filters', 'num_residual_layers', 'compress', 'kernel_size', 'last_kernel_size'] as const;
  const sizes = readSizes(config, [...keys, 'residual_kernel_size', 'num_lstm_layers', 'hidden_size']);
  const ratios = config.has('upsampling_ratios') ? config.integers('upsampling_ratios') : [6, 5, 5, 4];
  if (sizes === null || ratios === undefined || !(sizes.compress > 0)) return false;
  if (ratios.length > mostStages || sizes.num_residual_layers > mostStages || sizes.num_lstm_layers > mostStages) return false;
  const hasNorm = config.text('norm_type') === 'time_group_norm';
  const prefix = 'model.audio_tokenizer.encoder.layers.N';
  addConvolution(model, prefix, [sizes.num_filters, sizes.audio_channels, sizes.kernel_size], hasNorm);
  let width = sizes.num_filters;
  for (const ratio of ratios.toReversed()) {
    const inner = Math.floor(width / sizes.compress);
    for (let residual = 0; residual < sizes.num_residual_layers; residual += 1) {
      addConvolution(model, `${prefix}.block.N`, [inner, width, sizes.residual_kernel_size], hasNorm);
      addConvolution(model, `${prefix}.block.N`, [width, inner, 1], hasNorm);
      if (flagOr(config, true, 'use_conv_shortcut')) addConvolution(model, `${prefix}.shortcut`, [width, width, 1], hasNorm);
    }
    addConvolution(model, prefix, [2 * width, width, 2 * ratio], hasNorm);
    width *= 2;
  }
  for (let recurrent = 0; recurrent < sizes.num_lstm_layers; recurrent += 1)
    for (const part of ['ih', 'hh'])
      model
        .parameter(`${prefix}.lstm.weight_${part}_l${String(recurrent)}`, [4 * width, width])
        .parameter(`${prefix}.lstm.bias_${part}_l${String(recurrent)}`, [4 * width], { kind: 'bias' });
  addConvolution(model, prefix, [sizes.hidden_size, width, sizes.last_kernel_size], hasNorm);
  return true;
}

export const apertusVisionFamily: MultimodalEntry = {
  modelTypes: ['apertus1p5'],
  name: 'Apertus 1.5',
  textType: 'apertus1p5_text',
  isTied: false,
  towers: (model, config) =>
    addImageTokenizer(model, config.at('vision_config')) && addSoundTokenizer(model, config.at('audio_config')),
};
