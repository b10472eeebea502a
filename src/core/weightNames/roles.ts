/** What the weights of a transformer are for, and the module of transformers that each architecture has for it. */

/** A weight's part in a decoder, whatever a framework calls it. */
export type Role = keyof typeof llama;

const layer = 'model.layers.N';

/** Names of Llama and the many that follow it. Experts are named one by one. */
const llama = {
  embedding: 'model.embed_tokens',
  positions: 'model.embed_positions',
  embeddingNorm: 'model.embed_norm',
  finalNorm: 'model.norm',
  head: 'lm_head',
  /** Before attention. */
  attentionNorm: `${layer}.input_layernorm`,
  query: `${layer}.self_attn.q_proj`,
  key: `${layer}.self_attn.k_proj`,
  value: `${layer}.self_attn.v_proj`,
  attentionOutput: `${layer}.self_attn.o_proj`,
  queryNorm: `${layer}.self_attn.q_norm`,
  keyNorm: `${layer}.self_attn.k_norm`,
  sinks: `${layer}.self_attn.sinks`,
  /** After attention, before its output is added. */
  attentionOutputNorm: `${layer}.post_attention_layernorm`,
  /** Latent attention (DeepSeek-V2). */
  queryDown: `${layer}.self_attn.q_a_proj`,
  queryDownNorm: `${layer}.self_attn.q_a_layernorm`,
  queryUp: `${layer}.self_attn.q_b_proj`,
  keyValueDown: `${layer}.self_attn.kv_a_proj_with_mqa`,
  keyValueDownNorm: `${layer}.self_attn.kv_a_layernorm`,
  keyValueUp: `${layer}.self_attn.kv_b_proj`,
  /** Before the feed-forward part. */
  feedForwardNorm: `${layer}.post_attention_layernorm`,
  gate: `${layer}.mlp.gate_proj`,
  up: `${layer}.mlp.up_proj`,
  down: `${layer}.mlp.down_proj`,
  /** After the feed-forward part, before its output is added. */
  feedForwardOutputNorm: `${layer}.post_feedforward_layernorm`,
  router: `${layer}.mlp.gate`,
  routerCorrection: `${layer}.mlp.gate.e_score_correction_bias`,
  expertGate: `${layer}.mlp.experts.N.gate_proj`,
  expertUp: `${layer}.mlp.experts.N.up_proj`,
  expertDown: `${layer}.mlp.experts.N.down_proj`,
  sharedGate: `${layer}.mlp.shared_experts.gate_proj`,
  sharedUp: `${layer}.mlp.shared_experts.up_proj`,
  sharedDown: `${layer}.mlp.shared_experts.down_proj`,
  sharedRouter: `${layer}.mlp.shared_expert_gate`,
  /** State space layers (Mamba). */
  stateInput: `${layer}.mixer.in_proj`,
  stateConvolution: `${layer}.mixer.conv1d`,
  stateProjection: `${layer}.mixer.x_proj`,
  stateStep: `${layer}.mixer.dt_proj`,
  stateStepBias: `${layer}.mixer.dt_bias`,
  stateDecay: `${layer}.mixer.A_log`,
  stateSkip: `${layer}.mixer.D`,
  stateNorm: `${layer}.mixer.norm`,
  stateOutput: `${layer}.mixer.out_proj`,
  /** Gates of linear attention (Qwen3-Next). */
  stateGates: `${layer}.linear_attn.in_proj_ba`,
  /** Which tokens sparse attention looks at (DeepSeek-V3.2). */
  indexerQuery: `${layer}.self_attn.indexer.wq_b`,
  indexerKey: `${layer}.self_attn.indexer.wk`,
  indexerKeyNorm: `${layer}.self_attn.indexer.k_norm`,
  indexerWeights: `${layer}.self_attn.indexer.weights_proj`,
};

type Names = Partial<Record<Role, string>>;

/** One module for query, key and value. */
function fusedAttention(module: string): Names {
  return { query: module, key: module, value: module };
}

/** A feed-forward part without a gate. */
function plain(up: string, down: string): Names {
  return { gate: up, up, down };
}

function expertsBelow(module: string): Names {
  return {
    expertGate: `${module}.experts.N.gate_proj`,
    expertUp: `${module}.experts.N.up_proj`,
    expertDown: `${module}.experts.N.down_proj`,
  };
}

function sharedBelow(module: string): Names {
  return { sharedGate: `${module}.gate_proj`, sharedUp: `${module}.up_proj`, sharedDown: `${module}.down_proj` };
}

const head = 'transformer.h.N';

/** transformers/models/gpt2/modeling_gpt2.py */
const gpt2: Names = {
  embedding: 'transformer.wte',
  positions: 'transformer.wpe',
  finalNorm: 'transformer.ln_f',
  attentionNorm: `${head}.ln_1`,
  ...fusedAttention(`${head}.attn.c_attn`),
  attentionOutput: `${head}.attn.c_proj`,
  feedForwardNorm: `${head}.ln_2`,
  ...plain(`${head}.mlp.c_fc`, `${head}.mlp.c_proj`),
};

const neoxLayer = 'gpt_neox.layers.N';

/** transformers/models/gpt_neox/modeling_gpt_neox.py */
const gptNeox: Names = {
  embedding: 'gpt_neox.embed_in',
  finalNorm: 'gpt_neox.final_layer_norm',
  attentionNorm: `${neoxLayer}.input_layernorm`,
  ...fusedAttention(`${neoxLayer}.attention.query_key_value`),
  attentionOutput: `${neoxLayer}.attention.dense`,
  feedForwardNorm: `${neoxLayer}.post_attention_layernorm`,
  ...plain(`${neoxLayer}.mlp.dense_h_to_4h`, `${neoxLayer}.mlp.dense_4h_to_h`),
};

/** transformers/models/{bloom,falcon}/modeling_*.py */
const bloom: Names = {
  embedding: 'transformer.word_embeddings',
  embeddingNorm: 'transformer.word_embeddings_layernorm',
  finalNorm: 'transformer.ln_f',
  attentionNorm: `${head}.input_layernorm`,
  ...fusedAttention(`${head}.self_attention.query_key_value`),
  attentionOutput: `${head}.self_attention.dense`,
  feedForwardNorm: `${head}.post_attention_layernorm`,
  ...plain(`${head}.mlp.dense_h_to_4h`, `${head}.mlp.dense_4h_to_h`),
};

/** Four norms a layer: transformers/models/gemma2/modeling_gemma2.py */
const gemma2: Names = { feedForwardNorm: `${layer}.pre_feedforward_layernorm` };

/** Norms behind attention and feed-forward part alone, whatever OLMo calls them: transformers/models/olmo2/modeling_olmo2.py */
const olmo2: Names = {
  attentionNorm: `${layer}.post_attention_layernorm`,
  feedForwardNorm: `${layer}.post_feedforward_layernorm`,
};

/** A norm of queries is one of what they are projected down to: transformers/models/deepseek_v3/modeling_deepseek_v3.py */
const latent: Names = { queryNorm: `${layer}.self_attn.q_a_layernorm` };

const qwen2Moe: Names = sharedBelow(`${layer}.mlp.shared_expert`);

/** Linear attention beside the usual one: transformers/models/qwen3_next/modeling_qwen3_next.py */
const qwen3Next: Names = {
  ...qwen2Moe,
  stateInput: `${layer}.linear_attn.in_proj_qkvz`,
  stateConvolution: `${layer}.linear_attn.conv1d`,
  stateStepBias: `${layer}.linear_attn.dt_bias`,
  stateDecay: `${layer}.linear_attn.A_log`,
  stateNorm: `${layer}.linear_attn.norm`,
  stateOutput: `${layer}.linear_attn.out_proj`,
};

/** A layer is attention, a state space or a feed-forward part, each called `mixer`: transformers/models/nemotron_h/modeling_nemotron_h.py */
const nemotronH: Names = {
  embedding: 'model.embeddings',
  finalNorm: 'model.norm_f',
  attentionNorm: `${layer}.norm`,
  query: `${layer}.mixer.q_proj`,
  key: `${layer}.mixer.k_proj`,
  value: `${layer}.mixer.v_proj`,
  attentionOutput: `${layer}.mixer.o_proj`,
  feedForwardNorm: `${layer}.norm`,
  ...plain(`${layer}.mixer.up_proj`, `${layer}.mixer.down_proj`),
  router: `${layer}.mixer.gate`,
  routerCorrection: `${layer}.mixer.gate.e_score_correction_bias`,
  expertGate: `${layer}.mixer.experts.N.up_proj`,
  expertUp: `${layer}.mixer.experts.N.up_proj`,
  expertDown: `${layer}.mixer.experts.N.down_proj`,
  sharedGate: `${layer}.mixer.shared_experts.up_proj`,
  sharedUp: `${layer}.mixer.shared_experts.up_proj`,
  sharedDown: `${layer}.mixer.shared_experts.down_proj`,
};

const stateLayer = 'backbone.layers.N';

/** transformers/models/mamba2/modeling_mamba2.py */
const mamba: Names = {
  embedding: 'backbone.embeddings',
  finalNorm: 'backbone.norm_f',
  attentionNorm: `${stateLayer}.norm`,
  stateInput: `${stateLayer}.mixer.in_proj`,
  stateConvolution: `${stateLayer}.mixer.conv1d`,
  stateProjection: `${stateLayer}.mixer.x_proj`,
  stateStep: `${stateLayer}.mixer.dt_proj`,
  stateStepBias: `${stateLayer}.mixer.dt_bias`,
  stateDecay: `${stateLayer}.mixer.A_log`,
  stateSkip: `${stateLayer}.mixer.D`,
  stateNorm: `${stateLayer}.mixer.norm`,
  stateOutput: `${stateLayer}.mixer.out_proj`,
};

/** What differs from Llama, by the `model_type` of a config. */
const namesOfType: ReadonlyMap<string, Names> = new Map<string, Names>([
  ['gpt2', gpt2],
  ['gpt_bigcode', gpt2],
  ['gpt_neox', gptNeox],
  ['bloom', bloom],
  ['falcon', bloom],
  [
    'phi',
    {
      attentionOutput: `${layer}.self_attn.dense`,
      finalNorm: 'model.final_layernorm',
      ...plain(`${layer}.mlp.fc1`, `${layer}.mlp.fc2`),
    },
  ],
  [
    'phi3',
    { ...fusedAttention(`${layer}.self_attn.qkv_proj`), gate: `${layer}.mlp.gate_up_proj`, up: `${layer}.mlp.gate_up_proj` },
  ],
  ['starcoder2', plain(`${layer}.mlp.c_fc`, `${layer}.mlp.c_proj`)],
  ['nemotron', plain(`${layer}.mlp.up_proj`, `${layer}.mlp.down_proj`)],
  [
    'apertus',
    {
      ...plain(`${layer}.mlp.up_proj`, `${layer}.mlp.down_proj`),
      attentionNorm: `${layer}.attention_layernorm`,
      feedForwardNorm: `${layer}.feedforward_layernorm`,
    },
  ],
  ['gemma2', gemma2],
  ['gemma3_text', gemma2],
  [
    'glm4',
    {
      gate: `${layer}.mlp.gate_up_proj`,
      up: `${layer}.mlp.gate_up_proj`,
      attentionOutputNorm: `${layer}.post_self_attn_layernorm`,
      feedForwardOutputNorm: `${layer}.post_mlp_layernorm`,
    },
  ],
  ['gpt_oss', { router: `${layer}.mlp.router` }],
  ['phimoe', { router: `${layer}.mlp.router` }],
  ['minimax_m2', { routerCorrection: `${layer}.mlp.e_score_correction_bias` }],
  ['hy_v3', { routerCorrection: `${layer}.mlp.e_score_correction_bias` }],
  ['qwen2_moe', qwen2Moe],
  ['qwen3_next', qwen3Next],
  ['nemotron_h', nemotronH],
  [
    'llama4_text',
    {
      router: `${layer}.feed_forward.router`,
      gate: `${layer}.feed_forward.gate_proj`,
      up: `${layer}.feed_forward.up_proj`,
      down: `${layer}.feed_forward.down_proj`,
      ...expertsBelow(`${layer}.feed_forward`),
      ...sharedBelow(`${layer}.feed_forward.shared_expert`),
    },
  ],
  ['olmo2', olmo2],
  ['olmo3', olmo2],
  ['flex_olmo', olmo2],
  ['deepseek_v2', latent],
  ['deepseek_v3', latent],
  ['mamba', mamba],
  ['mamba2', { ...mamba, stateStep: `${stateLayer}.mixer.dt_bias` }],
]);

/** Last segments of parameters that are no `weight` or `bias` of a module. */
const ownParameters: ReadonlySet<string> = new Set(['sinks', 'e_score_correction_bias', 'dt_bias', 'A_log', 'D']);

/** The parameter of transformers for a role, and the `weight` or `bias` of it. */
export function nameOfRole(role: Role, leaf: 'weight' | 'bias', modelType: string | undefined): string {
  const module = moduleOfRole(role, modelType);
  return ownParameters.has(module.slice(module.lastIndexOf('.') + 1)) ? module : `${module}.${leaf}`;
}

/** The module of transformers for a role. Those of Llama for a type that is unknown, or not given. */
function moduleOfRole(role: Role, modelType: string | undefined): string {
  const own = modelType === undefined ? undefined : namesOfType.get(modelType);
  return own?.[role] ?? llama[role];
}
