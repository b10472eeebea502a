import type { Fields } from '../fields.js';
import type { Architecture, ArchitectureReading } from './architecture.js';
import { audioFamilies } from './audioFamilies.js';
import { decoderFamilies } from './decoderFamilies.js';
import { encoderFamilies } from './encoderFamilies.js';
import { expertFamilies } from './expertFamilies.js';
import { hybridFamilies } from './hybridFamilies.js';
import { multimodalFamilies } from './multimodalFamilies.js';
import { visionFamilies } from './visionFamilies.js';

const architectures: readonly Architecture[] = [
  ...decoderFamilies,
  ...expertFamilies,
  ...hybridFamilies,
  ...encoderFamilies,
  ...visionFamilies,
  ...audioFamilies,
  ...multimodalFamilies,
];

/** The tensors of the model that a Hugging Face config describes; null where it has not even the sizes to guess from. */
export function readArchitecture(config: Fields): ArchitectureReading | null {
  const modelType = config.text('model_type') ?? '';
  const known = architectures.find(({ modelTypes }) => modelTypes.includes(modelType));
  const tensors = known?.tensors(config) ?? null;
  if (known === undefined || tensors === null) return null;
  return { tensors, name: known.name, modelType, basis: 'architecture', extras: [] };
}
