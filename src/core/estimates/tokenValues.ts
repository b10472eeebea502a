/** What a layer of a decoder keeps of each token that it has read: the sizes of its keys and values, by the names that configs have for them. */
import type { Fields } from '../configs/fields.js';
import { headNames, hiddenNames, layerNames } from '../configs/architectures/sizes.js';

/** `model_type`. */
export function typeOf(config: Fields): string {
  return config.text('model_type') ?? '';
}

/** Attentions that keep tokens: one a layer, two of LongCat's; those of images keep none of text. */
export function attentionsOf(config: Fields): number | undefined {
  const layers = config.integer(...layerNames);
  if (layers === undefined) return undefined;
  if (typeOf(config) === 'longcat_flash') return 2 * layers;
  return layers - (config.integers('cross_attention_layers')?.length ?? 0);
}

/** Numbers that a layer keeps of a token: one that keeps all tokens, and one with a window. */
export interface TokenValues {
  full: number;
  window: number;
  /** `grouped`: keys and values of each group of heads; `latent`: what these are made of (DeepSeek-V2, arXiv 2405.04434, section 2.1). */
  attention: 'grouped' | 'latent';
  /** Groups of heads that engines may keep on ranks of their own; what is latent is one. */
  groups: number;
}

/** By the config with its class's defaults; null where a size is missing. */
export function valuesOfToken(config: Fields): TokenValues | null {
  const rank = config.integer('kv_lora_rank');
  if (rank !== undefined && rank > 0) return latentValues(rank + (config.integer('qk_rope_head_dim') ?? 0));
  const hidden = config.integer(...hiddenNames);
  const heads = config.integer(...headNames);
  const shared = hidden === undefined || heads === undefined || heads === 0 ? undefined : Math.floor(hidden / heads);
  const headSize = config.integer(...headSizeNames(config)) ?? shared;
  const groups = groupsOf(config) ?? heads;
  if (headSize === undefined || groups === undefined) return null;
  const all = 2 * groups * headSize;
  const grouped = { attention: 'grouped' as const, groups };
  switch (typeOf(config)) {
    case 'gemma4_text':
    case 'gemma4_unified_text':
      return { full: 2 * (globalGroups(config) ?? groups) * globalHeadSize(config), window: all, ...grouped };
    case 'mimo_v2_flash': {
      const full = groups * (headSize + (config.integer('v_head_dim') ?? headSize));
      // Twice the groups (modeling_mimo_v2_flash.py, MiMoV2FlashAttention).
      return { full, window: 2 * full, ...grouped };
    }
    default:
      return { full: all, window: all, ...grouped };
  }
}

function latentValues(count: number): TokenValues {
  return { full: count, window: count, attention: 'latent', groups: 1 };
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
