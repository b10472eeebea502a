/**
 * What Megatron-LM's precision-aware optimizer and its FSDP save, which is not what they keep in memory (megatron/core/optimizer/distrib_optimizer.py at d98e8a64,
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
   * (`fully_reshardable`, `dp_zero_gather_scatter`, `--ckpt-format torch`), or by Megatron's FSDP as it is in memory (`fsdp_dtensor`).
   */
  format: 'sharded' | 'gathered' | 'fsdp';
}

/** Of Megatron-LM's arguments, where all is in one place. */
export function stateSettingOf(fields: Fields): StateSetting {
  return { recipe: fields.text('fp8_recipe'), format: stateFormatOf(fields) };
}

/** @param checkpoint the arguments, or the section of a config that has the checkpoint's */
export function stateFormatOf(checkpoint: Fields): StateSetting['format'] {
  const format = checkpoint.text('ckpt_format');
  // Which Megatron's FSDP wants.
  if (format === 'fsdp_dtensor' || checkpoint.flag('use_megatron_fsdp') === true) return 'fsdp';
  return format === 'torch' || checkpoint.flag('dist_ckpt_optim_fully_reshardable') === true ? 'gathered' : 'sharded';
}

/**
 * What differs from 16-bit weights with a 32-bit copy and 32-bit moments. Moments go to storage in 32 bits whatever `--exp-avg-dtype` has them in, and of the weights' 32-bit copy the half that bfloat16 weights do not hold.
 * @param optimizer the arguments, or the section of a config that has the optimizer's
 */
export function savedState(
  optimizer: Fields,
  precision: Precision | undefined,
  { recipe, format }: StateSetting,
): Pick<TrainingPlan, 'momentDtypes' | 'masterRemainderBytes' | 'parameterDtype' | 'hasMasterWeights'> {
  const isAware = optimizer.flag('use_precision_aware_optimizer') === true;
  if (format === 'fsdp' && precision !== undefined && precision !== 'f32')
    return planOf({
      // What it optimizes, 32-bit weights, takes the place of the model's before these are saved (_init_optimizer_named_parameters, _replace_param_with_distributed_if_needed in
      // core/distributed/fsdp/src/megatron_fsdp). FusedAdam has a copy of its own where it is aware of precision.
      parameterDtype: 'f32',
      hasMasterWeights: isAware,
      momentDtypes: isAware ? momentsOf(optimizer) : undefined,
    });
  if (!isAware || format === 'gathered') return {};
  const isOffloaded = optimizer.flag('optimizer_cpu_offload') === true;
  const hasWideMaster = (precisionOf(optimizer.text('main_params_dtype')) ?? 'f32') === 'f32';
  // Beside FP8 other than with delayed scaling the 32-bit copy is Megatron's own, and the state of FusedAdam is saved as it is.
  const isOwnCopy = hasWideMaster && !isOffloaded && recipe !== undefined && recipe !== 'delayed';
  const hasRemainders =
    precision === 'bf16' && hasWideMaster && !isOffloaded && optimizer.flag('store_param_remainders') !== false;
  return planOf({
    momentDtypes: isOwnCopy ? momentsOf(optimizer) : undefined,
    masterRemainderBytes: hasRemainders && !isOwnCopy ? 2 : undefined,
  });
}

function momentsOf(optimizer: Fields): TrainingPlan['momentDtypes'] {
  const first = precisionOf(optimizer.text('exp_avg_dtype'));
  const second = precisionOf(optimizer.text('exp_avg_sq_dtype'));
  if (first === undefined && second === undefined) return undefined;
  return { ...(first === undefined ? {} : { first }), ...(second === undefined ? {} : { second }) };
}
