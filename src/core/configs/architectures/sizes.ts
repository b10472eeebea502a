import type { Fields } from '../fields.js';

/** Layers that a model may have; patterns of layers are walked one by one. The deepest published have some hundred. */
export const mostLayers = 10_000;

/**
 * A size of a config; undefined where no name of it has one, and NaN where the file has something else there than a size, so that nothing
 * is counted with a class's default in its place.
 */
export function size(config: Fields, ...names: readonly string[]): number | undefined {
  const own = config.withDefaults(Object.fromEntries(names.map((name) => [name, null]))).integer(...names);
  if (own !== undefined) return own;
  const isWritten = names.some((name) => config.has(name) && !config.isNull(name));
  return isWritten ? NaN : config.integer(...names);
}

/** A size, or what the model's class takes without one. */
export function sizeOr(config: Fields, fallback: number, ...names: readonly string[]): number {
  return size(config, ...names) ?? fallback;
}

/** A size that some configs have once for each layer; NaN where layers differ. */
export function sizeOfEach(config: Fields, fallback: number, ...names: readonly string[]): number {
  const [first, second, ...others] = config.integers(...names) ?? [];
  if (first === undefined || second === undefined) return sizeOr(config, fallback, ...names);
  return first >= 0 && first === second && others.every((other) => other === first) ? first : NaN;
}

export function flagOr(config: Fields, fallback: boolean, ...names: readonly string[]): boolean {
  return config.flag(...names) ?? fallback;
}

/** Whether the config says yes; no without it. */
export function isOn(config: Fields, ...names: readonly string[]): boolean {
  return flagOr(config, false, ...names);
}

/** What all decoders have, by the names that it goes by. */
export interface DecoderSizes {
  vocabulary: number;
  hidden: number;
  layers: number;
  heads: number;
  keyValueHeads: number;
  headSize: number;
  /** Of the feed-forward part. */
  width: number;
}

export const hiddenNames = ['hidden_size', 'n_embd', 'n_embed', 'd_model'] as const;
export const layerNames = ['num_hidden_layers', 'n_layer', 'n_layers', 'num_layers'] as const;
export const headNames = ['num_attention_heads', 'n_head', 'n_heads', 'num_heads', 'attention_heads'] as const;

/** The sizes of a decoder; null where one is missing or absurd. */
export function decoderSizes(config: Fields, layersElsewhere?: number): DecoderSizes | null {
  const vocabulary = size(config, 'vocab_size', 'padded_vocab_size');
  const hidden = size(config, ...hiddenNames);
  const layers = layersElsewhere ?? size(config, ...layerNames);
  // Models without attention (Mamba) have no heads.
  const heads = sizeOr(config, 1, ...headNames);
  if (vocabulary === undefined || hidden === undefined || layers === undefined) return null;
  if (!(vocabulary > 0) || !(hidden > 0) || !(heads > 0) || !(layers <= mostLayers)) return null;
  return {
    vocabulary,
    hidden,
    layers,
    heads,
    keyValueHeads: sizeOr(config, heads, 'num_key_value_heads'),
    headSize: sizeOr(config, Math.floor(hidden / heads), 'head_dim'),
    width: sizeOfEach(config, 4 * hidden, 'intermediate_size', 'n_inner', 'ffn_dim'),
  };
}
