/** What is left of a training plan where nothing is trained, and how its model is loaded. */
import type { ModelSource } from '../configKind.js';
import type { CountedModel } from '../countModel.js';
import { namedStorage } from '../published/modelName.js';
import type { ServingSettings } from '../servingSettings.js';
import type { TrainingPlan } from '../trainingPlan.js';
import { planOf } from './planOf.js';

/** With what the name of a model says of its weights, where its sizes are those that Stowage has of published models. */
export function withNamedStorage(
  settings: ServingSettings | undefined,
  source: ModelSource | null,
  model: CountedModel | null,
): ServingSettings | undefined {
  if (settings === undefined || source?.kind !== 'named' || model?.origin?.kind !== 'published') return settings;
  return { ...settings, storedAs: namedStorage(source.name) };
}

/** Of a config of training that evaluates or generates alone: sequences and dtype as training would have them. The batch of training is not that of evaluation. */
export function servingOf({ notes = [], sequenceLength, parameterDtype, precision, loadBits }: TrainingPlan): ServingSettings {
  const dtype = parameterDtype ?? precision;
  return {
    contextTokens: notes.includes('default-sequence') ? undefined : sequenceLength,
    dtype: dtype === 'f8' ? 'bf16' : dtype,
    quantization: loadBits === undefined ? undefined : `bnb-${loadBits}bit`,
  };
}

const parallelKeys = [
  ...['worldSize', 'nodes', 'gpusPerNode', 'dataParallel'],
  ...['tensorParallel', 'pipelineParallel', 'contextParallel', 'expertParallel'],
] as const satisfies readonly (keyof TrainingPlan)[];

/** Notes on the model; all others are on training and saving. */
const modelNotes: ReadonlySet<string> = new Set([
  ...['default-model-sizes', 'default-tokenizer', 'base-config-missing', 'rest-of-recipe'],
  ...['vocabulary-of-tokenizer', 'vocabulary-padded', 'vocabulary-may-grow'],
]);

/** What is left of a plan where nothing is trained: the ranks, and what the model rests on. */
export function planOfServing({ notes = [], ...plan }: TrainingPlan): TrainingPlan {
  const kept = notes.filter((note) => modelNotes.has(note));
  const ranks = Object.fromEntries(parallelKeys.map((key) => [key, plan[key]]));
  return planOf({ ...ranks, notes: [...kept, 'trains-nothing'] });
}
