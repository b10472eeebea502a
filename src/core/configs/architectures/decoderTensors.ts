import type {
  AttentionShape,
  DecoderNames,
  DecoderShape,
  ExpertShape,
  FeedForwardShape,
  LatentAttentionShape,
  NormShape,
} from './decoderShape.js';
import { ModelTensors } from './tensorGroup.js';

/** Names of Llama, Mixtral and DeepSeek in transformers, which most others keep. */
export const llamaNames: DecoderNames = {
  embedding: 'model.embed_tokens',
  positions: 'model.embed_positions',
  layer: 'model.layers.N',
  query: 'self_attn.q_proj',
  key: 'self_attn.k_proj',
  value: 'self_attn.v_proj',
  queryKeyValue: null,
  output: 'self_attn.o_proj',
  queryNorm: 'self_attn.q_norm',
  keyNorm: 'self_attn.k_norm',
  attentionGate: 'self_attn.gate_proj',
  gate: 'mlp.gate_proj',
  up: 'mlp.up_proj',
  gateUp: null,
  down: 'mlp.down_proj',
  router: 'mlp.gate',
  correctionBias: 'mlp.gate.e_score_correction_bias',
  expert: 'mlp.experts.N',
  sharedExperts: 'mlp.shared_experts',
  sharedGate: 'mlp.shared_expert_gate',
  norms: ['input_layernorm', 'post_attention_layernorm', 'pre_feedforward_layernorm', 'post_feedforward_layernorm'],
  finalNorm: 'model.norm',
  head: 'lm_head',
};

/** The tensors of a decoder. */
export function decoderTensors(shape: DecoderShape): ModelTensors {
  const { vocabulary, hidden, layers, attention, feedForward, norm, positions, experts } = shape;
  const names = { ...llamaNames, ...shape.names };
  const model = new ModelTensors();
  const outer = shape.embeddingSize ?? hidden;
  model.embedding(names.embedding, vocabulary, outer);
  model.embedding(names.positions, positions, hidden);
  const attentionLayers = shape.attentionLayers ?? layers;
  if (attention.kind === 'latent') addLatentAttention(model, attention, hidden, attentionLayers, names.layer);
  else addAttention(model, attention, hidden, attentionLayers, names);
  addFeedForward(model, feedForward, hidden, shape.feedForwardLayers ?? layers - (experts?.layers ?? 0), names);
  if (experts !== null) addExperts(model, experts, hidden, names);
  addNorms(model, norm, hidden, layers, names);
  model.head(names.head, shape.headRows ?? vocabulary, outer, { isTied: shape.isTied, bias: shape.headBias });
  return model;
}

export function addAttention(
  model: ModelTensors,
  shape: AttentionShape,
  hidden: number,
  copies: number,
  names: DecoderNames = llamaNames,
): void {
  const { layer } = names;
  const { heads, keyValueHeads, headSize, queryKeyValueBias: bias, queryKeyNorm, gate } = shape;
  const valueSize = shape.valueSize ?? headSize;
  const query = heads * headSize;
  const key = keyValueHeads * headSize;
  const value = keyValueHeads * valueSize;
  if (names.queryKeyValue !== null)
    model.linear(`${layer}.${names.queryKeyValue}`, hidden, query + key + value, { copies, bias });
  else
    model
      .linear(`${layer}.${names.query}`, hidden, gate === 'query' ? 2 * query : query, { copies, bias })
      .linear(`${layer}.${names.key}`, hidden, key, { copies, bias })
      .linear(`${layer}.${names.value}`, hidden, value, { copies, bias });
  model.linear(`${layer}.${names.output}`, shape.outputInputs ?? heads * valueSize, hidden, { copies, bias: shape.outputBias });
  if (gate === 'number' || gate === 'head')
    model.linear(`${layer}.${names.attentionGate}`, hidden, gate === 'head' ? heads : heads * valueSize, { copies });
  if (queryKeyNorm !== null) {
    const options = { copies, bias: shape.queryKeyNormBias === true };
    model
      .norm(`${layer}.${names.queryNorm}`, queryKeyNorm === 'head' ? headSize : query, options)
      .norm(`${layer}.${names.keyNorm}`, queryKeyNorm === 'head' ? headSize : key, options);
  }
  if (shape.hasSinks) model.parameter(`${layer}.self_attn.sinks`, [heads], { copies });
}

export function addLatentAttention(
  model: ModelTensors,
  shape: LatentAttentionShape,
  hidden: number,
  copies: number,
  layer = llamaNames.layer,
): void {
  const { heads, queryRank, keyValueRank, plainSize, rotarySize, valueSize, hasBias: bias = false, indexer } = shape;
  const prefix = `${layer}.self_attn`;
  const queries = heads * (shape.querySize ?? plainSize + rotarySize);
  if (queryRank === null) model.linear(`${prefix}.q_proj`, hidden, queries, { copies });
  else
    model
      .linear(`${prefix}.q_a_proj`, hidden, queryRank, { copies, bias })
      .norm(`${prefix}.q_a_layernorm`, queryRank, { copies })
      .linear(`${prefix}.q_b_proj`, queryRank, queries, { copies });
  model
    .linear(`${prefix}.kv_a_proj_with_mqa`, hidden, keyValueRank + rotarySize, { copies, bias })
    .norm(`${prefix}.kv_a_layernorm`, keyValueRank, { copies })
    .linear(`${prefix}.kv_b_proj`, keyValueRank, heads * (plainSize + valueSize), { copies })
    .linear(`${prefix}.o_proj`, heads * valueSize, hidden, { copies, bias });
  if (indexer === undefined) return;
  const options = { copies: indexer.layers };
  model
    .linear(`${prefix}.indexer.wq_b`, queryRank ?? hidden, indexer.heads * indexer.size, options)
    .linear(`${prefix}.indexer.wk`, hidden, indexer.size, options)
    .norm(`${prefix}.indexer.k_norm`, indexer.size, { ...options, bias: true })
    .linear(`${prefix}.indexer.weights_proj`, hidden, indexer.heads, options);
}

/** The feed-forward part of layers that have no experts. */
export function addFeedForward(
  model: ModelTensors,
  { width, isGated, hasBias: bias }: FeedForwardShape,
  hidden: number,
  copies: number,
  names: DecoderNames = llamaNames,
): void {
  const { layer } = names;
  const options = { copies, bias };
  if (isGated && names.gateUp !== null) model.linear(`${layer}.${names.gateUp}`, hidden, 2 * width, options);
  else {
    if (isGated) model.linear(`${layer}.${names.gate}`, hidden, width, options);
    model.linear(`${layer}.${names.up}`, hidden, width, options);
  }
  model.linear(`${layer}.${names.down}`, width, hidden, options);
}

/**
 * Routed and shared experts. transformers 5 keeps a layer's experts in tensors of three dimensions, checkpoints one tensor an expert;
 * these are the latter, and the sums are the same.
 */
export function addExperts(model: ModelTensors, shape: ExpertShape, hidden: number, names: DecoderNames = llamaNames): void {
  const { count, active, width, isGated, layers: copies, sharedWidth, expertBias } = shape;
  const { layer } = names;
  model.linear(`${layer}.${names.router}`, hidden, count, { copies, bias: shape.routerBias });
  if (shape.hasCorrectionBias === true) model.parameter(`${layer}.${names.correctionBias}`, [count], { copies, kind: 'bias' });
  const options = { copies: copies * count, activeCopies: copies * Math.min(active, count), bias: expertBias };
  const expert = `${layer}.${names.expert}`;
  if (isGated) model.linear(`${expert}.gate_proj`, hidden, width, options);
  model.linear(`${expert}.up_proj`, hidden, width, options).linear(`${expert}.down_proj`, width, hidden, options);
  const shared = { isGated, width: sharedWidth, hasBias: shape.sharedBias ?? expertBias };
  const prefix = names.sharedExperts;
  addFeedForward(model, shared, hidden, copies, {
    ...names,
    gate: `${prefix}.gate_proj`,
    up: `${prefix}.up_proj`,
    gateUp: null,
    down: `${prefix}.down_proj`,
  });
  if (shape.hasSharedGate) model.linear(`${layer}.${names.sharedGate}`, hidden, 1, { copies });
}

function addNorms(
  model: ModelTensors,
  { perLayer, hasWeight, hasBias, hasFinal }: NormShape,
  hidden: number,
  copies: number,
  names: DecoderNames,
): void {
  if (!hasWeight) return;
  for (const name of names.norms.slice(0, perLayer)) model.norm(`${names.layer}.${name}`, hidden, { copies, bias: hasBias });
  if (hasFinal) model.norm(names.finalNorm, hidden, { bias: hasBias });
}
