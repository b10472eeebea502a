/** ERNIE 4.5 that sees: experts for text and others for images (transformers/models/ernie4_5_vl_moe/modeling_ernie4_5_vl_moe.py). */
import type { Fields } from '../../fields.js';
import { readSizes } from '../configSizes.js';
import { decoder, type DecoderTraits } from '../decoderEntry.js';
import type { ModelTensors } from '../tensorGroup.js';
import { expertsOf } from './expertFamilies.js';
import { sparseLayers } from '../layerPattern.js';
import type { MultimodalEntry } from './multimodalShape.js';
import { type DecoderSizes, isOn, sizeOr } from '../sizes.js';

const layer = 'model.layers.N';

/** Experts that only what was an image passes. */
function addVisionExperts(model: ModelTensors, hidden: number, width: number, count: number, copies: number): void {
  const once = { copies, activeCopies: 0 };
  const each = { copies: copies * count, activeCopies: 0 };
  const experts = `${layer}.mlp.vision_moe.experts.N`;
  model
    .linear(`${layer}.mlp.vision_moe.gate`, hidden, count, once)
    .parameter(`${layer}.mlp.vision_moe.gate.moe_statics.e_score_correction_bias`, [1, count], { ...once, kind: 'bias' })
    .linear(`${experts}.gate_proj`, hidden, width, each)
    .linear(`${experts}.up_proj`, hidden, width, each)
    .linear(`${experts}.down_proj`, width, hidden, each);
}

function textTraits(config: Fields, sizes: DecoderSizes): DecoderTraits | null {
  const [width, visionWidth] = config.has('moe_intermediate_size')
    ? (config.integers('moe_intermediate_size') ?? [])
    : [1536, 512];
  if (width === undefined || visionWidth === undefined) return null;
  const bias = isOn(config, 'use_bias');
  const layers = sparseLayers(config, sizes.layers, 1);
  const experts = expertsOf(config, sizes, {
    width,
    layers,
    sharedWidth: width * sizeOr(config, 0, 'moe_num_shared_experts'),
    sharedBias: bias,
    hasCorrectionBias: true,
  });
  return {
    queryKeyValueBias: bias,
    outputBias: bias,
    feedForwardBias: bias,
    experts,
    names: {
      router: 'mlp.text_moe.gate',
      expert: 'mlp.text_moe.experts.N',
      correctionBias: 'mlp.text_moe.gate.moe_statics.e_score_correction_bias',
    },
    add: (model) => {
      addVisionExperts(model, sizes.hidden, visionWidth, experts.count, layers);
    },
  };
}

export const ernieVisionText = decoder({
  modelTypes: ['ernie4_5_vl_moe_text'],
  name: 'ERNIE 4.5 VL',
  defaults: {
    vocab_size: 103_424,
    hidden_size: 2560,
    intermediate_size: 12_288,
    num_hidden_layers: 28,
    num_attention_heads: 20,
    num_key_value_heads: 4,
    moe_k: 6,
    moe_num_experts: 64,
    moe_num_shared_experts: 2,
    tie_word_embeddings: true,
  },
  traits: textTraits,
});

/** Two layers and a norm, which take neighbours in the picture, then in time, as one. */
function addMerger(model: ModelTensors, name: string, inputs: number, outputs: number): void {
  model
    .linear(`${name}.fc1`, inputs, outputs, { bias: true })
    .linear(`${name}.fc2`, outputs, outputs, { bias: true })
    .norm(`${name}.ln`, outputs, { bias: true });
}

function addTowers(model: ModelTensors, given: Fields, output: number): boolean {
  const config = given.withDefaults({
    depth: 32,
    hidden_size: 1280,
    intermediate_size: 5120,
    in_channels: 3,
    patch_size: 14,
    spatial_merge_size: 2,
    temporal_merge_size: 2,
  });
  const keys = ['depth', 'hidden_size', 'intermediate_size', 'in_channels', 'patch_size', 'spatial_merge_size'] as const;
  const sizes = readSizes(config, [...keys, 'temporal_merge_size']);
  if (sizes === null) return false;
  const { depth: copies, hidden_size: hidden, intermediate_size: width, patch_size: patch } = sizes;
  const block = 'model.vision_tower.blocks.N';
  const options = { copies, bias: true };
  model
    .linear('model.vision_tower.patch_embed.proj', sizes.in_channels * patch * patch, hidden)
    .norm(`${block}.norm1`, hidden, options)
    .norm(`${block}.norm2`, hidden, options)
    .linear(`${block}.attn.qkv`, hidden, 3 * hidden, options)
    .linear(`${block}.attn.proj`, hidden, hidden, options)
    .linear(`${block}.mlp.fc1`, hidden, width, options)
    .linear(`${block}.mlp.fc2`, width, hidden, options)
    .norm('model.vision_tower.ln', hidden, { bias: true });
  const merged = hidden * sizes.spatial_merge_size ** 2;
  addMerger(model, 'model.resampler_model.spatial_linear', merged, merged);
  addMerger(model, 'model.resampler_model.temporal_linear', merged * sizes.temporal_merge_size, merged);
  model.linear('model.resampler_model.mlp', merged, output, { bias: true }).norm('model.resampler_model.after_norm', output);
  return true;
}

export const ernieVisionFamily: MultimodalEntry = {
  modelTypes: ['ernie4_5_vl_moe'],
  name: 'ERNIE 4.5 VL',
  textType: 'ernie4_5_vl_moe_text',
  isTied: true,
  towers: (model, config, { hidden }) => addTowers(model, config.at('vision_config'), hidden),
};
