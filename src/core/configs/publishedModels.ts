import { entryOf } from '../text/entryOf.js';
import { Fields } from './fields.js';
import { denseModels } from './published/denseModels.js';
import { encoderDecoderModels } from './published/encoderDecoderModels.js';
import { encoderModels } from './published/encoderModels.js';
import { expertModels } from './published/expertModels.js';
import { imageTextModels } from './published/imageTextModels.js';
import { comparableName, literalName, storedName } from './published/modelName.js';
import { olderModels } from './published/olderModels.js';
import type { PublishedConfig, PublishedTable } from './published/publishedConfig.js';
import { remoteCodeModels } from './published/remoteCodeModels.js';

/** A published model whose config is built into Stowage. */
export interface PublishedModel {
  /** Its name on the Hub. */
  name: string;
  fields: Fields;
}

/** All of them, in the order of their families. */
export const publishedModels: PublishedTable = [
  ...denseModels,
  ...expertModels,
  ...imageTextModels,
  ...remoteCodeModels,
  ...olderModels,
  ...encoderModels,
  ...encoderDecoderModels,
];

/** What some programs call a model, where it is not the name on the Hub in another spelling. */
const otherNames: Readonly<Record<string, string>> = {
  'tiny llama 1 1 b': 'TinyLlama/TinyLlama-1.1B',
  'mistral 7 b': 'mistralai/Mistral-7B-v0.1',
  'mixtral 8 x 7 b': 'mistralai/Mixtral-8x7B-v0.1',
  'mixtral 8 x 22 b': 'mistralai/Mixtral-8x22B-v0.1',
  'mistral nemo 12 b': 'mistralai/Mistral-Nemo',
  'phi 3 mini': 'microsoft/Phi-3-mini-4k',
  'phi 4 14 b': 'microsoft/phi-4',
  'phi 1 5': 'microsoft/phi-1_5',
  'qwq 32 b': 'Qwen/QwQ-32B',
  'olmo 1 b 0724': 'allenai/OLMo-1B-0724-hf',
  'olmo 2 7 b': 'allenai/OLMo-2-1124-7B',
  'olmo 2 13 b': 'allenai/OLMo-2-1124-13B',
  'olmo 2 32 b': 'allenai/OLMo-2-0325-32B',
  'olmo 2 1 b': 'allenai/OLMo-2-0425-1B',
  'deepseek 2 16 b': 'deepseek-ai/DeepSeek-V2-Lite',
  'deepseek 2 236 b': 'deepseek-ai/DeepSeek-V2',
  'deepseek 3 671 b': 'deepseek-ai/DeepSeek-V3',
  'deepseek v 3 16 b': 'deepseek-ai/DeepSeek-V2-Lite',
  'deepseek v 3 236 b': 'deepseek-ai/DeepSeek-V2',
  'deepseek v 3 671 b': 'deepseek-ai/DeepSeek-V3',
  'llama 3 405 b': 'meta-llama/Llama-3.1-405B',
};

const byName = new Map<string, readonly [string, PublishedConfig]>();
for (const [name, config] of publishedModels) byName.set(literalName(name), [name, config]);
for (const [name, config] of publishedModels) {
  const key = comparableName(name);
  // "base" is a size of BERT and T5, and a way of training elsewhere.
  if (!byName.has(key) && !/\bbase\b/.test(literalName(name))) byName.set(key, [name, config]);
}

/** A model by its name on the Hub, also a mirror's or a tuned one's; null where it is none of the table. */
export function publishedModel(name: string): PublishedModel | null {
  const found = lookUp(literalName(name)) ?? lookUp(storedName(name)) ?? lookUp(comparableName(name));
  return found === undefined ? null : { name: found[0], fields: Fields.fromValues(found[1]) };
}

function lookUp(key: string): readonly [string, PublishedConfig] | undefined {
  const other = entryOf(otherNames, key);
  return byName.get(key) ?? (other === undefined ? undefined : byName.get(literalName(other)));
}

/**
 * A model by a framework's own name for it: torchtitan's `llama3/8B`, MaxText's `llama3.1-8b`, torchtune's `llama3_1_8b`. They are the
 * published names in other spellings.
 */
export function publishedFlavor(name: string): PublishedModel | null {
  return publishedModel(name.replaceAll('/', '-'));
}
