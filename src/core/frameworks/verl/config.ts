/** verl's Hydra config, as YAML or as overrides of a launch script (verl/trainer/config/*.yaml). Checkpoints are the actor's. */
import type { ConfigAccess, ConfigFile, ConfigKind, ModelSource } from '../../configs/configKind.js';
import type { Fields } from '../../configs/fields.js';
import type { AdapterPlan, PlanNote, Precision, TrainingPlan } from '../../configs/trainingPlan.js';
import { completePlan, product } from '../../configs/plans/completePlan.js';
import { withHydraDefaults } from '../../configs/plans/hydraDefaults.js';
import { planOf } from '../../configs/plans/planOf.js';
import { precisionOf } from '../../configs/values/precisionNames.js';
import { saveModeOf } from '../../configs/values/saveModes.js';
import { infersAlone } from '../../configs/document/otherPrograms.js';
import type { ServingSettings } from '../../configs/servingSettings.js';
import { savedState, type StateSetting } from '../megatron/savedState.js';
import { sharedState } from '../megatron/transformerFields.js';
import { positive } from '../../configs/values/positive.js';
import { adapterInFolder } from '../peft/config.js';

export const verl: ConfigKind = {
  id: 'verl',
  match: ({ document, fields }) =>
    document.programs.some((program) => program.startsWith('verl.')) ||
    fields.at('actor_rollout_ref').has('model', 'actor') ||
    (fields.at('model').has('partial_pretrain') && fields.at('trainer').has('default_local_dir', 'save_freq')),
  async read(file, access) {
    const notes: PlanNote[] = [];
    const fields = await withHydraDefaults(file, access, notes);
    const isPolicy = isReinforcement(fields, file);
    const trained = isPolicy ? fields.at('actor_rollout_ref', 'model') : fields.at('model');
    const adapter = await adapterFrom(trained, access, notes);
    const plan = completePlan(isPolicy ? reinforced(fields, adapter, notes) : tuned(fields, adapter, notes));
    // With `val_only` it validates and returns (verl/trainer/ppo/ray_trainer.py, fit).
    const isServing = fields.at('trainer').flag('val_only') === true || infersAlone(file.document.programs);
    return { model: modelOf(fields), plan, serving: isServing ? rolloutSettings(fields) : undefined };
  },
};

/** Of what generates, which of `main_generation` is the whole config (verl/trainer/config/rollout, generation.yaml). */
function rolloutSettings(fields: Fields): ServingSettings {
  const rollout = fields.firstOf('rollout') ?? fields.at('actor_rollout_ref', 'rollout');
  const data = fields.at('data');
  const prompt = positive(rollout.integer('prompt_length') ?? data.integer('max_prompt_length')) ?? 512;
  const response = positive(rollout.integer('response_length') ?? data.integer('max_response_length')) ?? 512;
  return {
    contextTokens: positive(rollout.integer('max_model_len')) ?? prompt + response,
    sequences: positive(rollout.integer('max_num_seqs')),
    dtype: precisionOf(rollout.text('dtype')) ?? 'bf16',
  };
}

function isReinforcement(fields: Fields, { document }: ConfigFile): boolean {
  return fields.has('actor_rollout_ref') || document.programs.some((program) => program.includes('main_'));
}

function modelOf(fields: Fields): ModelSource | null {
  const actor = fields.at('actor_rollout_ref', 'model').text('path');
  if (actor !== undefined) return { kind: 'named', name: actor, key: 'path' };
  const name = fields.at('model').text('partial_pretrain', 'path');
  return name === undefined
    ? null
    : { kind: 'named', name, key: fields.at('model').has('partial_pretrain') ? 'partial_pretrain' : 'path' };
}

function reinforced(fields: Fields, adapter: AdapterPlan | undefined, notes: PlanNote[]): TrainingPlan {
  const data = fields.at('data');
  const actor = fields.at('actor_rollout_ref', 'actor');
  const prompt = positive(data.integer('max_prompt_length')) ?? 512;
  const response = positive(data.integer('max_response_length')) ?? 512;
  const strategy = actor.text('strategy') ?? (isBasedOnMegatron(fields) ? 'megatron' : 'fsdp');
  const megatron = actor.at('megatron');
  const isMegatron = strategy === 'megatron';
  // FSDP keeps 32-bit parameters, the default of `model_dtype`.
  const parameterDtype = isMegatron ? 'bf16' : (precisionOf(actor.at('fsdp_config').text('model_dtype')) ?? 'f32');
  notes.push('answers-generated');
  // PPO's advantage needs a critic; GRPO and its kin do without (verl/trainer/ppo/core_algos.py).
  if ((fields.at('algorithm').text('adv_estimator') ?? 'gae') === 'gae') notes.push('critic-not-counted');
  return planOf({
    ...common(fields, notes),
    epochs: positive(fields.at('trainer').number('total_epochs')) ?? 30,
    sequenceLength: prompt + response,
    // Prompts, of which each is answered `n` times (ray_trainer.py, fit).
    globalBatch: product(
      positive(data.integer('train_batch_size')) ?? 1024,
      positive(fields.at('actor_rollout_ref', 'rollout').integer('n')) ?? 1,
    ),
    parameterDtype,
    // Megatron's optimizer has a 32-bit copy of its 16-bit weights.
    hasMasterWeights: isMegatron ? true : undefined,
    ...(isMegatron ? savedState(actor.at('optim', 'override_optimizer_config'), parameterDtype, shardedState) : {}),
    ...contents(actor.at('checkpoint'), parameterDtype),
    ...(isMegatron ? sharedState(megatron) : shardedBy(actor.at('fsdp_config'))),
    saveMode: saveModeOf(actor.at('checkpoint').flag('async_save')),
    tensorParallel: isMegatron ? positive(megatron.integer('tensor_model_parallel_size')) : undefined,
    pipelineParallel: isMegatron ? positive(megatron.integer('pipeline_model_parallel_size')) : undefined,
    contextParallel: isMegatron ? positive(megatron.integer('context_parallel_size')) : undefined,
    expertParallel: isMegatron ? positive(megatron.integer('expert_model_parallel_size')) : undefined,
    ...adapterIn(adapter, isMegatron),
  });
}

/** `--config-name=ppo_megatron_trainer`, or the same name among the defaults, sets it where the file does not (verl/trainer/config). */
function isBasedOnMegatron(fields: Fields): boolean {
  const names = [fields.text('config_name', 'config-name') ?? '', ...(fields.texts('defaults') ?? [])];
  return names.some((name) => /megatron/.test(name));
}

/** By shards, without FP8 (verl/utils/megatron/optimizer.py; verl/utils/checkpoint/megatron_checkpoint_manager.py). */
const shardedState: StateSetting = { recipe: undefined, format: 'sharded' };

function tuned(fields: Fields, adapter: AdapterPlan | undefined, notes: PlanNote[]): TrainingPlan {
  const data = fields.at('data');
  const parameterDtype = precisionOf(fields.at('model', 'fsdp_config').text('model_dtype')) ?? 'f32';
  return planOf({
    ...common(fields, notes),
    epochs: positive(fields.at('trainer').number('total_epochs')),
    sequenceLength: positive(data.integer('max_length')),
    globalBatch: positive(data.integer('train_batch_size')),
    microBatch: positive(data.integer('micro_batch_size_per_gpu')),
    parameterDtype,
    ...contents(fields.at('trainer', 'checkpoint'), parameterDtype),
    ...shardedBy(fields.at('model', 'fsdp_config')),
    ...adapterIn(adapter, false),
  });
}

function common(fields: Fields, notes: PlanNote[]): TrainingPlan {
  const trainer = fields.at('trainer');
  const frequency = trainer.signedInteger('save_freq');
  const keep = positive(trainer.integer('max_actor_ckpt_to_keep', 'max_ckpt_to_keep')) ?? null;
  if (frequency === undefined) notes.push('default-save-interval');
  if (frequency === undefined || frequency <= 0) notes.push('saves-never');
  notes.push('default-optimizer');
  return planOf({
    writer: 'verl',
    steps: positive(trainer.integer('total_training_steps')),
    saveIntervalSteps: positive(frequency),
    // verl/trainer/ppo/ray_trainer.py, fit.
    lastSave: positive(frequency) === undefined ? undefined : 'all',
    keep,
    // Of one, the next is written first (ensure_checkpoint_capacity in verl/utils/checkpoint/checkpoint_manager.py).
    deletes: keep !== null && keep > 1 ? 'first' : undefined,
    precision: 'bf16',
    optimizer: 'adam',
    optimizerName: 'AdamW',
    nodes: positive(trainer.integer('nnodes')) ?? 1,
    gpusPerNode: positive(trainer.integer('n_gpus_per_node')) ?? 8,
    outputFolder: trainer.text('default_local_dir'),
    resumesFrom: trainer.text('resume_from_path'),
    notes,
  });
}

/** FSDP over all ranks, or over groups of `fsdp_size`. */
function shardedBy(config: Fields): Partial<TrainingPlan> {
  return planOf({ sharding: 'weights', shardDegree: positive(config.signedInteger('fsdp_size')) });
}

/**
 * `save_contents: [model, optimizer, extra, hf_model]`; command lines write it as one text. The Hugging Face files are the trained state as it is
 * (`save_pretrained` with a `state_dict` in verl/utils/checkpoint/fsdp_checkpoint_manager.py).
 */
function contents(checkpoint: Fields, parameterDtype: Precision): Partial<TrainingPlan> {
  const parts = checkpoint.texts('save_contents', 'contents')?.join(' ');
  return planOf({
    savesOptimizer: parts === undefined || /\boptimizer\b/.test(parts) ? undefined : false,
    exportedWeights: parts !== undefined && /\bhf_model\b/.test(parts) ? parameterDtype : undefined,
  });
}

/** FSDP's shards hold all that the actor does, the frozen base too (verl/utils/checkpoint/fsdp_checkpoint_manager.py); `lora_adapter` has the adapter once more. */
function adapterIn(adapter: AdapterPlan | undefined, isMegatron: boolean): Partial<TrainingPlan> {
  if (adapter === undefined) return {};
  return isMegatron ? { adapter } : { adapter, savesBase: true, savesAdapterTwice: true };
}

/** One that was trained before goes on as it is, whatever rank is set (verl/workers/fsdp_workers.py, _build_model_optimizer). */
async function adapterFrom(model: Fields, access: ConfigAccess, notes: PlanNote[]): Promise<AdapterPlan | undefined> {
  if (model.has('lora_adapter_path') && !model.isNull('lora_adapter_path'))
    return adapterInFolder(model.text('lora_adapter_path'), access, notes);
  const rank = positive(model.integer('lora_rank'));
  if (rank === undefined) return undefined;
  const alpha = model.number('lora_alpha');
  const targets = model.texts('target_modules') ?? ['all-linear'];
  return { kind: 'lora', rank, targets, ...(alpha === undefined ? {} : { alpha }) };
}
