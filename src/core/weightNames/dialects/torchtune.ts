/** torchtune (torchtune/models/convert_weights.py and those of gemma2, qwen2, qwen3 and phi3), below `decoder` in models of several inputs. */
import { below, type Dialect, type Entry } from './dialect.js';

const outside: Record<string, Entry> = {
  tok_embeddings: 'embedding',
  norm: 'finalNorm',
  'norm.rms_norm': 'finalNorm',
  output: 'head',
};

const inLayer: Record<string, Entry> = {
  sa_norm: 'attentionNorm',
  'attn.q_proj': 'query',
  'attn.k_proj': 'key',
  'attn.v_proj': 'value',
  'attn.output_proj': 'attentionOutput',
  'attn.q_norm': 'queryNorm',
  'attn.k_norm': 'keyNorm',
  sa_scale: 'attentionOutputNorm',
  mlp_norm: 'feedForwardNorm',
  'mlp.w1': 'gate',
  'mlp.w2': 'down',
  'mlp.w3': 'up',
  mlp_scale: 'feedForwardOutputNorm',
};

export const torchtune: Dialect = {
  marks: ['layers.N.attn.output_proj', 'layers.N.sa_norm', 'decoder.layers.N.attn.output_proj', 'decoder.layers.N.sa_norm'],
  modules: {
    ...outside,
    ...below(['decoder'], outside),
    ...below(['layers.N', 'decoder.layers.N'], inLayer),
  },
  leaves: { scale: 'weight' },
};
