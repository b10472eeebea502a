import { adapterParameters, type AdaptedModule } from './adapterTensors.js';
import type { CountedModel } from '../countModel.js';
import type { AdapterPlan } from '../trainingPlan.js';

/** What an adapter adds to a model. */
export interface CountedAdapter {
  /** Null where the model or a target is not known. */
  parameters: number | null;
  /** Of them, those of embeddings that are trained whole. */
  embeddings: number;
  /** What the parameters are of; empty where they are not known. */
  modules: readonly AdaptedModule[];
  /** Targets that no module of the model has, and such as are not resolved. */
  unmatched: readonly string[];
  unresolved: readonly string[];
}

export function countAdapter(model: CountedModel | null, plan: AdapterPlan): CountedAdapter {
  const count = model?.groups == null ? null : adapterParameters(model.groups, plan, model.modelType ?? undefined);
  if (count === null) return { parameters: null, embeddings: 0, modules: [], unmatched: [], unresolved: [] };
  const { trainable, modules, unmatched, unresolved } = count;
  const embeddings = modules
    .filter(({ isEmbedding }) => isEmbedding === true)
    .reduce((sum, { parameters }) => sum + parameters, 0);
  return { parameters: trainable, embeddings, modules: trainable === null ? [] : modules, unmatched, unresolved };
}
