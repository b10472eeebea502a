/**
 * Megatron-LM before Megatron-Core (megatron/legacy/model; transformers/models/megatron_gpt2/convert_megatron_gpt2_checkpoint.py):
 * `language_model.encoder`, in the oldest files `language_model.transformer`; with whole layers of Transformer Engine, `layernorm_qkv` and
 * `layernorm_mlp`.
 */
import { below, type Dialect, type Entry } from './dialect.js';

const stacks = ['language_model.encoder', 'language_model.transformer'] as const;

const queryKeyValue: Entry = { roles: ['query', 'key', 'value'], isInterleaved: true };

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
        'self_attention.query_key_value': queryKeyValue,
        'attention.query_key_value': queryKeyValue,
        'self_attention.dense': 'attentionOutput',
        'attention.dense': 'attentionOutput',
        post_attention_layernorm: 'feedForwardNorm',
        post_attention_norm: 'feedForwardNorm',
        'mlp.dense_h_to_4h': ['gate', 'up'],
        'mlp.dense_4h_to_h': 'down',
        'self_attention.layernorm_qkv': queryKeyValue,
        'self_attention.proj': 'attentionOutput',
      },
    ),
  },
  parameters: below(
    stacks.map((stack) => `${stack}.layers.N`),
    {
      'self_attention.layernorm_qkv.layer_norm_weight': 'attentionNorm',
      'self_attention.layernorm_qkv.layer_norm_bias': 'attentionNorm',
      'layernorm_mlp.layer_norm_weight': 'feedForwardNorm',
      'layernorm_mlp.layer_norm_bias': 'feedForwardNorm',
      'layernorm_mlp.fc1_weight': ['gate', 'up'],
      'layernorm_mlp.fc1_bias': ['gate', 'up'],
      'layernorm_mlp.fc2_weight': 'down',
      'layernorm_mlp.fc2_bias': 'down',
    },
  ),
  leaves: {
    layer_norm_weight: 'weight',
    layer_norm_bias: 'bias',
    fc1_weight: 'weight',
    fc1_bias: 'bias',
    fc2_weight: 'weight',
    fc2_bias: 'bias',
  },
};
