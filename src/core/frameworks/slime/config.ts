/** Launch scripts of slime (slime/utils/arguments.py, backends/megatron_utils/arguments.py and train.py at 624b824): Megatron's arguments, saved by rollouts. */
import type { ConfigAccess, ConfigKind, ModelSource } from '../../configs/configKind.js';
import type { Fields } from '../../configs/fields.js';
import { completePlan, product } from '../../configs/plans/completePlan.js';
import { planOf } from '../../configs/plans/planOf.js';
import { resolveModel } from '../../configs/resolveModel.js';
import type { PlanNote, TrainingPlan } from '../../configs/trainingPlan.js';
import { positive } from '../../configs/values/positive.js';
import { isNoInterval } from '../../configs/values/saveInterval.js';
import { saveModeOf } from '../../configs/values/saveModes.js';
import { gptOf, trainedIn } from '../megatron/config.js';
import { parallelSizes } from '../megatron/transformerFields.js';

const program = /^train(?:_async)?\.py$/;

export const slime: ConfigKind = {
  id: 'slime',
  match: ({ document, fields }) =>
    document.syntax === 'shell' &&
    document.programs.some((name) => program.test(name.slice(name.lastIndexOf('/') + 1))) &&
    fields.has('hf_checkpoint') &&
    fields.has('rollout_batch_size', 'num_rollout', 'actor_num_nodes', 'actor_num_gpus_per_node'),
  async read({ fields }, access) {
    const notes: PlanNote[] = [];
    const model = gptOf(fields, notes) ?? (await checkpointModel(fields, access));
    return { model, plan: completePlan(planFrom(fields, notes)) };
  },
};

/** Where the arguments do not tell its layers (`--spec`, patterns that a loop computes): the model of `--hf-checkpoint`, unless sizes that they do tell are others. */
async function checkpointModel(fields: Fields, access: ConfigAccess): Promise<ModelSource | null> {
  const name = fields.text('hf_checkpoint');
  if (name === undefined) return null;
  const source: ModelSource = { kind: 'named', name, key: 'hf_checkpoint' };
  const found = await resolveModel(source, access);
  if (found?.kind !== 'fields') return source;
  const isSame = (argument: string, key: string): boolean => {
    const [here, there] = [fields.integer(argument), found.fields.integer(key)];
    return here === undefined || there === undefined || here === there;
  };
  return isSame('num_layers', 'num_hidden_layers') && isSame('hidden_size', 'hidden_size') ? source : null;
}

/** A step of the plan is a rollout, as intervals count these: it may be several of the optimizer. */
function planFrom(fields: Fields, notes: PlanNote[]): TrainingPlan {
  const rollouts = positive(fields.integer('num_rollout'));
  if (!fields.has('optimizer')) notes.push('default-optimizer');
  if (fields.text('advantage_estimator') === 'ppo') notes.push('critic-not-counted');
  if (fields.has('only_train_params_name_list', 'freeze_params_name_list')) notes.push('partly-frozen');
  return planOf({
    writer: 'megatron',
    steps: rollouts,
    epochs: rollouts === undefined ? positive(fields.number('num_epoch')) : undefined,
    ...savingOf(fields, notes),
    nodes: positive(fields.integer('actor_num_nodes')) ?? 1,
    gpusPerNode: positive(fields.integer('actor_num_gpus_per_node')) ?? 8,
    globalBatch: product(positive(fields.integer('rollout_batch_size')), positive(fields.integer('n_samples_per_prompt')) ?? 1),
    ...trainedIn(fields, fields.flag('fp16') === true ? 'f16' : 'bf16'),
    // Always Megatron's distributed optimizer.
    sharding: 'optimizer',
    ...parallelSizes(fields),
    savesOptimizer: fields.flag('no_save_optim') === true ? false : undefined,
    outputFolder: fields.text('save'),
    resumesFrom: fields.text('load', 'ref_load'),
    notes,
  });
}

/** By `--save-interval` alone, then after the last rollout, too (should_run_periodic_action in slime/utils/misc.py). All of them stay. */
function savingOf(fields: Fields, notes: PlanNote[]): Partial<TrainingPlan> {
  const interval = positive(fields.signedInteger('save_interval'));
  if (isNoInterval(fields, 'save_interval')) {
    notes.push('interval-refused');
    return {};
  }
  if (interval === undefined || !fields.has('save')) {
    notes.push('saves-never');
    return {};
  }
  return planOf({
    saveIntervalSteps: interval,
    saveMode: saveModeOf(fields.flag('async_save')),
    keep: null,
    lastSave: 'all',
    exportedWeights: fields.has('save_hf') ? 'bf16' : undefined,
  });
}
