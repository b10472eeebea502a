/**
 * Settings of rotary positions with which transformers 5.24 makes no model: keys that a kind of scaling needs (modeling_rope_utils.py:
 * RotaryEmbeddingConfigMixin), and kinds that it does not have (ROPE_INIT_FUNCTIONS). Each was tried with each of the types.
 */
import { memberOf } from '../formats/text/jsonMember.js';
import { rotaryTypes } from './rotaryTypes.js';
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

/** Undefined where nothing is refused that is known here. @param config of one model */
export function refusedRope(config: unknown): RefusedSetting | undefined {
  if (!rotaryTypes.has(memberOf(config, 'model_type'))) return undefined;
  const key = isTrue(memberOf(config, 'rope_scaling')) ? 'rope_scaling' : 'rope_parameters';
  const settings = memberOf(config, key) ?? {};
  if (typeof settings !== 'object' || Array.isArray(settings))
    return { key, value: inWords(settings), needed: 'an object', isCertain: true };
  // Those of several kinds of layers are each in an object of their own.
  if (Object.values(settings).some(isFilled)) return undefined;
  const name = memberOf(settings, 'rope_type') === undefined ? 'type' : 'rope_type';
  const kind = Object.hasOwn(settings, name) ? memberOf(settings, name) : 'default';
  if (typeof kind !== 'string' || !neededKeys.has(kind))
    return { key: `${key}.${name}`, value: inWords(kind), needed: 'a kind that transformers has', isCertain: true };
  for (const one of neededKeys.get(kind) ?? []) {
    const value = memberOf(settings, one);
    if (value === undefined) return { key, value: `the kind ${kind} without ${one}`, needed: 'that key', isCertain: true };
    if (typeof value === 'string') return { key: `${key}.${one}`, value: inWords(value), needed: 'a number', isCertain: true };
  }
  return undefined;
}

/** As Python has it: `rope_parameters` counts where `rope_scaling` is empty, 0 or false. */
function isTrue(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return Boolean(value);
  return Array.isArray(value) ? value.length > 0 : isFilled(value);
}

function isFilled(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;
}
