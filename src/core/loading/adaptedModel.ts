/**
 * The model that an adapter is around: the base's config made by the class that the adapter's config names, or that follows from its task
 * (peft/peft_model.py, peft/auto.py). A class with an output layer keeps the base model under a level of its own, `bert.`, `model.`.
 */
import type { CountedModel } from '../configs/countModel.js';
import { countModel } from '../configs/countModel.js';
import type { ConfigAccess } from '../configs/configKind.js';
import { labelCount } from '../configs/architectures/modelHead.js';
import { Fields } from '../configs/fields.js';
import { modelNameOfClass, withClass } from '../configs/trainedHead.js';
import { memberOf } from '../formats/text/jsonMember.js';
import type { StoredTensor } from './adapterNames.js';
import { isHeadless, levelWithout, withoutLevel } from './tensors/headless.js';

export interface AdaptedBase {
  model: CountedModel;
  /** The config is of this class: its labels are those of the output layer. */
  hasOwnHead: boolean;
  /** Labels of the base's config, and of the training, where these are others. */
  labels?: { base: number; adapter: number };
}

/** Ends of the classes that PEFT's tasks are for. */
const classEnds: Readonly<Record<string, string>> = {
  SEQ_CLS: 'ForSequenceClassification',
  TOKEN_CLS: 'ForTokenClassification',
  QUESTION_ANS: 'ForQuestionAnswering',
  FEATURE_EXTRACTION: 'Model',
};

/** Everything is in the values. */
export const noAccess: ConfigAccess = {
  open: () => Promise.resolve(null),
  openCached: () => Promise.resolve(null),
  read: () => Promise.resolve(null),
};

/** Output layers of tasks as an adapter has them whole: by the last of their modules. */
const taskHead = /\.(?:score|classifier|classifier\.out_proj|classification_head\.out_proj)\.weight$/;

/** As many rows as the output layer of the task had in training; undefined where the adapter has none. */
export function labelsIn(tensors: readonly StoredTensor[]): number | undefined {
  return tensors.find(({ name, shape }) => shape.length === 2 && taskHead.test(name))?.shape[0];
}

/**
 * @param labels of the training, where the config of the base has others
 * @returns the base under that class, or the name of the class where its modules are not known. */
export async function adaptedBase(
  model: CountedModel,
  adapter: Readonly<Record<string, unknown>>,
  labels?: number,
): Promise<AdaptedBase | string> {
  const { fields } = model;
  if (fields === null) return { model, hasOwnHead: true };
  const own = fields.texts('architectures')?.[0] ?? '';
  const name = classOf(adapter, own, fields) ?? own;
  const hasOwnHead = headIn(name) === headIn(own);
  if (hasOwnHead) return { model: withNamesOf(model, name), hasOwnHead };
  const ofClass = withClass(fields, name);
  const labelled =
    labels === undefined ? ofClass : Fields.fromValues({ num_labels: labels }).withIncluded(withoutLabels(ofClass).node);
  const { model: other } = await countModel({ kind: 'fields', fields: labelled }, noAccess);
  // Whatever the class is, guessed shapes are those of a language model.
  return other?.groups == null || (other.basis === 'shapes' && model.basis !== 'shapes')
    ? name
    : {
        model: { ...withNamesOf(other, name), origin: model.origin },
        hasOwnHead,
        ...(labels === undefined || labels === labelCount(fields)
          ? {}
          : { labels: { base: labelCount(fields), adapter: labels } }),
      };
}

function withoutLabels(fields: Fields): Fields {
  return ['id2label', 'label2id', 'num_labels', '_num_labels'].reduce((kept, key) => kept.without(key), fields);
}

/** By the name that PEFT keeps where there is no task, or by the task. */
function classOf(adapter: Readonly<Record<string, unknown>>, own: string, fields: Fields): string | undefined {
  const mapped = memberOf(adapter['auto_mapping'], 'base_model_class');
  const model = modelNameOfClass(own);
  // A class of a program's own may have any modules.
  if (typeof mapped === 'string') return mapped.startsWith(model) && /(For[A-Z]\w*|Model)$/.test(mapped) ? mapped : undefined;
  const task = adapter['task_type'];
  const end = typeof task === 'string' && Object.hasOwn(classEnds, task) ? classEnds[task] : undefined;
  if (end !== undefined) return `${model}${end}`;
  // Language models of pictures are adapted for this task too, and theirs is another class.
  const isText = task === 'CAUSAL_LM' && !fields.has('text_config', 'vision_config');
  return isText && isHeadless(own) ? `${model}ForCausalLM` : undefined;
}

/** What a class does with the states of its layers; the same for names that differ in the model alone. */
function headIn(name: string): string {
  return /For[A-Z]\w*$/.exec(name)?.[0] ?? /(LMHead|DoubleHeads|Encoder)?Model$/.exec(name)?.[0] ?? name;
}

function withNamesOf(model: CountedModel, className: string): CountedModel {
  const { groups, modelType } = model;
  return groups === null ? model : { ...model, groups: withoutLevel(groups, levelWithout(className, modelType ?? '', groups)) };
}
