/**
 * Megatron-SWIFT, `megatron pt|sft|rlhf` (swift/megatron/arguments/megatron_args.py at 3602360a5 for names and defaults, trainers/base.py, save_checkpoint, and
 * callbacks/default_flow.py for what is saved when). Scripts of ms-swift 3 have the names of Megatron (`save`, `save_interval`, `load`, `max_epochs`).
 */
import type { ConfigReading } from '../../configs/configKind.js';
import type { Fields } from '../../configs/fields.js';
import { adapterOf } from '../../configs/plans/adapterPlan.js';
import { completePlan } from '../../configs/plans/completePlan.js';
import { launchPlan } from '../../configs/plans/launchPlan.js';
import { planOf } from '../../configs/plans/planOf.js';
import type { TrainedHead } from '../../configs/trainedHead.js';
import type { AdapterPlan, PlanNote, Precision, TrainingPlan } from '../../configs/trainingPlan.js';
import { positive } from '../../configs/values/positive.js';
import { precisionOf } from '../../configs/values/precisionNames.js';
import { isNoInterval } from '../../configs/values/saveInterval.js';
import { saveModeOf } from '../../configs/values/saveModes.js';
import { trainedIn } from '../megatron/config.js';
import { parallelSizes, sharedState } from '../megatron/transformerFields.js';
import { frozenParts } from './frozenParts.js';

/** Of Megatron, and not of the Trainer that `swift` drives. */
const telling = [
  ...['train_iters', 'tensor_model_parallel_size', 'pipeline_model_parallel_size', 'expert_model_parallel_size'],
  ...['no_save_optim', 'mcore_model', 'mcore_adapter', 'recompute_granularity', 'lr_warmup_fraction'],
] as const;

export function hasMegatronArguments(fields: Fields): boolean {
  return fields.has('micro_batch_size', 'global_batch_size') && fields.has(...telling);
}

export function megatronReading(fields: Fields, head: TrainedHead | undefined): ConfigReading {
  const notes: PlanNote[] = [];
  const key = ['model', 'mcore_model', 'load'].find((name) => fields.text(name) !== undefined) ?? 'model';
  const name = fields.text(key);
  return {
    model: name === undefined ? null : { kind: 'named', name, key, head },
    plan: completePlan(planFrom(fields, notes)),
  };
}

function planFrom(fields: Fields, notes: PlanNote[]): TrainingPlan {
  const precision = precisionIn(fields, notes);
  const adapter = adapterFrom(fields);
  if (!fields.has('global_batch_size')) notes.push('default-batch');
  if (!fields.has('optimizer')) notes.push('default-optimizer');
  if (fields.has('freeze_parameters', 'freeze_parameters_ratio')) notes.push('partly-frozen');
  const steps = positive(fields.integer('train_iters'));
  return planOf({
    writer: 'megatron',
    ...launchPlan(fields),
    steps,
    epochs: steps === undefined ? positive(fields.number('num_train_epochs', 'max_epochs')) : undefined,
    ...whenSaved(fields, notes),
    ...whatIsSaved(fields, adapter !== undefined, precision),
    sequenceLength: positive(fields.integer('packing_length', 'max_length')),
    globalBatch: positive(fields.integer('global_batch_size')) ?? 16,
    microBatch: positive(fields.integer('micro_batch_size')) ?? 1,
    ...trainedIn(fields, precision),
    sharding: sharedState(fields).sharding ?? 'optimizer',
    ...parallelSizes(fields),
    adapter,
    frozenParts: adapter === undefined ? frozenParts(fields) : undefined,
    outputFolder: fields.text('output_dir', 'save'),
    notes,
  });
}

/** The dtype of the model's config where none is set, which is bfloat16 for most. */
function precisionIn(fields: Fields, notes: PlanNote[]): Precision {
  if (fields.flag('bf16') === true) return 'bf16';
  if (fields.flag('fp16') === true) return 'f16';
  const written = precisionOf(fields.text('torch_dtype'));
  if (written === undefined) notes.push('default-precision');
  return written ?? 'bf16';
}

/** After the last step, too. The best one is among those that are kept. */
function whenSaved(fields: Fields, notes: PlanNote[]): Partial<TrainingPlan> {
  const kept = positive(fields.integer('save_total_limit'));
  const interval = positive(fields.signedInteger('save_steps', 'save_interval'));
  if (kept === undefined) notes.push('default-keep');
  const saving: Partial<TrainingPlan> = planOf({
    keep: kept ?? null,
    saveMode: saveModeOf(fields.flag('async_save')),
    lastSave: 'all',
  });
  if (fields.text('save_strategy') === 'epoch') return { ...saving, saveIntervalEpochs: 1 };
  if (isNoInterval(fields, 'save_steps', 'save_interval')) {
    notes.push('saves-at-end');
    return saving;
  }
  if (interval === undefined) notes.push('default-save-interval');
  return { ...saving, saveIntervalSteps: interval ?? 500 };
}

/**
 * Weights for transformers (`save_safetensors`), and those of Megatron only where the optimizer's state is beside them. An adapter is merged into a model of its own
 * unless `merge_lora` is off.
 */
function whatIsSaved(fields: Fields, hasAdapter: boolean, precision: Precision): Partial<TrainingPlan> {
  // On since weights of transformers are loaded (#6967), before which it was weights of Megatron by `load`.
  const isForTransformers = fields.flag('save_safetensors') ?? !fields.has('load');
  const savesOptimizer = savesOptimizerOf(fields) ? undefined : false;
  const isInBoth = isForTransformers && savesOptimizer === undefined;
  if (!hasAdapter) return planOf({ savesOptimizer, exportedWeights: isInBoth ? precision : undefined });
  const isMerged = fields.flag('merge_lora') ?? isForTransformers;
  return planOf({
    savesOptimizer,
    savesAdapterTwice: isInBoth ? true : undefined,
    mergesAdapter: isForTransformers && isMerged ? true : undefined,
  });
}

function savesOptimizerOf(fields: Fields): boolean {
  return fields.flag('no_save_optim') !== true;
}

/** All is trained unless another tuner or an adapter to go on with is named. */
function adapterFrom(fields: Fields): AdapterPlan | undefined {
  const type = fields.text('tuner_type', 'train_type') ?? 'full';
  if (type === 'full' && !fields.has('adapters', 'mcore_adapter')) return undefined;
  const names = { rank: ['lora_rank'], alpha: ['lora_alpha'], targets: ['target_modules'], saved: ['modules_to_save'], dora: [] };
  const plan = adapterOf(fields, names, { rank: 8, targets: ['all-linear'] });
  // For transformers it is exported apart by module, beside Megatron's matrices it is one with each (mcore_bridge/tuners/lora.py).
  const adapter: AdapterPlan = { ...plan, isFused: savesOptimizerOf(fields), isOfEachExpert: true };
  if (type === 'lora_llm') return { ...adapter, kind: 'other' };
  // Names that are set are taken wherever they are (swift/megatron/utils/utils.py, get_target_modules).
  return adapter.targets.includes('all-linear') ? { ...adapter, frozenParts: frozenParts(fields) } : adapter;
}
