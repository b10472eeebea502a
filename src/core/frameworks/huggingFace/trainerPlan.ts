/** What `TrainingArguments` says (transformers/training_args.py), which TRL, axolotl and LLaMA-Factory build upon. */
import type { ConfigAccess } from '../../configs/configKind.js';
import type { Fields } from '../../configs/fields.js';
import type { PlanNote, TrainingPlan } from '../../configs/trainingPlan.js';
import { accelerate, acceleratePlan, fullySharded, launchedEngine } from '../accelerate/config.js';
import { deepspeedPlan } from '../deepspeed/config.js';
import { optimizerPlan } from '../../configs/values/optimizerNames.js';
import { openBeside } from '../../configs/values/openBeside.js';
import { planOf } from '../../configs/plans/planOf.js';
import { shardingOfStrategy } from '../../configs/values/shardingNames.js';
import { entryOf } from '../../text/entryOf.js';
import { positive } from '../../configs/values/positive.js';
import { precisionOf } from '../../configs/values/precisionNames.js';
import { dtypeKeys } from './weightLoading.js';

/** What a program on top of the Trainer gives it where the config says nothing. */
export interface TrainerDefaults {
  epochs: number;
  /** Checkpoints that stay; null for all. */
  keep: number | null;
  /** When it saves without a strategy and without `save_steps`. */
  strategy: 'steps' | 'epoch';
  /** `save_steps: 0` is none set to it. */
  dropsZeroSteps?: true;
  /** DeepSpeed's files that come with the program, by the names that they are given by. */
  engines?: Readonly<Record<string, TrainingPlan>>;
  /** What files of accelerate say that come with the program, by the names that `accelerate_config` takes. */
  launches?: Readonly<Record<string, TrainingPlan>>;
}

export const trainerDefaults: TrainerDefaults = { epochs: 3, keep: null, strategy: 'steps' };

/** Members of a plan that the Trainer's arguments decide, before batches are multiplied. */
export async function trainerPlan(
  fields: Fields,
  access: ConfigAccess,
  defaults: TrainerDefaults = trainerDefaults,
): Promise<TrainingPlan> {
  const notes: PlanNote[] = [];
  const steps = positive(fields.signedInteger('max_steps'));
  const epochs = steps === undefined ? epochsOf(fields, defaults, notes) : undefined;
  const engine = await engineOf(fields, access, defaults);
  const own = planOf({
    writer: 'huggingface-trainer',
    steps,
    epochs,
    ...savingOf(fields, { steps, epochs }, defaults, notes),
    keep: keepOf(fields, defaults, notes),
    microBatch: positive(fields.integer('per_device_train_batch_size')),
    accumulation: positive(fields.integer('gradient_accumulation_steps')),
    precision: trainerPrecision(fields),
    parameterDtype: precisionOf(fields.text(...dtypeKeys) ?? fields.at('model_init_kwargs').text(...dtypeKeys)),
    ...optimizer(fields),
    savesOptimizer: fields.flag('save_only_model') === true ? false : undefined,
    outputFolder: fields.text('output_dir'),
    resumesFrom: resumedFrom(fields),
    tensorParallel: positive(fields.at('parallelism_config').integer('tp_size')),
    contextParallel: positive(fields.at('parallelism_config').integer('cp_size')),
  });
  if (engine.optimizer === undefined && own.optimizer === undefined) notes.push('default-optimizer');
  // The Trainer's arguments take precedence over the engine's file, whose "auto" sets nothing.
  return planOf({
    optimizer: 'adam',
    optimizerName: 'adamw_torch_fused',
    ...engine,
    ...own,
    // Accelerate casts what is trained, whatever dtype it was loaded in.
    ...(engine.writer === 'fsdp' && engine.parameterDtype !== undefined ? { parameterDtype: engine.parameterDtype } : {}),
    writer: writerOf(engine),
    notes: [...(engine.notes ?? []), ...notes],
  });
}

/** The Trainer saves its own model file beside what ZeRO saves; without ZeRO, DeepSpeed's engine has its own way with precision. */
function writerOf(engine: TrainingPlan): TrainingPlan['writer'] {
  const isZero = engine.writer === 'deepspeed' && (engine.zeroStage ?? 0) > 0;
  return isZero ? 'huggingface-trainer' : (engine.writer ?? 'huggingface-trainer');
}

/** The Trainer's own, but for a run whose length is set in a way that is not known here. */
function epochsOf(fields: Fields, defaults: TrainerDefaults, notes: PlanNote[]): number | undefined {
  const written = positive(fields.number('num_train_epochs', 'num_epochs'));
  if (fields.isOpen('max_steps')) return undefined;
  if (written !== undefined || fields.isOpen('num_train_epochs', 'num_epochs')) return written;
  notes.push('default-epochs');
  return defaults.epochs;
}

/** The Trainer's own batch, where neither the config nor an engine's file says otherwise. */
export function batchDefaults(plan: TrainingPlan, fields: Fields): Pick<TrainingPlan, 'microBatch' | 'accumulation' | 'notes'> {
  const notes: PlanNote[] = [...(plan.notes ?? [])];
  const known = planOf({
    microBatch: plan.microBatch ?? (fields.isOpen('per_device_train_batch_size') ? undefined : 8),
    accumulation: plan.accumulation ?? (fields.isOpen('gradient_accumulation_steps') ? undefined : 1),
  });
  if (plan.microBatch === undefined && known.microBatch !== undefined) notes.push('default-batch');
  if (plan.accumulation === undefined && known.accumulation !== undefined) notes.push('default-accumulation');
  return { ...known, notes };
}

interface Length {
  steps: number | undefined;
  epochs: number | undefined;
}

/** At the last step too (transformers/trainer_callback.py, DefaultFlowCallback). */
const lastSave = 'all';

/** `no` in YAML is false. */
function strategyOf(fields: Fields): string | undefined {
  const given = fields.scalar('save_strategy');
  return given === undefined ? undefined : String(given).toLowerCase();
}

/** Nothing of how often where that is not known here. */
function savingOf(fields: Fields, length: Length, defaults: TrainerDefaults, notes: PlanNote[]): Partial<TrainingPlan> {
  const strategy = strategyOf(fields);
  const isByStep = strategy === undefined || strategy === 'steps';
  const isOpen = fields.isOpen('save_strategy') || (isByStep && fields.isOpen('save_steps'));
  if (!isOpen) return saving(fields, length, defaults, notes);
  // Reading it lists it among what is not resolved.
  if (isByStep) fields.number('save_steps');
  return {};
}

/** `save_strategy`, `save_steps`: whole numbers count steps, less than 1 is a share of the run (Trainer.compute_steps rounds up). */
function saving(fields: Fields, { steps, epochs }: Length, defaults: TrainerDefaults, notes: PlanNote[]): Partial<TrainingPlan> {
  const given = strategyOf(fields);
  const number = fields.number('save_steps');
  const written = number === 0 && defaults.dropsZeroSteps === true ? undefined : number;
  const isDefault = given === undefined && written === undefined;
  if (isDefault) notes.push('default-save-interval');
  const strategy = given ?? (isDefault ? defaults.strategy : 'steps');
  if (strategy === 'no' || strategy === 'false') {
    notes.push('saves-never');
    return {};
  }
  if (strategy === 'epoch') return { saveIntervalEpochs: 1, lastSave };
  if (strategy === 'best') {
    notes.push('saves-best');
    return {};
  }
  if (written === undefined) {
    if (!isDefault) notes.push('default-save-interval');
    return { saveIntervalSteps: 500, lastSave };
  }
  if (written >= 1) return { saveIntervalSteps: Math.ceil(written), lastSave };
  // At the last step alone (DefaultFlowCallback).
  if (written <= 0) {
    notes.push('saves-at-end');
    return { lastSave };
  }
  notes.push('interval-is-share');
  if (steps !== undefined) return { saveIntervalSteps: Math.ceil(steps * written), lastSave };
  return epochs === undefined ? {} : { saveIntervalEpochs: epochs * written, lastSave };
}

/**
 * Below 0 all stay; 0 is nothing set to a program with a default of its own (axolotl/core/builders/base.py). The best one may stay beside the newest where one is
 * kept (Trainer, rotate_checkpoints), unless only the best are saved.
 */
function keepOf(fields: Fields, defaults: TrainerDefaults, notes: PlanNote[]): number | null | undefined {
  const limit = fields.signedInteger('save_total_limit');
  if (limit === undefined && fields.isOpen('save_total_limit')) {
    notes.push('keep-open');
    return undefined;
  }
  if (limit === undefined) notes.push('default-keep');
  if (limit === undefined || limit === 0) return defaults.keep;
  if (limit < 0) return null;
  if (limit > 1 || fields.flag('load_best_model_at_end') !== true || strategyOf(fields) === 'best') return limit;
  notes.push('keeps-best');
  return 2;
}

function trainerPrecision(fields: Fields): TrainingPlan['precision'] {
  const bf16 = fields.scalar('bf16');
  if (isOn(bf16) || bf16 === 'full') return 'bf16';
  if (isOn(fields.scalar('fp16'))) return 'f16';
  return fields.flag('bf16') === false && fields.flag('fp16') !== true ? 'f32' : undefined;
}

function isOn(value: string | number | boolean | undefined): boolean {
  return (
    value === true || value === 1 || (typeof value === 'string' && ['true', 'yes', 'on', 'auto'].includes(value.toLowerCase()))
  );
}

/** The Trainer has bitsandbytes keep embeddings in 32 bits (transformers/trainer.py, create_optimizer); torchao's optimizers quantize them too. */
function isQuantizedByBitsandbytes({ optimizer: id, optimizerName }: Partial<TrainingPlan>): boolean {
  return id?.endsWith('-8bit') === true && !/torch/i.test(optimizerName ?? '');
}

function optimizer(fields: Fields): Partial<TrainingPlan> {
  const written = fields.text('optim', 'optimizer');
  if (fields.isOpen('optim', 'optimizer')) return { optimizer: 'unknown' };
  const named = optimizerPlan(written);
  const plan = isQuantizedByBitsandbytes(named) ? { ...named, hasWideEmbeddingState: true } : named;
  const options = fields.text('optim_args') ?? '';
  const rank = /(?:^|[,\s])rank=(\d{1,6})/.exec(options)?.[1];
  return rank === undefined ? plan : { ...plan, projectionRank: Number(rank) };
}

function resumedFrom(fields: Fields): string | undefined {
  const value = fields.scalar('resume_from_checkpoint');
  return typeof value === 'string' && !['true', 'false'].includes(value.toLowerCase()) ? value : undefined;
}

/** DeepSpeed's config, in the file or beside it, or FSDP. */
async function engineOf(
  fields: Fields,
  access: ConfigAccess,
  { engines = {}, launches = {} }: TrainerDefaults,
): Promise<TrainingPlan> {
  const inline = fields.at('deepspeed');
  if (inline.keys.length > 0) return { ...deepspeedPlan(inline), writer: 'deepspeed' };
  const path = fields.scalar('deepspeed');
  if (typeof path === 'string' && path !== '') {
    const known = entryOf(engines, path);
    if (known !== undefined) return known;
    const file = await openBeside(path, access);
    if (file === null) {
      fields.problem('file-missing', 'deepspeed', path);
      return { writer: 'deepspeed' };
    }
    return { ...deepspeedPlan(file.fields), writer: 'deepspeed' };
  }
  const launched = await launchedEngine(fields, access);
  if (launched !== null) return launched;
  // `accelerate launch --config_file`, and what TRL hands on to it
  const launcher = fields.scalar('config_file', 'accelerate_config');
  const file = typeof launcher === 'string' ? await openBeside(launcher, access) : null;
  if (file !== null && accelerate.match(file)) return acceleratePlan(file.fields, access);
  const launch = typeof launcher === 'string' ? entryOf(launches, launcher) : undefined;
  if (launch !== undefined) return launch;
  if (!isFullySharded(fields)) return planOf({ precision: precisionOf(fields.text('mixed_precision')) });
  return { writer: 'fsdp', ...shardingOf(fields), ...(isMixed(fields) ? { parameterDtype: 'f32' } : {}) };
}

function isFullySharded(fields: Fields): boolean {
  const mode = fields.texts('fsdp')?.join(' ') ?? '';
  return (
    /full_shard|shard_grad_op|hybrid_shard/.test(mode) ||
    fields.scalar('fsdp') === true ||
    fields.at('fsdp_config').keys.length > 0
  );
}

/** `fsdp: full_shard auto_wrap`, or what its config has; the keys are written with `fsdp_` or without. */
function shardingOf(fields: Fields): Partial<TrainingPlan> {
  const words = (fields.texts('fsdp') ?? []).flatMap((text) => text.split(/[\s,]+/));
  const named = words.map(shardingOfStrategy).find(({ sharding }) => sharding !== undefined);
  if (named !== undefined) return named;
  const config = fields.at('fsdp_config');
  return fullySharded(config, config.has('fsdp_sharding_strategy', 'fsdp_reshard_after_forward') ? 'fsdp_' : '');
}

/** Accelerate keeps parameters in 32 bits where FSDP computes in 16 (accelerator.py, "Upcasted low precision parameters"). */
function isMixed(fields: Fields): boolean {
  const precision = trainerPrecision(fields);
  return precision === 'bf16' || precision === 'f16';
}
