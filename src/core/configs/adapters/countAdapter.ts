import { defaultAdapterTargets } from './adapterTargets.js';
import { adapterParameters, type AdaptedModule } from './adapterTensors.js';
import { roleParameters } from './roleAdapter.js';
import type { CountedModel } from '../countModel.js';
import type { AdapterPlan } from '../trainingPlan.js';

/** What an adapter adds to a model. */
export interface CountedAdapter {
  /** Null where the model or a target is not known. */
  parameters: number | null;
  /** Of them, those of modules that are trained whole. */
  whole: number;
  /** Of these, those of embeddings. */
  embeddings: number;
  /** What the parameters are of; empty where they are not known. */
  modules: readonly AdaptedModule[];
  /** Targets that no module of the model has, and such as are not resolved. */
  unmatched: readonly string[];
  unresolved: readonly string[];
}

export function countAdapter(model: CountedModel | null, plan: AdapterPlan): CountedAdapter {
  const modelType = model?.modelType ?? undefined;
  const groups = model?.groups ?? null;
  const count =
    groups === null
      ? null
      : plan.roles === undefined
        ? adapterParameters(groups, withTargets(plan, modelType), modelType)
        : roleParameters(groups, plan);
  if (count === null) return { parameters: null, whole: 0, embeddings: 0, modules: [], unmatched: [], unresolved: [] };
  const { trainable, modules, unmatched, unresolved } = count;
  const sumOf = (some: readonly AdaptedModule[]): number => some.reduce((sum, { parameters }) => sum + parameters, 0);
  const whole = sumOf(modules.filter(({ isWhole }) => isWhole));
  const embeddings = sumOf(modules.filter(({ isEmbedding }) => isEmbedding === true));
  return { parameters: trainable, whole, embeddings, modules: trainable === null ? [] : modules, unmatched, unresolved };
}

/** PEFT adapts the usual modules of the architecture where none are named. */
export function withTargets(plan: AdapterPlan, modelType: string | undefined): AdapterPlan {
  const isOpen = hasOpenTargets(plan) && modelType !== undefined;
  return isOpen ? { ...plan, targets: defaultAdapterTargets(modelType) ?? [] } : plan;
}

/** Whether PEFT chooses the modules of an adapter. */
export function hasOpenTargets({ kind, targets, roles, targetParameters = [] }: AdapterPlan): boolean {
  return (kind === 'lora' || kind === 'dora') && roles === undefined && targets.length === 0 && targetParameters.length === 0;
}
