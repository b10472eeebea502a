/** Composer and llm-foundry YAML (llmfoundry/command_utils/train.py; models/mpt/configuration_mpt.py, modeling_mpt.py). */
import type { DecoderShape } from '../../configs/architectures/decoderShape.js';
import type { ConfigKind, ModelChanges, ModelSource } from '../../configs/configKind.js';
import type { Fields } from '../../configs/fields.js';
import type { AdapterPlan, PlanNote, TrainingPlan } from '../../configs/trainingPlan.js';
import { completePlan } from '../../configs/plans/completePlan.js';
import { durationOf } from '../../configs/values/duration.js';
import { optimizerPlan } from '../../configs/values/optimizerNames.js';
import { givenRank } from '../../configs/plans/adapterPlan.js';
import { planOf } from '../../configs/plans/planOf.js';
import { precisionOf } from '../../configs/values/precisionNames.js';
import { shardingOfStrategy } from '../../configs/values/shardingNames.js';
import { positive } from '../../configs/values/positive.js';

export const composer: ConfigKind = {
  id: 'composer',
  match: ({ fields }) =>
    /^(?:mpt|hf|te_hf)_\w*(?:causal_lm|prefix_lm|t5)|^hf_\w+$/.test(fields.at('model').text('name') ?? '') ||
    (fields.has('model', 'variables') &&
      fields.has('max_duration') &&
      fields.has('global_train_batch_size', 'device_train_microbatch_size', 'save_num_checkpoints_to_keep', 'train_loader') &&
      !fields.at('model').has('mlp_ratio', 'activation_type', 'weight_tying')),
  read: ({ fields }) => ({ model: modelOf(fields.at('model')), plan: completePlan(planFrom(fields)) }),
};

function modelOf(model: Fields): ModelSource | null {
  const name = model.text('pretrained_model_name_or_path');
  if (name !== undefined)
    return { kind: 'named', name, key: 'pretrained_model_name_or_path', instead: changesIn(model.at('config_overrides')) };
  const shape = /^mpt_causal_lm$/.test(model.text('name') ?? '') ? mptShape(model) : null;
  return shape === null ? null : { kind: 'shape', shape, name: 'MPT' };
}

/** Values of the model's config that the file sets anew (llmfoundry/models/hf/hf_causal_lm.py, set_config_overrides); maps among them hold no sizes. */
function changesIn(overrides: Fields): ModelChanges {
  const changes = overrides.keys.flatMap((key) => {
    const value = overrides.scalar(key);
    return value === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(changes);
}

/** The MPT that these sizes build; null for parts that are not below (experts, other feed-forward blocks). */
export function mptShape(model: Fields): DecoderShape | null {
  const hidden = model.integer('d_model') ?? 2048;
  const heads = model.integer('n_heads') ?? 16;
  const attention = model.at('attn_config');
  const feedForward = model.at('ffn_config');
  const width = widthOf(model, feedForward, hidden);
  const type = feedForward.text('ffn_type') ?? 'mptmlp';
  if (heads === 0 || hidden % heads !== 0 || width === undefined || !['mptmlp', 'mptglu'].includes(type)) return null;
  const headSize = hidden / heads;
  const hasBias = model.flag('no_bias') !== true;
  const hasNormBias = hasBias && /layernorm/.test((model.text('norm_type') ?? 'low_precision_layernorm').toLowerCase());
  const isRotary = attention.flag('alibi') === true || attention.flag('rope') === true;
  const hasPositions = !isRotary && (model.flag('learned_pos_emb') ?? true);
  return {
    vocabulary: model.integer('vocab_size') ?? 50_368,
    hidden,
    layers: model.integer('n_layers') ?? 24,
    attention: {
      kind: 'grouped',
      heads,
      keyValueHeads: keyValueHeadsOf(attention, heads),
      headSize,
      queryKeyValueBias: hasBias,
      outputBias: hasBias,
      queryKeyNorm: attention.flag('qk_ln') === true ? 'full' : attention.flag('qk_gn') === true ? 'head' : null,
      queryKeyNormBias: hasNormBias,
      hasSinks: false,
    },
    feedForward: { width, isGated: type === 'mptglu', hasBias },
    norm: {
      perLayer: 2,
      hasWeight: true,
      hasBias: hasNormBias,
      hasFinal: true,
    },
    positions: hasPositions ? (model.integer('max_seq_len') ?? 2048) : 0,
    isTied: model.flag('tie_word_embeddings') ?? true,
    headBias: false,
    experts: null,
  };
}

function widthOf(model: Fields, feedForward: Fields, hidden: number): number | undefined {
  const written = feedForward.integer('ffn_hidden_size');
  const width = written ?? (model.number('expansion_ratio') ?? 4) * hidden;
  return Number.isSafeInteger(width) && width > 0 ? width : undefined;
}

function keyValueHeadsOf(attention: Fields, heads: number): number {
  const type = attention.text('attn_type');
  if (type === 'multiquery_attention') return 1;
  return type === 'grouped_query_attention' ? (attention.integer('kv_n_heads') ?? heads) : heads;
}

function planFrom(fields: Fields): TrainingPlan {
  const notes: PlanNote[] = [];
  const precision = precisionOf(fields.text('precision'));
  const length = durationOf(fields.scalar('max_duration'));
  const optimizer = fields.at('optimizer');
  const exports = exportsOf(fields.at('callbacks', 'hf_checkpointer'), length);
  const isAlone = exports !== undefined && fields.text('save_folder') === undefined;
  const saved = isAlone ? alone(exports, notes) : { ...saving(fields, notes), exports };
  if (exports !== undefined && !isAlone) notes.push('weights-exported');
  return planOf({
    writer: 'composer',
    steps: length.steps,
    epochs: length.epochs,
    maxTokens: length.tokens,
    ...saved,
    sequenceLength: positive(fields.integer('max_seq_len')) ?? positive(fields.at('model').integer('max_seq_len')),
    globalBatch: positive(fields.integer('global_train_batch_size')),
    microBatch: positive(fields.integer('device_train_microbatch_size')),
    precision,
    // `amp_*` computes in 16 bits over 32-bit parameters.
    parameterDtype: isAlone
      ? exports.dtype
      : (precisionOf(fields.at('model').text('master_weights_dtype')) ?? (precision === undefined ? undefined : 'f32')),
    ...optimizerPlan(optimizer.text('name'), optimizer.number('momentum')),
    ...shardingOf(fields),
    savesOptimizer: isAlone || fields.flag('save_weights_only') === true ? false : undefined,
    adapter: adapterFrom(fields.at('model', 'peft_config')),
    outputFolder: fields.text('save_folder') ?? fields.at('callbacks', 'hf_checkpointer').text('save_folder'),
    resumesFrom: fields.text('load_path'),
    notes,
  });
}

/** FSDP's own names; full sharding is the default of its config (composer/utils/parallelism.py). */
function shardingOf(fields: Fields): Partial<TrainingPlan> {
  const config = fields.firstOf('fsdp_config') ?? fields.at('parallelism_config', 'fsdp');
  return config.keys.length === 0 ? {} : shardingOfStrategy(config.scalar('sharding_strategy') ?? 'FULL_SHARD');
}

/** `peft_config` has PEFT's own names (llmfoundry/models/hf/hf_causal_lm.py). */
function adapterFrom(config: Fields): AdapterPlan | undefined {
  if (config.text('peft_type')?.toUpperCase() !== 'LORA') return undefined;
  const alpha = config.number('lora_alpha');
  return {
    kind: 'lora',
    ...givenRank(config.integer('r'), 8),
    targets: config.texts('target_modules') ?? [],
    ...(alpha === undefined ? {} : { alpha }),
  };
}

/** `save_interval: "500ba"`; llm-foundry saves every 1000 batches unless it is set. Nothing is saved without a folder. */
function saving(fields: Fields, notes: PlanNote[]): Partial<TrainingPlan> {
  if (fields.text('save_folder') === undefined) {
    notes.push('saves-never');
    return {};
  }
  const written = fields.scalar('save_interval');
  if (written === undefined) notes.push('default-save-interval');
  // A bare number counts epochs in Composer.
  const interval = durationOf(typeof written === 'number' ? `${written}ep` : (written ?? '1000ba'));
  const kept = fields.signedInteger('save_num_checkpoints_to_keep');
  if (kept === undefined) notes.push('default-keep');
  if (interval.tokens !== undefined || interval.samples !== undefined) notes.push('interval-not-in-steps');
  return planOf({
    saveIntervalSteps: interval.steps,
    // composer/callbacks/checkpoint_saver.py, checkpoint_periodically.
    lastSave: 'all',
    saveIntervalEpochs: interval.epochs,
    keep: kept === undefined || kept < 0 ? null : kept,
  });
}

/**
 * The weights, below `save_folder` in a folder for each, at the interval and when training ends (llmfoundry/callbacks/hf_checkpointer.py); `1dur` is the whole of
 * the run. In 32 bits unless a precision is set.
 */
function exportsOf(callback: Fields, length: ReturnType<typeof durationOf>): TrainingPlan['exports'] {
  const written = callback.scalar('save_interval');
  if (callback.text('save_folder') === undefined || written === undefined) return undefined;
  const share = /^\s*(\d+(?:\.\d+)?)dur\s*$/.exec(String(written))?.[1];
  const part = (whole: number | undefined) => (whole === undefined || share === undefined ? undefined : whole * Number(share));
  const interval = durationOf(typeof written === 'number' ? `${written}ep` : written);
  return {
    dtype: precisionOf(callback.text('precision')) ?? 'f32',
    lastSave: 'all',
    ...planOf({
      saveIntervalSteps: positive(Math.ceil(part(length.steps) ?? interval.steps ?? 0)),
      saveIntervalEpochs: part(length.epochs) ?? interval.epochs,
    }),
  };
}

/** Without a folder for checkpoints exports are all that is written. */
function alone({ dtype: _, ...saving }: NonNullable<TrainingPlan['exports']>, notes: PlanNote[]): Partial<TrainingPlan> {
  notes.push('exports-alone');
  return { ...saving, keep: null };
}
