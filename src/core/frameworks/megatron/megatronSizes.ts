/**
 * A GPT as megatron/core/models/gpt builds it, in the words of TransformerConfig (megatron/core/transformer/transformer_config.py). NeMo
 * and Megatron-Bridge build the same modules from their own words.
 */
export interface MegatronSizes {
  /** Padded. */
  vocabulary: number;
  hidden: number;
  layers: number;
  heads: number;
  /** Groups of queries that share keys and values; `heads` without grouping. */
  groups: number;
  /** Of one head. */
  headSize: number;
  width: number;
  isGated: boolean;
  /** Learned positions; 0 for rotary, ALiBi or none. */
  positions: number;
  hasBias: boolean;
  /** Queries, keys and values alone have biases (`--add-qkv-bias`). */
  hasQueryKeyValueBias: boolean;
  /** LayerNorm; RMSNorm without. */
  hasNormBias: boolean;
  hasQueryKeyNorm: boolean;
  /** One learned logit a head (`--softmax-type learnable`). */
  hasSinks?: boolean;
  isTied: boolean;
  latent: LatentSizes | null;
  experts: MegatronExperts | null;
  /** Modules of multi-token prediction (`--mtp-num-layers`). */
  predictionLayers: number;
  /** A norm behind the embedding (Megatron-DeepSpeed, `--embed-layernorm`). */
  hasEmbeddingNorm: boolean;
  /** A norm more behind the attention, and one behind the perceptron (`--post-self-attn-layernorm`, `--post-mlp-layernorm`). */
  hasAttentionPostNorm?: boolean;
  hasPerceptronPostNorm?: boolean;
}

export interface LatentSizes {
  queryRank: number | null;
  keyValueRank: number;
  plainSize: number;
  rotarySize: number;
  valueSize: number;
}

export interface MegatronExperts {
  count: number;
  active: number;
  width: number;
  /** Which layers have experts. */
  layers: readonly boolean[];
  sharedWidth: number;
  hasSharedGate: boolean;
  /** Added to the router's scores to balance the load; it is stored with the weights. */
  hasRouterBias: boolean;
}
