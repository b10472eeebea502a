import type {
  AttentionShape,
  DecoderShape,
  ExpertShape,
  FeedForwardShape,
  LatentAttentionShape,
  NormShape,
} from './decoderShape.js';
import { ModelTensors } from './tensorGroup.js';

/** Prefix of a layer's tensors in Hugging Face's names, which most readers know. */
const layer = 'model.layers.N';

/** The tensors of a decoder, named as Llama, Mixtral and DeepSeek name them in transformers. */
export function decoderTensors(shape: DecoderShape): ModelTensors {
  const { vocabulary, hidden, layers, attention, feedForward, norm, positions, experts } = shape;
  const model = new ModelTensors();
  model.embedding('model.embed_tokens', vocabulary, hidden);
  model.embedding('model.embed_positions', positions, hidden);
  if (attention.kind === 'latent') addLatentAttention(model, attention, hidden, layers);
  else addAttention(model, attention, hidden, layers);
  addFeedForward(model, feedForward, hidden, layers - (experts?.layers ?? 0));
  if (experts !== null) addExperts(model, experts, hidden);
  addNorms(model, norm, hidden, layers);
  model.head('lm_head', vocabulary, hidden, { isTied: shape.isTied, bias: shape.headBias });
  return model;
}

export function addAttention(model: ModelTensors, shape: AttentionShape, hidden: number, copies: number, prefix = layer): void {
  const { heads, keyValueHeads, headSize, queryKeyValueBias: bias, queryKeyNorm } = shape;
  const query = heads * headSize;
  const key = keyValueHeads * headSize;
  model
    .linear(`${prefix}.self_attn.q_proj`, hidden, query, { copies, bias })
    .linear(`${prefix}.self_attn.k_proj`, hidden, key, { copies, bias })
    .linear(`${prefix}.self_attn.v_proj`, hidden, key, { copies, bias })
    .linear(`${prefix}.self_attn.o_proj`, query, hidden, { copies, bias: shape.outputBias });
  if (queryKeyNorm !== null)
    model
      .norm(`${prefix}.self_attn.q_norm`, queryKeyNorm === 'head' ? headSize : query, { copies })
      .norm(`${prefix}.self_attn.k_norm`, queryKeyNorm === 'head' ? headSize : key, { copies });
  if (shape.hasSinks) model.parameter(`${prefix}.self_attn.sinks`, [heads], { copies });
}

export function addLatentAttention(
  model: ModelTensors,
  shape: LatentAttentionShape,
  hidden: number,
  copies: number,
  prefix = layer,
): void {
  const { heads, queryRank, keyValueRank, plainSize, rotarySize, valueSize } = shape;
  const queries = heads * (plainSize + rotarySize);
  if (queryRank === null) model.linear(`${prefix}.self_attn.q_proj`, hidden, queries, { copies });
  else
    model
      .linear(`${prefix}.self_attn.q_a_proj`, hidden, queryRank, { copies })
      .norm(`${prefix}.self_attn.q_a_layernorm`, queryRank, { copies })
      .linear(`${prefix}.self_attn.q_b_proj`, queryRank, queries, { copies });
  model
    .linear(`${prefix}.self_attn.kv_a_proj_with_mqa`, hidden, keyValueRank + rotarySize, { copies })
    .norm(`${prefix}.self_attn.kv_a_layernorm`, keyValueRank, { copies })
    .linear(`${prefix}.self_attn.kv_b_proj`, keyValueRank, heads * (plainSize + valueSize), { copies })
    .linear(`${prefix}.self_attn.o_proj`, heads * valueSize, hidden, { copies });
}

export function addFeedForward(
  model: ModelTensors,
  { width, isGated, hasBias: bias }: FeedForwardShape,
  hidden: number,
  copies: number,
  prefix = `${layer}.mlp`,
  activeCopies = copies,
): void {
  const options = { copies, activeCopies, bias };
  if (isGated) model.linear(`${prefix}.gate_proj`, hidden, width, options);
  model.linear(`${prefix}.up_proj`, hidden, width, options).linear(`${prefix}.down_proj`, width, hidden, options);
}

export function addExperts(model: ModelTensors, shape: ExpertShape, hidden: number, prefix = `${layer}.mlp`): void {
  const { count, active, width, isGated, layers: copies, sharedWidth } = shape;
  model.linear(`${prefix}.gate`, hidden, count, { copies, bias: shape.routerBias });
  const routed = { width, isGated, hasBias: shape.expertBias };
  addFeedForward(model, routed, hidden, copies * count, `${prefix}.experts.N`, copies * Math.min(active, count));
  addFeedForward(model, { width: sharedWidth, isGated, hasBias: false }, hidden, copies, `${prefix}.shared_experts`);
  if (shape.hasSharedGate) model.linear(`${prefix}.shared_expert_gate`, hidden, 1, { copies });
}

function addNorms(
  model: ModelTensors,
  { perLayer, hasWeight, hasBias, hasFinal }: NormShape,
  hidden: number,
  copies: number,
): void {
  if (!hasWeight) return;
  const names = ['input_layernorm', 'post_attention_layernorm', 'pre_feedforward_layernorm', 'post_feedforward_layernorm'];
  for (const name of names.slice(0, perLayer)) model.norm(`${layer}.${name}`, hidden, { copies, bias: hasBias });
  if (hasFinal) model.norm('model.norm', hidden, { bias: hasBias });
}
