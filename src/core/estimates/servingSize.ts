/** What a model takes in memory while it serves: its weights, and keys and values of the tokens that it has read. */
import type { CountedModel } from '../configs/countModel.js';
import { precisionBytes } from '../configs/precision.js';
import type { ServingSettings } from '../configs/servingSettings.js';
import type { StoredModel } from '../configs/storage/storedModel.js';
import type { Precision } from '../configs/trainingPlan.js';
import { keptTokens, type KeptLayers } from './keptTokens.js';
import { servingDtype, servingWeights, type ServingWeights } from './servingWeights.js';
import type { TokenValues } from './tokenValues.js';

export interface ServingSize {
  /** As dtype or quantization have them; null where neither is set, and for methods that are not known. */
  weights: ServingWeights | null;
  /** Null for models without such a cache, and where it does not follow from the config. */
  cache: TokenCache | null;
  /** Sequences at once, at most; null where the config does not say, or trains. */
  sequences: number | null;
  /** The cache of as many sequences, each of `contextTokens`; null where one of both is not known. */
  cacheBytes: number | null;
}

/** Keys and values of one sequence. Engines add blocks that are not full, activations and their own buffers. */
export interface TokenCache extends KeptLayers {
  attention: TokenValues['attention'];
  /** Of a value. */
  dtype: string;
  /** How often tensor-parallel ranks keep each part of it between them; bytes are of one. */
  copies: number;
  /** Of one token that all layers keep, with the keys of an index where layers choose their tokens by one. */
  bytesPerToken: number;
  /** The longest sequence that the config sets, or else the model's own config; null where none does. */
  contextTokens: number | null;
  contextBasis: 'given' | 'model';
  /** Of one sequence of that length. */
  bytes: number | null;
}

/**
 * @param stored the weights as the model's own config has them
 * @param settings of a config that evaluates, generates or serves; undefined of others
 */
export function servingSize(
  model: CountedModel | null,
  stored: StoredModel | null,
  settings?: ServingSettings,
): ServingSize | null {
  if (model === null || (settings === undefined && model.fields === null)) return null;
  const cache = cacheOf(model, settings);
  const sequences = settings?.sequences ?? null;
  const cacheBytes = cache === null || cache.bytes === null || sequences === null ? null : cache.bytes * sequences;
  return {
    weights: servingWeights(model, stored, settings),
    cache,
    sequences,
    cacheBytes: cacheBytes !== null && Number.isSafeInteger(cacheBytes) ? cacheBytes : null,
  };
}

function cacheOf(model: CountedModel, settings: ServingSettings | undefined): TokenCache | null {
  if (settings?.cacheDtype === 'other') return null;
  const kept = keptTokens(model, settings);
  if (kept === null) return null;
  const { full, windowed, longest, groups, ...layers } = kept;
  const contextTokens = settings?.contextTokens ?? longest ?? null;
  const contextBasis = settings?.contextTokens === undefined ? 'model' : 'given';
  const dtype = settings?.cacheDtype ?? activationDtype(model, settings);
  const size = precisionBytes[dtype];
  const bytesPerToken = size * (full + windowed);
  const inWindow = (tokens: number) => Math.min(tokens, kept.windowTokens ?? tokens);
  const bytes = contextTokens === null ? null : size * (full * contextTokens + windowed * inWindow(contextTokens));
  if (bytesPerToken === 0 || !Number.isSafeInteger(bytesPerToken) || (bytes !== null && !Number.isSafeInteger(bytes)))
    return null;
  return { dtype, ...layers, copies: copiesOf(groups, settings?.ranks), bytesPerToken, contextTokens, contextBasis, bytes };
}

/** Groups are on several ranks where there are more ranks than groups. */
function copiesOf(groups: number | null, ranks = 1): number {
  return groups !== null && groups > 0 && ranks > groups && ranks % groups === 0 ? ranks / groups : 1;
}

/** What a model computes in: keys and values are kept in it unless an engine is asked for another dtype. */
function activationDtype(model: CountedModel, settings: ServingSettings = {}): Precision {
  const { dtype } = servingDtype(model, settings);
  return dtype === 'f8' ? 'bf16' : dtype;
}
