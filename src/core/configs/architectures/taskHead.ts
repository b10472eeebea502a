import type { Fields } from '../fields.js';
import { classDefaults } from './classDefaults/classDefaults.js';
import { labelCount } from './modelHead.js';
import { flagOr, isOn } from './sizes.js';
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

/** Ends of the names of classes whose output layer is described here. */
const knownClass = /(?:For(?:CausalLM|ConditionalGeneration|(?:Sequence|Token)Classification|QuestionAnswering)|Model)$/;

/** Whether a config names a class of another task, for which the output layer of language models is assumed: `LlamaForRewardModeling`. */
export function isHeadAssumed(config: Fields): boolean {
  const className = config.texts('architectures')?.[0];
  return className !== undefined && Object.hasOwn(classDefaults, config.text('model_type') ?? '') && !knownClass.test(className);
}

/** Types whose class for answers keeps the model under another name than their other classes (transformers/modeling_layers.py; 5.24). */
const answersUnderTransformer: ReadonlySet<string> = new Set([
  ...['arcee', 'diffllama', 'exaone4', 'llama', 'ministral', 'nemotron', 'qwen2', 'qwen3', 'qwen3_moe', 'qwen3_next'],
  ...['seed_oss', 'smollm3'],
]);

/** Types whose classes of tokens are called `classifier`: those with a class of their own for it. */
const tokenClassifiers: ReadonlySet<string> = new Set([
  ...['biogpt', 'bloom', 'falcon', 'gpt2', 'gpt-sw3', 'gpt_bigcode', 'gpt_neo', 'gpt_neox', 'mpt'],
]);

/**
 * The tensors of the class that a config names: reward models, classifiers and embedding models have another output layer than the one over
 * the vocabulary, or none (transformers/modeling_layers.py, GenericForSequenceClassification and its kin). Classes outside of transformers
 * are often named after their inner model in configs of the whole (`ChatGLMModel`).
 */
export function withTaskHead(model: ModelTensors, config: Fields): ModelTensors {
  const type = config.text('model_type') ?? '';
  const task = Object.hasOwn(classDefaults, type) ? taskOf(config) : 'language';
  const head = model.groups.find(({ kind }) => kind === 'head');
  if (head === undefined) return model;
  const hidden = head.shape[1] ?? NaN;
  if (task === 'language' && (config.texts('architectures')?.[0] ?? '').endsWith('DoubleHeadsModel'))
    addChoice(model, config, hidden);
  if (task === 'language') return model;
  const other = new ModelTensors();
  const isOfHead = headOf(type, head.name.slice(0, -'weight'.length));
  const isUnderTransformer = task === 'question-answering' && answersUnderTransformer.has(type);
  for (const group of model.groups)
    if (!isOfHead(group.name))
      other.groups.push(isUnderTransformer ? { ...group, name: group.name.replace(/^model\./, 'transformer.') } : group);
  addTaskHead(other, config, { type, task, hidden });
  return other;
}

/** Names that belong to the output layer over the vocabulary. */
function headOf(type: string, module: string): (name: string) => boolean {
  const modules = type === 'modernbert-decoder' ? [module, 'lm_head.'] : [module];
  return (name) => modules.some((one) => name.startsWith(one));
}

function addTaskHead(
  model: ModelTensors,
  config: Fields,
  { type, task, hidden }: { type: string; task: Task; hidden: number },
): void {
  // Options of ModernBERT's decoder, which has a dense layer before the classifier.
  const hasBias = isOn(config, 'classifier_bias');
  const isModernBert = type === 'modernbert-decoder';
  if (task === 'classification' && isModernBert)
    model.linear('head.dense', hidden, hidden, { bias: hasBias }).norm('head.norm', hidden, { bias: isOn(config, 'norm_bias') });
  const classifier = type === 'ctrl' || isModernBert ? 'classifier' : 'score';
  if (task === 'classification') model.linear(classifier, hidden, labelCount(config), { bias: isModernBert && hasBias });
  const tokens = tokenClassifiers.has(type) ? 'classifier' : 'score';
  if (task === 'token-classification') model.linear(tokens, hidden, labelCount(config), { bias: true });
  if (task === 'question-answering') model.linear('qa_outputs', hidden, 2, { bias: true });
}

/** One number for each of several texts, beside the output layer (GPT2SequenceSummary of transformers/models/gpt2/modeling_gpt2.py). */
function addChoice(model: ModelTensors, config: Fields, hidden: number): void {
  if (!flagOr(config, true, 'summary_use_proj')) return;
  model.linear('multiple_choice_head.summary', hidden, flagOr(config, true, 'summary_proj_to_labels') ? 1 : hidden, {
    bias: true,
  });
}
