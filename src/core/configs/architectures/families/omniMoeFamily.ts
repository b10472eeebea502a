/** Qwen3-Omni: the thinker, a talker of experts that speaks in codes, and what makes sound of these (transformers/models/qwen3_omni_moe/modeling_qwen3_omni_moe.py). */
import type { Fields } from '../../fields.js';
import type { Architecture } from '../architecture.js';
import { readSizes } from '../configSizes.js';
import { ModelTensors } from '../tensorGroup.js';
import { multimodal } from './multimodalEntry.js';
import { readTextModel } from './multimodalText.js';
import { addCodeDecoder } from './omniCodes.js';
import { omniMoeThinker } from './soundTextFamilies.js';

const thinker = multimodal(omniMoeThinker);

/** False where a size is missing: the class has no width of the shared expert of its own, so that a talker without one is none. */
function addTalker(model: ModelTensors, given: Fields): boolean {
  const config = given.withDefaults({ thinker_hidden_size: 2048, num_code_groups: 32 });
  const written = config.at('text_config');
  // Every layer has experts, whatever the config sets of layers without.
  const layers = written.without('decoder_sparse_step').without('mlp_only_layers');
  const text = readTextModel(layers, 'qwen3_omni_moe_talker_text');
  const sizes = readSizes(config, ['thinker_hidden_size', 'num_code_groups']);
  const shared = readSizes(written, ['shared_expert_intermediate_size'])?.shared_expert_intermediate_size;
  const inner = written.withDefaults({ intermediate_size: 2048 }).integer('intermediate_size');
  if (text === null || sizes === null || shared === undefined || inner === undefined) return false;
  for (const group of text.groups) model.groups.push({ ...group, name: talkerName(group.name) });
  const copies = text.groups.find(({ name }) => name.endsWith('.input_layernorm.weight'))?.copies ?? 0;
  const expert = 'talker.model.layers.N.mlp.shared_expert';
  for (const part of ['gate_proj', 'up_proj']) model.linear(`${expert}.${part}`, text.hidden, shared, { copies });
  model.linear(`${expert}.down_proj`, shared, text.hidden, { copies }).linear(`${expert}_gate`, text.hidden, 1, { copies });
  for (const part of ['text_projection', 'hidden_projection'])
    model
      .linear(`talker.${part}.linear_fc1`, sizes.thinker_hidden_size, inner, { bias: true })
      .linear(`talker.${part}.linear_fc2`, inner, text.hidden, { bias: true });
  return addCodePredictor(model, config.at('code_predictor_config'));
}

function talkerName(name: string): string {
  if (name === 'lm_head.weight') return 'talker.codec_head.weight';
  return `talker.${name.replace('.embed_tokens.', '.codec_embedding.')}`;
}

/** An embedding and an output layer for each group of codes but the first, which the talker says itself. */
function addCodePredictor(model: ModelTensors, given: Fields): boolean {
  const config = given.withDefaults({ num_code_groups: 32 });
  const text = readTextModel(config, 'qwen3_omni_moe_talker_code_predictor');
  const groups = readSizes(config, ['num_code_groups'])?.num_code_groups;
  if (text === null || groups === undefined) return false;
  const copies = Math.max(groups - 1, 0);
  const prefix = 'talker.code_predictor';
  for (const group of text.groups) {
    const [rows = 0, width = 0] = group.shape;
    if (group.kind === 'embedding') model.embedding(`${prefix}.model.codec_embedding.N`, rows, width, { copies });
    else if (group.kind === 'head') model.linear(`${prefix}.lm_head.N`, width, rows, { copies });
    else model.groups.push({ ...group, name: `${prefix}.${group.name}` });
  }
  return true;
}

export const omniMoeFamily: Architecture = {
  modelTypes: ['qwen3_omni_moe'],
  name: 'Qwen3-Omni',
  tensors(config) {
    const read = thinker.tensors(config.at('thinker_config').without('architectures'));
    if (read === null) return null;
    const model = new ModelTensors();
    for (const group of read.groups) model.groups.push({ ...group, name: `thinker.${group.name}` });
    if (config.flag('enable_audio_output') === false) return model;
    const isSpeaking = addTalker(model, config.at('talker_config')) && addCodeDecoder(model, config.at('code2wav_config'));
    return isSpeaking ? model : null;
  },
};
