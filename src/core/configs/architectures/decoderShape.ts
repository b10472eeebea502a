/** A decoder-only transformer in the numbers that its tensors follow from, whichever framework's words a config uses for them. */

export interface DecoderShape {
  vocabulary: number;
  hidden: number;
  /** Of the embedding and the output layer, where it is not the layers' (opt-350m). */
  embeddingSize?: number;
  layers: number;
  attention: AttentionShape | LatentAttentionShape;
  /** Layers that have attention; all of them without it. */
  attentionLayers?: number;
  /** The feed-forward part of layers without experts. */
  feedForward: FeedForwardShape;
  /** Layers that have it; all that have no experts without it. */
  feedForwardLayers?: number;
  norm: NormShape;
  /** Learned positions; 0 where positions are rotary, ALiBi or none. */
  positions: number;
  /** Rows of the output layer, where they are not the vocabulary. */
  headRows?: number;
  /** Whether the output layer is the input embedding. */
  isTied: boolean;
  /** The output layer has a bias. */
  headBias: boolean;
  experts: ExpertShape | null;
  /** Where tensors are not named as Llama's. */
  names?: Partial<DecoderNames>;
}

export interface AttentionShape {
  kind: 'grouped';
  heads: number;
  keyValueHeads: number;
  headSize: number;
  /** Of a value head, where it is not a query head's. */
  valueSize?: number;
  /** What the output projection takes, where it is not all values. */
  outputInputs?: number;
  queryKeyValueBias: boolean;
  outputBias: boolean;
  /** Norms of queries and keys: of each head's size, or of all heads together. */
  queryKeyNorm: 'head' | 'full' | null;
  queryKeyNormBias?: boolean;
  /** One learned logit a head (gpt-oss). */
  hasSinks: boolean;
  /** Outputs of a gate over the attention's result: one for each number of it, or for each head; `query`: as many as queries, in their matrix. */
  gate?: 'number' | 'head' | 'query' | null;
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
  /** Of a head's query, where it is not the sum of the former two. */
  querySize?: number | undefined;
  /** Biases of the projections down to the ranks and of the output. */
  hasBias?: boolean;
  /** Selection of tokens by a small attention of its own (DeepSeek-V3.2); layers may share one. */
  indexer?: { heads: number; size: number; layers: number };
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
  /** Biases of the shared experts; those of the experts without it. */
  sharedBias?: boolean;
  /** A number an expert that balances the load (`e_score_correction_bias`, DeepSeek-V3, arXiv 2412.19437): a buffer, but published totals count it. */
  hasCorrectionBias?: boolean;
}

/** Names of modules in the state dict; all but the first and last few are below a layer. */
export interface DecoderNames {
  embedding: string;
  positions: string;
  layer: string;
  query: string;
  key: string;
  value: string;
  /** One matrix for all three (GPT-2, Falcon, Phi-3). */
  queryKeyValue: string | null;
  output: string;
  queryNorm: string;
  keyNorm: string;
  attentionGate: string;
  gate: string;
  up: string;
  /** Gate and up in one matrix (Phi-3, GLM). */
  gateUp: string | null;
  down: string;
  router: string;
  correctionBias: string;
  /** Above `gate_proj`, `up_proj` and `down_proj` of an expert. */
  expert: string;
  sharedExperts: string;
  sharedGate: string;
  norms: readonly string[];
  finalNorm: string;
  head: string;
}
