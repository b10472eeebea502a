/** What a model takes in memory while it serves: its weights, and keys and values of the tokens that it has read. */
import type { Fields } from '../configs/fields.js';
import type { CountedModel } from '../configs/countModel.js';
import { mostLayers } from '../configs/architectures/sizes.js';
import { keptByTensors } from './groupedValues.js';
import { layersWith, listedLayers } from '../configs/architectures/layerPattern.js';
import { withClassDefaults } from '../configs/architectures/decoderEntry.js';
import { precisionBytes } from '../configs/precision.js';
import type { TensorGroup } from '../configs/architectures/tensorGroup.js';
import { entryOf } from '../text/entryOf.js';
import { attentionsOf, type TokenValues, typeOf, valuesOfToken } from './tokenValues.js';
import type { ServingSettings } from '../configs/servingSettings.js';
import type { StoredModel } from '../configs/storage/storedModel.js';
import type { Precision } from '../configs/trainingPlan.js';
import { servingDtype, servingWeights, type ServingWeights } from './servingWeights.js';

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
export interface TokenCache {
  attention: TokenValues['attention'];
  /** Of a value. */
  dtype: string;
  /** Layers that keep all tokens. */
  fullLayers: number;
  /** Layers that keep the last `windowTokens`. */
  windowLayers: number;
  windowTokens: number | null;
  /** Layers that keep a state of fixed size for each sequence in place of tokens; its bytes are not counted. */
  stateLayers: number;
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

const languageParts = ['text_config', 'llm_config', 'language_config'] as const;
/** Keys of layers that keep a state of fixed size, where no list says which. */
const hybridKeys = [
  'attn_layer_period',
  'hybrid_override_pattern',
  'ssm_cfg',
  'layers_block_type',
  'mamba_d_state',
  'state_size',
  'ssm_state_size',
  'block_types',
];

/** Of encoders with decoders: the caches of both attentions of the decoder do not follow from the keys of decoders alone. */
const encoderKeys = ['d_kv', 'num_decoder_layers', 'decoder_layers', 'encoder_layers', 'num_encoder_layers'];

/** Types whose layers are passed several times, keep sums in place of tokens, or nothing (transformers, their modeling files), and those whose windows have another rank. */
const otherCaches: ReadonlySet<string> = new Set([
  'dory',
  'xlstm',
  'openai-gpt',
  'xlnet',
  'dots3_note',
  'dots3_note_text',
  'zamba',
  'zamba2',
]);

/** Numbers of a token that indexes keep, over all layers that have one of their own (transformers, DynamicIndexedLayer in cache_utils.py). */
function indexOf(groups: readonly TensorGroup[]): number {
  return groups
    .filter(({ name }) => name.endsWith('.indexer.wk.weight'))
    .reduce((sum, { shape, copies }) => sum + copies * (shape[0] ?? 0), 0);
}

function cacheOf(model: CountedModel, settings: ServingSettings | undefined): TokenCache | null {
  if (settings?.cacheDtype === 'other') return null;
  const kept = keptOf(model, settings);
  if (kept === null) return null;
  const { full, windowed, longest, ...layers } = kept;
  const contextTokens = settings?.contextTokens ?? longest ?? null;
  const contextBasis = settings?.contextTokens === undefined ? 'model' : 'given';
  const dtype = settings?.cacheDtype ?? activationDtype(model, settings);
  const size = precisionBytes[dtype];
  const bytesPerToken = size * (full + windowed);
  const inWindow = (tokens: number) => Math.min(tokens, kept.windowTokens ?? tokens);
  const bytes = contextTokens === null ? null : size * (full * contextTokens + windowed * inWindow(contextTokens));
  if (bytesPerToken === 0 || !Number.isSafeInteger(bytesPerToken) || (bytes !== null && !Number.isSafeInteger(bytes)))
    return null;
  return { dtype, ...layers, bytesPerToken, contextTokens, contextBasis, bytes };
}

/** Layers, and numbers of a token that those which keep all tokens and those with a window have together. */
type Kept = KeptLayers & Pick<TokenCache, 'attention'> & { full: number; windowed: number; longest: number | undefined };

function keptOf(model: CountedModel, settings: ServingSettings | undefined): Kept | null {
  const { fields } = model;
  // Sizes of another framework, which a training config alone does not serve.
  if (fields === null) return settings === undefined ? null : keptOfTensors(model, undefined, undefined);
  const text = fields.firstOf(...languageParts) ?? fields;
  const config = withClassDefaults(text);
  const type = typeOf(config);
  if (!isDecoder(model, fields) || config.has(...encoderKeys) || otherCaches.has(type)) return null;
  const layers = attentionsOf(config);
  // Not of the class's defaults: those are of its first model.
  const longest = text.integer('max_position_embeddings', 'n_positions', 'max_sequence_length', 'seq_length');
  if (countedHybrids.has(type)) return keptOfTensors(model, layers, longest);
  if (config.has(...hybridKeys)) return null;
  const values = valuesOfToken(config);
  const isOpen = model.origin?.kind === 'published' && hasUnknownWindow(text);
  const kept = isOpen || layers === undefined || layers > mostLayers ? null : keptLayers(config, layers, settings);
  if (values === null || kept === null) return null;
  const full = kept.fullLayers * values.full + indexOf(model.groups ?? []);
  return { ...kept, attention: values.attention, full, windowed: kept.windowLayers * values.window, longest };
}

/** Types of which a part of the layers has attention of one kind: their tensors are as many as these. */
const countedHybrids: ReadonlySet<string> = new Set(['jamba', 'bamba', 'granitemoehybrid', 'nemotron_h', 'falcon_h1']);

function keptOfTensors({ groups }: CountedModel, layers: number | undefined, longest: number | undefined): Kept | null {
  const kept = groups === null ? null : keptByTensors(groups);
  if (kept === null) return null;
  const stateLayers = layers === undefined ? 0 : Math.max(0, layers - kept.layers);
  const none = { windowLayers: 0, windowTokens: null, windowed: 0 };
  return { attention: 'grouped', fullLayers: kept.layers, stateLayers, full: kept.values, longest, ...none };
}

/** Configs that Stowage has of published decoders do not name their class. */
function isDecoder({ origin, groups }: CountedModel, fields: Fields): boolean {
  if (fields.flag('is_encoder_decoder') === true) return false;
  const names = (fields.texts('architectures') ?? []).join();
  if (names === '' && origin?.kind === 'published') return groups?.some(({ kind }) => kind === 'head') === true;
  return /ForCausalLM|LMHeadModel|ForConditionalGeneration/.test(names);
}

/** What a model computes in: keys and values are kept in it unless an engine is asked for another dtype. */
function activationDtype(model: CountedModel, settings: ServingSettings = {}): Precision {
  const { dtype } = servingDtype(model, settings);
  return dtype === 'f8' ? 'bf16' : dtype;
}

type KeptLayers = Pick<TokenCache, 'fullLayers' | 'windowLayers' | 'windowTokens' | 'stateLayers'>;

/** Every so many layers one keeps all tokens, where the config has no list (transformers, `layer_types` of each configuration class). */
const fullEvery: Readonly<Record<string, number>> = {
  gemma2: 2,
  gemma3: 6,
  gemma3_text: 6,
  gemma3n_text: 5,
  cohere2: 4,
  gpt_oss: 2,
  llama4_text: 4,
  olmo3: 4,
};
/** All layers have the window. */
const windowEverywhere = new Set(['mistral', 'mixtral', 'phi3', 'phimoe', 'starcoder2']);

/** A type whose layers have windows, in a config of published sizes without one: how long they are is not known. */
function hasUnknownWindow(text: Fields): boolean {
  const type = text.text('model_type') ?? '';
  const hasWindows = windowEverywhere.has(type) || Object.hasOwn(fullEvery, type);
  return hasWindows && !text.has('sliding_window', 'attention_chunk_size');
}

/** Every so many layers one has attention, where the config has no list; the others keep a state of fixed size. */
const attentionEvery: Readonly<Record<string, number>> = { qwen3_next: 4, qwen3_5_text: 4, qwen3_5_moe_text: 4 };

/** Of hybrids with linear attention: the layers whose keys and values are kept; null of others. */
function layersWithAttention(config: Fields, layers: number): number | null {
  const marked = config.integers('attn_type_list') ?? [];
  if (marked.length > 0) return layersWith(layers, (layer) => marked[layer % marked.length] === 1);
  const every = config.integer('full_attention_interval') ?? entryOf(attentionEvery, config.text('model_type') ?? '') ?? 0;
  return every > 0 ? Math.floor(layers / every) : null;
}

/** Types of layers of which is known what they keep; the last ones keep a state of fixed size. */
const keptKinds: ReadonlySet<string> = new Set([
  ...['full_attention', 'indexed_attention', 'sliding_attention', 'chunked_attention'],
  ...['linear_attention', 'conv', 'mamba', 'recurrent'],
]);

/** By the list of layers' types, else as the class of the model gives windows to its layers; null where that is not known. */
function keptLayers(config: Fields, allLayers: number, settings: ServingSettings | undefined): KeptLayers | null {
  // The last of Gemma 3n read what earlier ones keep.
  const layers = Math.max(0, allLayers - (config.integer('num_kv_shared_layers') ?? 0));
  const window = config.integer('sliding_window', 'attention_chunk_size') ?? 0;
  const listed = config.has('layer_types') ? listedLayers(config, allLayers, 'layer_types') : null;
  const withAttention = listed === null ? layersWithAttention(config, layers) : null;
  if (withAttention !== null)
    return { fullLayers: withAttention, windowLayers: 0, windowTokens: null, stateLayers: layers - withAttention };
  const own = listed?.slice(0, layers) ?? null;
  const isKnown = own?.every((type) => keptKinds.has(type)) !== false;
  if (!isKnown) return null;
  const isFull = (type: string): boolean => type === 'full_attention' || type === 'indexed_attention';
  const fullLayers = own === null ? fullOf(config, layers, window) : own.filter(isFull).length;
  if (fullLayers === null) return null;
  const hasWindow = (type: string): boolean => type === 'sliding_attention' || type === 'chunked_attention';
  const windowLayers = own === null ? layers - fullLayers : own.filter(hasWindow).length;
  if (windowLayers > 0 && window === 0) return null;
  const stateLayers = own === null ? 0 : layers - fullLayers - windowLayers;
  if (settings?.ignoresWindows === true)
    return { fullLayers: fullLayers + windowLayers, windowLayers: 0, windowTokens: null, stateLayers };
  return { fullLayers, windowLayers, windowTokens: windowLayers > 0 ? window : null, stateLayers };
}

/** Layers that keep all tokens, without a list. */
function fullOf(config: Fields, layers: number, window: number): number | null {
  const type = config.text('model_type') ?? '';
  const use = config.flag('use_sliding_window');
  if (window === 0 || use === false) return layers;
  // Qwen's classes have windows from this layer on.
  if (use === true) return Math.min(layers, config.integer('max_window_layers') ?? layers);
  const every = config.integer('sliding_window_pattern') ?? entryOf(fullEvery, type);
  if (every !== undefined && every > 0) return Math.floor(layers / every);
  return windowEverywhere.has(type) ? 0 : null;
}
