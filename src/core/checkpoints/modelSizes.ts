/** What parallel ranks divide of a model, as the configs beside its weights state it. */
import { memberOf } from '../formats/text/jsonMember.js';
import type { ModelSizes } from './checkpointReport.js';

/** Names by which architectures of transformers, and Meta's own, call each. */
const headKeys = ['num_attention_heads', 'n_head', 'n_heads', 'num_heads', 'attention_heads'];
const groupKeys = ['num_key_value_heads', 'n_kv_heads', 'num_kv_heads', 'multi_query_group_num'];
const layerKeys = ['num_hidden_layers', 'n_layer', 'n_layers', 'num_layers'];
const vocabularyKeys = ['vocab_size', 'padded_vocab_size', 'n_vocab'];

/**
 * Sizes in `config.json` (of the text model, where there are several) or Meta's `params.json`; undefined where neither states any.
 * @param json JSON files of the checkpoint by their paths
 */
export function modelSizesIn(json: ReadonlyMap<string, unknown>): ModelSizes | undefined {
  const config = json.get('config.json') ?? json.get('params.json');
  const parts = [config, memberOf(config, 'text_config'), memberOf(config, 'llm_config')];
  const sizeOf = (keys: readonly string[]): number | null =>
    parts.flatMap((part) => keys.map((key) => memberOf(part, key))).find(isSize) ?? null;
  const sizes: ModelSizes = {
    attentionHeads: sizeOf(headKeys),
    queryGroups: sizeOf(groupKeys),
    layers: sizeOf(layerKeys),
    vocabulary: sizeOf(vocabularyKeys),
  };
  return sizes.attentionHeads === null && sizes.layers === null ? undefined : sizes;
}

function isSize(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}
