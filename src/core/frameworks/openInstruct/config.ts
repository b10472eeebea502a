/** Open Instruct (open_instruct/finetune.py, dpo_tune_cache.py and their arguments): its own loop over Accelerate, which reads many of the Trainer's names. */
import type { ConfigKind, ModelSource } from '../../configs/configKind.js';
import type { Fields } from '../../configs/fields.js';
import type { AdapterPlan, PlanNote, TrainingPlan } from '../../configs/trainingPlan.js';
import { adapterOf } from '../../configs/plans/adapterPlan.js';
import { completePlan } from '../../configs/plans/completePlan.js';
import { launchPlan } from '../../configs/plans/launchPlan.js';
import { planOf } from '../../configs/plans/planOf.js';
import { optimizerPlan } from '../../configs/values/optimizerNames.js';
import { rewardHead } from '../../configs/trainedHead.js';
import { positive } from '../../configs/values/positive.js';
import { precisionOf } from '../../configs/values/precisionNames.js';
import { engineOf } from './engine.js';
import { isRefused } from '../../configs/values/saveInterval.js';

/** Names that the Trainer does not have. */
const telling = [
  'checkpointing_steps',
  'keep_last_n_checkpoints',
  'dataset_mixer',
  'dataset_mixer_list',
  'with_tracking',
  'use_slow_tokenizer',
  'dataset_mix_dir',
];

export const openInstruct: ConfigKind = {
  id: 'open-instruct',
  match: ({ document, fields }) =>
    document.syntax === 'shell'
      ? programOf(document.programs) !== null
      : fields.has('model_name_or_path') && telling.filter((key) => fields.has(key)).length >= 2,
  async read({ document, fields }, access) {
    const name = fields.text('model_name_or_path');
    const notes: PlanNote[] = [];
    const program =
      programOf(document.programs) ?? (fields.has('num_epochs', 'dpo_beta', 'dpo_loss_type') ? 'dpo_tune_cache' : 'finetune');
    const head = program === 'reward_modeling' ? rewardHead : undefined;
    const model: ModelSource | null = name === undefined ? null : { kind: 'named', name, key: 'model_name_or_path', head };
    if (program.startsWith('grpo')) return { model, plan: completePlan(reinforced(fields, notes)) };
    // Over OLMo-core's trainer, or the Trainer of an older TRL: how they save is not known here.
    if (!/^(?:finetune|dpo_tune)/.test(program))
      return { model, plan: completePlan(planOf({ ...launchPlan(fields), precision: 'bf16' })) };
    const engine = await engineOf(fields, access, notes);
    return {
      model,
      plan: completePlan(planOf({ ...engine, ...launchPlan(fields), ...planFrom(fields, program, notes) })),
    };
  },
};

/** `finetune`, `grpo_fast`, ...: a program of open_instruct, started by itself or by mason.py, its launcher for clusters; null for others. */
function programOf(programs: readonly string[]): string | null {
  const isMason = programs.some((program) => /(?:^|\/)mason\.py$/.test(program));
  for (const program of programs) {
    const [, folder, name] = /(?:^|\/)(open_instruct\/)?(\w+)\.py$/.exec(program) ?? [];
    const isKnown = name !== undefined && /^(?:finetune|dpo|grpo|ppo|reward_modeling|olmo_core_finetune|online_dpo)/.test(name);
    if (isKnown && (isMason || folder !== undefined)) return name;
  }
  return null;
}

/** GRPO (open_instruct/grpo_fast.py and its GRPOExperimentConfig): the model alone every so many steps, all of which stay; its state elsewhere, if anywhere. */
function reinforced(fields: Fields, notes: PlanNote[]): TrainingPlan {
  const every = fields.signedInteger('save_freq');
  if (every === undefined) notes.push('default-save-interval');
  if (every !== undefined && every <= 0) notes.push('saves-model-at-end');
  notes.push('default-optimizer');
  return planOf({
    ...launchPlan(fields),
    writer: 'deepspeed',
    steps: stepsOf(fields),
    saveIntervalSteps: positive(every ?? 200),
    keep: null,
    endFolder: 'weights',
    savesOptimizer: false,
    precision: 'bf16',
    parameterDtype: precisionOf(fields.text('model_dtype')) ?? 'bf16',
    optimizer: 'adam',
    optimizerName: 'AdamW',
    outputFolder: fields.text('output_dir'),
    notes,
  });
}

/** Episodes over those of a step: each prompt is answered several times. */
function stepsOf(fields: Fields): number | undefined {
  const episodes = fields.integer('total_episodes') ?? 100_000;
  const perStep = (fields.integer('num_unique_prompts_rollout') ?? 16) * (fields.integer('num_samples_per_prompt_rollout') ?? 4);
  return positive(Math.floor(episodes / Math.max(perStep, 1)));
}

function planFrom(fields: Fields, program: string, notes: PlanNote[]): TrainingPlan {
  // A token of padding that the tokenizer lacks may not fit (finetune.py and dpo_tune_cache.py, resize_token_embeddings).
  notes.push('default-optimizer', 'vocabulary-may-grow');
  const epochs = positive(fields.number('num_train_epochs', 'num_epochs'));
  if (epochs === undefined) notes.push('default-epochs');
  return planOf({
    writer: 'deepspeed',
    steps: positive(fields.signedInteger('max_train_steps')),
    epochs: epochs ?? 2,
    ...savingOf(fields, notes),
    // finetune.py alone has the flag, and it is on.
    deletes: program.startsWith('finetune') && fields.flag('clean_checkpoints_at_end') !== false ? 'at-end' : undefined,
    sequenceLength: positive(fields.integer('max_seq_length')),
    microBatch: positive(fields.integer('per_device_train_batch_size')) ?? 8,
    accumulation: positive(fields.integer('gradient_accumulation_steps')) ?? 1,
    // The model is loaded in it.
    precision: 'bf16',
    ...optimizerPlan(fields.flag('use_8bit_optimizer') === true ? 'adamw8bit' : 'adamw'),
    ...adapterPart(fields),
    outputFolder: fields.text('output_dir'),
    notes,
  });
}

/** Nothing is saved before the end unless `checkpointing_steps` is set: the model alone, in the folder of the run. */
function savingOf(fields: Fields, notes: PlanNote[]): Partial<TrainingPlan> {
  const every = fields.scalar('checkpointing_steps');
  const kept = fields.signedInteger('keep_last_n_checkpoints');
  if (kept === undefined) notes.push('default-keep');
  const keep = kept === undefined ? 3 : kept < 0 ? null : kept;
  if (every === 'epoch') return { saveIntervalEpochs: 1, keep, endFolder: 'weights' };
  const interval = positive(fields.signedInteger('checkpointing_steps'));
  const isStopped = isRefused(notes, fields, 'checkpointing_steps');
  if (isStopped) return { keep };
  if (interval === undefined) notes.push('saves-model-at-end');
  return planOf({ saveIntervalSteps: interval, keep, endFolder: 'weights' });
}

/** DeepSpeed's engine saves frozen weights too unless it is set to leave them out, as accelerate's `save_state` does not. Those of 4 bits are not counted. */
function adapterPart(fields: Fields): Partial<TrainingPlan> {
  const adapter = adapterFrom(fields);
  if (fields.flag('use_qlora') === true) return planOf({ adapter, loadBits: 4 });
  return planOf({ adapter, savesBase: adapter === undefined ? undefined : true });
}

function adapterFrom(fields: Fields): AdapterPlan | undefined {
  if (fields.flag('use_lora', 'use_qlora') !== true) return undefined;
  const keys = { rank: ['lora_rank'], alpha: ['lora_alpha'], targets: [], saved: [], dora: [] };
  return adapterOf(fields, keys, {
    rank: 64,
    targets: ['q_proj', 'o_proj', 'v_proj', 'k_proj', 'gate_proj', 'up_proj', 'down_proj'],
  });
}
