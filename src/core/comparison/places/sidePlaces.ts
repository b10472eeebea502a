/** What the tensors of one side hold, by the names of transformers. */
import { limits } from '../../bytes/limits.js';
import { canonicalName } from '../canonicalName.js';
import { dialectOf } from '../../weightNames/dialectOf.js';
import { placeOf } from '../../weightNames/placeOf.js';
import { renamedOnLoad } from '../../weightNames/renamedOnLoad.js';
import { rowPatterns, type RowPatterns } from '../../weightNames/rowPatterns.js';
import type { NameDialect, WeightPlace } from '../../weightNames/weightPlace.js';
import type { TensorTable } from '../../tensors/tensorTable.js';

export interface SidePlaces {
  table: TensorTable;
  rows: Uint32Array;
  dialect: NameDialect;
  patterns: RowPatterns;
  /** Of each pattern; null for what the dialect does not have. */
  places: readonly (WeightPlace | null)[];
}

/** Null for names of too many patterns, which are those of no framework. @param modelType `model_type` of a config of either side */
export function sidePlaces(table: TensorTable, rows: Uint32Array, modelType: string | undefined): SidePlaces | null {
  const patterns = rowPatterns(table, rows, limits.comparedPatterns);
  if (patterns === null) return null;
  const dialect = dialectOf(patterns.patterns) ?? 'transformers';
  const places = patterns.patterns.map((pattern) => comparablePlace(placeOf(pattern, dialect, modelType), modelType));
  return { table, rows, dialect, patterns, places };
}

/** With the names of the base model, as one side may be that, and those of what transformers merges on load; experts stay apart. */
function comparablePlace(place: WeightPlace | null, modelType: string | undefined): WeightPlace | null {
  if (place === null) return null;
  const names = place.names.map((name) => {
    const [merged = name] = modelType === undefined ? [] : renamedOnLoad(name, modelType);
    return canonicalName(numbersIn(merged) === numbersIn(name) ? merged : name);
  });
  return { ...place, names: [...new Set(names)] };
}

function numbersIn(pattern: string): number {
  return pattern.split('.').filter((segment) => segment === 'N').length;
}
