import type { Fields } from '../fields.js';
import { classDefaults } from './classDefaults.js';
import { isOn, size } from './sizes.js';
import { ModelTensors } from './tensorGroup.js';

type Task = 'language' | 'classification' | 'token-classification' | 'question-answering' | 'none';

/** What a class does, by the end of its name: `LlamaForCausalLM`, `Qwen3ForSequenceClassification`, `MistralModel`. */
function taskOf(config: Fields): Task {
  const className = config.texts('architectures')?.[0] ?? '';
  if (className.endsWith('ForSequenceClassification')) return 'classification';
  if (className.endsWith('ForTokenClassification')) return 'token-classification';
  if (className.endsWith('ForQuestionAnswering')) return 'question-answering';
  return className.endsWith('Model') && !className.endsWith('HeadModel') && !className.endsWith('HeadsModel')
    ? 'none'
    : 'language';
}

function labelsOf(config: Fields): number {
  const named = config.at('id2label').keys.length;
  return named > 0 ? named : (size(config, 'num_labels') ?? 2);
}

/**
 * The tensors of the class that a config names: reward models, classifiers and embedding models have another output layer than the one over
 * the vocabulary, or none (transformers/modeling_layers.py, GenericForSequenceClassification and its kin). Classes outside of transformers
 * are often named after their inner model in configs of the whole (`ChatGLMModel`).
 */
export function withTaskHead(model: ModelTensors, config: Fields): ModelTensors {
  const isKnown = Object.hasOwn(classDefaults, config.text('model_type') ?? '');
  const task = isKnown ? taskOf(config) : 'language';
  const head = model.groups.find(({ kind }) => kind === 'head');
  if (task === 'language' || head === undefined) return model;
  const module = head.name.slice(0, -'weight'.length);
  const other = new ModelTensors();
  for (const group of model.groups) if (!group.name.startsWith(module)) other.groups.push(group);
  const hidden = head.shape[1] ?? NaN;
  // An option of ModernBERT's decoder.
  const hasBias = isOn(config, 'classifier_bias');
  if (task === 'classification') other.linear('score', hidden, labelsOf(config), { bias: hasBias });
  if (task === 'token-classification') other.linear('score', hidden, labelsOf(config), { bias: true });
  if (task === 'question-answering') other.linear('qa_outputs', hidden, 2, { bias: true });
  return other;
}
