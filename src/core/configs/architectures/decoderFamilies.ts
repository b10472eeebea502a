import type { Architecture } from './architecture.js';
import { decoderTensors } from './decoderTensors.js';
import { llamaShape } from './llamaShape.js';

const llama: Architecture = {
  modelTypes: ['llama', 'mistral'],
  name: 'Llama',
  tensors(config) {
    const hidden = config.integer('hidden_size');
    const layers = config.integer('num_hidden_layers');
    const heads = config.integer('num_attention_heads');
    const vocabulary = config.integer('vocab_size');
    const width = config.integer('intermediate_size');
    if (hidden === undefined || layers === undefined || heads === undefined || vocabulary === undefined || width === undefined)
      return null;
    const headSize = config.integer('head_dim');
    return decoderTensors(
      llamaShape({
        hidden,
        layers,
        heads,
        vocabulary,
        width,
        keyValueHeads: config.integer('num_key_value_heads') ?? heads,
        isTied: config.flag('tie_word_embeddings') ?? false,
        ...(headSize === undefined ? {} : { headSize }),
      }),
    );
  },
};

/** Dense decoders. */
export const decoderFamilies: readonly Architecture[] = [llama];
