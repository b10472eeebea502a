/** Modules and names as in megatron/core: gpt_layer_specs.py, attention.py, multi_latent_attention.py, mlp.py, moe/router.py, multi_token_prediction.py. */
import { ModelTensors } from '../../configs/architectures/tensorGroup.js';
import type { LatentSizes, MegatronExperts, MegatronSizes } from './megatronSizes.js';

export function megatronTensors(sizes: MegatronSizes): ModelTensors {
  const model = new ModelTensors();
  const { vocabulary, hidden, layers, experts } = sizes;
  model
    .embedding('embedding.word_embeddings', vocabulary, hidden)
    .embedding('embedding.position_embeddings', sizes.positions, hidden);
  if (sizes.hasEmbeddingNorm) model.norm('embedding.norm', hidden, { bias: true });
  const withExperts = experts === null ? 0 : experts.layers.filter((isExpert) => isExpert).length;
  addLayers(model, sizes, 'decoder.layers.N', { dense: layers - withExperts, withExperts });
  model.norm('decoder.final_layernorm', hidden, { bias: sizes.hasNormBias });
  addPrediction(model, sizes);
  return model.head('output_layer', vocabulary, hidden, { isTied: sizes.isTied });
}

interface LayerCounts {
  dense: number;
  withExperts: number;
}

function addLayers(model: ModelTensors, sizes: MegatronSizes, prefix: string, { dense, withExperts }: LayerCounts): void {
  const { hidden, hasNormBias: bias, experts } = sizes;
  const copies = dense + withExperts;
  model.norm(`${prefix}.input_layernorm`, hidden, { copies, bias });
  const { latent } = sizes;
  if (latent === null) addAttention(model, sizes, `${prefix}.self_attention`, copies);
  else addLatentAttention(model, { ...sizes, latent }, `${prefix}.self_attention`, copies);
  if (sizes.hasAttentionPostNorm === true) model.norm(`${prefix}.post_self_attn_layernorm`, hidden, { copies, bias });
  model.norm(`${prefix}.pre_mlp_layernorm`, hidden, { copies, bias });
  addPerceptron(model, sizes, `${prefix}.mlp`, { width: sizes.width, copies: dense });
  if (sizes.hasPerceptronPostNorm === true) model.norm(`${prefix}.post_mlp_layernorm`, hidden, { copies, bias });
  if (experts !== null && withExperts > 0) addExperts(model, { ...sizes, experts }, `${prefix}.mlp`, withExperts);
}

function addAttention(model: ModelTensors, sizes: MegatronSizes, prefix: string, copies: number): void {
  const { hidden, heads, groups, headSize, hasBias } = sizes;
  model.linear(`${prefix}.linear_qkv`, hidden, (heads + 2 * groups) * headSize, {
    copies,
    bias: hasBias || sizes.hasQueryKeyValueBias,
  });
  model.linear(`${prefix}.linear_proj`, heads * headSize, hidden, { copies, bias: hasBias });
  if (sizes.hasSinks === true) model.parameter(`${prefix}.core_attention.softmax_offset`, [heads], { copies, kind: 'bias' });
  if (!sizes.hasQueryKeyNorm) return;
  for (const name of ['q_layernorm', 'k_layernorm'])
    model.norm(`${prefix}.${name}`, headSize, { copies, bias: sizes.hasNormBias });
}

/** Ranks are normed with `--qk-layernorm` alone. */
function addLatentAttention(
  model: ModelTensors,
  sizes: MegatronSizes & { latent: LatentSizes },
  prefix: string,
  copies: number,
): void {
  const { hidden, heads, hasBias: bias, hasNormBias, hasQueryKeyNorm, latent } = sizes;
  const { queryRank, keyValueRank, plainSize, rotarySize, valueSize } = latent;
  const queries = heads * (plainSize + rotarySize);
  if (queryRank === null) model.linear(`${prefix}.linear_q_proj`, hidden, queries, { copies });
  else {
    model.linear(`${prefix}.linear_q_down_proj`, hidden, queryRank, { copies });
    if (hasQueryKeyNorm) model.norm(`${prefix}.q_layernorm`, queryRank, { copies, bias: hasNormBias });
    model.linear(`${prefix}.linear_q_up_proj`, queryRank, queries, { copies });
  }
  model.linear(`${prefix}.linear_kv_down_proj`, hidden, keyValueRank + rotarySize, { copies });
  if (hasQueryKeyNorm) model.norm(`${prefix}.kv_layernorm`, keyValueRank, { copies, bias: hasNormBias });
  model.linear(`${prefix}.linear_kv_up_proj`, keyValueRank, heads * (plainSize + valueSize), { copies });
  model.linear(`${prefix}.linear_proj`, heads * valueSize, hidden, { copies, bias });
}

function addPerceptron(
  model: ModelTensors,
  { hidden, isGated, hasBias: bias }: MegatronSizes,
  prefix: string,
  { width, copies, activeCopies = copies }: { width: number; copies: number; activeCopies?: number },
): void {
  const options = { copies, activeCopies, bias };
  model
    .linear(`${prefix}.linear_fc1`, hidden, isGated ? 2 * width : width, options)
    .linear(`${prefix}.linear_fc2`, width, hidden, options);
}

function addExperts(
  model: ModelTensors,
  sizes: MegatronSizes & { experts: MegatronExperts },
  prefix: string,
  layers: number,
): void {
  const { hidden, hasBias, experts } = sizes;
  model.linear(`${prefix}.router`, hidden, experts.count, { copies: layers, bias: hasBias });
  if (experts.hasRouterBias) model.parameter(`${prefix}.router.expert_bias`, [experts.count], { copies: layers, kind: 'bias' });
  addPerceptron(model, sizes, `${prefix}.experts.local_experts.N`, {
    width: experts.width,
    copies: layers * experts.count,
    activeCopies: layers * Math.min(experts.active, experts.count),
  });
  addPerceptron(model, sizes, `${prefix}.shared_experts`, {
    width: experts.sharedWidth,
    copies: experts.sharedWidth > 0 ? layers : 0,
  });
  if (experts.hasSharedGate)
    model.parameter(`${prefix}.shared_experts.gate_weight`, [1, hidden], { copies: layers, kind: 'linear' });
}

/** Each module is a layer as the last one, with two norms and a projection before it and a norm behind it; embedding and head are shared. */
function addPrediction(model: ModelTensors, sizes: MegatronSizes): void {
  const { hidden, hasNormBias: bias, predictionLayers: copies, experts } = sizes;
  if (copies <= 0) return;
  const prefix = 'mtp.layers.N';
  for (const name of ['enorm', 'hnorm', 'final_layernorm']) model.norm(`${prefix}.${name}`, hidden, { copies, bias });
  model.linear(`${prefix}.eh_proj`, 2 * hidden, hidden, { copies });
  const isExpert = experts?.layers[experts.layers.length - 1] === true;
  addLayers(
    model,
    sizes,
    `${prefix}.transformer_layer`,
    isExpert ? { dense: 0, withExperts: copies } : { dense: copies, withExperts: 0 },
  );
}
