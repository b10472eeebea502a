/**
 * GPT-NeoX's own training code (tools/ckpts/convert_neox_to_hf.py): a list of modules, of which the embedding and a step before the layers are
 * the first two. Models of Llama have `scale` for the weights of norms.
 */
import { below, type Dialect } from './dialect.js';

export const neox: Dialect = {
  marks: ['sequential.N.attention.query_key_value', 'sequential.N.attention.dense', 'sequential.N.mlp.dense_h_to_4h'],
  modules: {
    ...below(['sequential.N'], {
      word_embeddings: 'embedding',
      position_embeddings: 'positions',
      norm: 'finalNorm',
      final_linear: 'head',
      input_layernorm: 'attentionNorm',
      'attention.query_key_value': { roles: ['query', 'key', 'value'], isInterleaved: true },
      'attention.dense': 'attentionOutput',
      post_attention_layernorm: 'feedForwardNorm',
      'mlp.dense_h_to_4h': 'up',
      'mlp.dense_4h_to_h': 'down',
      'mlp.linear1': ['up', 'gate'],
      'mlp.linear2': 'down',
      'mlp.w1': 'gate',
      'mlp.w2': 'down',
      'mlp.w3': 'up',
    }),
  },
  leaves: { scale: 'weight' },
  firstLayer: 2,
  defaultType: 'gpt_neox',
};
