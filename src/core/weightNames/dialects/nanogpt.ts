/**
 * nanoGPT (model.py), as llm.c's train_gpt2.py: the names of GPT-2 in transformers, but for linear layers of [out, in]. Names alone tell it from
 * GPT-2 only where it is trained without biases.
 */
import { below, type Dialect } from './dialect.js';

export const nanogpt: Dialect = {
  marks: [],
  modules: {
    'transformer.wte': 'embedding',
    'transformer.wpe': 'positions',
    'transformer.ln_f': 'finalNorm',
    lm_head: 'head',
    ...below(['transformer.h.N'], {
      ln_1: 'attentionNorm',
      'attn.c_attn': ['query', 'key', 'value'],
      'attn.c_proj': 'attentionOutput',
      ln_2: 'feedForwardNorm',
      'mlp.c_fc': 'up',
      'mlp.c_proj': 'down',
    }),
  },
  defaultType: 'gpt2',
};
