/**
 * Keys of a model in the model, in the config of a language model that has none: classes that generate take the settings of generation from there
 * (configuration_utils.py: get_text_config; generation/configuration_utils.py: from_model_config; transformers 5.24), and raise an error for a plain
 * object. Each key was tried with each of the types.
 */
import { memberOf } from '../formats/text/jsonMember.js';
import { rotaryTypes } from './rotaryTypes.js';
import { inWords, type RefusedSetting } from './refusedSetting.js';

const keys = ['text_config', 'decoder', 'generator'] as const;
const generatingClass = /(?:ForCausalLM|LMHeadModel)$/;

/** Undefined where nothing is refused that is known here. */
export function refusedPart(config: unknown): RefusedSetting | undefined {
  const classes = memberOf(config, 'architectures');
  const [name] = Array.isArray(classes) ? (classes as unknown[]) : [];
  if (!rotaryTypes.has(memberOf(config, 'model_type')) || typeof name !== 'string' || !generatingClass.test(name))
    return undefined;
  const key = keys.find((one) => memberOf(config, one) != null);
  if (key === undefined) return undefined;
  return { key, value: inWords(memberOf(config, key)), needed: 'a config without it', isCertain: true };
}
