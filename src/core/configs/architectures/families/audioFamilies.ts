import type { Fields } from '../../fields.js';
import type { Architecture } from '../architecture.js';
import { readSizes, sidesOf } from '../configSizes.js';
import { addLayers, attentionNames, bartDecoderLayer, bartEncoderLayer, type LayerNames, vitLayer } from '../encoderLayer.js';
import { addClassifier, headOf, labelCount } from '../modelHead.js';
import { speechConformerFamily } from './speechConformerFamily.js';
import { ModelTensors } from '../tensorGroup.js';

const whisperDefaults = {
  vocab_size: 51_865,
  num_mel_bins: 80,
  d_model: 384,
  encoder_layers: 4,
  encoder_ffn_dim: 1536,
  decoder_layers: 4,
  decoder_ffn_dim: 1536,
  max_source_positions: 1500,
  max_target_positions: 448,
};

/** Two convolutions over a spectrogram, then layers (transformers/models/whisper/modeling_whisper.py, WhisperEncoder). */
export function addWhisperEncoder(model: ModelTensors, prefix: string, config: Fields): number | null {
  const keys = ['d_model', 'num_mel_bins', 'encoder_layers', 'encoder_ffn_dim', 'max_source_positions'] as const;
  const sizes = readSizes(config, keys);
  if (sizes === null) return null;
  const { d_model: hidden, encoder_layers: copies, encoder_ffn_dim: width } = sizes;
  model
    .convolution(`${prefix}conv1`, [hidden, sizes.num_mel_bins, 3], { bias: true })
    .convolution(`${prefix}conv2`, [hidden, hidden, 3], { bias: true })
    // Sines, kept as a parameter.
    .embedding(`${prefix}embed_positions`, sizes.max_source_positions, hidden);
  addLayers(model, `${prefix}layers.N`, bartEncoderLayer, { copies, hidden, width, keyBias: false });
  model.norm(`${prefix}layer_norm`, hidden, { bias: true });
  return hidden;
}

const whisper: Architecture = {
  modelTypes: ['whisper'],
  name: 'Whisper',
  tensors(given) {
    const config = given.withDefaults(whisperDefaults);
    const sizes = readSizes(config, [
      'vocab_size',
      'd_model',
      'decoder_layers',
      'decoder_ffn_dim',
      'max_target_positions',
      'encoder_layers',
    ]);
    if (sizes === null) return null;
    const { d_model: hidden, vocab_size: vocabulary } = sizes;
    const head = headOf(config, 'ConditionalGeneration');
    const model = new ModelTensors();
    if (head === 'AudioClassification') {
      if (addWhisperEncoder(model, 'encoder.', config) === null) return null;
      addProjectedClassifier(model, config, hidden, sizes.encoder_layers);
      return model;
    }
    const prefix = head === 'Model' ? '' : 'model.';
    if (addWhisperEncoder(model, `${prefix}encoder.`, config) === null) return null;
    model
      .embedding(`${prefix}decoder.embed_tokens`, vocabulary, hidden)
      .embedding(`${prefix}decoder.embed_positions`, sizes.max_target_positions, hidden);
    const { decoder_layers: copies, decoder_ffn_dim: width } = sizes;
    addLayers(model, `${prefix}decoder.layers.N`, bartDecoderLayer, { copies, hidden, width, keyBias: false });
    model.norm(`${prefix}decoder.layer_norm`, hidden, { bias: true });
    const isTied = config.flag('tie_word_embeddings') ?? true;
    if (head === 'ConditionalGeneration') model.head('proj_out', vocabulary, hidden, { isTied });
    else if (head !== 'Model') return null;
    return model;
  },
};

/** States of all layers weighed, then made smaller, then classified. */
function addProjectedClassifier(model: ModelTensors, config: Fields, hidden: number, layers: number): void {
  const width = config.integer('classifier_proj_size') ?? 256;
  if (config.flag('use_weighted_layer_sum') === true) model.parameter('layer_weights', [layers + 1]);
  model.linear('projector', hidden, width, { bias: true });
  addClassifier(model, labelCount(config), width);
}

const speechLayer: LayerNames = {
  attention: attentionNames('attention', 'q_proj k_proj v_proj out_proj'),
  feedForward: ['feed_forward.intermediate_dense', 'feed_forward.output_dense'],
  norms: ['layer_norm', 'final_layer_norm'],
};

const speechDefaults = {
  vocab_size: 32,
  hidden_size: 768,
  num_hidden_layers: 12,
  num_attention_heads: 12,
  intermediate_size: 3072,
  num_conv_pos_embeddings: 128,
  num_conv_pos_embedding_groups: 16,
  feat_extract_norm: 'group',
};

const speechSizes = [
  'vocab_size',
  'hidden_size',
  'num_hidden_layers',
  'num_attention_heads',
  'intermediate_size',
  'num_conv_pos_embeddings',
  'num_conv_pos_embedding_groups',
] as const;

/** Convolutions over a waveform, then layers (transformers/models/{wav2vec2,hubert,wavlm}/modeling_*.py). */
const speech: Architecture = {
  modelTypes: ['wav2vec2', 'hubert', 'wavlm'],
  name: 'wav2vec 2.0, HuBERT, WavLM',
  tensors(given) {
    const config = given.withDefaults(speechDefaults);
    const sizes = readSizes(config, speechSizes);
    const widths = numbers(config, 'conv_dim', [512, 512, 512, 512, 512, 512, 512]);
    const kernels = numbers(config, 'conv_kernel', [10, 3, 3, 3, 3, 2, 2]);
    if (sizes === null || widths === null || widths.length !== kernels?.length) return null;
    const type = config.text('model_type') ?? '';
    const { hidden_size: hidden, num_hidden_layers: copies, intermediate_size: width } = sizes;
    const head = headOf(config, 'CTC');
    const prefix = head === 'Model' ? '' : `${type}.`;
    const model = new ModelTensors();
    if ((config.number('mask_time_prob') ?? 0.05) > 0 || (config.number('mask_feature_prob') ?? 0) > 0)
      model.parameter(`${prefix}masked_spec_embed`, [hidden]);
    addWaveform(model, `${prefix}feature_extractor.conv_layers.N`, config, widths, kernels);
    const features = widths.at(-1) ?? 0;
    if (type !== 'hubert' || (config.flag('feat_proj_layer_norm') ?? true))
      model.norm(`${prefix}feature_projection.layer_norm`, features, { bias: true });
    model.linear(`${prefix}feature_projection.projection`, features, hidden, { bias: true });
    addConvolvedPositions(model, `${prefix}encoder.pos_conv_embed.conv`, hidden, sizes);
    model.norm(`${prefix}encoder.layer_norm`, hidden, { bias: true });
    addLayers(model, `${prefix}encoder.layers.N`, speechLayer, { copies, hidden, width });
    if (type === 'wavlm') addGatedPositions(model, `${prefix}encoder.layers.N.attention`, config, sizes);
    // Kinds that few models have, and whose tensors are not known here.
    if (config.has('adapter_attn_dim') && !config.isNull('adapter_attn_dim')) return null;
    if (config.flag('add_adapter') === true || config.flag('conv_pos_batch_norm') === true) return null;
    return addSpeechHead(model, head, config, { hidden, layers: copies, vocabulary: sizes.vocab_size, features }) ? model : null;
  },
};

function numbers(config: Fields, key: string, usual: readonly number[]): readonly number[] | null {
  const values = config.has(key) ? config.integers(key) : usual;
  return values !== undefined && values.length <= 64 && values.every((value) => value >= 0) ? values : null;
}

function addWaveform(
  model: ModelTensors,
  prefix: string,
  config: Fields,
  widths: readonly number[],
  kernels: readonly number[],
): void {
  const bias = config.flag('conv_bias') ?? false;
  const isGroup = config.text('feat_extract_norm') === 'group';
  for (const [index, width] of widths.entries()) {
    const before = index === 0 ? 1 : (widths[index - 1] ?? 0);
    model.convolution(`${prefix}.conv`, [width, before, kernels[index] ?? 0], { bias });
    if (index === 0 || !isGroup) model.norm(`${prefix}.layer_norm`, width, { bias: true });
  }
}

/** A weight kept as a length and a direction (torch.nn.utils.parametrizations.weight_norm). */
function addConvolvedPositions(
  model: ModelTensors,
  prefix: string,
  hidden: number,
  sizes: { num_conv_pos_embeddings: number; num_conv_pos_embedding_groups: number },
): void {
  const { num_conv_pos_embeddings: kernel, num_conv_pos_embedding_groups: groups } = sizes;
  const inputs = Math.floor(hidden / Math.max(groups, 1));
  model
    .parameter(`${prefix}.bias`, [hidden], { kind: 'bias' })
    .parameter(`${prefix}.parametrizations.weight.original0`, [1, 1, kernel])
    .parameter(`${prefix}.parametrizations.weight.original1`, [hidden, inputs, kernel], { kind: 'convolution' });
}

/** The first layer's buckets of distances, and a gate in every layer. */
function addGatedPositions(
  model: ModelTensors,
  prefix: string,
  config: Fields,
  sizes: { hidden_size: number; num_attention_heads: number; num_hidden_layers: number },
): void {
  const { hidden_size: hidden, num_attention_heads: heads, num_hidden_layers: copies } = sizes;
  model
    .parameter(`${prefix}.gru_rel_pos_const`, [1, heads, 1, 1], { copies })
    .linear(`${prefix}.gru_rel_pos_linear`, Math.floor(hidden / Math.max(heads, 1)), 8, { copies, bias: true })
    .embedding(`${prefix}.rel_attn_embed`, copies > 0 ? (config.integer('num_buckets') ?? 320) : 0, heads);
}

function addSpeechHead(
  model: ModelTensors,
  head: string,
  config: Fields,
  { hidden, layers, vocabulary, features }: { hidden: number; layers: number; vocabulary: number; features: number },
): boolean {
  switch (head) {
    case 'Model':
      return true;
    case 'CTC':
      model.head('lm_head', vocabulary, hidden, { bias: true });
      return true;
    case 'SequenceClassification':
      addProjectedClassifier(model, config, hidden, layers);
      return true;
    case 'AudioFrameClassification':
      if (config.flag('use_weighted_layer_sum') === true) model.parameter('layer_weights', [layers + 1]);
      addClassifier(model, labelCount(config), hidden);
      return true;
    case 'PreTraining':
      return config.text('model_type') === 'wav2vec2' && addQuantizer(model, config, hidden, features);
    default:
      return false;
  }
}

function addQuantizer(model: ModelTensors, given: Fields, hidden: number, features: number): boolean {
  const config = given.withDefaults({
    num_codevectors_per_group: 320,
    num_codevector_groups: 2,
    codevector_dim: 256,
    proj_codevector_dim: 256,
  });
  const keys = ['num_codevectors_per_group', 'num_codevector_groups', 'codevector_dim', 'proj_codevector_dim'] as const;
  const sizes = readSizes(config, keys);
  if (sizes === null) return false;
  const { num_codevector_groups: groups, codevector_dim: width, proj_codevector_dim: projected } = sizes;
  const vectors = groups * sizes.num_codevectors_per_group;
  model
    .parameter('quantizer.codevectors', [1, vectors, Math.floor(width / Math.max(groups, 1))])
    .linear('quantizer.weight_proj', features, vectors, { bias: true })
    .linear('project_hid', hidden, projected, { bias: true })
    .linear('project_q', width, projected, { bias: true });
  return true;
}

/** Patches of a spectrogram (transformers/models/audio_spectrogram_transformer/…). */
const spectrogram: Architecture = {
  modelTypes: ['audio-spectrogram-transformer'],
  name: 'Audio Spectrogram Transformer',
  tensors(given) {
    const config = given.withDefaults({
      hidden_size: 768,
      num_hidden_layers: 12,
      intermediate_size: 3072,
      patch_size: 16,
      num_mel_bins: 128,
      max_length: 1024,
      frequency_stride: 10,
      time_stride: 10,
    });
    const keys = ['hidden_size', 'num_hidden_layers', 'intermediate_size', 'num_mel_bins', 'max_length'] as const;
    const sizes = readSizes(config, [...keys, 'frequency_stride', 'time_stride']);
    const [patch] = sidesOf(config, 'patch_size', 16);
    if (sizes === null) return null;
    const { hidden_size: hidden, num_hidden_layers: copies, intermediate_size: width } = sizes;
    const along = (size: number, stride: number): number => Math.max(Math.floor((size - patch) / Math.max(stride, 1)) + 1, 0);
    const patches = along(sizes.num_mel_bins, sizes.frequency_stride) * along(sizes.max_length, sizes.time_stride);
    const head = headOf(config, 'AudioClassification');
    const prefix = head === 'Model' ? '' : 'audio_spectrogram_transformer.';
    const model = new ModelTensors();
    model
      .parameter(`${prefix}embeddings.cls_token`, [1, 1, hidden])
      .parameter(`${prefix}embeddings.distillation_token`, [1, 1, hidden])
      .parameter(`${prefix}embeddings.position_embeddings`, [1, patches + 2, hidden])
      .convolution(`${prefix}embeddings.patch_embeddings.projection`, [hidden, 1, patch, patch], { bias: true });
    const queryBias = config.flag('qkv_bias') ?? true;
    addLayers(model, `${prefix}layers.N`, vitLayer, { copies, hidden, width, queryBias });
    model.norm(`${prefix}layernorm`, hidden, { bias: true });
    if (head === 'AudioClassification') {
      model.norm('classifier.layernorm', hidden, { bias: true });
      addClassifier(model, labelCount(config), hidden, 'classifier.dense');
    } else if (head !== 'Model') return null;
    return model;
  },
};

/** Encoders of sound, and speech recognition. */
export const audioFamilies: readonly Architecture[] = [whisper, speech, speechConformerFamily, spectrogram];
