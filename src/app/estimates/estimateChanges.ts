import { optimizerPlan } from '../../core/configs/values/optimizerNames.js';
import { precisionOf } from '../../core/configs/values/precisionNames.js';
import type { TrainingPlan } from '../../core/configs/trainingPlan.js';
import type { Estimate } from '../../core/estimates/estimate.js';
import { InputError } from '../useCaseError.js';
import type { EstimateInput } from '../useCaseInputs.js';

/** Values that are taken in place of the config's. */
export type EstimateChanges = Omit<EstimateInput, 'path' | 'model'>;

/** The changes as members of a training plan. @throws InputError for an unknown name and a number that is no count */
export function planOfChanges(changes: EstimateChanges): Partial<TrainingPlan> {
  return { ...optimizerOf(changes), ...precisionIn(changes), ...countsOf(changes) };
}

function optimizerOf({ optimizer }: EstimateChanges): Partial<TrainingPlan> {
  if (optimizer === undefined) return {};
  const named = optimizerPlan(optimizer);
  if (named.optimizer === undefined || named.optimizer === 'unknown')
    throw InputError.ofValue('optimizer', optimizer, 'is not supported');
  // The config sets the momentum of its own optimizer, not of this one.
  return { hasMomentum: false, ...named };
}

function precisionIn({ precision }: EstimateChanges): Partial<TrainingPlan> {
  if (precision === undefined) return {};
  const known = precisionOf(precision);
  if (known === undefined) throw InputError.ofInput('precision', 'takes f32, bf16, f16 or f8', precision);
  return { precision: known };
}

/** Another rank of the adapter that a config has. @throws InputError where it has none */
export function rankOf({ rank }: EstimateChanges, { plan: { adapter } }: Pick<Estimate, 'plan'>): Partial<TrainingPlan> {
  if (rank === undefined) return {};
  if (adapter === undefined) throw InputError.ofInput('rank', 'is of an adapter, and the config has none');
  if (!Number.isSafeInteger(rank) || rank < 1) throw InputError.ofInput('rank', 'takes a whole number above 0');
  return { adapter: { ...adapter, rank } };
}

const counts = { steps: 'steps', saveInterval: 'saveIntervalSteps', keep: 'keep' } as const;

function countsOf(changes: EstimateChanges): Partial<TrainingPlan> {
  const plan: Partial<TrainingPlan> = {};
  for (const [name, key] of Object.entries(counts) as [keyof typeof counts, (typeof counts)[keyof typeof counts]][]) {
    const value = changes[name];
    if (value === undefined) continue;
    if (!Number.isSafeInteger(value)) throw InputError.ofInput(name, 'takes a whole number');
    plan[key] = value;
  }
  return plan;
}
