/** Which value of a config would fit the tensors: "the config has 32 layers, the weights have 30". */
import type { FittingValue } from '../../checkpoints/loadReport.js';
import { layerCounts, stackOf } from '../../configs/architectures/moduleNames.js';
import { expectedGroup } from './expectedTensors.js';
import type { ConfigTensors } from './readConfig.js';
import type { StoredGroup } from './storedForm.js';
import { isSameShape, type StoredPattern } from './storedPatterns.js';
import type { Target } from './targets.js';

/** Readings of the config that are tried; each takes some 100 µs. */
const MOST_READINGS = 400;

export interface Fitted {
  groups: readonly StoredGroup[];
  config: Pick<ConfigTensors, 'numbers' | 'implied' | 'switches'>;
  readWith: (path: readonly string[], value: number | boolean) => readonly StoredGroup[] | null;
  stored: ReadonlyMap<string, StoredPattern>;
  targets: ReadonlyMap<StoredPattern, Target>;
}

export interface Fits {
  /** Changes of single values after which most tensors fit, the likeliest first. Empty where no value of the config helps. */
  values: FittingValue[];
  /** After the change all tensors that the config asks for are there, each in its shape. */
  areWhole: boolean;
}

export function fittingValues({ groups, config, readWith, stored, targets }: Fitted): Fits {
  const found = byExpectedKey(stored, targets);
  const before = fittingTensors(groups, found);
  const tried: TriedValue[] = [];
  let readings = 0;
  for (const { path, own, value } of candidatesOf(config, groups, found)) {
    if (readings++ === MOST_READINGS) return best(tried);
    const others = readWith(path, value);
    if (others === null) continue;
    const score = fittingTensors(others, found);
    const isWhole = score === askedTensors(others, found);
    const isOfLayers = typeof own === 'number' && typeof value === 'number' && /layer/.test(path.at(-1) ?? '');
    if (isOfLayers && isPrediction(value - own, stored)) continue;
    // A setting that the file does not have, or has otherwise, is named only where it explains all.
    if (score > before && (isWhole || typeof own === 'number'))
      tried.push({ value: { key: path.join('.'), config: own, tensors: value }, score, isWhole });
  }
  return best(tried);
}

/** The projection of a layer that predicts a further token (arXiv 2412.19437), which stands behind those of the model and is none of them. */
const predictingLayer = /\.layers\.N\.eh_proj\.weight$/;

/** Whether as many layers more are those that predict. */
function isPrediction(more: number, stored: Fitted['stored']): boolean {
  return [...stored.values()].some(({ key, rows }) => predictingLayer.test(key) && rows.length === more);
}

interface TriedValue {
  value: FittingValue;
  score: number;
  isWhole: boolean;
}

interface Candidate {
  path: readonly string[];
  own: FittingValue['config'];
  value: FittingValue['tensors'];
}

function* candidatesOf(
  { numbers, implied, switches }: Fitted['config'],
  groups: readonly StoredGroup[],
  found: ReadonlyMap<string, FoundPattern>,
): Generator<Candidate> {
  for (const { path, value: own } of switches) for (const value of [true, false]) if (value !== own) yield { path, own, value };
  const patchesBeside = (path: readonly string[]): number | undefined =>
    path.at(-1) === 'image_size'
      ? numbers.find((one) => one.path.join() === [...path.slice(0, -1), 'patch_size'].join())?.value
      : undefined;
  for (const { path, value, isWritten } of implied)
    for (const candidate of candidatesFor({ value, patch: patchesBeside(path) }, groups, found))
      yield { path, own: isWritten ? value : null, value: candidate };
  for (const { path, value: own } of numbers)
    for (const value of candidatesFor({ value: own, patch: patchesBeside(path) }, groups, found)) yield { path, own, value };
}

/** Shapes of packed weights are not those of the weights: nothing follows from them. */
interface FoundPattern extends StoredPattern {
  isPacked: boolean;
}

/** What is there, by the keys that the config asks for. */
function byExpectedKey(
  stored: ReadonlyMap<string, StoredPattern>,
  targets: ReadonlyMap<StoredPattern, Target>,
): ReadonlyMap<string, FoundPattern> {
  const found = new Map<string, FoundPattern>();
  for (const pattern of stored.values()) {
    const target = targets.get(pattern);
    const isPacked = target?.kind === 'expected' && target.isPacked;
    found.set(target?.kind === 'expected' ? target.key : pattern.key, { ...pattern, isPacked });
  }
  return found;
}

/** Those of equal worth in the order of the config. */
function best(tried: readonly TriedValue[]): Fits {
  const top = tried.reduce((most, { score }) => Math.max(most, score), 0);
  const likeliest = tried.filter(({ score }) => score === top).slice(0, 3);
  return { values: likeliest.map(({ value }) => value), areWhole: likeliest[0]?.isWhole === true };
}

/** What `fittingTensors` comes to where all fit. */
function askedTensors(groups: readonly StoredGroup[], found: ReadonlyMap<string, FoundPattern>): number {
  return groups.reduce(
    (sum, group) => sum + (group.isTied === true && !found.has(expectedGroup(group).key) ? 0 : group.copies),
    0,
  );
}

/** Tensors whose pattern is there as often and in the shape that is asked for, less those that lack. */
function fittingTensors(groups: readonly StoredGroup[], found: ReadonlyMap<string, FoundPattern>): number {
  let fitting = 0;
  for (const group of groups) {
    const pattern = found.get(expectedGroup(group).key);
    if (pattern === undefined) fitting -= group.isTied === true ? 0 : group.copies;
    if (pattern === undefined) continue;
    if (!pattern.isPacked && !(pattern.isUniform && isSameShape(pattern.shape, group.shape))) continue;
    // A tensor too many or too few does not fit, so that the number of layers counts.
    const count = pattern.rows.length;
    fitting += Math.max(0, Math.min(count, group.copies) - Math.abs(count - group.copies));
  }
  return fitting;
}

interface Explained {
  value: number;
  /** Side of the patches that an image of this size has; undefined for another value. */
  patch: number | undefined;
}

/** Values that would explain a size or a number of layers, from what there is. */
function candidatesFor(
  { value, patch }: Explained,
  groups: readonly StoredGroup[],
  found: ReadonlyMap<string, FoundPattern>,
): Set<number> {
  const candidates = new Set<number>();
  const layers = layerCounts(groups);
  for (const group of groups) {
    const pattern = found.get(expectedGroup(group).key);
    if (pattern === undefined) continue;
    if (!pattern.isPacked && pattern.shape.length === group.shape.length)
      group.shape.forEach((size, axis) => {
        const stored = pattern.shape[axis] ?? size;
        const scaled = (stored * value) / size;
        if (stored === size) return;
        if (size % value === 0 && Number.isSafeInteger(scaled)) candidates.add(scaled);
        if (patch !== undefined) candidates.add(patch * sideOfPatches(stored - size + Math.floor(value / patch) ** 2));
        // Positions of some classes begin behind those of padding.
        else if (size > value && size - value <= MOST_OFFSET && stored > size - value) candidates.add(stored - (size - value));
      });
    const stack = stackOf(group.name);
    const there = (pattern.largest[0] ?? -1) + 1;
    if (stack !== null && layers.get(stack) === value && there > 0) candidates.add(there);
  }
  candidates.delete(value);
  candidates.delete(0);
  return candidates;
}

/** Rows of a table of positions that are none of the config's. */
const MOST_OFFSET = 2;

/** How many patches a square image has on a side; 0 where it is no square. */
function sideOfPatches(patches: number): number {
  const side = Math.round(Math.sqrt(Math.max(patches, 0)));
  return side ** 2 === patches ? side : 0;
}
