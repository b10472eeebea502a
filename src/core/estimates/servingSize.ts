/** What a model takes in memory while it serves: its weights, and keys and values of the tokens that it has read. */
import type { Fields } from '../configs/fields.js';
import type { CountedModel } from '../configs/countModel.js';
import { headNames, hiddenNames, layerNames, mostLayers } from '../configs/architectures/sizes.js';
import { layersWith, listedLayers } from '../configs/architectures/layerPattern.js';
import { withClassDefaults } from '../configs/architectures/decoderEntry.js';
import { precisionBytes } from '../configs/precision.js';
import { entryOf } from '../text/entryOf.js';
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
  /** `grouped`: keys and values of each group of heads; `latent`: what these are made of (DeepSeek-V2, arXiv 2405.04434, section 2.1). */
  attention: 'grouped' | 'latent';
  /** Of a value. */
  dtype: string;
  /** Layers that keep all tokens. */
  fullLayers: number;
  /** Layers that keep the last `windowTokens`. */
  windowLayers: number;
  windowTokens: number | null;
  /** Of one token that all layers keep. */
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

function cacheOf(model: CountedModel, settings: ServingSettings | undefined): TokenCache | null {
  const { fields } = model;
  if (fields === null) return null;
  const text = fields.firstOf(...languageParts) ?? fields;
  const config = withClassDefaults(text);
  if (!isDecoder(model, fields) || config.has(...hybridKeys, ...encoderKeys)) return null;
  const layers = config.integer(...layerNames);
  const values = valuesOfToken(config);
  // Not of the class's defaults: those are of its first model.
  const longest = text.integer('max_position_embeddings', 'n_positions', 'max_sequence_length', 'seq_length');
  const contextTokens = settings?.contextTokens ?? longest ?? null;
  const contextBasis = settings?.contextTokens === undefined ? 'model' : 'given';
  const isOpen = model.origin?.kind === 'published' && hasUnknownWindow(text);
  const kept = isOpen || layers === undefined || layers > mostLayers ? null : keptLayers(config, layers);
  if (values === null || kept === null) return null;
  const dtype = settings?.cacheDtype ?? activationDtype(model, settings);
  const bytesOfLayer = values.count * precisionBytes[dtype];
  const bytesPerToken = bytesOfLayer * (kept.fullLayers + kept.windowLayers);
  const bytes = contextTokens === null ? null : bytesOfLayer * keptTokens(kept, contextTokens);
  if (bytesPerToken === 0 || !Number.isSafeInteger(bytesPerToken) || (bytes !== null && !Number.isSafeInteger(bytes)))
    return null;
  return { attention: values.attention, dtype, ...kept, bytesPerToken, contextTokens, contextBasis, bytes };
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

/** Tokens of a sequence that layers keep, each counted once a layer. */
function keptTokens({ fullLayers, windowLayers, windowTokens }: KeptLayers, tokens: number): number {
  return fullLayers * tokens + windowLayers * Math.min(tokens, windowTokens ?? tokens);
}

/** Numbers that a layer keeps of a token. */
function valuesOfToken(config: Fields): { count: number; attention: TokenCache['attention'] } | null {
  const rank = config.integer('kv_lora_rank');
  if (rank !== undefined && rank > 0) return { count: rank + (config.integer('qk_rope_head_dim') ?? 0), attention: 'latent' };
  const hidden = config.integer(...hiddenNames);
  const heads = config.integer(...headNames);
  if (hidden === undefined || heads === undefined || heads === 0) return null;
  const headSize = config.integer('head_dim') ?? Math.floor(hidden / heads);
  const groups = config.integer('num_key_value_heads', 'num_kv_heads', 'multi_query_group_num') ?? heads;
  const isOne = config.flag('multi_query') === true && config.flag('new_decoder_architecture') !== true;
  return { count: 2 * (isOne ? 1 : groups) * headSize, attention: 'grouped' };
}

type KeptLayers = Pick<TokenCache, 'fullLayers' | 'windowLayers' | 'windowTokens'>;

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

/** By the list of layers' types, else as the class of the model gives windows to its layers; null where that is not known. */
function keptLayers(config: Fields, allLayers: number): KeptLayers | null {
  // The last of Gemma 3n read what earlier ones keep.
  const layers = Math.max(0, allLayers - (config.integer('num_kv_shared_layers') ?? 0));
  const window = config.integer('sliding_window', 'attention_chunk_size') ?? 0;
  const listed = config.has('layer_types') ? listedLayers(config, allLayers, 'layer_types') : null;
  const withAttention = listed === null ? layersWithAttention(config, layers) : null;
  if (withAttention !== null) return { fullLayers: withAttention, windowLayers: 0, windowTokens: null };
  const own = listed?.slice(0, layers) ?? null;
  const fullLayers = own === null ? fullOf(config, layers, window) : own.filter((type) => type === 'full_attention').length;
  if (fullLayers === null) return null;
  const hasWindow = (type: string): boolean => type === 'sliding_attention' || type === 'chunked_attention';
  const windowLayers = own === null ? layers - fullLayers : own.filter(hasWindow).length;
  if (windowLayers > 0 && window === 0) return null;
  return { fullLayers, windowLayers, windowTokens: windowLayers > 0 ? window : null };
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
