/** Language models that hear, and some that also see. */
import { Fields } from '../../fields.js';
import { addWhisperEncoder } from './audioFamilies.js';
import { readSizes } from '../configSizes.js';
import { addLayers, bartEncoderLayer } from '../encoderLayer.js';
import { addProjector, projector } from './multimodalEntry.js';
import type { MultimodalEntry } from './multimodalShape.js';
import { addQwen25Vision, addQwen3Vision } from './qwenVisionTowers.js';
import type { ModelTensors } from '../tensorGroup.js';

/** The part of Qwen2.5-Omni that reads, sees and hears (transformers/models/qwen2_5_omni/modeling_qwen2_5_omni.py). */
export const omniThinker: MultimodalEntry = {
  modelTypes: ['qwen2_5_omni_thinker'],
  name: 'Qwen2.5-Omni, thinker',
  textType: 'qwen2_5_omni_text',
  isTied: false,
  towers(model, config) {
    const audio = addOmniAudio(model, config.at('audio_config'));
    return audio && addQwen25Vision(model, 'model.visual.', config.at('vision_config'), 'apart');
  },
};

/** That part of Qwen3-Omni (transformers/models/qwen3_omni_moe/modeling_qwen3_omni_moe.py). */
export const omniMoeThinker: MultimodalEntry = {
  modelTypes: ['qwen3_omni_moe_thinker'],
  name: 'Qwen3-Omni, thinker',
  textType: 'qwen3_omni_moe_text',
  isTied: false,
  towers(model, config) {
    const audio = addOmniMoeAudio(model, config.at('audio_config'));
    return audio && addQwen3Vision(model, 'model.visual.', config.at('vision_config'), { isOmni: true });
  },
};

const omniAudioDefaults = { num_mel_bins: 128, d_model: 1280, encoder_layers: 32, encoder_ffn_dim: 5120, output_dim: 3584 };
const omniAudioKeys = ['num_mel_bins', 'd_model', 'encoder_layers', 'encoder_ffn_dim', 'output_dim'] as const;

function addOmniAudio(model: ModelTensors, given: Fields): boolean {
  const sizes = readSizes(given.withDefaults(omniAudioDefaults), omniAudioKeys);
  if (sizes === null) return false;
  const { d_model: hidden, encoder_layers: copies, encoder_ffn_dim: width, output_dim: output } = sizes;
  const tower = 'model.audio_tower';
  model
    .convolution(`${tower}.conv1`, [hidden, sizes.num_mel_bins, 3], { bias: true })
    .convolution(`${tower}.conv2`, [hidden, hidden, 3], { bias: true })
    .embedding(`${tower}.audio_bos_eos_token`, 2, output);
  addLayers(model, `${tower}.layers.N`, bartEncoderLayer, { copies, hidden, width, keyBias: false });
  model.norm(`${tower}.ln_post`, hidden, { bias: true }).linear(`${tower}.proj`, hidden, output, { bias: true });
  return true;
}

function addOmniMoeAudio(model: ModelTensors, given: Fields): boolean {
  const config = given.withDefaults({ ...omniAudioDefaults, downsample_hidden_size: 480 });
  const sizes = readSizes(config, [...omniAudioKeys, 'downsample_hidden_size']);
  if (sizes === null) return false;
  const { d_model: hidden, encoder_layers: copies, encoder_ffn_dim: width, output_dim: output } = sizes;
  const channels = sizes.downsample_hidden_size;
  const tower = 'model.audio_tower';
  // Three convolutions of stride 2 leave an eighth of the bands.
  const bands = [1, 2, 3].reduce((left) => Math.floor((left + 1) / 2), sizes.num_mel_bins);
  model
    .convolution(`${tower}.conv2d1`, [channels, 1, 3, 3], { bias: true })
    .convolution(`${tower}.conv2d2`, [channels, channels, 3, 3], { bias: true })
    .convolution(`${tower}.conv2d3`, [channels, channels, 3, 3], { bias: true })
    .linear(`${tower}.conv_out`, channels * bands, hidden);
  addLayers(model, `${tower}.layers.N`, bartEncoderLayer, { copies, hidden, width });
  model
    .norm(`${tower}.ln_post`, hidden, { bias: true })
    .linear(`${tower}.proj1`, hidden, hidden, { bias: true })
    .linear(`${tower}.proj2`, hidden, output, { bias: true });
  return true;
}

/** transformers/models/{qwen2_audio,voxtral}/modeling_*.py */
const audioEntries: readonly MultimodalEntry[] = [
  {
    modelTypes: ['qwen2_audio'],
    name: 'Qwen2-Audio',
    textType: 'qwen2',
    isTied: false,
    towers(model, config, { hidden }) {
      const defaults = { ...omniAudioDefaults, max_source_positions: 1500 };
      const audio = addWhisperEncoder(model, 'model.audio_tower.', config.at('audio_config').withDefaults(defaults));
      if (audio === null) return false;
      model.linear(`${projector}.linear`, audio, hidden, { bias: true });
      return true;
    },
  },
  {
    modelTypes: ['voxtral'],
    name: 'Voxtral',
    // Sizes that its language model leaves out are its own, whatever class it names.
    textType: 'voxtral_text',
    isTextTypeFixed: true,
    isTied: false,
    towers(model, config, { hidden }) {
      const audio = config.at('audio_config').withDefaults({
        num_mel_bins: 128,
        hidden_size: 1280,
        num_hidden_layers: 32,
        intermediate_size: 5120,
        max_source_positions: 1500,
      });
      const sizes = readSizes(audio, [
        'num_mel_bins',
        'hidden_size',
        'num_hidden_layers',
        'intermediate_size',
        'max_source_positions',
      ]);
      if (sizes === null) return false;
      const whisper = Fields.fromValues({
        ...sizes,
        d_model: sizes.hidden_size,
        encoder_layers: sizes.num_hidden_layers,
        encoder_ffn_dim: sizes.intermediate_size,
      });
      if (addWhisperEncoder(model, 'model.audio_tower.', whisper) === null) return false;
      // Four frames of sound are one token.
      addProjector(model, sizes.intermediate_size, hidden, false);
      return true;
    },
  },
];

/** Language models that hear. */
export const soundTextFamilies: readonly MultimodalEntry[] = [omniThinker, omniMoeThinker, ...audioEntries];
