/** The output layer that a run puts in place of the language model's: classifiers and reward models. */
import type { TensorGroup } from './architectures/tensorGroup.js';
import { Fields } from './fields.js';

/**
 * As classes of transformers are named behind `For`; with labels null the number is that of the model's own config, and `of-data` is a number
 * that the dataset decides.
 */
export interface TrainedHead {
  task: 'SequenceClassification' | 'TokenClassification' | 'QuestionAnswering' | 'MultipleChoice';
  labels: number | 'of-data' | null;
}

/** A model without its output layer, and the class that loads it: `AutoModel`, `BertModel`. */
export interface NoHead {
  task: 'none';
  className: string;
}

/** One score a text (trl/trainer/reward_trainer.py, openrlhf/models/model.py). */
export const rewardHead: TrainedHead = { task: 'SequenceClassification', labels: 1 };

/** Two classes a step (examples/scripts/prm.py of TRL). */
export const processRewardHead: TrainedHead = { task: 'TokenClassification', labels: 2 };

/** The module of a value head beside the model's own output layer. */
export const valueHeadName = 'v_head';

/** Its tensors, one score a token (ValueHead of TRL, trl/experimental/ppo/modeling_value_head.py): none where the model's width is not known. */
export function valueHead(groups: readonly TensorGroup[]): TensorGroup[] {
  // The vocabulary's: towers of images embed as well, with fewer rows.
  const rowsOf = (group: TensorGroup | undefined): number => group?.shape[0] ?? 0;
  const embeddings = groups.filter(({ kind, shape }) => kind === 'embedding' && shape.length === 2);
  const width = embeddings.reduce<TensorGroup | undefined>(
    (most, group) => (rowsOf(group) > rowsOf(most) ? group : most),
    undefined,
  )?.shape[1];
  if (width === undefined) return [];
  const tensor = (name: string, shape: readonly number[], kind: TensorGroup['kind']): TensorGroup => {
    return { name: `${valueHeadName}.summary.${name}`, shape, copies: 1, activeCopies: 1, kind };
  };
  return [tensor('weight', [1, width], 'other'), tensor('bias', [1], 'bias')];
}

/** The head of a class: `AutoModelForSequenceClassification`, `LlamaForTokenClassification`, none of `AutoModel`; undefined for language models. */
export function headOfClass(
  name: string | undefined,
  labels: TrainedHead['labels'] | undefined,
): TrainedHead | NoHead | undefined {
  if (name !== undefined && /Model$/.test(name) && !/Heads?Model$/.test(name)) return { task: 'none', className: name };
  const task = tasks.find((candidate) => name?.endsWith(`For${candidate}`) === true);
  return task === undefined ? undefined : { task, labels: labels ?? null };
}

const tasks = ['SequenceClassification', 'TokenClassification', 'QuestionAnswering', 'MultipleChoice'] as const;

/** What transformers takes without a number (transformers/configuration_utils.py). */
const usualLabels = 2;

/** The head of a run of TRL by what runs: `trl reward`, its scripts, the class of its arguments. */
export function headOfTrl(programs: readonly string[]): TrainedHead | undefined {
  const isReward = programs.includes('trl') && programs.includes('reward');
  if (isReward || programs.some((program) => rewardPrograms.test(program))) return rewardHead;
  return programs.some((program) => /(?:^|\/)prm\.py$/.test(program)) ? processRewardHead : undefined;
}

const rewardPrograms = /^RewardConfig$|^trl\.scripts\.reward$|(?:^|\/)(?:reward_modeling|trl\/scripts\/reward)\.py$/;

/** The config of the model with another class, and as many labels as the run sets. */
export function withTrainedHead(fields: Fields, head: TrainedHead | NoHead): Fields {
  const model = modelNameOfClass(fields.texts('architectures')?.[0] ?? '');
  if (head.task === 'none') {
    // Classes of other names are other parts of a model, or a program's own.
    const isWhole = head.className === 'AutoModel' || head.className === `${model}Model`;
    return isWhole ? withClass(fields, `${model}Model`) : fields;
  }
  const { task, labels } = head;
  const base = fields.without('architectures');
  const own = { architectures: [`${model}For${task}`] };
  if (labels === null) return withClass(fields, `${model}For${task}`);
  const rest = ['id2label', 'label2id', 'num_labels', '_num_labels'].reduce((kept, key) => kept.without(key), base);
  if (labels === 'of-data') return Fields.fromValues(own).withIncluded(rest.node).withDefaults({ num_labels: usualLabels });
  return Fields.fromValues({ ...own, num_labels: labels }).withIncluded(rest.node);
}

/** The config of the model as one of another class of its type. */
export function withClass(fields: Fields, className: string): Fields {
  return Fields.fromValues({ architectures: [className] }).withIncluded(fields.without('architectures').node);
}

/** `Bert` of `BertForMaskedLM`. */
export function modelNameOfClass(className: string): string {
  return className.replace(/(?:For[A-Z]\w*|LMHeadModel|Model)$/, '');
}
