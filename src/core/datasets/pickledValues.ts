/** Values of samples that an index declares to be pickles. */
import { limits } from '../bytes/limits.js';
import type { DatasetAccess } from './datasetLayout.js';

/**
 * One finding for all columns of an index.
 * @param path of the index
 * @param columns names of pickled ones; those of several shards may be the same
 */
export function notePickledValues(path: string, columns: readonly string[], access: DatasetAccess): void {
  if (columns.length === 0) return;
  const names = [...new Set(columns)];
  access.finding({ code: 'values-pickled', path, facts: { names: names.slice(0, limits.pickleCalls).join(', ') } });
  access.notDone('the imports of pickled values in samples');
}
