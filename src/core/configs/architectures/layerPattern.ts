import type { Fields } from '../fields.js';

/** How many of these layers are so. Callers have bounded their number. */
export function layersWith(layers: number, isSo: (layer: number) => boolean): number {
  let found = 0;
  for (let layer = 0; layer < layers; layer++) if (isSo(layer)) found += 1;
  return found;
}

/** Layers whose index leaves `offset` when divided by `period`; an offset of -1 is the last of each period. */
export function periodicLayers(layers: number, period: number, offset: number): number {
  if (!(period > 0)) return NaN;
  return layersWith(layers, (layer) => layer % period === (offset + period) % period);
}

/** Layers with experts by `mlp_layer_types`; without it all but the first ones. */
export function sparseLayers(config: Fields, layers: number, dense: number): number {
  const listed = listedLayers(config, layers, 'mlp_layer_types');
  return layersWith(layers, (layer) => (listed === null ? layer >= dense : listed[layer] !== 'dense'));
}

/**
 * What each layer is, from a list of the config; null without one. A list of another length than the model is repeated, so that "one more
 * layer" is answered too.
 */
export function listedLayers(config: Fields, layers: number, ...names: readonly string[]): string[] | null {
  const listed = config.texts(...names);
  if (listed === undefined || listed.length === 0) return null;
  return Array.from({ length: layers }, (_, layer) => listed[layer % listed.length] ?? '');
}
