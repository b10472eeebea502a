/**
 * Names that transformers 5.24 takes for others when it loads a checkpoint (transformers/conversion_mapping.py): those of older releases, of the
 * code that a model was published with, and of what is stored in several tensors and loaded into one.
 */
import { decoderRenames } from './decoderRenames.js';
import { encoderRenames } from './encoderRenames.js';
import { renamesOf, type LoadRenames } from './loadRenames.js';
import { multimodalRenames } from './multimodalRenames.js';
import type { Rename } from './rename.js';

/** Of every type, after its own. */
export const legacyRenames: readonly Rename[] = renamesOf({
  'LayerNorm.gamma': 'LayerNorm.weight',
  'LayerNorm.beta': 'LayerNorm.bias',
  '.weight_g': '.parametrizations.weight.original0',
  '.weight_v': '.parametrizations.weight.original1',
  '^model.language_model.model': 'model.language_model',
  '^language_model.model.model': 'model.language_model',
});

/** What differs from the names of the loaded model, by `model_type`. */
export const renamesOfType: ReadonlyMap<string, LoadRenames> = new Map(
  [...decoderRenames, ...multimodalRenames, ...encoderRenames].flatMap(([modelTypes, renames]) =>
    modelTypes.map((modelType) => [modelType, renames] as const),
  ),
);
