/** Lightning CLI YAML (lightning/pytorch/trainer/trainer.py, callbacks/model_checkpoint.py). */
import type { ConfigKind, ModelSource } from '../../configs/configKind.js';
import type { Fields } from '../../configs/fields.js';
import type { PlanNote, TrainingPlan } from '../../configs/trainingPlan.js';
import { completePlan } from '../../configs/plans/completePlan.js';
import { optimizerPlan } from '../../configs/values/optimizerNames.js';
import { planOf } from '../../configs/plans/planOf.js';
import { keptBy } from './newestAgain.js';
import { precisionOf } from '../../configs/values/precisionNames.js';
import { shardingOfStrategy } from '../../configs/values/shardingNames.js';
import { positive, wholeNumber } from '../../configs/values/positive.js';

export const lightning: ConfigKind = {
  id: 'lightning',
  match: ({ document, fields }) =>
    (document.syntax === 'yaml' || document.syntax === 'json') &&
    fields.has('trainer') &&
    (fields.has('seed_everything') || fields.at('model').has('class_path') || fields.at('data').has('class_path')) &&
    fields.at('trainer').keys.length > 0,
  read: ({ fields }) => ({ model: modelOf(fields), plan: completePlan(planFrom(fields)) }),
};

const modelKeys = ['pretrained_model_name_or_path', 'model_name_or_path', 'model_name', 'model_id', 'base_model', 'pretrained'];

function modelOf(fields: Fields): ModelSource | null {
  for (const section of [fields.at('model', 'init_args'), fields.at('model')]) {
    const key = modelKeys.find((name) => section.has(name));
    const name = key === undefined ? undefined : section.text(key);
    if (key !== undefined && name !== undefined) return { kind: 'named', name, key };
  }
  return null;
}

function planFrom(fields: Fields): TrainingPlan {
  const notes: PlanNote[] = [];
  const trainer = fields.at('trainer');
  const written = trainer.scalar('precision');
  const precision = typeof written === 'boolean' ? undefined : precisionOf(written);
  const steps = positive(trainer.signedInteger('max_steps'));
  const epochs = steps === undefined ? positive(trainer.number('max_epochs')) : undefined;
  const devices = trainer.scalar('devices', 'gpus');
  const data = fields.at('data', 'init_args');
  const strategy = trainer.text('strategy') ?? trainer.at('strategy').text('class_path') ?? '';
  const optimizer = fields.at('optimizer');
  return planOf({
    writer: 'lightning',
    steps,
    epochs,
    outputFolder: trainer.text('default_root_dir'),
    ...saving(trainer, notes),
    sequenceLength: positive(data.integer('max_length', 'seq_length', 'block_size', 'max_seq_length')),
    microBatch: positive(data.integer('batch_size', 'train_batch_size', 'micro_batch_size')),
    accumulation: positive(trainer.integer('accumulate_grad_batches')) ?? 1,
    precision,
    // `-true` keeps everything in it, the others keep 32-bit parameters (plugins/precision).
    parameterDtype: precision === undefined ? undefined : String(written).endsWith('-true') ? precision : 'f32',
    ...optimizerPlan(optimizer.text('class_path'), optimizer.at('init_args').number('momentum')),
    zeroStage: zeroStageOf(strategy, trainer.at('strategy', 'init_args')),
    ...fullySharded(strategy, trainer.at('strategy', 'init_args')),
    saveMode: savesInBackground(trainer) ? 'asynchronous' : undefined,
    nodes: positive(trainer.integer('num_nodes')) ?? 1,
    gpusPerNode: wholeNumber(devices),
    resumesFrom: fields.text('ckpt_path'),
    notes,
  });
}

/** DeepSpeedStrategy has stage 2 unless another one is given (lightning/pytorch/strategies/deepspeed.py). */
function zeroStageOf(strategy: string, options: Fields): number | undefined {
  const stage = /^deepspeed_stage_([123])/.exec(strategy)?.[1];
  if (stage !== undefined) return Number(stage);
  const isDeepSpeed = strategy === 'deepspeed' || strategy.endsWith('DeepSpeedStrategy');
  return isDeepSpeed ? Math.min(options.integer('stage') ?? 2, 3) : undefined;
}

/** FSDPStrategy shards fully unless another strategy is given; ModelParallelStrategy shards by its data-parallel size. */
function fullySharded(strategy: string, options: Fields): Partial<TrainingPlan> {
  if (strategy.endsWith('ModelParallelStrategy'))
    return planOf({
      sharding: 'weights',
      dataParallel: wholeNumber(options.scalar('data_parallel_size')),
      tensorParallel: wholeNumber(options.scalar('tensor_parallel_size')),
    });
  if (/^ddp(?:_|$)|\bDDPStrategy$/.test(strategy)) return { sharding: 'none' };
  if (!/^fsdp(?:_|$)|\bFSDPStrategy$/.test(strategy)) return {};
  return shardingOfStrategy(options.scalar('sharding_strategy') ?? 'FULL_SHARD');
}

/** Of the plugins; with one of them only it is no list. */
function savesInBackground(trainer: Fields): boolean {
  return [...trainer.items('plugins'), trainer.at('plugins')].some((plugin) =>
    /\bAsyncCheckpointIO$/.test(plugin.text('class_path') ?? ''),
  );
}

/** 1 where nothing else is set; of what is set, 0 is never (ModelCheckpoint, __init_triggers). */
function epochsBetween(options: Fields): number | undefined {
  const isSet = ['every_n_train_steps', 'every_n_epochs', 'train_time_interval'].some(
    (key) => options.has(key) && !options.isNull(key),
  );
  return isSet ? positive(options.integer('every_n_epochs')) : 1;
}

/** One ModelCheckpoint; more of them save more than this says. Without any, the newest epoch is kept. */
function saving(trainer: Fields, notes: PlanNote[]): Partial<TrainingPlan> {
  if (trainer.flag('enable_checkpointing') === false) {
    notes.push('saves-never');
    return {};
  }
  const callback = trainer.items('callbacks').find((item) => item.text('class_path')?.endsWith('ModelCheckpoint') === true);
  if (callback === undefined) {
    notes.push('default-save-interval', 'default-keep');
    return { saveIntervalEpochs: 1, keep: 1 };
  }
  const options = callback.at('init_args');
  const every = positive(options.integer('every_n_train_steps'));
  const epochs = every === undefined ? epochsBetween(options) : undefined;
  const isTimed = options.has('train_time_interval') && !options.isNull('train_time_interval');
  if (every === undefined && epochs === undefined && !isTimed) notes.push('saves-never');
  if (isTimed) notes.push('interval-not-in-steps');
  return planOf({
    saveIntervalSteps: every,
    saveIntervalEpochs: epochs,
    ...keptBy(options, { kept: 1, savesLast: false }, notes),
    savesOptimizer: options.flag('save_weights_only') === true ? false : undefined,
    outputFolder: options.text('dirpath'),
  });
}
