/** axolotl YAML (axolotl/utils/schemas/config.py, training.py, peft.py). What it does not say has the Trainer's defaults. */
import type { ConfigAccess, ConfigFile, ConfigKind } from '../../configs/configKind.js';
import type { Fields } from '../../configs/fields.js';
import type { AdapterPlan, PlanNote, TrainingPlan } from '../../configs/trainingPlan.js';
import { adapterOf, trainedTokensOf } from '../../configs/plans/adapterPlan.js';
import { completePlan } from '../../configs/plans/completePlan.js';
import { planOf } from '../../configs/plans/planOf.js';
import { replicatedShards } from '../accelerate/config.js';
import { headOfClass, processRewardHead, rewardHead, type NoHead, type TrainedHead } from '../../configs/trainedHead.js';
import { positive } from '../../configs/values/positive.js';
import { adapterInFolder } from '../peft/config.js';
import { type TrainerDefaults, trainerPlan } from '../huggingFace/trainerPlan.js';

export const axolotl: ConfigKind = {
  id: 'axolotl',
  match: ({ fields }) =>
    fields.has('base_model') &&
    fields.has('datasets', 'pretraining_dataset', 'micro_batch_size', 'sequence_len', 'adapter') &&
    !fields.has('merge_method'),
  async read({ fields }: ConfigFile, access: ConfigAccess) {
    const name = fields.text('base_model');
    return {
      model: name === undefined ? null : { kind: 'named', name, key: 'base_model', head: headOf(fields) },
      plan: completePlan(await planFrom(fields, access)),
    };
  },
};

/** The class that is loaded, for which two flags have a default (axolotl/utils/schemas/validation.py, set_reward_model_defaults). */
function headOf(fields: Fields): TrainedHead | NoHead | undefined {
  const usual =
    fields.flag('reward_model') === true
      ? rewardHead
      : fields.flag('process_reward_model') === true
        ? processRewardHead
        : undefined;
  const labels = positive(fields.integer('num_labels')) ?? usual?.labels ?? undefined;
  const written = fields.text('model_type', 'type_of_model');
  if (written !== undefined) return headOfClass(written, labels);
  return usual === undefined ? undefined : { ...usual, labels: labels ?? null };
}

/** axolotl/core/builders/base.py, _configure_save_and_eval_strategy; schemas/config.py for the epochs. */
const defaults: TrainerDefaults = { epochs: 1, keep: 4, strategy: 'epoch', dropsZeroSteps: true };

async function planFrom(fields: Fields, access: ConfigAccess): Promise<TrainingPlan> {
  const trainer = await trainerPlan(fields, access, defaults);
  const notes: PlanNote[] = [
    ...(trainer.notes ?? []),
    // Weights are trained and kept by a service (integrations/hatchery/plugin.py, post_train).
    ...(fields.has('hatchery') ? (['saves-never'] as const) : []),
    // Patterns of names (axolotl/utils/freeze.py).
    ...(!fields.has('adapter') && (fields.lengthOf('unfrozen_parameters') ?? 0) > 0 ? (['partly-frozen'] as const) : []),
    ...(mayGrow(fields) ? (['vocabulary-may-grow'] as const) : []),
  ];
  const perEpoch = positive(fields.number('saves_per_epoch'));
  const precision = trainer.precision;
  const adapter = await adapterFrom(fields, access, notes);
  return planOf({
    ...trainer,
    ...(perEpoch === undefined ? {} : { saveIntervalSteps: undefined, saveIntervalEpochs: 1 / perEpoch }),
    notes: perEpoch === undefined ? notes : notes.filter((note) => note !== 'default-save-interval'),
    // The model alone, in the folder above the checkpoints (axolotl/train.py, save_trained_model).
    endFolder: 'weights',
    sequenceLength: positive(fields.integer('sequence_len')),
    microBatch: positive(fields.integer('micro_batch_size')),
    accumulation: positive(fields.integer('gradient_accumulation_steps')) ?? 1,
    // It loads the model in what it computes in, so nothing is kept in 32 bits (axolotl/utils/config, normalize_config).
    parameterDtype: trainer.parameterDtype ?? precision,
    ...replicatedShards(fields),
    tensorParallel: positive(fields.integer('tensor_parallel_size')),
    contextParallel: positive(fields.integer('context_parallel_size')),
    adapter,
    adapterCast: adapterCast(fields, trainer),
    loadBits: fields.flag('load_in_4bit') === true ? 4 : fields.flag('load_in_8bit') === true ? 8 : undefined,
  });
}

/** Its adapter keeps the dtype of the base where PEFT is not to cast it (axolotl/loaders/adapter.py, load_lora); FSDP casts what is trained. */
function adapterCast(fields: Fields, { parameterDtype, precision }: TrainingPlan): TrainingPlan['adapterCast'] {
  const isKept = fields.flag('peft_autocast_adapter_dtype') === false && parameterDtype === undefined;
  return isKept && precision !== undefined ? { dtype: precision, by: 'config' } : undefined;
}

/** axolotl/loaders/model.py, _resize_token_embeddings; special tokens are mostly ones that the tokenizer has. */
function mayGrow(fields: Fields): boolean {
  const isResized = ['resize_token_embeddings_to_32x', 'shrink_embeddings'].some((key) => fields.flag(key) === true);
  return isResized || (fields.texts('tokens') ?? []).length > 0;
}

/** One of `lora_model_dir` goes on as it is. Another has the rank that is set, or none, with which PEFT fails (axolotl/loaders/adapter.py). */
async function adapterFrom(fields: Fields, access: ConfigAccess, notes: PlanNote[]): Promise<AdapterPlan | undefined> {
  const kind = fields.text('adapter');
  // Which modules its adapter has is the service's choice.
  const remoteRank = positive(fields.at('hatchery').integer('lora_rank'));
  if (fields.has('hatchery')) return { kind: 'other', rank: remoteRank ?? 0, targets: [] };
  if (kind === undefined || kind === '') return undefined;
  const folder = fields.text('lora_model_dir');
  if (folder !== undefined && folder !== '') return adapterInFolder(folder, access, notes);
  const { isDefaultRank, ...adapter } = adapterOf(
    fields,
    {
      rank: ['lora_r'],
      alpha: ['lora_alpha'],
      targets: ['lora_target_modules'],
      saved: ['lora_modules_to_save'],
      dora: ['peft_use_dora'],
    },
    { rank: 8, targets: fields.flag('lora_target_linear') === true ? ['all-linear'] : [] },
  );
  const isLora = kind === 'lora' || kind === 'qlora';
  if (isLora && isDefaultRank === true) notes.push('adapter-rank-missing');
  const layers = fields.integers('peft_layers_to_transform');
  return {
    ...adapter,
    kind: isLora ? adapter.kind : 'other',
    // Both together are one list (axolotl/loaders/adapter.py).
    ...(fields.flag('lora_target_linear') === true ? { targets: ['all-linear'] } : {}),
    ...(layers === undefined ? {} : { layers }),
    ...trainedTokensOf(fields, 'peft_trainable_token_indices'),
  };
}
