/** OLMo-core's `config.json`, and its training scripts (olmo_core/nn/transformer/config.py, nn/attention, nn/feed_forward.py; train/callbacks/checkpointer.py). */
import type { DecoderShape } from '../../configs/architectures/decoderShape.js';
import type { ConfigKind, ModelSource } from '../../configs/configKind.js';
import { Fields } from '../../configs/fields.js';
import type { PlanNote, TrainingPlan } from '../../configs/trainingPlan.js';
import { completePlan, quotient } from '../../configs/plans/completePlan.js';
import { optimizerPlan } from '../../configs/values/optimizerNames.js';
import { planOf } from '../../configs/plans/planOf.js';
import { precisionOf } from '../../configs/values/precisionNames.js';
import { isRefused } from '../../configs/values/saveInterval.js';
import { saveModeOf } from '../../configs/values/saveModes.js';
import { positive } from '../../configs/values/positive.js';
import { shapeOfFactory } from './olmoCoreFactories.js';

export const olmoCore: ConfigKind = {
  id: 'olmo-core',
  match: ({ document, fields }) =>
    document.syntax === 'python'
      ? document.programs.includes('olmo_core')
      : fields.at('model').has('d_model') && fields.at('model', 'block').keys.length > 0,
  read({ document, fields }) {
    const notes: PlanNote[] = [];
    const isScript = document.syntax === 'python';
    const model = isScript ? modelOfScript(fields.at('model'), notes) : modelOf(fields.at('model'));
    const saving = isScript ? keptByScript(fields, notes) : {};
    return { model, plan: completePlan({ ...planFrom(fields, notes), ...saving }) };
  },
};

/** By the factory that the script calls, which is named as an unknown architecture where it is not counted. */
function modelOfScript(model: Fields, notes: PlanNote[]): ModelSource {
  const shape = shapeOfFactory(model);
  if (shape === null) {
    const name = `TransformerConfig.${model.text('factory') ?? ''}${model.has('changed') ? ', changed by the script' : ''}`;
    return { kind: 'fields', fields: Fields.fromValues({ model_type: name }) };
  }
  if (model.integer('vocab_size') === undefined) notes.push('vocabulary-of-tokenizer', 'vocabulary-padded');
  return { kind: 'shape', shape, name: 'OLMo' };
}

/** Three permanent checkpoints stay unless another number is set, and one is written when training ends (callbacks/checkpointer.py). A saved config has the number itself. */
function keptByScript(fields: Fields, notes: PlanNote[]): Partial<TrainingPlan> {
  const checkpointer = fields.at('trainer', 'callbacks', 'checkpointer');
  if (checkpointer.flag('enabled') === false) return {};
  if (!checkpointer.has('max_checkpoints')) notes.push('default-keep');
  return {
    keep: checkpointer.isNull('max_checkpoints') ? null : (positive(checkpointer.integer('max_checkpoints')) ?? 3),
    lastSave: 'all',
  };
}

function modelOf(model: Fields): ModelSource | null {
  const hidden = model.integer('d_model');
  const layers = model.integer('n_layers');
  const vocabulary = model.integer('vocab_size');
  const block = model.at('block');
  // Since 2025 the attention part may be called the sequence mixer.
  const attention = block.firstOf('attention', 'sequence_mixer') ?? block.at('attention');
  const heads = attention.integer('n_heads');
  const feedForward = block.at('feed_forward');
  const width = feedForward.integer('hidden_size');
  if (hidden === undefined || layers === undefined || vocabulary === undefined || heads === undefined || heads === 0) return null;
  // Experts, and blocks that differ by layer, are not among the sizes below.
  if (width === undefined || block.at('feed_forward_moe').keys.length > 0 || model.at('block_overrides').keys.length > 0)
    return null;
  const norm = block.at('layer_norm');
  const bias = attention.flag('bias') ?? true;
  const headNorm = model.at('lm_head', 'layer_norm');
  const queryNorm = attention.at('qk_norm').keys.length > 0;
  const shape: DecoderShape = {
    vocabulary,
    hidden,
    layers,
    attention: {
      kind: 'grouped',
      heads,
      keyValueHeads: attention.integer('n_kv_heads') ?? heads,
      headSize: attention.integer('head_dim') ?? Math.floor(hidden / heads),
      queryKeyValueBias: bias,
      outputBias: bias,
      queryKeyNorm: queryNorm ? (attention.flag('use_head_qk_norm') === true ? 'head' : 'full') : null,
      hasSinks: false,
    },
    feedForward: { width, isGated: true, hasBias: feedForward.flag('bias') ?? true },
    norm: {
      perLayer: block.text('name') === 'peri_norm' ? 4 : 2,
      hasWeight: norm.flag('elementwise_affine') ?? true,
      hasBias: norm.flag('bias') ?? norm.text('name') !== 'rms',
      hasFinal: headNorm.keys.length > 0,
    },
    positions: 0,
    isTied: model.flag('tie_embeddings', 'tie_word_embeddings') === true,
    headBias: model.at('lm_head').flag('bias') ?? true,
    experts: null,
  };
  return { kind: 'shape', shape, name: 'OLMo' };
}

function planFrom(fields: Fields, notes: PlanNote[]): TrainingPlan {
  const trainer = fields.at('trainer');
  const module = fields.at('train_module');
  const checkpointer = trainer.at('callbacks', 'checkpointer');
  const duration = trainer.at('max_duration');
  const value = positive(duration.integer('value'));
  const unit = duration.text('unit');
  const sequenceLength =
    positive(fields.at('dataset').integer('effective_sequence_length', 'sequence_length')) ??
    positive(module.integer('max_sequence_length'));
  // Batches are counted in tokens.
  const tokens = positive(fields.at('data_loader').integer('global_batch_size'));
  const interval = positive(checkpointer.signedInteger('save_interval'));
  const isStopped = isRefused(notes, checkpointer, 'save_interval');
  if (interval === undefined && !isStopped) notes.push('default-save-interval');
  const temporary = positive(checkpointer.integer('ephemeral_save_interval'));
  if (temporary !== undefined) notes.push('ephemeral-checkpoints');
  if (checkpointer.flag('enabled') === false) notes.push('saves-never');
  const optimizer = module.at('optim').text('_CLASS_', 'name') ?? fields.at('optim').text('_CLASS_', 'name');
  return planOf({
    writer: 'olmo',
    steps: unit === 'steps' ? value : undefined,
    epochs: unit === 'epochs' ? value : undefined,
    maxTokens: unit === 'tokens' ? value : undefined,
    saveIntervalSteps: checkpointer.flag('enabled') === false || isStopped ? undefined : (interval ?? 250),
    // One that only the next of its kind replaces (callbacks/checkpointer.py, post_train_batch).
    temporarySave: temporary === undefined ? undefined : { saveIntervalSteps: temporary, keep: 1, overlaps: true },
    saveMode: saveModeOf(checkpointer.flag('save_async')),
    keep: positive(checkpointer.integer('max_checkpoints')) ?? null,
    ...shardingOf(module.at('dp_config')),
    sequenceLength,
    tokensPerStep: tokens,
    globalBatch: quotient(tokens, sequenceLength),
    microBatch: quotient(
      positive(module.integer('rank_microbatch_size') ?? trainer.integer('rank_microbatch_size')),
      sequenceLength,
    ),
    precision:
      precisionOf(module.at('dp_config').text('param_dtype')) ??
      (module.at('autocast_precision').keys.length > 0 ? 'bf16' : undefined),
    parameterDtype: precisionOf(fields.at('model').text('dtype')) ?? 'f32',
    ...optimizerPlan(optimizer?.replace(/Config$/, '')),
    outputFolder: trainer.text('save_folder'),
    resumesFrom: trainer.text('load_path'),
    notes,
  });
}

/** `fsdp`, `hsdp` or `ddp` (olmo_core/train/train_module, DataParallelConfig); replicas and shards of the second. */
function shardingOf(config: Fields): Partial<TrainingPlan> {
  const name = config.text('name');
  if (name === 'ddp') return { sharding: 'none' };
  if (name !== 'fsdp' && name !== 'hsdp') return {};
  const shards = positive(config.integer('shard_degree'));
  const replicas = positive(config.integer('num_replicas'));
  return planOf({
    sharding: 'weights',
    shardDegree: name === 'hsdp' ? shards : undefined,
    dataParallel: name === 'hsdp' && shards !== undefined && replicas !== undefined ? shards * replicas : undefined,
  });
}
