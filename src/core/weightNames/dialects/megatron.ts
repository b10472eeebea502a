/**
 * Megatron-Core (megatron/core/models/gpt, transformer/attention.py, transformer/moe): Transformer Engine fuses a norm into the linear layer
 * behind it. Query, key and value alternate by groups of heads. Distributed checkpoints stack the layers, and experts behind them.
 */
import { below, type Dialect, type Entry } from './dialect.js';

const queryKeyValue: Entry = { roles: ['query', 'key', 'value'], isInterleaved: true };

const expertGateUp = ['expertGate', 'expertUp'] as const;

export const megatron: Dialect = {
  marks: [
    'embedding.word_embeddings',
    'decoder.layers.N.self_attention.linear_qkv',
    'decoder.layers.N.mlp.linear_fc1',
    'decoder.layers.N.mlp.linear_fc2',
    'decoder.layers.N.mlp.experts.local_experts.N.linear_fc2',
  ],
  modules: {
    'embedding.word_embeddings': 'embedding',
    'embedding.position_embeddings': 'positions',
    'decoder.final_layernorm': 'finalNorm',
    'decoder.final_norm': 'finalNorm',
    output_layer: 'head',
    ...below(['decoder.layers.N'], {
      input_layernorm: 'attentionNorm',
      'self_attention.linear_qkv': queryKeyValue,
      'self_attention.linear_proj': 'attentionOutput',
      'self_attention.q_layernorm': 'queryNorm',
      'self_attention.k_layernorm': 'keyNorm',
      'self_attention.linear_q_proj': 'query',
      'self_attention.linear_q_down_proj': 'queryDown',
      'self_attention.linear_q_up_proj': 'queryUp',
      'self_attention.linear_kv_down_proj': 'keyValueDown',
      'self_attention.linear_kv_up_proj': 'keyValueUp',
      'self_attention.kv_layernorm': 'keyValueDownNorm',
      'self_attention.linear_proj.post_layernorm': 'attentionOutputNorm',
      pre_mlp_layernorm: 'feedForwardNorm',
      'mlp.linear_fc2.post_layernorm': 'feedForwardOutputNorm',
      'mlp.linear_fc1': ['gate', 'up'],
      'mlp.linear_fc2': 'down',
      'mlp.router': 'router',
      'mlp.experts.local_experts.N.linear_fc1': expertGateUp,
      'mlp.experts.local_experts.N.linear_fc2': 'expertDown',
      'mlp.experts.experts.N.linear_fc1': expertGateUp,
      'mlp.experts.experts.N.linear_fc2': 'expertDown',
      'mlp.experts.experts.linear_fc1': { roles: expertGateUp, isStackedExperts: true },
      'mlp.experts.experts.linear_fc2': { roles: ['expertDown'], isStackedExperts: true },
      'mlp.shared_experts.linear_fc1': ['sharedGate', 'sharedUp'],
      'mlp.shared_experts.linear_fc2': 'sharedDown',
      norm: 'attentionNorm',
      ...below(['mixer', 'self_attention'], {
        in_proj: ['stateInput', 'stateGates'],
        conv1d: 'stateConvolution',
        norm: 'stateNorm',
        out_norm: 'stateNorm',
        out_proj: 'stateOutput',
      }),
      'mixer.in_proj': 'stateInput',
    }),
  },
  parameters: below(['decoder.layers.N'], {
    'self_attention.linear_qkv.layer_norm_weight': 'attentionNorm',
    'self_attention.linear_qkv.layer_norm_bias': 'attentionNorm',
    'self_attention.linear_q_up_proj.layer_norm_weight': 'queryDownNorm',
    'self_attention.linear_kv_up_proj.layer_norm_weight': 'keyValueDownNorm',
    'mlp.linear_fc1.layer_norm_weight': 'feedForwardNorm',
    'mlp.linear_fc1.layer_norm_bias': 'feedForwardNorm',
    'mlp.experts.linear_fc1.weightN': expertGateUp,
    'mlp.experts.linear_fc2.weightN': 'expertDown',
    'mlp.experts.linear_fc1.biasN': expertGateUp,
    'mlp.experts.linear_fc2.biasN': 'expertDown',
    'mlp.router.expert_bias': 'routerCorrection',
    'mlp.shared_experts.gate_weight': 'sharedRouter',
    ...below(['mixer', 'self_attention'], {
      'in_proj.layer_norm_weight': 'attentionNorm',
      A_log: 'stateDecay',
      D: 'stateSkip',
      dt_bias: 'stateStepBias',
    }),
  }),
  leaves: { layer_norm_weight: 'weight', layer_norm_bias: 'bias', weightN: 'weight', biasN: 'bias', gate_weight: 'weight' },
  stacks: ['decoder.layers'],
};
