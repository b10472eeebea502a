import type { Fields } from '../fields.js';
import type { Architecture, ArchitectureReading } from './architecture.js';
import { audioFamilies } from './families/audioFamilies.js';
import { decoderFamilies } from './families/decoderFamilies.js';
import { encoderFamilies } from './families/encoderFamilies.js';
import { expertFamilies } from './families/expertFamilies.js';
import { guessFromShapes } from './guessFromShapes.js';
import { hybridFamilies } from './families/hybridFamilies.js';
import { isCountable } from './isCountable.js';
import { latentFamilies } from './families/latentFamilies.js';
import { multimodalFamilies } from './families/multimodalFamilies.js';
import { mambaSsm, remoteCodeFamilies } from './families/remoteCodeFamilies.js';
import { visionFamilies } from './families/visionFamilies.js';

const architectures: readonly Architecture[] = [
  ...decoderFamilies,
  ...expertFamilies,
  ...hybridFamilies,
  ...latentFamilies,
  ...encoderFamilies,
  ...visionFamilies,
  ...audioFamilies,
  ...multimodalFamilies,
  // After the classes of transformers, which know what was published before them.
  ...remoteCodeFamilies,
];

const byModelType = new Map(
  architectures
    .toReversed()
    .flatMap((architecture) => architecture.modelTypes.map((modelType) => [modelType, architecture] as const)),
);
const typesByClass = new Map([...byModelType.keys()].map((modelType) => [plain(modelType), modelType]));

/** Parts of a multimodal config that hold the language model. */
const languageParts = ['text_config', 'llm_config', 'language_config', 'thinker_config'] as const;

/** The tensors of the model that a Hugging Face config describes; null where it has not even the sizes to guess from. */
export function readArchitecture(config: Fields): ArchitectureReading | null {
  const modelType = modelTypeOf(config);
  const known = config.has('ssm_cfg') && modelType === '' ? mambaSsm : byModelType.get(modelType);
  const typed = (config.isNull('model_type') ? config.without('model_type') : config).withDefaults({ model_type: modelType });
  const tensors = known?.tensors(typed) ?? null;
  if (known !== undefined && tensors !== null) {
    if (!isCountable(tensors)) return null;
    return { tensors, name: known.name, modelType, basis: 'architecture', extras: known.extras?.(typed) ?? [] };
  }
  const part = config.firstOf(...languageParts);
  if (part !== undefined) {
    // What stands before the language model is not counted.
    const reading = readArchitecture(part);
    return reading === null ? null : { ...reading, modelType: modelType === '' ? reading.modelType : modelType, basis: 'shapes' };
  }
  const guess = guessFromShapes(config);
  return guess === null || !isCountable(guess)
    ? null
    : { tensors: guess, name: modelType, modelType, basis: 'shapes', extras: [] };
}

/** `model_type`, or what the name of the class says where a config has none: `LlamaForCausalLM`. */
function modelTypeOf(config: Fields): string {
  const modelType = config.texts('model_type')?.[0];
  if (modelType !== undefined) return modelType;
  const className = config.texts('architectures')?.[0] ?? '';
  return typesByClass.get(plain(className.replace(/(?:For[A-Z]\w*|LMHeadModel|Model)$/, ''))) ?? '';
}

function plain(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase();
}
