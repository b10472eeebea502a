/** Layers of attention and a feed-forward part, with biases and norms, by the names that a family gives their modules. */
import type { ModelTensors } from './tensorGroup.js';

export interface LayerNames {
  /** Queries, keys, values, and what comes out. */
  attention: readonly [string, string, string, string];
  /** Attention to an encoder's states. */
  crossAttention?: readonly [string, string, string, string];
  /** In and out; the gate first where there is one. */
  feedForward: readonly string[];
  norms: readonly string[];
}

export interface LayerSizes {
  copies: number;
  hidden: number;
  /** Heads x their size; the hidden size without it. */
  inner?: number;
  /** Of keys and values, where heads share them. */
  keyValue?: number;
  width: number;
  /** True without it. */
  hasBias?: boolean;
  /** Of the projections of queries, keys and values; of keys alone. As `hasBias` without them. */
  queryBias?: boolean;
  keyBias?: boolean;
  valueBias?: boolean;
  outputBias?: boolean;
  feedForwardBias?: boolean;
  /** As LayerNorm has them; RMS norms have none. */
  normBias?: boolean;
}

export function addLayers(model: ModelTensors, prefix: string, names: LayerNames, sizes: LayerSizes): void {
  const { copies, hidden, width, hasBias = true, feedForwardBias: bias = hasBias, normBias = true } = sizes;
  addProjections(model, prefix, names.attention, sizes);
  if (names.crossAttention !== undefined) addProjections(model, prefix, names.crossAttention, sizes);
  const down = names.feedForward.at(-1) ?? '';
  for (const up of names.feedForward.slice(0, -1)) model.linear(`${prefix}.${up}`, hidden, width, { copies, bias });
  model.linear(`${prefix}.${down}`, width, hidden, { copies, bias });
  for (const norm of names.norms) model.norm(`${prefix}.${norm}`, hidden, { copies, bias: normBias });
}

function addProjections(
  model: ModelTensors,
  prefix: string,
  [query, key, value, output]: readonly [string, string, string, string],
  sizes: LayerSizes,
): void {
  const { copies, hidden, inner = hidden, keyValue = inner, hasBias = true } = sizes;
  const { queryBias = hasBias, keyBias = queryBias, valueBias = queryBias, outputBias = hasBias } = sizes;
  model
    .linear(`${prefix}.${query}`, hidden, inner, { copies, bias: queryBias })
    .linear(`${prefix}.${key}`, hidden, keyValue, { copies, bias: keyBias })
    .linear(`${prefix}.${value}`, hidden, keyValue, { copies, bias: valueBias })
    .linear(`${prefix}.${output}`, inner, hidden, { copies, bias: outputBias });
}

/** `a.q`, `a.k`, `a.v`, `a.o` with what each is called. */
export function attentionNames(module: string, names = 'q_proj k_proj v_proj o_proj'): readonly [string, string, string, string] {
  const [query = '', key = '', value = '', output = ''] = names.split(' ');
  return [`${module}.${query}`, `${module}.${key}`, `${module}.${value}`, `${module}.${output}`];
}

/** BERT's layers (transformers/models/bert/modeling_bert.py). */
export const bertLayer: LayerNames = {
  attention: ['attention.self.query', 'attention.self.key', 'attention.self.value', 'attention.output.dense'],
  feedForward: ['intermediate.dense', 'output.dense'],
  norms: ['attention.output.LayerNorm', 'output.LayerNorm'],
};

/** BART's (transformers/models/bart/modeling_bart.py). */
export const bartEncoderLayer: LayerNames = {
  attention: attentionNames('self_attn', 'q_proj k_proj v_proj out_proj'),
  feedForward: ['fc1', 'fc2'],
  norms: ['self_attn_layer_norm', 'final_layer_norm'],
};
export const bartDecoderLayer: LayerNames = {
  ...bartEncoderLayer,
  crossAttention: attentionNames('encoder_attn', 'q_proj k_proj v_proj out_proj'),
  norms: ['self_attn_layer_norm', 'encoder_attn_layer_norm', 'final_layer_norm'],
};

/** CLIP's (transformers/models/clip/modeling_clip.py), and of most towers that came after it. */
export const clipLayer: LayerNames = {
  attention: attentionNames('self_attn', 'q_proj k_proj v_proj out_proj'),
  feedForward: ['mlp.fc1', 'mlp.fc2'],
  norms: ['layer_norm1', 'layer_norm2'],
};

/** ViT's (transformers/models/vit/modeling_vit.py). */
export const vitLayer: LayerNames = {
  attention: attentionNames('attention', 'q_proj k_proj v_proj o_proj'),
  feedForward: ['mlp.fc1', 'mlp.fc2'],
  norms: ['layernorm_before', 'layernorm_after'],
};
