/** OLMo before OLMo-core (olmo/model.py; scripts/convert_olmo2_to_hf.py): query, key and value in one matrix, up before gate in another. */
import { below, type Dialect } from './dialect.js';

export const olmo: Dialect = {
  marks: ['transformer.blocks.N.att_proj', 'transformer.blocks.N.attn_out', 'transformer.blocks.N.ff_proj'],
  modules: {
    'transformer.wte': 'embedding',
    'transformer.wpe': 'positions',
    'transformer.ln_f': 'finalNorm',
    'transformer.ff_out': 'head',
    ...below(['transformer.blocks.N'], {
      attn_norm: 'attentionNorm',
      att_proj: ['query', 'key', 'value'],
      q_proj: 'query',
      k_proj: 'key',
      v_proj: 'value',
      q_norm: 'queryNorm',
      k_norm: 'keyNorm',
      attn_out: 'attentionOutput',
      ff_norm: 'feedForwardNorm',
      ff_proj: ['up', 'gate'],
      ff_out: 'down',
    }),
  },
  defaultType: 'olmo2',
};
