/** What makes a waveform of the talker's tokens: a diffusion transformer to a spectrogram, and a vocoder (transformers/models/qwen2_5_omni/modeling_qwen2_5_omni.py). */
import type { Fields } from '../../fields.js';
import { readSizes } from '../configSizes.js';
import type { ModelTensors } from '../tensorGroup.js';

/** Lists of layers that are longer than any model's are none. */
const mostStages = 64;

function listOf(config: Fields, key: string, usual: readonly number[]): readonly number[] | null {
  const values = config.has(key) ? config.integers(key) : usual;
  const isUsable = values !== undefined && values.length > 0 && values.length <= mostStages;
  return isUsable && values.every((value) => value >= 0) ? values : null;
}

/** Of the sines that a time is written in. */
const timeWidth = 256;

const transformerDefaults = {
  hidden_size: 1024,
  num_hidden_layers: 22,
  num_attention_heads: 16,
  head_dim: 64,
  ff_mult: 2,
  emb_dim: 512,
  num_embeds: 8193,
  mel_dim: 80,
  enc_emb_dim: 192,
  enc_dim: 128,
  enc_attention_channels: 64,
  enc_res2net_scale: 2,
  enc_se_channels: 64,
};
const transformerKeys = [
  ...(['hidden_size', 'num_hidden_layers', 'num_attention_heads', 'head_dim', 'ff_mult', 'emb_dim', 'num_embeds'] as const),
  ...(['mel_dim', 'enc_emb_dim', 'enc_dim', 'enc_attention_channels', 'enc_res2net_scale', 'enc_se_channels'] as const),
] as const;

type TransformerSizes = Readonly<Record<(typeof transformerKeys)[number], number>>;

/** Whose voice it is, by convolutions (ECAPA-TDNN, arXiv 2005.07143). */
function addVoiceEncoder(model: ModelTensors, prefix: string, config: Fields, sizes: TransformerSizes): boolean {
  const widths = listOf(config, 'enc_channels', [256, 256, 256, 256, 768]);
  const kernels = listOf(config, 'enc_kernel_sizes', [5, 3, 3, 3, 1]);
  const { enc_res2net_scale: scale, enc_se_channels: squeezed, enc_attention_channels: attended } = sizes;
  const last = widths?.at(-1);
  if (widths === null || kernels === null || last === undefined || widths.length !== kernels.length || !(scale > 0)) return false;
  const add = (name: string, shape: readonly [number, number, number], copies = 1): void => {
    model.convolution(`${prefix}.${name}`, shape, { copies, bias: true });
  };
  add('blocks.N.conv', [widths[0] ?? 0, sizes.mel_dim, kernels[0] ?? 0]);
  for (const [index, width] of widths.slice(1, -1).entries()) {
    const part = Math.floor(width / scale);
    add('blocks.N.tdnn1.conv', [width, widths[index] ?? 0, 1]);
    add('blocks.N.res2net_block.blocks.N.conv', [part, part, kernels[index + 1] ?? 0], scale - 1);
    add('blocks.N.tdnn2.conv', [width, width, 1]);
    add('blocks.N.se_block.conv1', [squeezed, width, 1]);
    add('blocks.N.se_block.conv2', [width, squeezed, 1]);
  }
  add('mfa.conv', [last, last, kernels.at(-1) ?? 0]);
  add('asp.tdnn.conv', [attended, 3 * last, 1]);
  add('asp.conv', [last, attended, 1]);
  add('fc', [sizes.enc_dim, 2 * last, 1]);
  return true;
}

function addDiffusionTransformer(model: ModelTensors, prefix: string, given: Fields): boolean {
  const config = given.withDefaults(transformerDefaults);
  const sizes = readSizes(config, transformerKeys);
  if (sizes === null || !addVoiceEncoder(model, `${prefix}.input_embed.spk_encoder`, config, sizes)) return false;
  const { hidden_size: hidden, num_hidden_layers: copies, mel_dim: bands } = sizes;
  const inner = sizes.num_attention_heads * sizes.head_dim;
  const options = { copies, bias: true };
  const block = `${prefix}.transformer_blocks.N`;
  model
    .linear(`${prefix}.input_embed.proj`, bands + sizes.enc_dim + sizes.enc_emb_dim + sizes.emb_dim, hidden, { bias: true })
    .embedding(`${prefix}.text_embed.codec_embed`, sizes.num_embeds + 1, sizes.emb_dim)
    .linear(`${prefix}.time_embed.time_mlp.N`, timeWidth, hidden, { bias: true })
    .linear(`${prefix}.time_embed.time_mlp.N`, hidden, hidden, { bias: true })
    .linear(`${block}.attn_norm.linear`, hidden, 6 * hidden, options)
    .linear(`${block}.attn.to_out.N`, inner, hidden, options)
    .linear(`${block}.ff.ff.N`, hidden, sizes.ff_mult * hidden, options)
    .linear(`${block}.ff.ff.N`, sizes.ff_mult * hidden, hidden, options)
    .linear(`${prefix}.norm_out.linear`, hidden, 2 * hidden, { bias: true })
    .linear(`${prefix}.proj_out`, hidden, bands, { bias: true });
  for (const part of ['to_q', 'to_k', 'to_v']) model.linear(`${block}.attn.${part}`, hidden, inner, options);
  return true;
}

/** BigVGAN (arXiv 2206.04658). */
function addVocoder(model: ModelTensors, prefix: string, given: Fields): boolean {
  const config = given.withDefaults({ mel_dim: 80, upsample_initial_channel: 1536 });
  const sizes = readSizes(config, ['mel_dim', 'upsample_initial_channel']);
  const kernels = listOf(config, 'upsample_kernel_sizes', [11, 7, 4, 4, 4, 4]);
  const residualKernels = listOf(config, 'resblock_kernel_sizes', [3, 7, 11]);
  if (sizes === null || kernels === null || residualKernels === null) return false;
  const first = sizes.upsample_initial_channel;
  const widthAt = (stage: number): number => Math.floor(first / 2 ** stage);
  const activation = (name: string, width: number, copies: number): void => {
    for (const part of ['alpha', 'beta']) model.parameter(`${prefix}.${name}.act.${part}`, [width], { copies });
  };
  model.convolution(`${prefix}.conv_pre`, [first, sizes.mel_dim, 7], { bias: true });
  for (const [stage, kernel] of kernels.entries()) {
    const [inputs, outputs] = [widthAt(stage), widthAt(stage + 1)];
    model
      .convolution(`${prefix}.ups.N.N`, [inputs, outputs, kernel])
      .parameter(`${prefix}.ups.N.N.bias`, [outputs], { kind: 'bias' });
    // Three pairs of convolutions at three dilations, and what comes before each.
    for (const residual of residualKernels)
      for (const part of ['convs1', 'convs2'])
        model.convolution(`${prefix}.resblocks.N.${part}.N`, [outputs, outputs, residual], { copies: 3, bias: true });
    activation('resblocks.N.activations.N', outputs, 6 * residualKernels.length);
  }
  const last = widthAt(kernels.length);
  activation('activation_post', last, 1);
  model.convolution(`${prefix}.conv_post`, [1, last, 7]);
  return true;
}

export function addOmniSpeech(model: ModelTensors, prefix: string, config: Fields): boolean {
  return (
    addDiffusionTransformer(model, `${prefix}code2wav_dit_model`, config.at('dit_config')) &&
    addVocoder(model, `${prefix}code2wav_bigvgan_model`, config.at('bigvgan_config'))
  );
}
