/** fairseq's launches and Hydra configs (fairseq/dataclass/configs.py, checkpoint_utils.py at 3d262bb). Flags are the keys of the sections. */
import type { ConfigAccess, ConfigFile, ConfigKind, ModelSource } from '../../configs/configKind.js';
import { Fields } from '../../configs/fields.js';
import { completePlan } from '../../configs/plans/completePlan.js';
import { launchPlan } from '../../configs/plans/launchPlan.js';
import { planOf } from '../../configs/plans/planOf.js';
import type { PlanNote, Sharding, TrainingPlan } from '../../configs/trainingPlan.js';
import { openBeside } from '../../configs/values/openBeside.js';
import { optimizerPlan } from '../../configs/values/optimizerNames.js';
import { positive } from '../../configs/values/positive.js';
import { entryOf } from '../../text/entryOf.js';
import { languageModel } from './languageModel.js';
import { isRefused } from '../../configs/values/saveInterval.js';

const programs = ['fairseq-train', 'fairseq-hydra-train'];

export const fairseq: ConfigKind = {
  id: 'fairseq',
  match: ({ document, fields }) =>
    document.syntax === 'shell'
      ? document.programs.some((program) => programs.includes(program)) ||
        (fields.has('arch') && fields.has('task') && fields.has('max_update', 'max_epoch', 'max_tokens', 'save_interval_updates'))
      : document.syntax === 'yaml' &&
        fields.at('model').has('_name') &&
        fields.at('task').has('_name') &&
        fields.at('optimization').has('max_update', 'max_epoch', 'lr'),
  async read(file, access) {
    const fields = await withConfig(file, access);
    const notes: PlanNote[] = [];
    return { model: modelOf(fields), plan: completePlan(planFrom(fields, notes)) };
  },
};

/** A launch by Hydra goes over the file that it names with `--config-dir` and `--config-name`. */
async function withConfig({ fields }: ConfigFile, access: ConfigAccess): Promise<Fields> {
  const name = fields.text('config_name');
  if (name === undefined) return fields;
  const folder = fields.text('config_dir')?.replace(/\/+$/, '');
  const file = await openBeside(`${folder === undefined ? '' : `${folder}/`}${name.replace(/\.yaml$/, '')}.yaml`, access);
  return file === null ? fields : fields.withIncluded(file.fields.node);
}

/** A section, or the flags of a launch, which are of all sections. */
function sectionOf(fields: Fields, name: string): Fields {
  return fields.at(name).keys.length > 0 ? fields.at(name) : fields;
}

/** The architecture, which is named where it is not counted; with the program, as its RoBERTa is none of transformers. */
function modelOf(fields: Fields): ModelSource | null {
  const name = fields.text('arch') ?? fields.at('model').text('_name');
  if (name === undefined) return null;
  const shape = languageModel(name, sectionOf(fields, 'model'), sectionOf(fields, 'task'));
  return shape === null
    ? { kind: 'fields', fields: Fields.fromValues({ model_type: `fairseq ${name}` }) }
    : { kind: 'shape', shape, name: 'GPT' };
}

/** Weights and the optimizer's state are saved in 32 bits whatever is computed in (move_to_cpu in fairseq/utils.py), and no copy of the weights with them. */
function planFrom(fields: Fields, notes: PlanNote[]): TrainingPlan {
  const [common, optimization, dataset, distributed] = ['common', 'optimization', 'dataset', 'distributed_training'].map((name) =>
    sectionOf(fields, name),
  ) as [Fields, Fields, Fields, Fields];
  const optimizer = fields.at('optimizer').text('_name') ?? (fields.has('arch') ? fields.text('optimizer') : undefined);
  const isOn = (...keys: readonly string[]): boolean => keys.some((key) => common.flag(key) === true);
  return planOf({
    writer: 'fairseq',
    ...launchPlan(fields),
    worldSize: positive(distributed.integer('distributed_world_size')),
    steps: positive(optimization.integer('max_update')),
    epochs: positive(optimization.integer('max_epoch')),
    ...savingOf(sectionOf(fields, 'checkpoint'), notes),
    sequenceLength: positive(sectionOf(fields, 'task').integer('tokens_per_sample')),
    microBatch: positive(dataset.integer('batch_size', 'max_sentences')),
    accumulation: positive(optimization.integers('update_freq')?.[0]) ?? 1,
    precision: isOn('bf16', 'memory_efficient_bf16') ? 'bf16' : isOn('fp16', 'memory_efficient_fp16', 'amp') ? 'f16' : 'f32',
    parameterDtype: 'f32',
    ...optimizerPlan(optimizer?.replace(/^cpu_/, '')),
    sharding: shardingOf(distributed),
    notes,
  });
}

const shardedBackends: Readonly<Record<string, Sharding>> = { fully_sharded: 'weights', slowmo: 'none', legacy_ddp: 'none' };

function shardingOf(distributed: Fields): Sharding | undefined {
  if (distributed.text('zero_sharding') === 'os') return 'optimizer';
  return entryOf(shardedBackends, distributed.text('ddp_backend') ?? '');
}

/** By updates or by epochs; `checkpoint_last.pt` is the newest once more, and `checkpoint_best.pt` the best. */
function savingOf(checkpoint: Fields, notes: PlanNote[]): Partial<TrainingPlan> {
  if (checkpoint.flag('no_save') === true) {
    notes.push('saves-never');
    return {};
  }
  const interval = positive(checkpoint.integer('save_interval_updates'));
  const hasEpochs = checkpoint.flag('no_epoch_checkpoints') !== true;
  const epochs = positive(checkpoint.integer('save_interval'));
  const isStopped = interval === undefined && isRefused(notes, checkpoint, 'save_interval');
  if (interval === undefined && epochs === undefined && hasEpochs && !isStopped) notes.push('default-save-interval');
  if (interval !== undefined && hasEpochs) notes.push('stays-each-epoch');
  notes.push('keeps-best');
  const newest = checkpoint.flag('no_last_checkpoints') === true ? 0 : 1;
  const kept = positive(checkpoint.signedInteger(interval === undefined ? 'keep_last_epochs' : 'keep_interval_updates'));
  // Without checkpoints of epochs or updates there are the newest and the best alone.
  const isNewestAlone = interval === undefined && !hasEpochs;
  return planOf({
    saveIntervalSteps: interval,
    saveIntervalEpochs: interval === undefined ? (epochs ?? 1) : undefined,
    keep: isNewestAlone ? newest : kept === undefined ? null : kept + newest,
    savesOptimizer: checkpoint.flag('no_save_optimizer_state') === true ? false : undefined,
    outputFolder: checkpoint.text('save_dir'),
  });
}
