/** torchtune YAML (recipes/configs; recipes/full_finetune_*.py, lora_finetune_*.py). A model is a builder: `torchtune.models.llama3_1.llama3_1_8b`. */
import type { DecoderShape } from '../../configs/architectures/decoderShape.js';
import { decoderTensors } from '../../configs/architectures/decoderTensors.js';
import { llamaShape } from '../../configs/architectures/llamaShape.js';
import { readArchitecture } from '../../configs/architectures/readArchitecture.js';
import type { ModelTensors, TensorGroup } from '../../configs/architectures/tensorGroup.js';
import type { ConfigKind, ModelSource } from '../../configs/configKind.js';
import type { Fields } from '../../configs/fields.js';
import { publishedFlavor } from '../../configs/publishedModels.js';
import type { AdapterPlan, PlanNote, TrainingPlan } from '../../configs/trainingPlan.js';
import { completePlan, product } from '../../configs/plans/completePlan.js';
import { optimizerPlan } from '../../configs/values/optimizerNames.js';
import { givenRank } from '../../configs/plans/adapterPlan.js';
import { planOf } from '../../configs/plans/planOf.js';
import { precisionOf } from '../../configs/values/precisionNames.js';
import { isRefused } from '../../configs/values/saveInterval.js';
import { saveModeOf } from '../../configs/values/saveModes.js';
import { padded } from '../../configs/values/paddedVocabulary.js';
import { servingOf } from '../../configs/plans/servingPlan.js';
import type { ServingSettings } from '../../configs/servingSettings.js';
import { policyAndValue } from './policyAndValue.js';
import { positive } from '../../configs/values/positive.js';

export const torchtune: ConfigKind = {
  id: 'torchtune',
  match: ({ document, fields }) =>
    (document.syntax === 'yaml' || document.syntax === 'json') &&
    (trains(fields) || infers(fields)) &&
    ['model', 'checkpointer', 'tokenizer', 'dataset'].some((name) => builderOf(fields, name)?.startsWith('torchtune.') === true),
  read({ fields }) {
    const plan = completePlan(planFrom(fields));
    return { model: modelOf(fields), plan, serving: trains(fields) ? undefined : servingFrom(fields, plan) };
  },
};

/**
 * What every recipe that trains sets, and none that evaluates, generates or quantizes (recipes/configs at bd2a0fc). In the asynchronous GRPO the optimizer is one
 * of `training`.
 */
function trains(fields: Fields): boolean {
  return fields.has('optimizer', 'loss', 'epochs', 'max_steps_per_epoch', 'training');
}

/** What is evaluated, and what answers are generated to (recipes/eleuther_eval.py, generate.py). */
function infers(fields: Fields): boolean {
  return fields.has('tasks', 'prompt');
}

function servingFrom(fields: Fields, plan: TrainingPlan): ServingSettings {
  const contextTokens = positive(fields.integer('max_seq_length')) ?? plan.sequenceLength;
  // Answers to one prompt at a time.
  const quantizer = lastOf(builderOf(fields, 'quantizer'));
  const quantization = quantizer === '' ? {} : { quantization: { other: quantizer } };
  return { ...servingOf(plan), ...quantization, contextTokens, sequences: fields.has('tasks') ? plan.microBatch : 1 };
}

function builderOf(fields: Fields, section: string): string | undefined {
  return fields.at(section).text('_component_');
}

function modelOf(fields: Fields): ModelSource | null {
  const both = pairOf(fields);
  if (both !== null) return { kind: 'tensors', tensors: both, name: 'policy and value model' };
  const builder = builderOf(fields, 'model');
  const name = builder?.slice(builder.lastIndexOf('.') + 1).replace(/^q?lora_/, '');
  const known = name === undefined ? null : publishedFlavor(name);
  if (known !== null) return { kind: 'fields', fields: known.fields, origin: { kind: 'published', name: known.name } };
  const shape = builders.has(name ?? '') ? shapeOfBuilder(fields.at('model')) : null;
  if (shape !== null) return { kind: 'shape', shape, name: 'Llama' };
  const folder = fields.at('checkpointer').text('checkpoint_dir');
  return folder === undefined ? null : { kind: 'named', name: folder, key: 'checkpoint_dir' };
}

/** The two models of PPO; null where it is not PPO, or the sizes of one are not known. */
function pairOf(fields: Fields): ModelTensors | null {
  const value = fields.at('reward_and_value_model');
  const policy = policyGroups(fields.at('policy_model'));
  const shape = isClassifier(value) ? shapeOfBuilder(value) : null;
  if (policy === null || shape === null) return null;
  return policyAndValue(policy, decoderTensors(shape).groups, value.integer('num_classes') ?? 1);
}

function policyGroups(model: Fields): readonly TensorGroup[] | null {
  const name = lastOf(model.text('_component_'));
  const known = publishedFlavor(name);
  if (known !== null) return readArchitecture(known.fields)?.tensors.groups ?? null;
  const shape = builders.has(name) ? shapeOfBuilder(model) : null;
  return shape === null ? null : decoderTensors(shape).groups;
}

/** `torchtune.models.llama2.llama2_classifier`, or `torchtune.modules.classifier_model` over a base model. */
function isClassifier(model: Fields): boolean {
  const name = lastOf(model.text('_component_'));
  if (name !== 'classifier_model') return builders.has(name.replace(/_classifier$/, ''));
  return builders.has(lastOf(model.text('base_model_path')).replace(/_\d+b$/, ''));
}

function lastOf(path = ''): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

/** Builders that take all sizes, of models with the modules of Llama (torchtune/models/NAME/_component_builders.py at bd2a0fc). */
const builders: ReadonlySet<string> = new Set(['llama2', 'llama3', 'llama3_1', 'mistral']);

function shapeOfBuilder(model: Fields): DecoderShape | null {
  const hidden = model.integer('embed_dim');
  const layers = model.integer('num_layers');
  const heads = model.integer('num_heads');
  const vocabulary = model.integer('vocab_size');
  if (hidden === undefined || layers === undefined || heads === undefined || heads === 0 || vocabulary === undefined) return null;
  return llamaShape({
    vocabulary,
    hidden,
    layers,
    heads,
    keyValueHeads: positive(model.integer('num_kv_heads')) ?? heads,
    // scale_hidden_dim_for_mlp
    width: positive(model.integer('intermediate_dim')) ?? padded(4 * Math.floor((2 * hidden) / 3), 256),
  });
}

function planFrom(fields: Fields): TrainingPlan {
  const notes: PlanNote[] = [];
  const dtype = precisionOf(fields.text('dtype'));
  const perEpoch = positive(fields.integer('max_steps_per_epoch'));
  const epochs = positive(fields.number('epochs'));
  const builder = builderOf(fields, 'model') ?? '';
  const every = positive(fields.signedInteger('save_every_n_steps'));
  const adapter = adapterFrom(fields.at('model'), builder);
  // The last one has no optimizer beside it: training is over.
  notes.push('last-save-weights-only');
  isRefused(notes, fields, 'save_every_n_steps');
  // The value model of PPO, of which the optimizer has state too (recipes/ppo_full_finetune_single_device.py).
  if (fields.has('value_checkpointer') && pairOf(fields) === null) notes.push('critic-not-counted');
  return planOf({
    writer: 'torchtune',
    steps: product(perEpoch, epochs),
    epochs,
    saveIntervalSteps: every ?? perEpoch,
    saveIntervalEpochs: every === undefined && perEpoch === undefined ? 1 : undefined,
    lastSave: 'weights',
    mergesAdapter: adapter === undefined || fields.flag('save_adapter_weights_only') === true ? undefined : true,
    savesAdapterTwice: adapter === undefined ? undefined : hasPeftFormat(fields.at('checkpointer')),
    keep: positive(fields.at('checkpointer').integer('keep_last_n_checkpoints')) ?? null,
    sequenceLength: positive(fields.at('tokenizer').integer('max_seq_len')),
    microBatch: positive(fields.integer('batch_size')),
    accumulation: positive(fields.integer('gradient_accumulation_steps')) ?? 1,
    precision: dtype,
    parameterDtype: dtype,
    ...optimizerPlan(builderOf(fields, 'optimizer')),
    ...shardingOf(fields),
    saveMode: saveModeOf(fields.flag('enable_async_checkpointing')),
    tensorParallel: positive(fields.integer('tensor_parallel_dim')),
    adapter,
    loadBits: /\.qlora_/.test(builder) ? 4 : undefined,
    outputFolder: fields.text('output_dir') ?? fields.at('checkpointer').text('output_dir'),
    notes,
  });
}

/**
 * Adapters that are saved for PEFT too, beside the file that torchtune itself reads; the conversion leaves out some models
 * (torchtune/training/checkpointing/_checkpointer.py, FullModelHFCheckpointer.save_checkpoint).
 */
function hasPeftFormat(checkpointer: Fields): boolean {
  const own: readonly string[] = ['PHI3_MINI', 'PHI4', 'LLAMA3_VISION', 'LLAMA4'];
  const writes = checkpointer.text('_component_')?.endsWith('.FullModelHFCheckpointer') === true;
  return writes && !own.includes(checkpointer.text('model_type') ?? '');
}

/** Its distributed recipes shard over all ranks; shards of several replicas are set (recipes/full_finetune_distributed.py). */
function shardingOf(fields: Fields): Partial<TrainingPlan> {
  const shards = positive(fields.signedInteger('data_parallel_shard_dim'));
  const replicas = positive(fields.signedInteger('data_parallel_replicate_dim'));
  if (shards === undefined && replicas === undefined) return {};
  return planOf({
    sharding: shards === 1 ? 'none' : 'weights',
    shardDegree: (replicas ?? 1) > 1 ? shards : undefined,
    dataParallel: product(shards, replicas),
  });
}

function adapterFrom(model: Fields, builder: string): AdapterPlan | undefined {
  const rank = positive(model.integer('lora_rank'));
  if (rank === undefined && !/\.q?lora_/.test(builder)) return undefined;
  const alpha = model.number('lora_alpha');
  const attention = (model.texts('lora_attn_modules') ?? ['q_proj', 'v_proj']).map((name) =>
    name === 'output_proj' ? 'o_proj' : name,
  );
  const feedForward = model.flag('apply_lora_to_mlp') === true ? ['gate_proj', 'up_proj', 'down_proj'] : [];
  const head = model.flag('apply_lora_to_output') === true ? ['lm_head'] : [];
  return {
    kind: model.flag('use_dora') === true ? 'dora' : 'lora',
    ...givenRank(rank, 8),
    targets: [...attention, ...feedForward, ...head],
    ...(alpha === undefined ? {} : { alpha }),
  };
}
