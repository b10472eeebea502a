/**
 * The tensors that a config asks for, under the names of transformers, against a file with the names of another framework. A tensor of it may
 * hold several, one after the other or stacked, and matrices may be turned: sizes are compared without their order.
 */
import { limits } from '../../bytes/limits.js';
import type { TensorGroup } from '../../configs/architectures/tensorGroup.js';
import { placeOf } from '../../weightNames/placeOf.js';
import type { NameDialect, WeightPlace } from '../../weightNames/weightPlace.js';
import { noDifferences, type TensorDifferences } from '../tensors/tensorDifferences.js';
import { patternOf, type StoredPattern } from '../tensors/storedPatterns.js';

export interface ComparedDialect {
  differences: TensorDifferences;
  /** Tensors of which it is not known what transformers calls them. */
  unnamed: number;
}

interface Wanted {
  group: TensorGroup;
  /** How many of its tensors are there. */
  there: number;
}

export function compareDialect(
  groups: readonly TensorGroup[],
  stored: ReadonlyMap<string, StoredPattern>,
  dialect: NameDialect,
  modelType: string,
): ComparedDialect {
  const wanted = new Map<string, Wanted>();
  for (const group of groups) wanted.set(patternOf(group.name).key, { group, there: 0 });
  const differences = noDifferences();
  let unnamed = 0;
  for (const pattern of stored.values()) {
    const place = placeOf(pattern.key, dialect, modelType);
    if (place === null) {
      unnamed += pattern.rows.length;
      continue;
    }
    differences.counts.found += pattern.rows.length;
    const held = place.names.map((name) => wanted.get(patternOf(name).key));
    if (held.every((one) => one === undefined)) addUnexpected(differences, pattern);
    for (const one of held) if (one !== undefined) one.there += pattern.rows.length * stackedIn(place, pattern, one.group);
    const [only] = held;
    if (held.length === 1 && only !== undefined && !isOfSizes(place, pattern, only.group))
      addMismatched(differences, pattern, only);
  }
  for (const [name, { group, there }] of wanted) {
    if (group.isTied === true) continue;
    differences.counts.expected += group.copies;
    const lacking = group.copies - there;
    if (lacking > 0) addMissing(differences, name, group, lacking);
    if (lacking < 0) differences.counts.unexpected -= lacking;
  }
  return { differences, unnamed };
}

/** Layers and experts that one tensor holds. */
function stackedIn(
  { isStackedLayers, isStackedExperts, layerAxis = 0 }: WeightPlace,
  { shape }: StoredPattern,
  group: TensorGroup,
): number {
  const layers = isStackedLayers === true ? (shape[layerAxis] ?? 1) : 1;
  if (isStackedExperts !== true) return layers;
  const own = group.shape.reduce((product, size) => product * size, 1);
  const all = shape.reduce((product, size) => product * size, 1);
  return Math.max(1, Math.round(all / own));
}

/** Whether the sizes are those of the config in any order; of stacked tensors their product, which `stackedIn` has. */
function isOfSizes(
  { isStackedLayers, isStackedExperts }: WeightPlace,
  { shape, isUniform }: StoredPattern,
  group: TensorGroup,
): boolean {
  if (!isUniform) return false;
  if (isStackedLayers === true || isStackedExperts === true) return true;
  const sorted = (sizes: readonly number[]): string =>
    sizes
      .filter((size) => size !== 1)
      .sort((a, b) => a - b)
      .join();
  return sorted(shape) === sorted(group.shape);
}

function addUnexpected({ counts, unexpected }: TensorDifferences, { key, rows, shape }: StoredPattern): void {
  counts.unexpected += rows.length;
  if (unexpected.length < limits.loadDifferences) unexpected.push({ name: key, shape: [...shape] });
}

function addMissing({ counts, missing }: TensorDifferences, name: string, { shape }: TensorGroup, lacking: number): void {
  counts.missing += lacking;
  if (missing.length < limits.loadDifferences) missing.push({ name, shape: [...shape] });
}

function addMismatched({ counts, mismatched }: TensorDifferences, { key, rows, shape }: StoredPattern, { group }: Wanted): void {
  counts.mismatched += rows.length;
  if (mismatched.length < limits.loadDifferences) mismatched.push({ name: key, expected: [...group.shape], found: [...shape] });
}
