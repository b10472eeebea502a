/** Qwen2.5-Omni: the thinker that reads, sees and hears, and a talker with what makes sound of its tokens (transformers/models/qwen2_5_omni/modeling_qwen2_5_omni.py). */
import type { Fields } from '../../fields.js';
import type { Architecture } from '../architecture.js';
import { ModelTensors } from '../tensorGroup.js';
import { multimodal } from './multimodalEntry.js';
import { readTextModel } from './multimodalText.js';
import { addOmniSpeech } from './omniSpeech.js';
import { omniThinker } from './soundTextFamilies.js';

const thinker = multimodal(omniThinker);

/** Qwen2's layers over the thinker's states, whose words are sounds. False where a size is missing. */
function addTalker(model: ModelTensors, given: Fields): boolean {
  const config = given.withDefaults({ embedding_size: 3584 });
  const text = readTextModel(config, 'qwen2_5_omni_talker');
  const width = config.integer('embedding_size');
  if (text === null || width === undefined) return false;
  for (const group of text.groups) {
    if (group.kind === 'embedding') model.embedding('talker.model.embed_tokens', group.shape[0] ?? 0, width);
    else if (group.kind === 'head') model.groups.push({ ...group, name: 'talker.codec_head.weight' });
    else model.groups.push({ ...group, name: `talker.${group.name}` });
  }
  model.linear('talker.thinker_to_talker_proj', width, text.hidden, { bias: true });
  return true;
}

export const omniFamily: Architecture = {
  modelTypes: ['qwen2_5_omni'],
  name: 'Qwen2.5-Omni',
  tensors(config) {
    const read = thinker.tensors(config.at('thinker_config').without('architectures'));
    if (read === null) return null;
    const model = new ModelTensors();
    for (const group of read.groups) model.groups.push({ ...group, name: `thinker.${group.name}` });
    if (config.flag('enable_audio_output') === false) return model;
    const isSpeaking =
      addTalker(model, config.at('talker_config')) && addOmniSpeech(model, 'token2wav.', config.at('token2wav_config'));
    return isSpeaking ? model : null;
  },
};
