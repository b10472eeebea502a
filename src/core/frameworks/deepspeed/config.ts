/** `ds_config.json` (deepspeed/runtime/config.py, constants.py; zero/config.py). "auto" is what Hugging Face fills in. */
import type { ConfigKind } from '../../configs/configKind.js';
import type { Fields } from '../../configs/fields.js';
import type { TrainingPlan } from '../../configs/trainingPlan.js';
import { completePlan } from '../../configs/plans/completePlan.js';
import { optimizerPlan } from '../../configs/values/optimizerNames.js';
import { planOf } from '../../configs/plans/planOf.js';
import { positive } from '../../configs/values/positive.js';

const sections = [
  'zero_optimization',
  'train_micro_batch_size_per_gpu',
  'zero_allow_untested_optimizer',
  'gradient_clipping',
  'steps_per_print',
  'wall_clock_breakdown',
  'activation_checkpointing',
];

export const deepspeed: ConfigKind = {
  id: 'deepspeed',
  match: ({ document, fields }) =>
    document.syntax === 'json' &&
    !fields.has('model_type', 'architectures', 'per_device_train_batch_size', 'output_dir') &&
    (fields.has('zero_optimization', 'train_micro_batch_size_per_gpu') ||
      (fields.has('train_batch_size') && sections.some((key) => fields.has(key)))),
  read: ({ fields }) => ({
    model: null,
    plan: completePlan({ ...filledIn(fields, deepspeedPlan(fields)), writer: 'deepspeed' }),
  }),
};

/** What DeepSpeed's part of a config says, wherever it is written. */
export function deepspeedPlan(fields: Fields): TrainingPlan {
  const zero = fields.at('zero_optimization');
  const optimizer = fields.at('optimizer');
  return planOf({
    globalBatch: positive(fields.integer('train_batch_size')),
    microBatch: positive(fields.integer('train_micro_batch_size_per_gpu')),
    accumulation: positive(fields.integer('gradient_accumulation_steps')),
    zeroStage: zeroStageOf(fields, zero),
    gathersWeights: zero.flag(
      'gather_16bit_weights_on_model_save',
      'stage3_gather_16bit_weights_on_model_save',
      'stage3_gather_fp16_weights_on_model_save',
    ),
    precision: precisionOf(fields),
    // Its own 16-bit engine keeps 32-bit masters, unless it is set to keep the states in 16 bits (bf16_master_weights_and_grads).
    hasMasterWeights: hasMasterWeights(fields),
    ...optimizerPlan(optimizer.text('type'), optimizer.at('params').number('momentum')),
    tensorParallel: positive(fields.at('tensor_parallel').integer('autotp_size')),
    shardDegree: positive(zero.signedInteger('mics_shard_size')),
    ...saving(fields),
  });
}

/** A precision of "auto" is the Trainer's, which a file by itself does not tell: bfloat16 is what most runs take. */
function filledIn(fields: Fields, plan: TrainingPlan): TrainingPlan {
  const isLeftOpen = plan.precision === undefined && ['bf16', 'bfloat16', 'fp16'].some((name) => fields.at(name).has('enabled'));
  return isLeftOpen ? { ...plan, precision: 'bf16', notes: [...(plan.notes ?? []), 'precision-filled-in'] } : plan;
}

/** Nebula keeps versions in memory, on a neighbour's drive and in an object store; DataStates and a decoupled writer go on in the background. */
function saving(fields: Fields): Partial<TrainingPlan> {
  const nebula = fields.at('nebula');
  if (nebula.flag('enabled') === true)
    return planOf({ saveMode: 'multi-level', keep: positive(nebula.integer('num_of_version_in_retention')) });
  const isInBackground = fields.has('datastates_ckpt') || fields.at('checkpoint', 'writer').flag('decoupled') === true;
  return isInBackground ? { saveMode: 'asynchronous' } : {};
}

function zeroStageOf(fields: Fields, zero: Fields): number | undefined {
  const stage = zero.integer('stage');
  if (stage !== undefined) {
    if (stage <= 3) return stage;
    zero.problem('invalid-value', 'stage', String(stage));
    return undefined;
  }
  return fields.has('zero_optimization') ? 0 : undefined;
}

function precisionOf(fields: Fields): TrainingPlan['precision'] {
  const bf16 = isEnabled(fields, 'bf16') ?? isEnabled(fields, 'bfloat16');
  const fp16 = isEnabled(fields, 'fp16');
  if (bf16 === true) return 'bf16';
  if (fp16 === true) return 'f16';
  return bf16 === undefined && fp16 === undefined ? undefined : 'f32';
}

/** Undefined where it is "auto" or not said. */
function isEnabled(fields: Fields, name: string): boolean | undefined {
  if (!fields.has(name)) return undefined;
  const section = fields.at(name);
  return section.has('enabled') ? section.flag('enabled') : undefined;
}

function hasMasterWeights(fields: Fields): boolean | undefined {
  const isPure =
    fields.at('bf16').flag('bf16_master_weights_and_grads') ?? fields.at('fp16').flag('fp16_master_weights_and_grads');
  return isPure === true ? false : undefined;
}
