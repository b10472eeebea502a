/** nanotron (examples/llama/convert_weights.py, examples/inference/qwen_moe/convert.py): each block is a `pp_block` of the pipeline. */
import { below, type Dialect } from './dialect.js';

export const nanotron: Dialect = {
  marks: ['token_position_embeddings.pp_block.token_embedding', 'decoder.N.pp_block.attn.o_proj', 'final_layer_norm.pp_block'],
  modules: {
    'token_position_embeddings.pp_block.token_embedding': 'embedding',
    'final_layer_norm.pp_block': 'finalNorm',
    'lm_head.pp_block': 'head',
    ...below(['decoder.N.pp_block'], {
      input_layernorm: 'attentionNorm',
      'attn.qkv_proj': ['query', 'key', 'value'],
      'attn.o_proj': 'attentionOutput',
      'attn.q_norm': 'queryNorm',
      'attn.k_norm': 'keyNorm',
      post_attention_layernorm: 'feedForwardNorm',
      'mlp.gate_up_proj': ['gate', 'up'],
      'mlp.down_proj': 'down',
      'mlp.router': 'router',
      'mlp.shared_expert.gate_up_proj': ['sharedGate', 'sharedUp'],
      'mlp.shared_expert.down_proj': 'sharedDown',
      'mlp.shared_expert_gate': 'sharedRouter',
    }),
  },
  parameters: below(['decoder.N.pp_block'], {
    'mlp.experts.merged_gate_up_proj': { roles: ['expertGate', 'expertUp'], isStackedExperts: true, isTransposed: true },
    'mlp.experts.merged_down_proj': { roles: ['expertDown'], isStackedExperts: true, isTransposed: true },
  }),
};
