/** Megatron-LM before Megatron-Core (megatron/legacy/model): `language_model.encoder`, in the oldest files `language_model.transformer`. */
import { below, type Dialect } from './dialect.js';

const stacks = ['language_model.encoder', 'language_model.transformer'] as const;

export const megatronLegacy: Dialect = {
  marks: [
    'language_model.embedding.word_embeddings',
    'language_model.encoder.layers.N.self_attention.query_key_value',
    'language_model.transformer.layers.N.attention.query_key_value',
  ],
  modules: {
    'language_model.embedding.word_embeddings': 'embedding',
    'language_model.embedding.position_embeddings': 'positions',
    'language_model.output_layer': 'head',
    ...below(stacks, { final_layernorm: 'finalNorm', final_norm: 'finalNorm' }),
    ...below(
      stacks.map((stack) => `${stack}.layers.N`),
      {
        input_layernorm: 'attentionNorm',
        input_norm: 'attentionNorm',
        'self_attention.query_key_value': { roles: ['query', 'key', 'value'], isInterleaved: true },
        'attention.query_key_value': { roles: ['query', 'key', 'value'], isInterleaved: true },
        'self_attention.dense': 'attentionOutput',
        'attention.dense': 'attentionOutput',
        post_attention_layernorm: 'feedForwardNorm',
        post_attention_norm: 'feedForwardNorm',
        'mlp.dense_h_to_4h': ['gate', 'up'],
        'mlp.dense_4h_to_h': 'down',
      },
    ),
  },
};
