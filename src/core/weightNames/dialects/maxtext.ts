/**
 * MaxText (src/maxtext/checkpoint_conversion/utils/param_mapping.py). Layers are scanned, as axis 1 by default (`param_scan_axis`), or one by
 * one: `layers_0`. Those of `moe_layers` come after those of `dense_layers`, and are counted from 0 again. Kernels are [in, heads, width of a head].
 */
import { below, type Dialect, type Entry } from './dialect.js';

const layers = ['decoder.layers.N', 'decoder.dense_layers.N', 'decoder.moe_layers.N'] as const;

/** Modules of experts, in layers of DeepSeek beside shared ones. */
const blocks = ['moe_block', 'MoeBlock_0', 'DeepSeekMoeBlock_0.MoeBlock_0'] as const;

const experts: Record<string, Entry> = {
  wi_0: { roles: ['expertGate'], isStackedExperts: true, isTransposed: true },
  wi_1: { roles: ['expertUp'], isStackedExperts: true, isTransposed: true },
  wo: { roles: ['expertDown'], isStackedExperts: true, isTransposed: true },
};

export const maxtext: Dialect = {
  marks: [
    'decoder.layers.N.self_attention.query',
    'decoder.dense_layers.N.self_attention.query',
    'decoder.moe_layers.N.self_attention.query',
    'token_embedder',
    'decoder.decoder_norm',
  ],
  modules: {
    token_embedder: 'embedding',
    'decoder.decoder_norm': 'finalNorm',
    'decoder.logits_dense': 'head',
    ...below(layers, {
      pre_self_attention_layer_norm: 'attentionNorm',
      pre_self_attention_norm: 'attentionNorm',
      'self_attention.query': 'query',
      'self_attention.key': 'key',
      'self_attention.value': 'value',
      'self_attention.out': 'attentionOutput',
      'self_attention.query_norm': 'queryNorm',
      'self_attention.key_norm': 'keyNorm',
      'self_attention.wq_a': 'queryDown',
      'self_attention.q_norm': 'queryDownNorm',
      'self_attention.wq_b': 'queryUp',
      'self_attention.wkv_a': 'keyValueDown',
      'self_attention.kv_norm': 'keyValueDownNorm',
      'self_attention.wkv_b': 'keyValueUp',
      post_self_attention_layer_norm: 'feedForwardNorm',
      post_self_attention_norm: 'attentionOutputNorm',
      pre_ffw_norm: 'feedForwardNorm',
      post_ffw_norm: 'feedForwardOutputNorm',
      'mlp.wi_0': 'gate',
      'mlp.wi_1': 'up',
      'mlp.wo': 'down',
      ...below(blocks, { gate: 'router' }),
      'DeepSeekMoeBlock_0.shared_experts.wi_0': 'sharedGate',
      'DeepSeekMoeBlock_0.shared_experts.wi_1': 'sharedUp',
      'DeepSeekMoeBlock_0.shared_experts.wo': 'sharedDown',
      'self_attention.indexer.wq_b': 'indexerQuery',
      'self_attention.indexer.wk': 'indexerKey',
      'self_attention.indexer.k_norm': 'indexerKeyNorm',
      'self_attention.indexer.weights_proj': 'indexerWeights',
    }),
  },
  parameters: {
    ...below(
      layers.flatMap((layer) => blocks.map((block) => `${layer}.${block}`)),
      experts,
    ),
    ...below(layers, { 'DeepSeekMoeBlock_0.MoeBlock_0.gate.bias': 'routerCorrection' }),
  },
  leaves: { kernel: 'weight', scale: 'weight', embedding: 'weight' },
  transposedLeaves: ['kernel'],
  stacks: ['decoder.layers', 'decoder.dense_layers', 'decoder.moe_layers'],
  layerAxis: 1,
};
