import { Fields } from './fields.js';

/** A published model that Stowage knows by heart. */
export interface PublishedModel {
  /** Its name on the Hub. */
  name: string;
  fields: Fields;
}

const llama = { model_type: 'llama', vocab_size: 128_256, tie_word_embeddings: false };

const flavors: Readonly<Record<string, readonly [string, Readonly<Record<string, unknown>>]>> = {
  'llama3/8B': [
    'meta-llama/Meta-Llama-3-8B',
    {
      ...llama,
      hidden_size: 4096,
      num_hidden_layers: 32,
      num_attention_heads: 32,
      num_key_value_heads: 8,
      intermediate_size: 14336,
    },
  ],
};

/** A model by a framework's own name for it, `framework/name`. */
export function publishedFlavor(name: string): PublishedModel | null {
  const known = Object.hasOwn(flavors, name) ? flavors[name] : undefined;
  return known === undefined ? null : { name: known[0], fields: Fields.fromValues(known[1]) };
}
