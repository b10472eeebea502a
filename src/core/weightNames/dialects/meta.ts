/**
 * Llama as Meta publishes it (llama/model.py), with what torchtitan has beside it (torchtitan/models/<model>/state_dict_adapter.py): an output layer that is called
 * `lm_head`, query, key and value below `qkv_linear`, and experts as one parameter each of [experts, out, in].
 */
import { below, type Dialect, type Entry } from './dialect.js';

const gate: Entry = { roles: ['expertGate'], isStackedExperts: true };
const up: Entry = { roles: ['expertUp'], isStackedExperts: true };
const down: Entry = { roles: ['expertDown'], isStackedExperts: true };

export const meta: Dialect = {
  marks: ['layers.N.attention.wq', 'layers.N.attention.qkv_linear.wq', 'layers.N.attention.wkv_a'],
  modules: {
    tok_embeddings: 'embedding',
    norm: 'finalNorm',
    output: 'head',
    lm_head: 'head',
    ...below(['layers.N'], {
      attention_norm: 'attentionNorm',
      ...below(['attention', 'attention.qkv_linear'], { wq: 'query', wk: 'key', wv: 'value' }),
      'attention.wo': 'attentionOutput',
      'attention.q_norm': 'queryNorm',
      'attention.k_norm': 'keyNorm',
      'attention.wq_a': 'queryDown',
      'attention.wq_b': 'queryUp',
      'attention.wkv_a': 'keyValueDown',
      'attention.kv_norm': 'keyValueDownNorm',
      'attention.wkv_b': 'keyValueUp',
      ffn_norm: 'feedForwardNorm',
      'feed_forward.w1': 'gate',
      'feed_forward.w2': 'down',
      'feed_forward.w3': 'up',
      'feed_forward.gate': 'router',
      'feed_forward.experts.N.w1': 'expertGate',
      'feed_forward.experts.N.w2': 'expertDown',
      'feed_forward.experts.N.w3': 'expertUp',
      'moe.router.gate': 'router',
      'moe.shared_experts.w1': 'sharedGate',
      'moe.shared_experts.w2': 'sharedDown',
      'moe.shared_experts.w3': 'sharedUp',
    }),
  },
  parameters: below(['layers.N'], {
    'attention.sinks': 'sinks',
    ...below(['moe.experts'], { w1: gate, w2: down, w3: up }),
    ...below(['moe.routed_experts.inner_experts'], { w1_EFD: gate, w2_EDF: down, w3_EFD: up }),
    'moe.expert_bias': 'routerCorrection',
    'moe.expert_bias_E': 'routerCorrection',
  }),
};
