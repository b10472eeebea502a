import { adapterParameters } from './adapterTensors.js';
import type { TensorGroup } from '../architectures/tensorGroup.js';
import type { CountedModel } from '../countModel.js';
import type { AdapterPlan } from '../trainingPlan.js';

/** What an adapter adds to a model. */
export interface CountedAdapter {
  /** Null where the model or a target is not known. */
  parameters: number | null;
  groups: readonly TensorGroup[] | null;
  /** Targets that no module of the model has, and such as are not resolved. */
  unmatched: readonly string[];
  unresolved: readonly string[];
}

export function countAdapter(model: CountedModel | null, plan: AdapterPlan): CountedAdapter {
  const count = model?.groups == null ? null : adapterParameters(model.groups, plan, model.modelType ?? undefined);
  if (count === null) return { parameters: null, groups: null, unmatched: [], unresolved: [] };
  // The two matrices of a module are one row here: no optimizer that trains adapters goes by their shapes.
  const groups = count.modules.map(({ name, parameters }): TensorGroup => ({
    name,
    shape: [parameters],
    copies: 1,
    activeCopies: 1,
    kind: 'other',
  }));
  const { trainable, unmatched, unresolved } = count;
  return { parameters: trainable, groups: trainable === null ? null : groups, unmatched, unresolved };
}
