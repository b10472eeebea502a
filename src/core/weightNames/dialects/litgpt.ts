/**
 * LitGPT (litgpt/model.py, litgpt/scripts/convert_hf_checkpoint.py). Query, key and value are one after the other in `attn.qkv`; in the older
 * `attn.attn` they alternate by groups of heads.
 */
import { below, type Dialect } from './dialect.js';

export const litgpt: Dialect = {
  marks: [
    'transformer.h.N.attn.qkv',
    'transformer.h.N.attn.attn',
    'transformer.h.N.attn.proj',
    'transformer.h.N.norm_1',
    'transformer.h.N.mlp.fc_1',
  ],
  modules: {
    'transformer.wte': 'embedding',
    'transformer.wpe': 'positions',
    'transformer.ln_f': 'finalNorm',
    lm_head: 'head',
    ...below(['transformer.h.N'], {
      norm_1: 'attentionNorm',
      'attn.qkv': ['query', 'key', 'value'],
      'attn.attn': { roles: ['query', 'key', 'value'], isInterleaved: true },
      'attn.proj': 'attentionOutput',
      'attn.norm_q': 'queryNorm',
      'attn.norm_k': 'keyNorm',
      post_attention_norm: 'attentionOutputNorm',
      norm_2: 'feedForwardNorm',
      'mlp.fc': 'up',
      'mlp.fc_1': 'gate',
      'mlp.fc_2': 'up',
      'mlp.proj': 'down',
      post_mlp_norm: 'feedForwardOutputNorm',
      'mlp.gate': 'router',
      'mlp.experts.N.fc_1': 'expertGate',
      'mlp.experts.N.fc_2': 'expertUp',
      'mlp.experts.N.proj': 'expertDown',
    }),
  },
};
