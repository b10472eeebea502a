/** Kinds of layers that a config lists: one for each layer, of those that transformers has (configuration_utils.py 5.24: validate_layer_type). */
import { memberOf } from '../formats/text/jsonMember.js';
import { formatCount } from '../text/units.js';
import { inWords, type RefusedSetting } from './refusedSetting.js';

/** The last four are older names of the others. */
const kinds: ReadonlySet<unknown> = new Set([
  ...['full_attention', 'sliding_attention', 'chunked_attention', 'window_attention', 'indexed_attention', 'conv', 'moe'],
  ...['compressed_sparse_attention', 'heavily_compressed_attention', 'minimax_m3_sparse', 'hybrid', 'hybrid_sliding'],
  ...['reference_sliding_attention', 'linear_attention'],
  ...['mamba', 'attention', 'deepseek_sparse_attention', 'qwen_sparse_attention'],
]);

/** Types whose classes make something else of the list. */
const otherTypes: ReadonlySet<unknown> = new Set(['deepseek_v4', 'dory', 'neomme', 'nemotron_h']);

/** Undefined where the list is as it should be, and where there is none. @param config of one model, with the number of its layers */
export function refusedLayers(config: unknown): RefusedSetting | undefined {
  const [listed, layers, type] = ['layer_types', 'num_hidden_layers', 'model_type'].map((key) => memberOf(config, key));
  if (!Array.isArray(listed) || typeof layers !== 'number' || otherTypes.has(type)) return undefined;
  const refused = (value: string, needed: string): RefusedSetting => ({ key: 'layer_types', value, needed, isCertain: true });
  const other: unknown = listed.find((kind) => !kinds.has(kind));
  if (other !== undefined) return refused(inWords(other), 'a kind of layer that transformers has');
  return listed.length === layers
    ? undefined
    : refused(`a list of ${formatCount(listed.length)}`, `one of ${formatCount(layers)} (num_hidden_layers)`);
}
