/** Which value of a config would fit the tensors: "the config has 32 layers, the weights have 30". */
import type { FittingValue } from '../../checkpoints/loadReport.js';
import { layerCounts, stackOf } from '../../configs/architectures/moduleNames.js';
import type { TensorGroup } from '../../configs/architectures/tensorGroup.js';
import { expectedGroup } from './expectedTensors.js';
import type { ConfigTensors } from './readConfig.js';
import type { StoredPattern } from './storedPatterns.js';

/** Readings of the config that are tried; each takes some 100 µs. */
const MOST_READINGS = 400;

export interface Fitted {
  config: ConfigTensors;
  /** The tensors that the config asks for, in the form of the file. */
  groupsOf: (groups: readonly TensorGroup[]) => readonly TensorGroup[];
  /** What is there, by the keys that the config asks for. */
  stored: ReadonlyMap<string, StoredPattern>;
}

/** Changes of single values after which more tensors fit, the one with most first. Empty where no value of the config helps. */
export function fittingValues({ config, groupsOf, stored }: Fitted): FittingValue[] {
  const groups = groupsOf(config.reading.tensors.groups);
  const before = fittingTensors(groups, stored);
  const tried: { value: FittingValue; score: number }[] = [];
  let readings = 0;
  for (const { path, value } of config.numbers)
    for (const candidate of candidatesFor(value, groups, stored)) {
      if (readings++ === MOST_READINGS) return best(tried);
      const reading = config.readWith(path, candidate);
      const score = reading?.basis === 'architecture' ? fittingTensors(groupsOf(reading.tensors.groups), stored) : 0;
      if (score > before) tried.push({ value: { key: path.join('.'), config: value, tensors: candidate }, score });
    }
  return best(tried);
}

/** The best of each key that decides, those of equal worth by their order in the config. */
function best(tried: readonly { value: FittingValue; score: number }[]): FittingValue[] {
  const top = tried.reduce((most, { score }) => Math.max(most, score), 0);
  return tried
    .filter(({ score }) => score === top)
    .map(({ value }) => value)
    .slice(0, 3);
}

/** Tensors whose pattern is there as often and in the shape that is asked for. */
function fittingTensors(groups: readonly TensorGroup[], stored: ReadonlyMap<string, StoredPattern>): number {
  let fitting = 0;
  for (const group of groups) {
    const pattern = stored.get(expectedGroup(group).key);
    if (pattern === undefined || !pattern.isUniform || pattern.shape.join() !== group.shape.join()) continue;
    // A tensor too many or too few does not fit, so that the number of layers counts.
    fitting += Math.max(0, Math.min(pattern.rows.length, group.copies) - Math.abs(pattern.rows.length - group.copies));
  }
  return fitting;
}

/** Values that would explain a size or a number of layers, from what there is. */
function candidatesFor(value: number, groups: readonly TensorGroup[], stored: ReadonlyMap<string, StoredPattern>): Set<number> {
  const candidates = new Set<number>();
  const layers = layerCounts(groups);
  for (const group of groups) {
    const pattern = stored.get(expectedGroup(group).key);
    if (pattern === undefined) continue;
    group.shape.forEach((size, axis) => {
      const found = pattern.shape[axis];
      if (found === undefined || found === size || pattern.shape.length !== group.shape.length) return;
      if (size % value === 0 && Number.isSafeInteger((found * value) / size)) candidates.add((found * value) / size);
    });
    const stack = stackOf(group.name);
    const found = (pattern.largest[0] ?? -1) + 1;
    if (stack !== null && layers.get(stack) === value && found > 0 && found !== value) candidates.add(found);
  }
  candidates.delete(value);
  candidates.delete(0);
  return candidates;
}
