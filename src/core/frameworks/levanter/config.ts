/** Levanter YAML (levanter/models/*.py for sizes, levanter/checkpoint.py and trainer.py for saving; names and defaults as there). */
import type { ConfigAccess, ConfigKind, ModelSource } from '../../configs/configKind.js';
import { Fields } from '../../configs/fields.js';
import type { PlanNote, TrainingPlan } from '../../configs/trainingPlan.js';
import { completePlan, product } from '../../configs/plans/completePlan.js';
import { optimizerPlan } from '../../configs/values/optimizerNames.js';
import { planOf } from '../../configs/plans/planOf.js';
import { openBeside } from '../../configs/values/openBeside.js';
import { positive } from '../../configs/values/positive.js';
import { precisionOf } from '../../configs/values/precisionNames.js';
import { tokenizerVocabulary } from '../../configs/values/tokenizerVocabulary.js';

export const levanter: ConfigKind = {
  id: 'levanter',
  match: ({ document, fields }) =>
    document.syntax === 'yaml' &&
    fields.at('model').has('type') &&
    fields.at('trainer').has('mp', 'train_batch_size', 'num_train_steps', 'checkpointer', 'fsdp_axis') &&
    (fields.at('model').has('hidden_dim', 'num_layers', 'seq_len') || fields.has('initialize_from_hf')),
  async read({ fields }, access) {
    const notes: PlanNote[] = [];
    const vocabulary = await vocabularyOf(fields, access);
    return { model: modelOf(fields, vocabulary, notes), plan: completePlan(planFrom(fields, notes)) };
  },
};

/**
 * Of the data's tokenizer, that of a file of it (`data: !include …`), or the run's own; GPT-2's unless one is set (LMTaskConfig in levanter/data/text.py). Undefined
 * where its size is not known, and for a file that is not there.
 */
async function vocabularyOf(fields: Fields, access: ConfigAccess): Promise<number | undefined> {
  const data = fields.at('data');
  const included = data.keys.length > 0 ? undefined : fields.text('data');
  const file = included === undefined ? null : await openBeside(included, access);
  const own = data.text('tokenizer') ?? fields.text('tokenizer');
  if (own === undefined && included !== undefined && file === null) return undefined;
  const name = own ?? file?.fields.text('tokenizer') ?? 'gpt2';
  // Of tokens that were made before, the number is set beside it.
  return name === 'passthrough' ? (data.integer('vocab_size') ?? file?.fields.integer('vocab_size')) : tokenizerVocabulary(name);
}

/** Its models by the class of transformers that has the same tensors. */
function modelOf(fields: Fields, vocabulary: number | undefined, notes: PlanNote[]): ModelSource | null {
  const model = fields.at('model');
  const type = model.text('type') ?? '';
  // Norms without weights are none of transformers'.
  if (vocabulary === undefined || model.flag('use_layer_norm_weight') === false) return null;
  notes.push('vocabulary-of-tokenizer');
  if (type === 'gpt2') return { kind: 'fields', fields: Fields.fromValues(gptValues(model, vocabulary)) };
  if (!['llama', 'mistral', 'mixtral', 'gemma', 'qwen', 'qwen3', 'olmo2'].includes(type)) return null;
  return { kind: 'fields', fields: Fields.fromValues(llamaValues(model, type === 'qwen' ? 'qwen2' : type, vocabulary)) };
}

/** GPT-2 as Gpt2Config sizes it; the output layer is the embedding. */
function gptValues(model: Fields, vocabulary: number): Record<string, unknown> {
  const hidden = model.integer('hidden_dim') ?? 768;
  return {
    model_type: 'gpt2',
    vocab_size: vocabulary,
    n_embd: hidden,
    n_layer: model.integer('num_layers') ?? 12,
    n_head: model.integer('num_heads') ?? 12,
    n_positions: model.integer('seq_len') ?? 1024,
    n_inner: hidden * (model.integer('mlp_scale') ?? 4),
  };
}

/** LlamaConfig's defaults, which its other decoders share. */
function llamaValues(model: Fields, type: string, vocabulary: number): Record<string, unknown> {
  const heads = model.integer('num_heads') ?? 32;
  const hidden = model.integer('hidden_dim') ?? 4096;
  return {
    model_type: type,
    vocab_size: vocabulary,
    hidden_size: hidden,
    intermediate_size: model.integer('intermediate_dim') ?? 11_008,
    num_hidden_layers: model.integer('num_layers') ?? 32,
    num_attention_heads: heads,
    num_key_value_heads: model.integer('num_kv_heads') ?? heads,
    head_dim: model.integer('head_dim') ?? Math.floor(hidden / Math.max(heads, 1)),
    tie_word_embeddings: model.flag('tie_word_embeddings') ?? type === 'gemma',
    ...(type === 'mixtral'
      ? {
          num_local_experts: model.integer('n_routed_experts') ?? 8,
          num_experts_per_tok: model.integer('num_experts_per_tok') ?? 2,
        }
      : {}),
  };
}

function planFrom(fields: Fields, notes: PlanNote[]): TrainingPlan {
  const trainer = fields.at('trainer');
  const precision = trainer.text('mp') ?? 'f32';
  const computed = precisionOf(/\bc=(\w+)/.exec(precision)?.[1] ?? precision);
  const written = positive(trainer.integer('num_train_steps'));
  const steps = written ?? 400_000;
  const sequenceLength = positive(fields.at('model').integer('seq_len'));
  if (written === undefined) notes.push('default-steps');
  if (!fields.at('optimizer').has('type')) notes.push('default-optimizer');
  return planOf({
    writer: 'levanter',
    steps,
    ...savingOf(trainer.at('checkpointer'), steps, notes),
    sequenceLength,
    ...batchOf(trainer, { steps, sequenceLength }, notes),
    precision: computed,
    parameterDtype: precisionOf(/\bp=(\w+)/.exec(precision)?.[1]) ?? (/[=]/.test(precision) ? 'f32' : computed),
    ...optimizerPlan(fields.at('optimizer').text('type') ?? 'adam'),
    sharding: 'weights',
    outputFolder: trainer.at('checkpointer').text('base_path'),
    notes,
  });
}

/** One batch, or a list of them with the step from which each holds (levanter/schedule.py); of these the last that is reached, and the tokens of all. */
function batchOf(
  trainer: Fields,
  { steps, sequenceLength }: { steps: number; sequenceLength: number | undefined },
  notes: PlanNote[],
): Pick<TrainingPlan, 'globalBatch' | 'maxTokens'> {
  const schedule = trainer.items('train_batch_size');
  if (schedule.length === 0) return { globalBatch: positive(trainer.integer('train_batch_size')) ?? 512 };
  notes.push('batch-ramps-up');
  let [samples, globalBatch]: [number, number | undefined] = [0, undefined];
  for (const [index, stage] of schedule.entries()) {
    const [start = 0, value] = [stage.integer('start'), positive(stage.integer('value'))];
    const end = schedule[index + 1]?.integer('start') ?? steps;
    if (value === undefined || start >= steps) continue;
    samples += Math.max(0, Math.min(end, steps) - start) * value;
    globalBatch = value;
  }
  return planOf({ globalBatch, maxTokens: product(samples, sequenceLength) });
}

/**
 * Checkpoints of `keep` stay for ever, every so many steps; between them one is saved each `save_interval`, which replaces the one before. When training
 * ends one is saved in any case.
 */
function savingOf(checkpointer: Fields, steps: number, notes: PlanNote[]): Partial<TrainingPlan> {
  const rules = checkpointer.items('keep');
  const [rule] = rules;
  notes.push('ephemeral-checkpoints');
  if (rule === undefined && !checkpointer.has('keep')) notes.push('default-save-interval', 'default-keep');
  const saving = { keep: null, lastSave: 'all', savesByClock: true } as const;
  if (rule !== undefined && (rules.length > 1 || rule.integer('until') !== undefined)) {
    const kept = keptSteps(rules, steps);
    if (kept === null) notes.push('interval-not-in-steps');
    return planOf({ ...saving, extraSaveSteps: kept ?? undefined });
  }
  const interval = positive(rule?.integer('every')) ?? (checkpointer.has('keep') ? undefined : 10_000);
  return planOf({ ...saving, saveIntervalSteps: interval });
}

/** More are not listed. */
const mostKept = 100_000;

/**
 * Steps of checkpoints that stay: of each rule those beyond the one before, until its own last step (levanter/checkpoint.py, _get_current_step_save_interval). Null
 * for rules that cannot be read, or too many steps.
 */
function keptSteps(rules: readonly Fields[], steps: number): number[] | null {
  const kept: number[] = [];
  let before = 0;
  for (const rule of rules) {
    const every = positive(rule.integer('every'));
    if (every === undefined) return null;
    const last = Math.min(rule.integer('until') ?? steps, steps);
    if ((last - before) / every > mostKept - kept.length) return null;
    for (let step = (Math.floor(before / every) + 1) * every; step <= last; step += every) kept.push(step);
    before = Math.max(before, last);
  }
  return kept;
}
