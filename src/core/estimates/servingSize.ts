/** What a model takes in memory while it serves: its weights, and keys and values of the tokens that it has read. */
import type { Fields } from '../configs/fields.js';
import type { CountedModel } from '../configs/countModel.js';
import { headNames, hiddenNames, layerNames, mostLayers } from '../configs/architectures/sizes.js';
import { layersWith, listedLayers } from '../configs/architectures/layerPattern.js';
import { withClassDefaults } from '../configs/architectures/decoderEntry.js';
import { precisionBytes } from '../configs/precision.js';
import { precisionOf } from '../configs/values/precisionNames.js';
import type { TensorGroup } from '../configs/architectures/tensorGroup.js';
import { entryOf } from '../text/entryOf.js';
import type { StoredModel } from '../configs/storage/storedModel.js';

export interface ServingSize {
  /** As the config's dtype or quantization has them; null where it sets neither. */
  weights: StoredModel | null;
  /** Null for models without such a cache, and where it does not follow from the config. */
  cache: TokenCache | null;
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
  /** Of one token that all layers keep, with the keys of an index where layers choose their tokens by one. */
  bytesPerToken: number;
  /** The longest sequence that the config sets; null where it sets none. */
  contextTokens: number | null;
  /** Of one sequence of that length. */
  bytes: number | null;
}

/** @param stored the weights as the config has them */
export function servingSize(model: CountedModel | null, stored: StoredModel | null): ServingSize | null {
  if (model?.fields == null) return null;
  return { weights: stored, cache: cacheOf(model.fields, indexOf(model.groups ?? [])) };
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
const otherCaches: ReadonlySet<string> = new Set(['dory', 'xlstm', 'openai-gpt', 'xlnet', 'dots3_note', 'dots3_note_text']);

/** Numbers of a token that indexes keep, over all layers that have one of their own (transformers, DynamicIndexedLayer in cache_utils.py). */
function indexOf(groups: readonly TensorGroup[]): number {
  return groups
    .filter(({ name }) => name.endsWith('.indexer.wk.weight'))
    .reduce((sum, { shape, copies }) => sum + copies * (shape[0] ?? 0), 0);
}

/** @param indexed numbers of a token that indexes keep */
function cacheOf(fields: Fields, indexed: number): TokenCache | null {
  const text = fields.firstOf(...languageParts) ?? fields;
  const config = withClassDefaults(text);
  const names = (fields.texts('architectures') ?? []).join();
  const isDecoder = /ForCausalLM|LMHeadModel|ForConditionalGeneration/.test(names) && fields.flag('is_encoder_decoder') !== true;
  if (!isDecoder || config.has(...hybridKeys, ...encoderKeys) || otherCaches.has(typeOf(config))) return null;
  const layers = attentionsOf(config);
  const values = valuesOfToken(config);
  // Not of the class's defaults: those are of its first model.
  const contextTokens = text.integer('max_position_embeddings', 'n_positions', 'max_sequence_length', 'seq_length') ?? null;
  const kept = layers === undefined || layers > mostLayers ? null : keptLayers(config, layers);
  if (values === null || kept === null) return null;
  const precision = precisionOf(fields.text('torch_dtype', 'dtype') ?? text.text('torch_dtype', 'dtype')) ?? 'bf16';
  const dtype = precision === 'f8' ? 'bf16' : precision;
  const size = precisionBytes[dtype];
  const full = kept.fullLayers * values.full + indexed;
  const windowed = kept.windowLayers * values.window;
  const bytesPerToken = size * (full + windowed);
  const inWindow = (tokens: number) => Math.min(tokens, kept.windowTokens ?? tokens);
  const bytes = contextTokens === null ? null : size * (full * contextTokens + windowed * inWindow(contextTokens));
  if (bytesPerToken === 0 || !Number.isSafeInteger(bytesPerToken) || (bytes !== null && !Number.isSafeInteger(bytes)))
    return null;
  return { attention: values.attention, dtype, ...kept, bytesPerToken, contextTokens, bytes };
}

function typeOf(config: Fields): string {
  return config.text('model_type') ?? '';
}

/** Attentions that keep tokens: one a layer, two of LongCat's; those of images keep none of text. */
function attentionsOf(config: Fields): number | undefined {
  const layers = config.integer(...layerNames);
  if (layers === undefined) return undefined;
  if (typeOf(config) === 'longcat_flash') return 2 * layers;
  return layers - (config.integers('cross_attention_layers')?.length ?? 0);
}

/** Numbers that a layer keeps of a token: one that keeps all tokens, and one with a window. */
interface TokenValues {
  full: number;
  window: number;
  attention: TokenCache['attention'];
}

function valuesOfToken(config: Fields): TokenValues | null {
  const rank = config.integer('kv_lora_rank');
  if (rank !== undefined && rank > 0) return latentValues(rank + (config.integer('qk_rope_head_dim') ?? 0));
  const hidden = config.integer(...hiddenNames);
  const heads = config.integer(...headNames);
  const shared = hidden === undefined || heads === undefined || heads === 0 ? undefined : Math.floor(hidden / heads);
  const headSize = config.integer(...headSizeNames(config)) ?? shared;
  const groups = groupsOf(config) ?? heads;
  if (headSize === undefined || groups === undefined) return null;
  const all = 2 * groups * headSize;
  switch (typeOf(config)) {
    case 'gemma4_text':
    case 'gemma4_unified_text':
      return { full: 2 * (globalGroups(config) ?? groups) * globalHeadSize(config), window: all, attention: 'grouped' };
    case 'mimo_v2_flash': {
      const full = groups * (headSize + (config.integer('v_head_dim') ?? headSize));
      // Twice the groups (modeling_mimo_v2_flash.py, MiMoV2FlashAttention).
      return { full, window: 2 * full, attention: 'grouped' };
    }
    default:
      return { full: all, window: all, attention: 'grouped' };
  }
}

function latentValues(count: number): TokenValues {
  return { full: count, window: count, attention: 'latent' };
}

/** JetMoE's is `kv_channels` (configuration_jetmoe.py, attribute_map), as of models with code of their own (ChatGLM, Qwen). */
function headSizeNames(config: Fields): readonly string[] {
  return typeOf(config) === 'jetmoe' ? ['kv_channels', 'head_dim'] : ['head_dim', 'kv_channels'];
}

function groupsOf(config: Fields): number | undefined {
  if (typeOf(config) === 'dbrx') return config.at('attn_config').integer('kv_n_heads') ?? 1;
  if (config.flag('multi_query') === true && config.flag('new_decoder_architecture') !== true) return 1;
  return config.integer('num_key_value_heads', 'num_kv_heads', 'multi_query_group_num');
}

/** Gemma 4's layers that keep all tokens have heads of their own (configuration_gemma4.py): by the keys of the first release, or layer by layer. */
function globalHeadSize(config: Fields): number {
  return config.integer('global_head_dim') ?? ofFirstLayer(config, 'head_dim') ?? 512;
}

function globalGroups(config: Fields): number | undefined {
  if (config.flag('attention_k_eq_v') !== true) return undefined;
  return config.integer('num_global_key_value_heads') ?? ofFirstLayer(config, 'num_key_value_heads');
}

/** Of the first layer that `per_layer_config` has. */
function ofFirstLayer(config: Fields, name: string): number | undefined {
  const perLayer = config.at('per_layer_config');
  const [first] = perLayer.keys;
  return first === undefined ? undefined : perLayer.at(first).integer(name);
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
function keptLayers(config: Fields, allLayers: number): KeptLayers | null {
  // The last of Gemma 3n read what earlier ones keep.
  const layers = Math.max(0, allLayers - (config.integer('num_kv_shared_layers') ?? 0));
  const window = config.integer('sliding_window', 'attention_chunk_size') ?? 0;
  const listed = config.has('layer_types') ? listedLayers(config, allLayers, 'layer_types') : null;
  const withAttention = listed === null ? layersWithAttention(config, layers) : null;
  if (withAttention !== null) return { fullLayers: withAttention, windowLayers: 0, windowTokens: null };
  const own = listed?.slice(0, layers) ?? null;
  const isKnown = own?.every((type) => keptKinds.has(type)) !== false;
  if (!isKnown) return null;
  const isFull = (type: string): boolean => type === 'full_attention' || type === 'indexed_attention';
  const fullLayers = own === null ? fullOf(config, layers, window) : own.filter(isFull).length;
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
