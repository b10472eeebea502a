/**
 * OLMo-core (src/olmo_core/nn/hf/convert.py). Norms are after attention and feed-forward part in OLMo 2 and 3, and before them in what it
 * trains of other architectures. Matrices of experts are one below the other, the first and third as [in, out].
 */
import { below, type Dialect } from './dialect.js';

export const olmoCore: Dialect = {
  marks: ['blocks.N.attention.w_q', 'blocks.N.attention.w_out', 'lm_head.w_out'],
  modules: {
    embeddings: 'embedding',
    'lm_head.norm': 'finalNorm',
    'lm_head.w_out': 'head',
    ...below(['blocks.N'], {
      attention_norm: 'attentionNorm',
      'attention.w_q': 'query',
      'attention.w_k': 'key',
      'attention.w_v': 'value',
      'attention.w_out': 'attentionOutput',
      'attention.q_norm': 'queryNorm',
      'attention.k_norm': 'keyNorm',
      post_attention_norm: 'attentionOutputNorm',
      feed_forward_norm: 'feedForwardNorm',
      'feed_forward.w1': 'gate',
      'feed_forward.w2': 'down',
      'feed_forward.w3': 'up',
      post_feed_forward_norm: 'feedForwardOutputNorm',
      'feed_forward_moe.router': 'router',
    }),
  },
  parameters: below(['blocks.N'], {
    'feed_forward_moe.experts.mlp.w1': { roles: ['expertGate'], isStackedExperts: true, isTransposed: true },
    'feed_forward_moe.experts.mlp.w2': { roles: ['expertDown'], isStackedExperts: true, isTransposed: true },
    'feed_forward_moe.experts.mlp.w3': { roles: ['expertUp'], isStackedExperts: true, isTransposed: true },
  }),
  defaultType: 'olmo2',
};
