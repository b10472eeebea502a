/** The tensors of one model against a config.json. */
import type { TensorTable } from '../../tensors/tensorTable.js';
import type { ArchitectureReading } from '../../configs/architectures/architecture.js';
import { compareTensors, type TensorDifferences } from './compareTensors.js';
import { ExpectedTensors } from './expectedTensors.js';
import { isObject, readConfig, type ConfigTensors } from './readConfig.js';
import { inStoredForm, type StoredGroup } from './storedForm.js';
import { storedPatterns } from './storedPatterns.js';
import { targetsOf } from './targets.js';

export interface CheckedTensors {
  config: ConfigTensors;
  differences: TensorDifferences;
}

/**
 * What transformers finds missing, unexpected and of another shape; null where the config is of no architecture that is known.
 * @param rows of one model, no name twice
 */
export function checkTensors(table: TensorTable, rows: Iterable<number>, config: unknown): CheckedTensors | null {
  const read = isObject(config) ? readConfig(config) : null;
  if (read === null || read.reading.basis !== 'architecture') return null;
  const stored = storedPatterns(table, rows);
  const inForm = ({ tensors, modelType }: ArchitectureReading): readonly StoredGroup[] =>
    inStoredForm(tensors.groups, modelType, (key) => stored.get(key)?.shape);
  const readWith = (path: readonly string[], value: number): readonly StoredGroup[] | null => {
    const other = read.readWith(path, value);
    return other === null ? null : inForm(other);
  };
  const expected = new ExpectedTensors(inForm(read.reading), readWith, read.numbers);
  const targetOf = targetsOf(table, expected.byKey.keys(), {
    hasKey: (key) => expected.byKey.has(key),
    renamedOnLoad: () => undefined,
    isLeftOut: () => false,
  });
  return { config: read, differences: compareTensors({ table, expected, stored, targetOf }) };
}
