/** Launch scripts of OpenRLHF (openrlhf/cli/train_*.py). Flags are grouped (`--ckpt.save_steps`) since 0.9, and flat before (`--save_steps`). */
import type { ConfigKind, ModelSource } from '../../configs/configKind.js';
import type { Fields } from '../../configs/fields.js';
import type { AdapterPlan, PlanNote, TrainingPlan } from '../../configs/trainingPlan.js';
import { completePlan } from '../../configs/plans/completePlan.js';
import { launchPlan } from '../../configs/plans/launchPlan.js';
import { planOf } from '../../configs/plans/planOf.js';
import { rewardHead, type TrainedHead } from '../../configs/trainedHead.js';
import { positive } from '../../configs/values/positive.js';
import { precisionOf } from '../../configs/values/precisionNames.js';

const trainer = /^openrlhf\.cli\.train_/;

export const openRlhf: ConfigKind = {
  id: 'openrlhf',
  match: ({ document }) => document.programs.some((program) => trainer.test(program)),
  read({ document, fields }) {
    const isReinforced = document.programs.some((program) => program.startsWith('openrlhf.cli.train_ppo'));
    const notes: PlanNote[] = [];
    const head = document.programs.some((program) => program.startsWith('openrlhf.cli.train_rm')) ? rewardHead : undefined;
    return { model: modelOf(fields, head), plan: completePlan(planFrom(fields, isReinforced, notes)) };
  },
};

function modelOf(fields: Fields, head: TrainedHead | undefined): ModelSource | null {
  for (const [section, key] of [
    [fields.at('model'), 'model_name_or_path'],
    [fields.at('actor'), 'model_name_or_path'],
    [fields, 'pretrain'],
  ] as const) {
    const name = section.text(key);
    if (name !== undefined) return { kind: 'named', name, key, head };
  }
  return null;
}

function planFrom(fields: Fields, isReinforced: boolean, notes: PlanNote[]): TrainingPlan {
  const [train, engine] = [fields.at('train'), fields.at('ds')];
  const stage = engine.integer('zero_stage') ?? fields.integer('zero_stage');
  if (stage === undefined) notes.push('default-zero-stage');
  notes.push('default-optimizer');
  // A critic is trained beside the actor unless advantages do without one (openrlhf/cli/train_ppo_ray.py).
  const estimator = fields.at('algo', 'advantage').text('estimator') ?? fields.text('advantage_estimator') ?? 'gae';
  if (isReinforced && estimator === 'gae') notes.push('critic-not-counted');
  const adapter = adapterFrom(fields);
  const loadBits = (engine.flag('load_in_4bit') ?? fields.flag('load_in_4bit')) === true ? 4 : undefined;
  return planOf({
    writer: 'deepspeed',
    ...launchPlan(fields),
    epochs: positive(train.number('max_epochs') ?? fields.number('max_epochs', 'num_episodes')),
    ...savingOf(fields, isReinforced, notes),
    sequenceLength: positive(fields.at('data').integer('max_len') ?? fields.integer('max_len')),
    globalBatch: positive(train.integer('batch_size') ?? fields.integer('train_batch_size')),
    microBatch: positive(train.integer('micro_batch_size') ?? fields.integer('micro_train_batch_size')),
    precision: precisionOf(engine.text('param_dtype')) ?? 'bf16',
    optimizer: fields.text('optim') === 'muon' ? 'muon' : 'adam',
    zeroStage: stage ?? 2,
    adapter,
    loadBits,
    // save_ckpt leaves frozen weights in the engine's checkpoint. Those of 4 bits are not counted.
    savesBase: adapter !== undefined && loadBits === undefined ? true : undefined,
    outputFolder: fields.at('ckpt').text('path') ?? fields.text('ckpt_path', 'save_path'),
    notes,
  });
}

/** Checkpoints of the engine by the interval, at most `max_num`; the model in the Hugging Face format when training ends. */
function savingOf(fields: Fields, isReinforced: boolean, notes: PlanNote[]): Partial<TrainingPlan> {
  const checkpoint = fields.at('ckpt');
  const written = checkpoint.signedInteger('save_steps') ?? fields.signedInteger('save_steps');
  const interval = positive(written);
  const isOff = (checkpoint.flag('disable_ds') ?? fields.flag('disable_ds_ckpt')) === true;
  // -1 is never; it divides the step by what else is written (openrlhf/trainer).
  if (written === 0 && !isOff) notes.push('interval-refused');
  else if (interval === undefined || isOff) notes.push('saves-model-at-end');
  const most = checkpoint.integer('max_num') ?? fields.integer('max_ckpt_num');
  if (most === undefined) notes.push('default-keep');
  const isExported = (checkpoint.flag('save_hf') ?? fields.flag('save_hf_ckpt')) === true;
  return planOf({
    saveIntervalSteps: isOff ? undefined : interval,
    keep: keptOf(most ?? 3, isExported && !isReinforced),
    // save_ckpt in openrlhf/utils/deepspeed/deepspeed.py.
    deletes: 'first',
    endFolder: written === 0 && !isOff ? undefined : 'weights',
    exportedWeights: isExported ? 'bf16' : undefined,
  });
}

/** Exports that lie beside the checkpoints count as such: one less than `most` of both are left before the next pair. PPO has a directory for each of its models. */
function keptOf(most: number, isExported: boolean): number {
  return isExported ? Math.floor((most - 1) / 2) + 1 : most;
}

function adapterFrom(fields: Fields): AdapterPlan | undefined {
  const lora = fields.at('ds', 'lora');
  const rank = positive(lora.integer('rank') ?? fields.integer('lora_rank'));
  const alpha = lora.number('alpha') ?? fields.number('lora_alpha');
  if (rank === undefined) return undefined;
  const targets = lora.texts('target_modules') ?? fields.texts('target_modules') ?? ['all-linear'];
  return { kind: 'lora', rank, targets, ...(alpha === undefined ? {} : { alpha }) };
}
