/** Which layers of a decoder keep the tokens that it has read, all of them or those of a window, and how many numbers of each. */
import { withClassDefaults } from '../configs/architectures/decoderEntry.js';
import { layersWith, listedLayers } from '../configs/architectures/layerPattern.js';
import { mostLayers } from '../configs/architectures/sizes.js';
import type { TensorGroup } from '../configs/architectures/tensorGroup.js';
import type { CountedModel } from '../configs/countModel.js';
import type { Fields } from '../configs/fields.js';
import type { ServingSettings } from '../configs/servingSettings.js';
import { entryOf } from '../text/entryOf.js';
import { keptByTensors } from './groupedValues.js';
import { attentionsOf, type TokenValues, typeOf, valuesOfToken } from './tokenValues.js';

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

export interface KeptTokens extends KeptLayers {
  attention: TokenValues['attention'];
  /** Numbers of a token in all layers that keep all tokens, and in all that have a window. */
  full: number;
  windowed: number;
  /** Groups of heads that engines may keep on ranks of their own; null where these are not known. */
  groups: number | null;
  /** Tokens of the longest sequence that the model's own config sets. */
  longest: number | undefined;
}

/**
 * Null for models without such a cache, and where it does not follow from the config.
 * @param settings of a config that evaluates, generates or serves; undefined of others
 */
export function keptTokens(model: CountedModel, settings: ServingSettings | undefined): KeptTokens | null {
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
  const { attention, groups } = values;
  return { ...kept, attention, groups, full, windowed: kept.windowLayers * values.window, longest };
}

/** Types of which a part of the layers has attention of one kind: their tensors are as many as these. */
const countedHybrids: ReadonlySet<string> = new Set(['jamba', 'bamba', 'granitemoehybrid', 'nemotron_h', 'falcon_h1']);

function keptOfTensors({ groups }: CountedModel, layers: number | undefined, longest: number | undefined): KeptTokens | null {
  const kept = groups === null ? null : keptByTensors(groups);
  if (kept === null) return null;
  const stateLayers = layers === undefined ? 0 : Math.max(0, layers - kept.layers);
  const none = { windowLayers: 0, windowTokens: null, windowed: 0, groups: null };
  return { attention: 'grouped', fullLayers: kept.layers, stateLayers, full: kept.values, longest, ...none };
}

/** Configs that Stowage has of published decoders do not name their class. */
function isDecoder({ origin, groups }: CountedModel, fields: Fields): boolean {
  if (fields.flag('is_encoder_decoder') === true) return false;
  const names = (fields.texts('architectures') ?? []).join();
  if (names === '' && origin?.kind === 'published') return groups?.some(({ kind }) => kind === 'head') === true;
  return /ForCausalLM|LMHeadModel|ForConditionalGeneration/.test(names);
}

/** Layers by what they keep of a sequence. */
export interface KeptLayers {
  /** Layers that keep all tokens. */
  fullLayers: number;
  /** Layers that keep the last `windowTokens`. */
  windowLayers: number;
  windowTokens: number | null;
  /** Layers that keep a state of fixed size for each sequence in place of tokens; its bytes are not counted. */
  stateLayers: number;
}

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
  const type = typeOf(text);
  const hasWindows = windowEverywhere.has(type) || Object.hasOwn(fullEvery, type);
  return hasWindows && !text.has('sliding_window', 'attention_chunk_size');
}

/** Every so many layers one has attention, where the config has no list; the others keep a state of fixed size. */
const attentionEvery: Readonly<Record<string, number>> = { qwen3_next: 4, qwen3_5_text: 4, qwen3_5_moe_text: 4 };

/** Of hybrids with linear attention: the layers whose keys and values are kept; null of others. */
function layersWithAttention(config: Fields, layers: number): number | null {
  const marked = config.integers('attn_type_list') ?? [];
  if (marked.length > 0) return layersWith(layers, (layer) => marked[layer % marked.length] === 1);
  const every = config.integer('full_attention_interval') ?? entryOf(attentionEvery, typeOf(config)) ?? 0;
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
  const type = typeOf(config);
  const use = config.flag('use_sliding_window');
  if (window === 0 || use === false) return layers;
  // Qwen's classes have windows from this layer on.
  if (use === true) return Math.min(layers, config.integer('max_window_layers') ?? layers);
  const every = config.integer('sliding_window_pattern') ?? entryOf(fullEvery, type);
  if (every !== undefined && every > 0) return Math.floor(layers / every);
  return windowEverywhere.has(type) ? 0 : null;
}
