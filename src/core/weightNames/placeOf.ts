/** Which tensor of transformers a tensor of another framework is. */
import { dialects } from './dialects/dialects.js';
import { placeInTransformers } from './dialects/transformers.js';
import { findInTable, placeOfFound } from './placeInTable.js';
import type { NameDialect, WeightPlace } from './weightPlace.js';
import { withoutWrappers } from './withoutWrappers.js';

/**
 * The names of transformers that a tensor holds, by the pattern of its own name (`patternOf`), so that equal tensors of all layers and
 * experts take one call. Null for a name that the dialect does not have, as buffers and what belongs to no decoder;
 * of transformers and FLAX every name is its own, if no other.
 * @param modelType `model_type` of the config, whose names are answered; without it those of Llama, or the ones that the framework is for
 */
export function placeOf(pattern: string, dialect: NameDialect, modelType?: string): WeightPlace | null {
  const name = withoutWrappers(pattern);
  if (dialect === 'transformers' || dialect === 'flax') return placeInTransformers(name, dialect, modelType);
  const table = dialects[dialect];
  const found = findInTable(table, name);
  return found === null ? null : placeOfFound(table, found, modelType);
}
