/** Where tensors of one key are: the numbers in their names, joined, and the modules around them. */
import { nameOf, type ExpectedGroup, type Place } from './expectedTensors.js';
import { placeAt, type StoredPattern } from './storedPatterns.js';

/** The first number of a place. */
export function layerOf(place: string): number {
  return Number.parseInt(place, 10);
}

/** Of all tensors of these patterns. */
export function placesIn(patterns: readonly StoredPattern[]): string[] {
  return patterns.flatMap((pattern) => pattern.rows.map((_, at) => placeAt(pattern, at)));
}

/** How many tensors these groups ask for. */
export function copiesOf(groups: readonly ExpectedGroup[]): number {
  return groups.reduce((sum, { copies }) => sum + copies, 0);
}

/** The name of the tensor of a key at a place. */
export function nameAt(key: string, place: string): string {
  const numbers: Place = place === '' ? [] : place.split(',').map(Number);
  return nameOf(key, numbers);
}

/** `a.b.` of `a.b.c`. */
export function moduleOf(key: string): string {
  return key.slice(0, key.lastIndexOf('.') + 1);
}

/** `a.b.` of `a.b.c.`; nothing of a name without a module around it. */
export function parentOf(module: string): string {
  const parent = module.slice(0, module.lastIndexOf('.', module.length - 2) + 1);
  return parent === '' ? module : parent;
}
