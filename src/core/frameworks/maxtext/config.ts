/** MaxText YAML (maxtext/configs/base.yml for names and defaults, maxtext/layers for the modules). */
import { entryOf } from '../../text/entryOf.js';
import type { DecoderShape, ExpertShape } from '../../configs/architectures/decoderShape.js';
import { llamaShape } from '../../configs/architectures/llamaShape.js';
import type { ConfigAccess, ConfigFile, ConfigKind, ModelSource } from '../../configs/configKind.js';
import { Fields, type Defaults } from '../../configs/fields.js';
import { publishedFlavor } from '../../configs/publishedModels.js';
import type { PlanNote, TrainingPlan } from '../../configs/trainingPlan.js';
import { completePlan } from '../../configs/plans/completePlan.js';
import { optimizerPlan } from '../../configs/values/optimizerNames.js';
import { planOf } from '../../configs/plans/planOf.js';
import { precisionOf } from '../../configs/values/precisionNames.js';
import { openBeside } from '../../configs/values/openBeside.js';
import { isRefused } from '../../configs/values/saveInterval.js';
import { saveModeOf } from '../../configs/values/saveModes.js';
import { positive } from '../../configs/values/positive.js';
import { transformersValues } from './blocks.js';

export const maxtext: ConfigKind = {
  id: 'maxtext',
  match: ({ document, fields }) =>
    document.syntax === 'shell'
      ? document.programs.some((program) => /(?:^|[./])maxtext[./]/i.test(program)) && !isInference(document.programs)
      : document.syntax === 'yaml' &&
        (fields.has('base_emb_dim') ||
          fields.at('student_overrides').has('model_name') ||
          (fields.has('base_config', 'model_name') && fields.has(...runKeys))),
  async read(file, access) {
    const notes: PlanNote[] = [];
    const { defaults, isSet } = await defaultsOf(file, access, notes);
    if (!isSet('steps')) notes.push('default-steps');
    const fields = file.fields.withDefaults(defaults);
    const isPeriodic = fields.flag('enable_checkpointing') !== false && !isOn(fields, ...withoutPeriod);
    if (isPeriodic && !isSet('checkpoint_period')) notes.push('default-save-interval');
    return { model: modelOf(fields), plan: completePlan(planFrom(fields, notes)) };
  },
};

/** One of them stands in every config of a run. */
const runKeys = [
  'per_device_batch_size',
  'max_target_length',
  'checkpoint_period',
  'ici_fsdp_parallelism',
  'base_output_directory',
] as const;

/** Decoding, serving and conversion of checkpoints train nothing. */
function isInference(programs: readonly string[]): boolean {
  return programs.some((program) => /inference|decode|conver[ts]|ckpt|offline_engine|jetstream|vllm/i.test(program));
}

/** base.yml, as it is in MaxText. */
const base: Defaults = {
  base_emb_dim: 2048,
  base_num_query_heads: 16,
  base_num_kv_heads: 16,
  base_mlp_dim: 7168,
  base_num_decoder_layers: 16,
  head_dim: 128,
  vocab_size: 32_000,
  decoder_block: 'llama2',
  logits_via_embedding: false,
  num_experts: 1,
  num_experts_per_tok: 1,
  steps: 150_001,
  per_device_batch_size: 12,
  max_target_length: 2048,
  checkpoint_period: 10_000,
  enable_checkpointing: true,
  opt_type: 'adamw',
  dtype: 'bfloat16',
  weight_dtype: 'float32',
};

interface Basis {
  defaults: Defaults;
  /** Whether a key is in the file, or in one that it builds upon, other than MaxText's own base.yml. */
  isSet: (key: string) => boolean;
}

/** The config that a launch names, the file's own `base_config`, and what that one builds upon; nearer files go before. */
async function defaultsOf(file: ConfigFile, access: ConfigAccess, notes: PlanNote[]): Promise<Basis> {
  const chain: Fields[] = [];
  const own: Fields[] = [file.fields];
  const seen = new Set<string>();
  let path = file.document.programs.find((program) => /\.ya?ml$/.test(program)) ?? file.fields.text('base_config');
  while (path !== undefined && !seen.has(path) && seen.size < 8) {
    seen.add(path);
    const next = await openBeside(path, access);
    if (next === null) break;
    chain.push(next.fields);
    if (!/(?:^|\/)base\.yml$/.test(path)) own.push(next.fields);
    path = next.fields.text('base_config');
  }
  if (chain.length === 0 && !hasSizes(file.fields)) notes.push('default-model-sizes');
  const defaults = Object.assign({}, base, ...chain.reverse().map(scalarsOf)) as Defaults;
  return { defaults, isSet: (key) => own.some((fields) => fields.has(key)) };
}

/** A model by name, or all sizes. */
function hasSizes(fields: Fields): boolean {
  const name = fields.text('model_name');
  const sizes = ['base_emb_dim', 'base_num_query_heads', 'base_num_kv_heads', 'base_mlp_dim', 'base_num_decoder_layers'];
  return (name !== undefined && name !== 'default') || sizes.every((size) => fields.has(size));
}

function scalarsOf(fields: Fields): Defaults {
  const found: Record<string, string | number | boolean> = {};
  for (const key of fields.keys) {
    const value = fields.scalar(key);
    if (value !== undefined) found[key] = value;
  }
  return found;
}

function modelOf(fields: Fields): ModelSource | null {
  const student = fields.at('student_overrides');
  // Sizes of a student that is made anew from a model by name have no config of their own.
  if (student.keys.some((key) => key.startsWith('base_') || key === 'head_dim')) return null;
  const name = student.text('model_name') ?? fields.text('model_name');
  // A launch that leaves the model to its caller.
  if (name === '') return null;
  if (name !== undefined && name !== 'default') {
    const known = publishedFlavor(name);
    return known === null
      ? { kind: 'named', name, key: 'model_name' }
      : { kind: 'fields', fields: textOf(known.fields, fields), origin: { kind: 'published', name: known.name } };
  }
  const values = transformersValues(fields);
  if (values !== null) return { kind: 'fields', fields: Fields.fromValues(values) };
  const shape = shapeOf(fields);
  return shape === null ? null : { kind: 'shape', shape, name: fields.text('decoder_block') ?? 'MaxText' };
}

/** The text model of one that sees images, unless `use_multimodal` is set (maxtext/models/models.py). */
function textOf(known: Fields, fields: Fields): Fields {
  const text = known.at('text_config');
  const type = known.text('model_type');
  if (text.keys.length === 0 || type === undefined || fields.flag('use_multimodal') === true) return known;
  return Fields.fromValues({ model_type: text.text('model_type') ?? `${type}_text` }).withIncluded(text.node);
}

/** Doubles in turn heads and width, embedding, and layers (maxtext/configs, get_individual_scales). */
function scalesOf(fields: Fields): { hidden: number; heads: number; layers: number } | null {
  const exponent = Math.log2(fields.integer('global_parameter_scale') ?? 1);
  if (!Number.isInteger(exponent)) return null;
  const turns = Math.floor(exponent / 3);
  const rest = exponent % 3;
  return { hidden: 2 ** (turns + (rest > 1 ? 1 : 0)), heads: 2 ** (turns + (rest > 0 ? 1 : 0)), layers: 2 ** turns };
}

function shapeOf(fields: Fields): DecoderShape | null {
  const scale = scalesOf(fields);
  const hidden = fields.integer('base_emb_dim');
  const heads = fields.integer('base_num_query_heads');
  const groups = fields.integer('base_num_kv_heads');
  const width = fields.integer('base_mlp_dim');
  const layers = fields.integer('base_num_decoder_layers');
  const vocabulary = fields.integer('vocab_size');
  const block = fields.text('decoder_block') ?? 'llama2';
  if (scale === null || hidden === undefined || heads === undefined || groups === undefined || width === undefined) return null;
  if (layers === undefined || vocabulary === undefined || !Object.hasOwn(blocks, block)) return null;
  const shape = llamaShape({
    vocabulary,
    hidden: hidden * scale.hidden,
    layers: layers * scale.layers * (block === 'gemma2' ? 2 : 1),
    heads: heads * scale.heads,
    keyValueHeads: groups * scale.heads,
    width: width * scale.heads,
    headSize: fields.integer('head_dim') ?? 128,
    isTied: fields.flag('logits_via_embedding') ?? false,
  });
  const { norms = 2, biased = false, normed = false } = entryOf(blocks, block) ?? {};
  return {
    ...shape,
    attention: {
      ...shape.attention,
      queryKeyValueBias: biased || fields.flag('attention_bias') === true,
      queryKeyNorm: normed || fields.flag('use_qk_norm') === true ? 'head' : null,
    },
    feedForward: { ...shape.feedForward, isGated: isGated(fields) },
    norm: { ...shape.norm, perLayer: norms },
    experts: expertsOf(fields, shape.layers, width * scale.heads),
  };
}

/** Decoder blocks that are made of the parts below; other blocks are not guessed. */
const blocks: Readonly<Record<string, { norms?: number; biased?: boolean; normed?: boolean }>> = {
  // Attention and feed-forward part side by side behind one norm.
  default: { norms: 1 },
  llama2: {},
  mistral: {},
  mixtral: {},
  gemma: {},
  // A block is two layers: one with a window, one without (maxtext/models/gemma2.py).
  gemma2: { norms: 4 },
  gemma3: { norms: 4, normed: true },
  qwen2: { biased: true },
  qwen3: { normed: true },
  qwen3_moe: { normed: true },
};

function isGated(fields: Fields): boolean {
  const activations = fields.texts('mlp_activations');
  return activations === undefined || activations.length > 1;
}

function expertsOf(fields: Fields, layers: number, width: number): ExpertShape | null {
  const count = fields.integer('num_experts') ?? 1;
  if (count <= 1) return null;
  return {
    count,
    active: fields.integer('num_experts_per_tok') ?? 1,
    width: positive(fields.integer('base_moe_mlp_dim')) ?? width,
    isGated: isGated(fields),
    layers,
    sharedWidth: 0,
    hasSharedGate: false,
    routerBias: false,
    expertBias: false,
  };
}

function planFrom(fields: Fields, notes: PlanNote[]): TrainingPlan {
  const isSaved = fields.flag('enable_checkpointing') ?? true;
  if (!isSaved) notes.push('saves-never');
  const weightDtype = precisionOf(fields.text('weight_dtype'));
  const moment = precisionOf(fields.text('mu_dtype'));
  const perDevice = fields.number('per_device_batch_size');
  return planOf({
    writer: 'maxtext',
    steps: positive(fields.signedInteger('steps')),
    saveMode: isSaved ? saveModeFrom(fields) : undefined,
    ...(isSaved ? savesFrom(fields, notes) : {}),
    keep: keepOf(fields),
    sequenceLength: positive(fields.integer('max_target_length')),
    microBatch: perDevice !== undefined && Number.isInteger(perDevice) ? positive(perDevice) : undefined,
    accumulation: positive(fields.integer('gradient_accumulation_steps')) ?? 1,
    precision: precisionOf(fields.text('dtype')),
    parameterDtype: weightDtype,
    hasMasterWeights: false,
    ...(moment === undefined ? {} : { momentDtypes: { first: moment } }),
    ...optimizerPlan(fields.text('opt_type')),
    ...parallelOf(fields),
    outputFolder: fields.text('base_output_directory'),
    resumesFrom: fields.text('load_full_state_path', 'load_parameters_path'),
    notes,
  });
}

/** What saves by something else than `checkpoint_period`. */
const withoutPeriod = ['enable_continuous_checkpointing', 'enable_multi_tier_checkpointing'] as const;
/** What is in the memory of the hosts first, whose checkpoints on the storage all stay (maxtext/common/emergency_checkpointing.py). */
const inHosts = ['enable_emergency_checkpoint', 'enable_multi_tier_checkpointing'] as const;

function isOn(fields: Fields, ...keys: readonly string[]): boolean {
  return keys.some((key) => fields.flag(key) === true);
}

/**
 * Steps are numbered from 0, whose checkpoint is one of the period, and the last one is saved besides (maxtext/common/checkpointing.py,
 * maybe_save_checkpoint). A save may begin as soon as the one before it is complete, or copies of hosts go to the storage by an interval of their own.
 */
function savesFrom(fields: Fields, notes: PlanNote[]): Partial<TrainingPlan> {
  if (isOn(fields, 'enable_multi_tier_checkpointing')) {
    const steps = positive(fields.integer('multi_tier_checkpointing_backup_interval_steps'));
    if (steps === undefined) notes.push('interval-not-in-steps');
    return planOf({ saveIntervalSteps: steps });
  }
  const lastSave = fields.flag('save_checkpoint_on_completion') === false ? undefined : 'all';
  if (isOn(fields, 'enable_continuous_checkpointing')) {
    notes.push('interval-not-in-steps');
    return planOf({ lastSave });
  }
  isRefused(notes, fields, 'checkpoint_period');
  return planOf({
    saveIntervalSteps: positive(fields.signedInteger('checkpoint_period')),
    extraSaveSteps: fields.flag('save_checkpoint_on_start') === false ? undefined : [0],
    stepsFromZero: true,
    lastSave,
  });
}

/** MaxText reads the word `None` as nothing, and base.yml has it. */
function keepOf(fields: Fields): number | null {
  const isAll = fields.scalar('max_num_checkpoints_to_keep') === 'None' || isOn(fields, ...inHosts);
  return isAll ? null : (positive(fields.integer('max_num_checkpoints_to_keep')) ?? null);
}

/** Emergency and multi-tier checkpoints are in the memory of the hosts first. */
function saveModeFrom(fields: Fields): TrainingPlan['saveMode'] {
  return isOn(fields, ...inHosts) ? 'multi-level' : saveModeOf(fields.flag('async_checkpointing'));
}

/** Degrees within a slice and across slices multiply; -1 is "the rest". */
function parallelOf(fields: Fields): Partial<TrainingPlan> {
  const degree = (axis: string) => {
    const within = fields.signedInteger(`ici_${axis}_parallelism`) ?? 1;
    const across = fields.signedInteger(`dcn_${axis}_parallelism`) ?? 1;
    return within > 0 && across > 0 ? within * across : undefined;
  };
  const shards = degree('fsdp');
  return planOf({
    // The rest of the devices unless it is set (MaxText's base.yml).
    sharding: shards === 1 ? undefined : 'weights',
    shardDegree: degree('data') === 1 || shards === 1 ? undefined : shards,
    tensorParallel: degree('tensor'),
    pipelineParallel: degree('pipeline'),
    contextParallel: degree('context'),
    expertParallel: degree('expert'),
  });
}
