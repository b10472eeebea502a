/** Encoders of images of any size and of video: Qwen-VL, GLM-4V (transformers/models/{qwen2_vl,qwen2_5_vl,qwen3_vl,glm4v}/modeling_*.py). */
import type { Fields } from '../../fields.js';
import { readSizes } from '../configSizes.js';
import type { ModelTensors } from '../tensorGroup.js';

const commonKeys = ['depth', 'hidden_size', 'in_channels', 'patch_size', 'spatial_merge_size', 'temporal_patch_size'] as const;
const commonDefaults = { depth: 32, in_channels: 3, patch_size: 14, spatial_merge_size: 2, temporal_patch_size: 2 };

/** Layers over patches, and four neighbours made one; its `hidden_size` is the language model's. */
export function addQwen2Vision(model: ModelTensors, prefix: string, given: Fields): boolean {
  const config = given.withDefaults({ ...commonDefaults, embed_dim: 1280, hidden_size: 3584, mlp_ratio: 4 });
  const sizes = readSizes(config, [...commonKeys, 'embed_dim']);
  const ratio = config.number('mlp_ratio');
  if (sizes === null || ratio === undefined) return false;
  const { embed_dim: hidden, depth: copies } = sizes;
  const width = Math.floor(hidden * ratio);
  addPatches(model, prefix, hidden, sizes, false);
  for (const norm of ['norm1', 'norm2']) model.norm(`${prefix}blocks.N.${norm}`, hidden, { copies, bias: true });
  addBlockAttention(model, `${prefix}blocks.N.attn`, hidden, copies, true);
  model
    .linear(`${prefix}blocks.N.mlp.fc1`, hidden, width, { copies, bias: true })
    .linear(`${prefix}blocks.N.mlp.fc2`, width, hidden, { copies, bias: true })
    .norm(`${prefix}merger.ln_q`, hidden, { bias: true });
  addMerger(model, `${prefix}merger.mlp`, hidden * sizes.spatial_merge_size ** 2, sizes.hidden_size);
  return true;
}

/** RMS norms and gates; queries, keys and values in one matrix, in three, or in one with fewer heads of keys and values. */
export function addQwen25Vision(
  model: ModelTensors,
  prefix: string,
  given: Fields,
  attention: 'fused' | 'apart' | 'grouped' = 'fused',
): boolean {
  const config = given.withDefaults({ ...commonDefaults, hidden_size: 3584, intermediate_size: 3420, out_hidden_size: 3584 });
  const sizes = readSizes(config, [...commonKeys, 'intermediate_size', 'out_hidden_size']);
  if (sizes === null) return false;
  const { hidden_size: hidden, depth: copies, intermediate_size: width } = sizes;
  addPatches(model, prefix, hidden, sizes, false);
  for (const norm of ['norm1', 'norm2']) model.norm(`${prefix}blocks.N.${norm}`, hidden, { copies });
  if (attention === 'fused') addBlockAttention(model, `${prefix}blocks.N.attn`, hidden, copies, true);
  else if (attention === 'grouped') addGroupedAttention(model, `${prefix}blocks.N.attn`, config, { hidden, copies });
  else
    for (const part of ['q', 'k', 'v', 'proj'])
      model.linear(`${prefix}blocks.N.attn.${part}`, hidden, hidden, { copies, bias: true });
  for (const part of ['gate_proj', 'up_proj'])
    model.linear(`${prefix}blocks.N.mlp.${part}`, hidden, width, { copies, bias: true });
  model.linear(`${prefix}blocks.N.mlp.down_proj`, width, hidden, { copies, bias: true }).norm(`${prefix}merger.ln_q`, hidden);
  addMerger(model, `${prefix}merger.mlp`, hidden * sizes.spatial_merge_size ** 2, sizes.out_hidden_size);
  return true;
}

/** EXAONE 4.5's (transformers/models/exaone4_5/modeling_exaone4_5.py, Exaone4_5_VisionAttention). */
function addGroupedAttention(
  model: ModelTensors,
  prefix: string,
  config: Fields,
  { hidden, copies }: { hidden: number; copies: number },
): void {
  const headSize = Math.floor(hidden / Math.max(config.integer('num_heads') ?? 16, 1));
  const keys = headSize * (config.integer('num_key_value_heads') ?? 8);
  model
    .linear(`${prefix}.qkv`, hidden, hidden + 2 * keys, { copies, bias: true })
    .linear(`${prefix}.proj`, hidden, hidden, { copies, bias: true });
}

/** Names of Qwen3-VL's parts that merge neighbours, which its sound-hearing sibling calls otherwise. */
interface MergerNames {
  deep: string;
  norm: string;
  first: string;
  second: string;
}

const mergerNames: MergerNames = { deep: 'deepstack_merger_list.N', norm: 'norm', first: 'linear_fc1', second: 'linear_fc2' };
const omniMergerNames: MergerNames = { deep: 'merger_list.N', norm: 'ln_q', first: 'mlp.0', second: 'mlp.2' };

/** Learned positions, and states of some layers led to the language model by ways of their own; Qwen3.5 has none of these. */
export function addQwen3Vision(
  model: ModelTensors,
  prefix: string,
  given: Fields,
  { isOmni = false, hasDeepStack = true }: { isOmni?: boolean; hasDeepStack?: boolean } = {},
): boolean {
  const config = given.withDefaults({
    ...commonDefaults,
    depth: 27,
    hidden_size: 1152,
    intermediate_size: 4304,
    patch_size: 16,
    out_hidden_size: 3584,
    num_position_embeddings: 2304,
  });
  const sizes = readSizes(config, [...commonKeys, 'intermediate_size', 'out_hidden_size', 'num_position_embeddings']);
  const layers = config.has('deepstack_visual_indexes') ? config.integers('deepstack_visual_indexes') : [8, 16, 24];
  if (sizes === null) return false;
  const { hidden_size: hidden, depth: copies, intermediate_size: width, out_hidden_size: output } = sizes;
  addPatches(model, prefix, hidden, sizes, true);
  model.embedding(`${prefix}pos_embed`, sizes.num_position_embeddings, hidden);
  for (const norm of ['norm1', 'norm2']) model.norm(`${prefix}blocks.N.${norm}`, hidden, { copies, bias: true });
  addBlockAttention(model, `${prefix}blocks.N.attn`, hidden, copies, true);
  model
    .linear(`${prefix}blocks.N.mlp.linear_fc1`, hidden, width, { copies, bias: true })
    .linear(`${prefix}blocks.N.mlp.linear_fc2`, width, hidden, { copies, bias: true });
  const names = isOmni ? omniMergerNames : mergerNames;
  const merged = hidden * sizes.spatial_merge_size ** 2;
  const deep = hasDeepStack ? (layers?.length ?? 0) : 0;
  for (const [part, norm, times] of [['merger', hidden, 1] as const, [names.deep, merged, deep] as const])
    model
      .norm(`${prefix}${part}.${names.norm}`, norm, { copies: times, bias: true })
      .linear(`${prefix}${part}.${names.first}`, merged, merged, { copies: times, bias: true })
      .linear(`${prefix}${part}.${names.second}`, merged, output, { copies: times, bias: true });
  return true;
}

/** GLM-4V's: gates, and a feed-forward part after the neighbours are one. */
export function addGlmVision(model: ModelTensors, prefix: string, given: Fields): boolean {
  const config = given.withDefaults({
    ...commonDefaults,
    depth: 24,
    hidden_size: 1536,
    image_size: 336,
    intermediate_size: 13_696,
    out_hidden_size: 4096,
  });
  const sizes = readSizes(config, [...commonKeys, 'image_size', 'intermediate_size', 'out_hidden_size']);
  if (sizes === null) return false;
  const { hidden_size: hidden, depth: copies, out_hidden_size: output, intermediate_size: width } = sizes;
  const positions = Math.floor(sizes.image_size / Math.max(sizes.patch_size, 1)) ** 2;
  const bias = config.flag('attention_bias') ?? false;
  model.embedding(`${prefix}embeddings.position_embedding`, positions, hidden);
  addPatches(model, prefix, hidden, sizes, true);
  for (const norm of ['norm1', 'norm2']) model.norm(`${prefix}blocks.N.${norm}`, hidden, { copies });
  model.linear(`${prefix}blocks.N.attn.qkv`, hidden, 3 * hidden, { copies, bias });
  model.linear(`${prefix}blocks.N.attn.proj`, hidden, hidden, { copies });
  // The layers of the tower are as wide as what it answers; only its last part is as wide as the config says.
  for (const part of ['gate_proj', 'up_proj']) model.linear(`${prefix}blocks.N.mlp.${part}`, hidden, output, { copies });
  model.linear(`${prefix}blocks.N.mlp.down_proj`, output, hidden, { copies });
  model
    .norm(`${prefix}post_conv_layernorm`, hidden)
    .norm(`${prefix}post_layernorm`, hidden)
    .convolution(`${prefix}downsample`, [output, hidden, sizes.spatial_merge_size, sizes.spatial_merge_size], { bias: true })
    .linear(`${prefix}merger.proj`, output, output)
    .norm(`${prefix}merger.post_projection_norm`, output, { bias: true });
  for (const part of ['gate_proj', 'up_proj']) model.linear(`${prefix}merger.${part}`, output, width);
  model.linear(`${prefix}merger.down_proj`, width, output);
  return true;
}

/** GLM-OCR's: norms of queries and keys, a feed-forward part as wide as the config says, no learned positions (transformers/models/glm_ocr/modeling_glm_ocr.py). */
export function addGlmOcrVision(model: ModelTensors, prefix: string, given: Fields): boolean {
  const config = given.withDefaults({
    ...commonDefaults,
    depth: 24,
    hidden_size: 1024,
    intermediate_size: 4096,
    out_hidden_size: 1536,
    num_heads: 16,
  });
  const sizes = readSizes(config, [...commonKeys, 'intermediate_size', 'out_hidden_size', 'num_heads']);
  if (sizes === null) return false;
  const { hidden_size: hidden, depth: copies, out_hidden_size: output, intermediate_size: width } = sizes;
  const bias = config.flag('attention_bias') ?? true;
  const headSize = Math.floor(hidden / Math.max(sizes.num_heads, 1));
  const block = `${prefix}blocks.N`;
  const mergedWidth = config.integer('projection_intermediate_size') ?? output * sizes.in_channels;
  addPatches(model, prefix, hidden, sizes, true);
  for (const norm of ['norm1', 'norm2']) model.norm(`${block}.${norm}`, hidden, { copies });
  for (const norm of ['q_norm', 'k_norm']) model.norm(`${block}.attn.${norm}`, headSize, { copies });
  addBlockAttention(model, `${block}.attn`, hidden, copies, bias);
  for (const part of ['gate_proj', 'up_proj']) model.linear(`${block}.mlp.${part}`, hidden, width, { copies, bias });
  model
    .linear(`${block}.mlp.down_proj`, width, hidden, { copies, bias })
    .norm(`${prefix}post_layernorm`, hidden)
    .convolution(`${prefix}downsample`, [output, hidden, sizes.spatial_merge_size, sizes.spatial_merge_size], { bias: true })
    .linear(`${prefix}merger.proj`, output, output)
    .norm(`${prefix}merger.post_projection_norm`, output, { bias: true });
  for (const part of ['gate_proj', 'up_proj']) model.linear(`${prefix}merger.${part}`, output, mergedWidth);
  model.linear(`${prefix}merger.down_proj`, mergedWidth, output);
  return true;
}

function addPatches(
  model: ModelTensors,
  prefix: string,
  hidden: number,
  sizes: { in_channels: number; temporal_patch_size: number; patch_size: number },
  bias: boolean,
): void {
  const { in_channels: channels, temporal_patch_size: frames, patch_size: patch } = sizes;
  model.convolution(`${prefix}patch_embed.proj`, [hidden, channels, frames, patch, patch], { bias });
}

function addBlockAttention(model: ModelTensors, prefix: string, hidden: number, copies: number, bias: boolean): void {
  model.linear(`${prefix}.qkv`, hidden, 3 * hidden, { copies, bias }).linear(`${prefix}.proj`, hidden, hidden, { copies, bias });
}

function addMerger(model: ModelTensors, name: string, merged: number, output: number): void {
  model.linear(`${name}.0`, merged, merged, { bias: true }).linear(`${name}.2`, merged, output, { bias: true });
}
