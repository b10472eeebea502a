/** By how much a key is changed to show what it is worth, by the name that it goes by in any config. */
import { intervalKeys, keepKeys } from './saveKeys.js';

export interface KeyStep {
  /** What the change is: "one more layer". */
  label: string;
  next(value: number): number;
  /** On or off, so that 0 is a value like any other. */
  isSwitch: boolean;
}

const add = (count: number, label: string): KeyStep => ({ label, next: (value) => value + count, isSwitch: false });
const twice = (label: string): KeyStep => ({ label, next: (value) => value * 2, isSwitch: false });
const flip = (label: string): KeyStep => ({ label, next: (value) => (value === 0 ? 1 : 0), isSwitch: true });

const layer = add(1, 'one more layer');
const width = add(128, '128 more');
const steps: readonly (readonly [KeyStep, readonly string[]])[] = [
  [
    layer,
    [
      'num_hidden_layers',
      'n_layer',
      'n_layers',
      'num_layers',
      'base_num_decoder_layers',
      'num_decoder_layers',
      'encoder_layers',
      'decoder_layers',
      'num_transformer_layers',
      'depth',
    ],
  ],
  [
    width,
    [
      'intermediate_size',
      'ffn_hidden_size',
      'n_inner',
      'ffn_dim',
      'd_ff',
      'hidden_dim',
      'base_mlp_dim',
      'mlp_hidden_size',
      'moe_intermediate_size',
      'moe_ffn_hidden_size',
      'base_moe_mlp_dim',
      'shared_expert_intermediate_size',
      'encoder_ffn_dim',
      'decoder_ffn_dim',
    ],
  ],
  [width, ['hidden_size', 'n_embd', 'd_model', 'dim', 'base_emb_dim', 'model_dim']],
  [add(1024, '1,024 more tokens'), ['vocab_size', 'padded_vocab_size', 'embedding_size']],
  [
    add(1, 'one more key and value head'),
    ['num_key_value_heads', 'n_kv_heads', 'num_query_groups', 'n_query_groups', 'base_num_kv_heads', 'kv_n_heads'],
  ],
  [add(1, 'one more head'), ['num_attention_heads', 'n_head', 'n_heads', 'num_heads', 'base_num_query_heads']],
  [
    add(1, 'one more expert'),
    ['num_local_experts', 'num_experts', 'n_routed_experts', 'moe_num_experts', 'n_expert', 'n_shared_experts'],
  ],
  [
    add(1, 'one more expert a token'),
    ['num_experts_per_tok', 'experts_per_token', 'moe_router_topk', 'moe_top_k', 'n_expert_per_token'],
  ],
  [
    flip('the other way'),
    ['tie_word_embeddings', 'logits_via_embedding', 'weight_tying', 'tie_embeddings', 'untie_embeddings_and_output_weights'],
  ],
  [twice('twice the rank'), ['r', 'lora_r', 'lora_rank', 'rank']],
  [twice('half as often'), intervalKeys],
  [add(1, 'one more kept'), keepKeys],
  [
    twice('twice as long'),
    [
      'max_steps',
      'train_iters',
      'train_steps',
      'max_iters',
      'steps',
      'total_training_steps',
      'num_train_epochs',
      'num_epochs',
      'train_samples',
    ],
  ],
];

const byName = new Map(steps.flatMap(([step, names]) => names.map((name) => [name, step] as const)));

/** Null for keys whose value is not a size or a count. */
export function stepOfKey(path: readonly string[]): KeyStep | null {
  return byName.get(path[path.length - 1] ?? '') ?? null;
}
