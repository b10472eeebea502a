/**
 * What Megatron-LM's precision-aware optimizer saves, which is not what it keeps in memory (megatron/core/optimizer/distrib_optimizer.py at d98e8a64,
 * _get_main_param_and_optimizer_states; TransformerEngine's FusedAdam, get_unscaled_state).
 */
import type { Fields } from '../../configs/fields.js';
import { planOf } from '../../configs/plans/planOf.js';
import type { Precision, TrainingPlan } from '../../configs/trainingPlan.js';
import { precisionOf } from '../../configs/values/precisionNames.js';

/** What decides it beside the optimizer's own arguments. */
export interface StateSetting {
  /** Of FP8, which `fp8_recipe` names whether or not FP8 is used. */
  recipe: string | undefined;
  /**
   * How the distributed optimizer's state is saved: by its shards (`dp_reshardable`, `fully_sharded_model_space`), gathered into 32-bit tensors
   * (`fully_reshardable`, `dp_zero_gather_scatter`, `--ckpt-format torch`), or as PyTorch has it (`fsdp_dtensor`).
   */
  format: 'sharded' | 'gathered' | 'as-it-is';
}

/** Of Megatron-LM's arguments, where all is in one place. */
export function stateSettingOf(fields: Fields): StateSetting {
  return { recipe: fields.text('fp8_recipe'), format: stateFormatOf(fields) };
}

/** @param checkpoint the arguments, or the section of a config that has the checkpoint's */
export function stateFormatOf(checkpoint: Fields): StateSetting['format'] {
  const format = checkpoint.text('ckpt_format');
  if (format === 'fsdp_dtensor') return 'as-it-is';
  return format === 'torch' || checkpoint.flag('dist_ckpt_optim_fully_reshardable') === true ? 'gathered' : 'sharded';
}

/**
 * Moments go to storage in 32 bits whatever `--exp-avg-dtype` has them in, and of the weights' 32-bit copy the half that bfloat16 weights do not hold.
 * @param optimizer the arguments, or the section of a config that has the optimizer's
 */
export function precisionAwareState(
  optimizer: Fields,
  precision: Precision | undefined,
  { recipe, format }: StateSetting,
): Pick<TrainingPlan, 'momentDtypes' | 'masterRemainderBytes'> {
  if (optimizer.flag('use_precision_aware_optimizer') !== true || format === 'gathered') return {};
  const isOffloaded = optimizer.flag('optimizer_cpu_offload') === true;
  const hasWideMaster = (precisionOf(optimizer.text('main_params_dtype')) ?? 'f32') === 'f32';
  // Beside FP8 other than with delayed scaling the 32-bit copy is Megatron's own, and the state of FusedAdam is saved as it is.
  const isOwnCopy = hasWideMaster && !isOffloaded && recipe !== undefined && recipe !== 'delayed';
  const hasRemainders =
    precision === 'bf16' && hasWideMaster && !isOffloaded && optimizer.flag('store_param_remainders') !== false;
  return planOf({
    momentDtypes: isOwnCopy || format === 'as-it-is' ? momentsOf(optimizer) : undefined,
    // Megatron's FSDP gives the optimizer its 32-bit weights.
    masterRemainderBytes: hasRemainders && !isOwnCopy && format === 'sharded' ? 2 : undefined,
  });
}

function momentsOf(optimizer: Fields): TrainingPlan['momentDtypes'] {
  const first = precisionOf(optimizer.text('exp_avg_dtype'));
  const second = precisionOf(optimizer.text('exp_avg_sq_dtype'));
  if (first === undefined && second === undefined) return undefined;
  return { ...(first === undefined ? {} : { first }), ...(second === undefined ? {} : { second }) };
}
