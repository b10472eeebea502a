import type { ComponentId } from '../tensors/component.js';

/** What training leaves besides weights, and what merged or published models do not have. */
export const stateOfTraining: readonly ComponentId[] = [
  'optimizer',
  'masterWeights',
  'gradScaler',
  'scheduler',
  'rng',
  'dataLoader',
  'trainerState',
];
