/** The parts of training state that bytes are counted under. Stable: they are keys in the JSON contract. */
export const componentIds = [
  'weights',
  'masterWeights',
  'optimizer',
  'gradients',
  'ema',
  'gradScaler',
  'scheduler',
  'rng',
  'dataLoader',
  'trainerState',
  'tokenizer',
  'config',
  'container',
  'unexplained',
] as const;

export type ComponentId = (typeof componentIds)[number];

/**
 * What a tensor is within its component. Only optimizer tensors are distinguished today: the first and the second moment each take a
 * term of the bytes-per-parameter sum.
 */
export const tensorParts = ['whole', 'firstMoment', 'secondMoment', 'otherState'] as const;

export type TensorPart = (typeof tensorParts)[number];
