/**
 * Settings of rotary positions with which transformers 5.24 makes no model: keys that a kind of scaling needs (modeling_rope_utils.py:
 * RotaryEmbeddingConfigMixin), and kinds that it does not have (ROPE_INIT_FUNCTIONS). Each was tried with each of the types.
 */
import { memberOf } from '../formats/text/jsonMember.js';
import { inWords, type RefusedSetting } from './refusedSetting.js';

/** What each kind needs beside what the rest of the config gives: `rope_theta` and `original_max_position_embeddings`. */
const neededKeys: ReadonlyMap<string, readonly string[]> = new Map([
  ['default', []],
  ['linear', ['factor']],
  ['dynamic', ['factor']],
  ['yarn', ['factor']],
  ['longrope', ['short_factor', 'long_factor']],
  ['llama3', ['factor', 'low_freq_factor', 'high_freq_factor']],
  ['proportional', []],
]);

const types: ReadonlySet<unknown> = new Set(
  (
    'afmoe apertus apertus1p5_text arcee aria_text axk1 axk2 bailing_hybrid bitnet cohere cohere2 cwm dbrx deepseek_v2 deepseek_v3 ' +
    'deepseek_v32 diffllama doge dots1 dots3_note_text ernie4_5 ernie4_5_moe eurobert exaone4 exaone_moe falcon flex_olmo flint ' +
    'gemma gemma2 glm glm4 glm4_moe glm4_moe_lite glm_moe_dsa gpt_neox gpt_neox_japanese gpt_oss granite granite_swa granitemoe ' +
    'granitemoe_swa granitemoeshared gte helium hrm_text hunyuan_v1_dense hunyuan_v1_moe hy_v3 hy_v4 hyperclovax internlm3 ' +
    'iquestcoder jais2 jetmoe kolibri1 lara_mini lfm2 lfm2_moe llama llama4_text longcat_flash minicpm3 minimax minimax_m2 ' +
    'minimax_m3_vl_text ministral ministral3 mistral mistral4 mixtral nanochat nemotron nomic_bert olmo olmo2 olmo_hybrid olmoe ' +
    'persimmon phi phimoe qwen2 qwen2_moe qwen3 qwen3_5_moe_text qwen3_5_text qwen3_moe qwen3_next qwen4_exp_text seed_oss smollm3 ' +
    'solar_open stablelm starcoder2 vaultgemma youtu'
  ).split(' '),
);

/** Undefined where nothing is refused that is known here. @param config of one model */
export function refusedRope(config: unknown): RefusedSetting | undefined {
  if (!types.has(memberOf(config, 'model_type'))) return undefined;
  const key = isFilled(memberOf(config, 'rope_scaling')) ? 'rope_scaling' : 'rope_parameters';
  const settings = memberOf(config, key);
  // Those of several kinds of layers are each in an object of their own.
  if (!isFilled(settings) || Object.values(settings).some(isFilled)) return undefined;
  const kind: unknown = memberOf(settings, 'rope_type') ?? memberOf(settings, 'type') ?? 'default';
  if (typeof kind !== 'string' || !neededKeys.has(kind)) {
    const name = memberOf(settings, 'rope_type') === undefined ? 'type' : 'rope_type';
    return { key: `${key}.${name}`, value: inWords(kind), needed: 'a kind that transformers has', isCertain: true };
  }
  for (const one of neededKeys.get(kind) ?? []) {
    const value = memberOf(settings, one);
    if (value === undefined) return { key, value: `the kind ${kind} without ${one}`, needed: 'that key', isCertain: true };
    if (typeof value === 'string') return { key: `${key}.${one}`, value: inWords(value), needed: 'a number', isCertain: true };
  }
  return undefined;
}

function isFilled(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;
}
