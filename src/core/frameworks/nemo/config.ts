/** NeMo 1.x YAML (examples/nlp/language_modeling/conf/megatron_gpt_config.yaml), and NeMo 2 and Megatron-Bridge's saved run configs. */
import type { ConfigKind, ModelSource } from '../../configs/configKind.js';
import type { Fields } from '../../configs/fields.js';
import type { PlanNote, TrainingPlan } from '../../configs/trainingPlan.js';
import { completePlan } from '../../configs/plans/completePlan.js';
import { withHydraDefaults } from '../../configs/plans/hydraDefaults.js';
import { keptBy, savesLast } from '../lightning/newestAgain.js';
import { temporarySaveOf } from '../megatron/config.js';
import type { MegatronSizes } from '../megatron/megatronSizes.js';
import { megatronTensors } from '../megatron/megatronTensors.js';
import { savedState, stateFormatOf, type StateSetting } from '../megatron/savedState.js';
import { expertsOf, latentOf, parallelSizes, sharedState } from '../megatron/transformerFields.js';
import { optimizerPlan } from '../../configs/values/optimizerNames.js';
import { isNemoRun, nemoRunReading } from './nemoRun.js';
import { padded } from '../../configs/values/paddedVocabulary.js';
import { planOf } from '../../configs/plans/planOf.js';
import { precisionOf } from '../../configs/values/precisionNames.js';
import { isNoInterval } from '../../configs/values/saveInterval.js';
import { saveModeOf } from '../../configs/values/saveModes.js';
import { shardingOfStrategy } from '../../configs/values/shardingNames.js';
import { positive, wholeNumber } from '../../configs/values/positive.js';
import { tokenizerVocabulary } from '../../configs/values/tokenizerVocabulary.js';

export const nemo: ConfigKind = {
  id: 'nemo',
  match: ({ document, fields }) => isNemoRun({ document, fields }) || isWhole(fields),
  async read(file, access) {
    if (isNemoRun(file)) {
      const { model, plan } = nemoRunReading(file);
      return { model, plan: completePlan(plan) };
    }
    const notes: PlanNote[] = [];
    const fields = await withHydraDefaults(file, access, notes);
    const model = modelOf(fields.at('model'), notes);
    const isBridge = fields.has('train') && !fields.has('exp_manager');
    return { model, plan: completePlan(isBridge ? bridged(fields, notes) : first(fields, notes)) };
  },
};

/** NeMo 1's, and saved run configs. */
function isWhole(fields: Fields): boolean {
  return (
    !isInference(fields) &&
    !isEvaluation(fields) &&
    // FlagScale has Megatron's arguments in groups of its own (flagscale/runner).
    !fields.at('system').has('checkpoint', 'precision', 'tensor_model_parallel_size') &&
    fields.at('model').has('num_layers', 'restore_from_path', 'encoder_seq_length', 'tensor_model_parallel_size') &&
    (fields.has('exp_manager') ||
      fields.at('model').has('micro_batch_size', 'global_batch_size', 'megatron_amp_O2') ||
      (fields.has('train', 'checkpoint', 'trainer') && fields.at('model').has('hidden_size')))
  );
}

/** Generation, evaluation and quantization read a model and save none. */
function isInference(fields: Fields): boolean {
  return fields.at('inference').has('greedy', 'tokens_to_generate', 'batch_size') || fields.has('quantization');
}

/** Data to validate or test with, none to train on, and no optimizer (megatron_t5_config_finetune_eval.yaml); Hydra's defaults may have both. */
function isEvaluation(fields: Fields): boolean {
  const model = fields.at('model');
  const data = model.at('data');
  return data.has('validation_ds', 'test_ds') && !data.has('train_ds') && !model.has('optim') && !fields.has('defaults');
}

/** Other models that share GPT's keys: state spaces, Griffin's recurrences, Hyena's filters, retrieval, images beside text. */
function isGpt(model: Fields): boolean {
  const others = ['hybrid_override_pattern', 'activations_checkpoint_recurrent', 'hyena', 'retro', 'mm_cfg'] as const;
  const retrieval = ['enc_num_layers', 'dec_num_layers', 'enc_cross_attention'] as const;
  const isNamedOtherwise = /hyena|mamba|griffin|retro|neva/i.test(model.text('name') ?? '');
  return !isNamedOtherwise && !model.has(...others, ...retrieval) && !model.keys.some((key) => key.startsWith('mamba_'));
}

function modelOf(model: Fields, notes: PlanNote[]): ModelSource | null {
  if (!isGpt(model)) return null;
  const hidden = model.integer('hidden_size');
  const layers = model.integer('num_layers');
  const heads = model.integer('num_attention_heads');
  const vocabulary = vocabularyOf(model, notes);
  if (hidden === undefined || layers === undefined || heads === undefined || heads === 0 || vocabulary === undefined) return null;
  const activation = model.text('activation') ?? model.text('activation_func') ?? 'gelu';
  const isGated = model.flag('gated_linear_unit') ?? /glu$/.test(activation);
  const width = model.integer('ffn_hidden_size') ?? 4 * hidden;
  const experts = expertsOf(model, model.integer('num_moe_experts'), { layers, width });
  if (experts === 'unreadable') return null;
  const hasBias = model.flag('add_bias_linear', 'bias') ?? true;
  const normalization = (model.text('normalization') ?? 'layernorm').toLowerCase();
  const sizes: MegatronSizes = {
    vocabulary,
    hidden,
    layers,
    heads,
    groups: model.integer('num_query_groups') ?? heads,
    headSize: model.integer('kv_channels') ?? Math.floor(hidden / heads),
    width,
    isGated,
    positions: (model.text('position_embedding_type') ?? 'learned_absolute') === 'learned_absolute' ? positionsOf(model) : 0,
    hasBias,
    hasQueryKeyValueBias: model.flag('add_qkv_bias', 'qkv_bias') === true,
    hasNormBias: normalization !== 'rmsnorm',
    hasQueryKeyNorm: model.flag('qk_layernorm') === true,
    isTied: model.flag('share_embeddings_and_output_weights') ?? true,
    latent: latentOf(model, 512),
    experts,
    predictionLayers: model.integer('mtp_num_layers') ?? 0,
    hasEmbeddingNorm: false,
  };
  return { kind: 'tensors', tensors: megatronTensors(sizes), name: 'GPT' };
}

function positionsOf(model: Fields): number {
  return model.integer('max_position_embeddings') ?? model.integer('encoder_seq_length', 'seq_length') ?? 0;
}

/** The tokenizer's, padded to a multiple for each tensor-parallel rank. */
function vocabularyOf(model: Fields, notes: PlanNote[]): number | undefined {
  const tokenizer = model.at('tokenizer');
  const written = model.integer('vocab_size', 'override_vocab_size');
  const size = written ?? tokenizerVocabulary(tokenizer.text('type'));
  if (size === undefined || size === 0) return undefined;
  if (written === undefined) notes.push('vocabulary-of-tokenizer');
  if (model.flag('should_pad_vocab') === false) return size;
  const multiple = model.integer('make_vocab_size_divisible_by') ?? 128;
  const vocabulary = padded(size, multiple * Math.max(model.integer('tensor_model_parallel_size') ?? 1, 1));
  if (vocabulary !== size) notes.push('vocabulary-padded');
  return vocabulary;
}

function first(fields: Fields, notes: PlanNote[]): TrainingPlan {
  const trainer = fields.at('trainer');
  const model = fields.at('model');
  const manager = fields.at('exp_manager');
  const written = trainer.scalar('precision');
  const precision = typeof written === 'boolean' ? undefined : precisionOf(written);
  const isHalf = model.flag('megatron_amp_O2') === true;
  const devices = trainer.scalar('devices');
  // `should_stop` in nlp/models/language_modeling/megatron_gpt_model.py, training_step.
  if (model.has('rampup_batch_size') && !model.isNull('rampup_batch_size')) notes.push('stops-as-batch-grows');
  return planOf({
    writer: 'nemo',
    steps: positive(trainer.signedInteger('max_steps')),
    epochs: positive(trainer.signedInteger('max_epochs')),
    ...saving(manager, trainer, notes),
    sequenceLength: positive(model.integer('encoder_seq_length', 'seq_length')),
    globalBatch: positive(model.integer('global_batch_size')),
    microBatch: positive(model.integer('micro_batch_size')),
    precision,
    // O2 keeps 16-bit weights with 32-bit copies in the optimizer; without it weights are 32-bit.
    parameterDtype: precision === undefined ? undefined : isHalf ? precision : 'f32',
    hasMasterWeights: isHalf ? true : undefined,
    ...optimizerPlan(model.at('optim').text('name')),
    ...shardingOf(model),
    ...parallelSizes(model),
    nodes: positive(trainer.integer('num_nodes')) ?? 1,
    gpusPerNode: wholeNumber(devices),
    outputFolder: manager.text('explicit_log_dir', 'exp_dir'),
    resumesFrom: model.text('restore_from_path', 'resume_from_checkpoint'),
    notes,
  });
}

function saving(manager: Fields, trainer: Fields, notes: PlanNote[]): Partial<TrainingPlan> {
  const options = manager.at('checkpoint_callback_params');
  if (manager.flag('create_checkpoint_callback') === false) {
    notes.push('saves-never');
    return {};
  }
  // Without an interval of its own the callback saves when there is a validation.
  const isOff = isNoInterval(options, 'every_n_train_steps');
  const usual = isOff ? undefined : wholeSteps(trainer.number('val_check_interval'));
  const interval = positive(options.signedInteger('every_n_train_steps')) ?? usual;
  if (interval === undefined) notes.push(isOff ? 'saves-at-end' : 'default-save-interval');
  return planOf({
    saveIntervalSteps: interval,
    saveMode: saveModeOf(options.flag('async_save')),
    savesOptimizer: options.flag('save_weights_only') === true ? false : undefined,
    ...keptBy(options, { kept: 3, savesLast: true }, notes),
    lastSave: savesLast(options, true) && !isValidatedAtEnd(trainer) ? 'all' : undefined,
    endFolder: hasArchive(options) ? 'weights' : undefined,
    // on_save_checkpoint in nemo/utils/callbacks/nemo_model_checkpoint.py.
    endFolderAtEachSave: options.flag('always_save_nemo') === true ? true : undefined,
  });
}

/** The newest one is written when training ends unless that is a step of validation (on_train_end in nemo/utils/callbacks/nemo_model_checkpoint.py at 8cfedd72). */
function isValidatedAtEnd(trainer: Fields): boolean {
  const [steps, interval] = [positive(trainer.signedInteger('max_steps')), trainer.number('val_check_interval')];
  if (interval === 0) return true;
  const between = wholeSteps(interval);
  return steps !== undefined && between !== undefined && steps % between === 0;
}

/** A `.nemo` of the weights when training ends, or each time (CallbackParams in nemo/utils/exp_manager.py). */
function hasArchive(options: Fields): boolean {
  return options.flag('save_nemo_on_train_end') !== false || options.flag('always_save_nemo') === true;
}

/** Its own FSDP, or optimizers that distribute their state over data-parallel ranks. */
function shardingOf(model: Fields): Partial<TrainingPlan> {
  if (model.flag('fsdp') === true) return shardingOfStrategy(model.scalar('fsdp_sharding_strategy') ?? 'full');
  const isDistributed = ['distributed_fused_adam', 'mcore_distributed_optim'].includes(model.at('optim').text('name') ?? '');
  return isDistributed ? { sharding: 'optimizer' } : {};
}

function wholeSteps(value: number | undefined): number | undefined {
  return value !== undefined && Number.isInteger(value) && value > 1 ? value : undefined;
}

function bridged(fields: Fields, notes: PlanNote[]): TrainingPlan {
  const model = fields.at('model');
  const train = fields.at('train');
  const checkpoint = fields.at('checkpoint');
  const optimizer = fields.at('optimizer');
  const isHalf = optimizer.flag('bf16') === true || model.flag('bf16') === true || model.flag('fp16') === true;
  const precision = precisionOf(
    fields.scalar('mixed_precision') === undefined
      ? undefined
      : String(fields.scalar('mixed_precision')).replace(/_mixed.*$/, ''),
  );
  const interval = positive(checkpoint.integer('save_interval'));
  if (checkpoint.text('save') === undefined) notes.push('saves-never');
  // 0 is never, not even when training ends (megatron/bridge/training/train.py).
  else if (isNoInterval(checkpoint, 'save_interval')) notes.push('saves-never');
  else if (interval === undefined) notes.push('saves-at-end');
  const temporarySave = bridgedTemporarySave(checkpoint);
  if (temporarySave !== undefined) notes.push('ephemeral-checkpoints');
  const kept = checkpoint.signedInteger('most_recent_k');
  const dtype = precision ?? (isHalf ? (model.flag('fp16') === true ? 'f16' : 'bf16') : undefined);
  return planOf({
    writer: 'nemo',
    steps: positive(train.integer('train_iters')) ?? stepsOfSamples(train),
    saveIntervalSteps: interval,
    saveMode: saveModeOf(checkpoint.flag('async_save')),
    temporarySave,
    keep: kept !== undefined && kept > 0 ? kept : null,
    lastSave: 'all',
    sequenceLength:
      positive(model.integer('seq_length')) ?? positive(fields.at('dataset').integer('sequence_length', 'seq_length')),
    globalBatch: positive(train.integer('global_batch_size')),
    microBatch: positive(train.integer('micro_batch_size')),
    precision: dtype,
    parameterDtype: dtype,
    hasMasterWeights: dtype === undefined || dtype === 'f32' ? undefined : true,
    ...savedState(optimizer, dtype, bridgedState(fields)),
    ...optimizerPlan(optimizer.text('optimizer')),
    ...bridgedSharding(fields),
    ...parallelSizes(model),
    savesOptimizer: checkpoint.flag('save_optim') === false ? false : undefined,
    outputFolder: checkpoint.text('save'),
    resumesFrom: checkpoint.text('load', 'pretrained_checkpoint'),
    notes,
  });
}

/** Samples are of one batch: it refuses one that ramps up beside them (training/config.py, TrainingConfig). */
export function stepsOfSamples(train: Fields): number | undefined {
  const [samples, batch] = [positive(train.integer('train_samples')), positive(train.integer('global_batch_size'))];
  return samples === undefined || batch === undefined ? undefined : Math.floor(samples / batch);
}

/** Megatron-Bridge has FSDP with the distribution, and the rest with distributed data parallelism or the optimizer. */
export function bridgedSharding(fields: Fields): Partial<TrainingPlan> {
  if (fields.at('dist').flag('use_torch_fsdp2') === true) return { sharding: 'weights' };
  const sections = [fields.at('ddp'), fields.at('optimizer')];
  return sections.map(sharedState).find(({ sharding }) => sharding !== undefined) ?? {};
}

/**
 * Megatron-Bridge sets the optimizer's `fp8_recipe` by its mixed precision before the optimizer is made, and that has one without FP8 too (training/mixed_precision.py,
 * setup; training/config.py, runtime_config_update).
 */
export function bridgedState(fields: Fields): StateSetting {
  const precision = fields.at('mixed_precision');
  const written = precision.text('fp8_recipe') ?? fields.at('optimizer').text('fp8_recipe');
  const hasNone = precision.isNull('fp8_recipe') || fields.isNull('mixed_precision');
  const isDelayed = precision.keys.length === 0 && (fields.text('mixed_precision') ?? '').includes('delayed');
  return {
    recipe: written ?? (hasNone ? undefined : isDelayed ? 'delayed' : 'tensorwise'),
    format: isFullySharded(fields) ? 'fsdp' : stateFormatOf(fields.at('checkpoint')),
  };
}

function isFullySharded(fields: Fields): boolean {
  return ['dist', 'ddp'].some((section) => fields.at(section).flag('use_megatron_fsdp') === true);
}

/** As many as `most_recent_k` says, at least one, and two where it says nothing (megatron/bridge/training/checkpointing.py, save_checkpoint). */
export function bridgedTemporarySave(checkpoint: Fields): TrainingPlan['temporarySave'] {
  const kept = checkpoint.signedInteger('most_recent_k') ?? -1;
  return temporarySaveOf(checkpoint, kept < 0 ? 2 : Math.max(1, kept));
}
