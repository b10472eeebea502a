import type { Fields } from '../fields.js';
import type { Architecture, ArchitectureReading } from './architecture.js';
import { audioFamilies } from './audioFamilies.js';
import { decoderFamilies } from './decoderFamilies.js';
import { encoderFamilies } from './encoderFamilies.js';
import { expertFamilies } from './expertFamilies.js';
import { hybridFamilies } from './hybridFamilies.js';
import { multimodalFamilies } from './multimodalFamilies.js';
import { countGroups, type ModelTensors } from './tensorGroup.js';
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

const byModelType = new Map(
  architectures.flatMap((architecture) => architecture.modelTypes.map((modelType) => [modelType, architecture] as const)),
);

/** The tensors of the model that a Hugging Face config describes; null where it has not even the sizes to guess from. */
export function readArchitecture(config: Fields): ArchitectureReading | null {
  const modelType = config.text('model_type') ?? '';
  const known = byModelType.get(modelType);
  const tensors = known?.tensors(config) ?? null;
  if (known === undefined || tensors === null || !isCountable(tensors)) return null;
  return { tensors, name: known.name, modelType, basis: 'architecture', extras: [] };
}

/** Whether all groups are whole, positive numbers whose sum is exact. Sizes that are none (texts, negative ones) have become NaN. */
function isCountable({ groups }: ModelTensors): boolean {
  return (
    groups.length > 0 &&
    groups.every(({ shape, copies }) => shape.every(isCount) && isCount(copies)) &&
    countGroups(groups) !== undefined
  );
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}
