/** OLMo YAML (olmo/config.py for names and defaults, olmo/model.py for the modules). */
import type { DecoderShape } from '../../configs/architectures/decoderShape.js';
import type { ConfigKind, ModelSource } from '../../configs/configKind.js';
import type { Fields } from '../../configs/fields.js';
import type { PlanNote, TrainingPlan } from '../../configs/trainingPlan.js';
import { completePlan } from '../../configs/plans/completePlan.js';
import { durationOf } from '../../configs/values/duration.js';
import { optimizerPlan } from '../../configs/values/optimizerNames.js';
import { planOf } from '../../configs/plans/planOf.js';
import { precisionOf } from '../../configs/values/precisionNames.js';
import { isRefused } from '../../configs/values/saveInterval.js';
import { shardingOfStrategy } from '../../configs/values/shardingNames.js';
import { positive } from '../../configs/values/positive.js';

export const olmo: ConfigKind = {
  id: 'olmo',
  match: ({ fields }) =>
    fields.at('model').has('d_model') &&
    (fields.at('model').has('mlp_ratio', 'mlp_hidden_size', 'activation_type', 'weight_tying', 'layer_norm_type') ||
      fields.has('save_interval_unsharded', 'save_interval_ephemeral')) &&
    !fields.at('model').has('block', 'attn_config', 'name'),
  read: ({ fields }) => ({ model: modelOf(fields.at('model')), plan: completePlan(planFrom(fields)) }),
};

function modelOf(model: Fields): ModelSource {
  const hidden = model.integer('d_model') ?? 768;
  const heads = model.integer('n_heads') ?? 12;
  const isMultiQuery = model.flag('multi_query_attention') === true;
  const hasBias = model.flag('include_bias') ?? true;
  const hasNormBias = model.flag('bias_for_layer_norm') ?? hasBias;
  const isGated = /glu$/i.test(model.text('activation_type') ?? 'swiglu');
  const width = model.integer('mlp_hidden_size') ?? Math.floor((model.number('mlp_ratio') ?? 4) * hidden);
  const normType = model.text('layer_norm_type') ?? 'default';
  const isRotary = model.flag('rope') === true || model.flag('alibi') === true;
  const hasWeight = model.flag('layer_norm_with_affine') ?? true;
  const shape: DecoderShape = {
    vocabulary:
      model.integer('embedding_size') ?? (model.isNull('embedding_size') ? (model.integer('vocab_size') ?? 50257) : 50304),
    hidden,
    layers: model.integer('n_layers') ?? 12,
    attention: {
      kind: 'grouped',
      heads,
      keyValueHeads: model.integer('n_kv_heads') ?? (isMultiQuery ? 1 : heads),
      headSize: Math.floor(hidden / Math.max(heads, 1)),
      queryKeyValueBias: hasBias,
      outputBias: hasBias,
      queryKeyNorm: model.flag('attention_layer_norm') === true ? 'full' : null,
      queryKeyNormBias: hasNormBias && normType !== 'rms',
      hasSinks: false,
    },
    // Gated, the first matrix has both halves in one: the written width is twice that of the second.
    feedForward: { width: isGated ? Math.floor(width / 2) : width, isGated, hasBias },
    norm: { perLayer: 2, hasWeight, hasBias: hasNormBias && normType !== 'rms', hasFinal: true },
    positions: isRotary ? 0 : (model.integer('max_sequence_length') ?? 1024),
    isTied: model.flag('weight_tying') ?? true,
    headBias: hasBias && model.flag('weight_tying') === false,
    experts: null,
  };
  return { kind: 'shape', shape, name: 'OLMo' };
}

function planFrom(fields: Fields): TrainingPlan {
  const notes: PlanNote[] = [];
  const interval = positive(fields.signedInteger('save_interval'));
  const isStopped = isRefused(notes, fields, 'save_interval');
  const kept = fields.signedInteger('save_num_checkpoints_to_keep');
  const length = durationOf(fields.scalar('max_duration') ?? 10_000);
  if (interval === undefined && !isStopped) notes.push('default-save-interval');
  if (kept === undefined) notes.push('default-keep');
  const temporary = positive(fields.integer('save_interval_ephemeral'));
  if (temporary !== undefined) notes.push('ephemeral-checkpoints');
  if (!fields.has('max_duration')) notes.push('default-steps');
  if (!fields.at('optimizer').has('name')) notes.push('default-optimizer');
  return planOf({
    writer: 'olmo',
    steps: length.steps,
    epochs: length.epochs,
    maxTokens: length.tokens,
    saveIntervalSteps: interval ?? (isStopped ? undefined : 1000),
    keep: kept === undefined || kept < 0 ? null : kept,
    ...savedApart(fields),
    // One at a time, removed where a sharded one is saved (olmo/train.py, Trainer.fit); plain data parallelism saves none of them.
    temporarySave:
      temporary === undefined || fields.text('distributed_strategy') === 'ddp'
        ? undefined
        : { saveIntervalSteps: temporary, keep: 1, untilNext: true, overlaps: true },
    sequenceLength: positive(fields.at('model').integer('max_sequence_length')) ?? 1024,
    globalBatch: positive(fields.integer('global_train_batch_size')) ?? 512,
    microBatch: positive(fields.integer('device_train_microbatch_size')) ?? 16,
    precision: precisionOf(fields.text('precision')),
    // `amp_*` computes in 16 bits; FSDP and DDP keep 32-bit parameters.
    parameterDtype: 'f32',
    ...optimizerPlan(fields.at('optimizer').text('name') ?? 'lionw'),
    ...shardingOf(fields),
    outputFolder: fields.text('save_folder'),
    resumesFrom: fields.text('load_path'),
    dataDtype: dataDtypeOf(fields.at('data').text('memmap_dtype')),
    notes,
  });
}

/**
 * Unsharded checkpoints have an interval and a rotation of their own; when training ends one of them is saved where there are any, else a sharded one
 * (olmo/train.py, Trainer.fit).
 */
function savedApart(fields: Fields): Pick<TrainingPlan, 'lastSave' | 'secondSave'> {
  const interval = positive(fields.integer('save_interval_unsharded'));
  if (interval === undefined) return { lastSave: 'all' };
  const kept = fields.signedInteger('save_num_unsharded_checkpoints_to_keep');
  return { secondSave: { saveIntervalSteps: interval, keep: kept === undefined || kept < 0 ? null : kept, lastSave: 'all' } };
}

/** FSDP unless it is plain data parallelism (olmo/config.py, TrainConfig.distributed_strategy). */
function shardingOf(fields: Fields): Partial<TrainingPlan> {
  if (fields.text('distributed_strategy') === 'ddp') return { sharding: 'none' };
  const config = fields.at('fsdp');
  return config.keys.length === 0 ? {} : shardingOfStrategy(config.scalar('sharding_strategy') ?? 'FULL_SHARD');
}

export function dataDtypeOf(name: string | undefined): TrainingPlan['dataDtype'] {
  switch (name) {
    case 'uint16':
      return 'u16';
    case 'uint32':
      return 'u32';
    case 'int32':
      return 'i32';
    case 'int64':
    case 'uint64':
      return 'i64';
    default:
      return undefined;
  }
}
