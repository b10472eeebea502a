import type { Fields } from '../fields.js';

/** Whole numbers of a config by their keys; null where one is missing, or is something else than a size. */
export function readSizes<Key extends string>(config: Fields, keys: readonly Key[]): Record<Key, number> | null {
  const sizes: Partial<Record<Key, number>> = {};
  for (const key of keys) {
    const value = integerOf(config, key);
    if (value === null) return null;
    sizes[key] = value;
  }
  return hasAll(sizes, keys) ? sizes : null;
}

/** Null where the file has something else there than a size, so that nothing is counted with a class's default in its place. */
function integerOf(config: Fields, key: string): number | null {
  if (config.has(key) && !config.isNull(key)) return config.withDefaults({ [key]: null }).integer(key) ?? null;
  return config.integer(key) ?? null;
}

function hasAll<Key extends string>(sizes: Partial<Record<Key, number>>, keys: readonly Key[]): sizes is Record<Key, number> {
  return keys.every((key) => sizes[key] !== undefined);
}

/** Patches of an image along one side, and all of them. */
export function patchesOf(imageSize: number, patchSize: number): number {
  return Math.floor(imageSize / Math.max(patchSize, 1)) ** 2;
}

/** Sizes of an image or of its patches: one number, or height and width. */
export function sidesOf(config: Fields, key: string, fallback: number): readonly [number, number] {
  const sides = config.integers(key) ?? [];
  const [height = fallback, width = height] = sides.filter((side) => side >= 0 && side <= maximumSide);
  return [height, width];
}

const maximumSide = 2 ** 20;
