/** A decoder-only transformer in the numbers that its tensors follow from, whichever framework's words a config uses for them. */

export interface DecoderShape {
  vocabulary: number;
  hidden: number;
  layers: number;
  attention: AttentionShape | LatentAttentionShape;
  /** The feed-forward part of layers without experts. */
  feedForward: FeedForwardShape;
  norm: NormShape;
  /** Learned positions; 0 where positions are rotary, ALiBi or none. */
  positions: number;
  /** Whether the output layer is the input embedding. */
  isTied: boolean;
  /** The output layer has a bias. */
  headBias: boolean;
  experts: ExpertShape | null;
}

export interface AttentionShape {
  kind: 'grouped';
  heads: number;
  keyValueHeads: number;
  headSize: number;
  queryKeyValueBias: boolean;
  outputBias: boolean;
  /** Norms of queries and keys: of each head's size, or of all heads together. */
  queryKeyNorm: 'head' | 'full' | null;
  /** One learned logit a head (gpt-oss). */
  hasSinks: boolean;
}

/** Multi-head latent attention (DeepSeek-V2, arXiv 2405.04434, section 2.1). */
export interface LatentAttentionShape {
  kind: 'latent';
  heads: number;
  /** Rank of the compressed queries; null where queries are projected at once. */
  queryRank: number | null;
  keyValueRank: number;
  /** Of a head: the part without position, the rotary part, and the values. */
  plainSize: number;
  rotarySize: number;
  valueSize: number;
}

export interface FeedForwardShape {
  width: number;
  /** Three matrices (SwiGLU, GeGLU) in place of two. */
  isGated: boolean;
  hasBias: boolean;
}

export interface NormShape {
  /** Norms of a layer's hidden states: 2, 4 with norms after both parts (Gemma 2), 1 where attention and feed-forward share one. */
  perLayer: number;
  /** 0 for norms without weights (OLMo 1). */
  hasWeight: boolean;
  hasBias: boolean;
  /** After the last layer. */
  hasFinal: boolean;
}

export interface ExpertShape {
  count: number;
  /** Routed to for one token. */
  active: number;
  width: number;
  isGated: boolean;
  /** Layers that have experts; the others have the plain feed-forward part. */
  layers: number;
  /** Width of what every token passes beside the routed experts, all shared experts together; 0 for none. */
  sharedWidth: number;
  /** A gate of one output before the shared experts (Qwen2-MoE). */
  hasSharedGate: boolean;
  routerBias: boolean;
  expertBias: boolean;
}
