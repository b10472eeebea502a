/** How a config that evaluates, generates or serves loads its model. Undefined is "the file does not say". */
import type { Precision, TrainingPlan } from './trainingPlan.js';
import type { CountedModel } from './countModel.js';
import type { ModelSource } from './configKind.js';
import { planOf } from './plans/planOf.js';
import { namedStorage, type NamedStorage } from './published/modelName.js';

export interface ServingSettings {
  /** Tokens of the longest sequence, prompt and answer together. */
  contextTokens?: number | undefined;
  /** Sequences at once, at most. */
  sequences?: number | undefined;
  /** What the weights are loaded in, in place of what the model's own config sets. */
  dtype?: Precision | undefined;
  /** Weights of 32 bits are loaded in 16 (vLLM and SGLang, `--dtype auto`). */
  isSixteenBits?: true;
  /** How weights are quantized as they are loaded; `other` where by a method whose bytes are not known. */
  quantization?: LoadingQuantization | 'other' | undefined;
  /** As the name of a published model says, whose own config is not at hand. */
  storedAs?: NamedStorage | undefined;
  /** Of keys and values, in place of the dtype of the model. */
  cacheDtype?: Precision | undefined;
}

/** Methods that quantize weights of 16 bits while they are loaded: bitsandbytes, and 8-bit floats with a scale for each weight matrix. */
export type LoadingQuantization = 'bnb-4bit' | 'bnb-8bit' | 'fp8';

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
