/** The sizes that a GGUF states of its model, under the keys of transformers (gguf-py/gguf/constants.py: Keys.LLM, Keys.Attention). */
import { memberOf } from '../../formats/text/jsonMember.js';

/** Architectures of llama.cpp by what transformers calls them; of others the names of tensors are not compared. */
const modelTypes: Readonly<Record<string, string>> = {
  llama: 'llama',
  qwen2: 'qwen2',
  qwen3: 'qwen3',
  qwen3moe: 'qwen3_moe',
  gemma: 'gemma',
  gemma2: 'gemma2',
  phi3: 'phi3',
  starcoder2: 'starcoder2',
  olmo2: 'olmo2',
};

/** Null where the architecture is none of these, or a size is missing. @param keyValues of the file */
export function ggufConfig(keyValues: unknown): Record<string, unknown> | null {
  const architecture = memberOf(keyValues, 'general.architecture');
  if (typeof architecture !== 'string' || !Object.hasOwn(modelTypes, architecture)) return null;
  const value = (key: string): unknown => memberOf(keyValues, `${architecture}.${key}`);
  const size = (key: string): number | undefined => {
    const own = value(key);
    return typeof own === 'number' && Number.isSafeInteger(own) && own > 0 ? own : undefined;
  };
  const experts = size('expert_count') ?? 0;
  const config = {
    model_type: architecture === 'llama' && experts > 0 ? 'mixtral' : modelTypes[architecture],
    hidden_size: size('embedding_length'),
    num_hidden_layers: size('block_count'),
    intermediate_size: size('feed_forward_length'),
    num_attention_heads: size('attention.head_count'),
    num_key_value_heads: size('attention.head_count_kv') ?? size('attention.head_count'),
    head_dim: size('attention.key_length'),
    vocab_size: size('vocab_size'),
    ...(experts > 0
      ? {
          num_local_experts: experts,
          num_experts: experts,
          num_experts_per_tok: size('expert_used_count') ?? 1,
          moe_intermediate_size: size('expert_feed_forward_length'),
        }
      : {}),
    // A file without an output layer has it tied to the embedding.
    tie_word_embeddings: true,
  };
  const given = Object.entries(config).filter(([, own]) => own !== undefined);
  const needed = ['hidden_size', 'num_hidden_layers', 'intermediate_size', 'num_attention_heads', 'vocab_size'];
  return needed.every((key) => given.some(([name]) => name === key)) ? Object.fromEntries(given) : null;
}
