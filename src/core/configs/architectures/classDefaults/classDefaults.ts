import type { Defaults } from '../../fields.js';
import { decoderDefaults } from './decoderDefaults.js';
import { expertDefaults } from './expertDefaults.js';
import { gptDefaults } from './gptDefaults.js';
import { hybridDefaults } from './hybridDefaults.js';
import { latentDefaults } from './latentDefaults.js';
import { multimodalTextDefaults } from './multimodalTextDefaults.js';

/**
 * What the config classes of transformers 5.24 take for keys that a config leaves out, by `model_type`: the field defaults of each
 * `configuration_*.py`, of the keys that parameters are counted from.
 */
export const classDefaults: Readonly<Record<string, Defaults>> = {
  ...decoderDefaults,
  ...gptDefaults,
  ...expertDefaults,
  ...latentDefaults,
  ...hybridDefaults,
  ...multimodalTextDefaults,
};
