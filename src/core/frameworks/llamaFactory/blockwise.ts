/** LLaMA-Factory's `use_badam` (llamafactory/train/trainer_utils.py, _create_badam_optimizer): BAdam 1.4, of which only a block has optimizer state at a time. */
import type { Fields } from '../../configs/fields.js';
import { planOf } from '../../configs/plans/planOf.js';
import type { PlanNote, TrainingPlan } from '../../configs/trainingPlan.js';

/** Steps after which the one by shares empties its state (badam/block_optim.py, BlockOptimizerRatio: `switch_every`, which LLaMA-Factory leaves). */
const dropEverySteps = 100;

const allLayers = { count: Number.MAX_SAFE_INTEGER };

/**
 * By layers, a 32-bit copy of one decoder layer is trained and its moments are what `state_dict` has; embedding, head and the last norm are not trained
 * (BlockOptimizer). By shares, moments of some values of each matrix are kept, and dropped every 100 steps. Under ZeRO-3 the engine saves a block of its own.
 */
export function blockwise(fields: Fields, trainer: TrainingPlan, notes: PlanNote[]): Partial<TrainingPlan> {
  if (fields.flag('use_badam') !== true) return {};
  const named = planOf({ optimizerName: 'BAdam', parameterDtype: halfPrecision(trainer) });
  const isByLayers = (fields.text('badam_mode') ?? 'layer') === 'layer';
  if (isByLayers && (trainer.zeroStage ?? 0) === 0)
    // Moments of the 32-bit copy, which is not saved itself.
    return { ...named, trainedLayers: allLayers, stateLayers: { count: 1 }, momentDtypes: { first: 'f32', second: 'f32' } };
  if (!isByLayers && (trainer.saveIntervalSteps ?? 1) % dropEverySteps === 0) {
    notes.push('state-dropped');
    return { ...named, savesOptimizer: false };
  }
  notes.push('partly-frozen');
  return named;
}

/** Weights stay in the dtype of the model's config, which is bfloat16 for most, unless `fp16` (llamafactory/model/adapter.py, init_adapter). */
function halfPrecision({ precision }: TrainingPlan): TrainingPlan['parameterDtype'] {
  return precision === 'f16' ? 'f16' : 'bf16';
}
