/** Language models that see. */
import type { Fields } from '../../fields.js';
import { readSizes } from '../configSizes.js';
import { addLayers, attentionNames, clipLayer, type LayerNames } from '../encoderLayer.js';
import { addSiglipVision } from './visionTowers.js';
import { addImageTower } from './imageTowers.js';
import { addProjector, featureLayers, projector, visionOf } from './multimodalEntry.js';
import type { MultimodalEntry, TextModel } from './multimodalShape.js';
import { addGlmOcrVision, addGlmVision, addQwen25Vision, addQwen2Vision, addQwen3Vision } from './qwenVisionTowers.js';
import { addQuestioner } from './questioner.js';
import type { ModelTensors } from '../tensorGroup.js';

const clipLarge = {
  hidden_size: 1024,
  intermediate_size: 4096,
  num_hidden_layers: 24,
  num_attention_heads: 16,
  image_size: 336,
  patch_size: 14,
};
const siglipLarge = {
  hidden_size: 1152,
  intermediate_size: 4304,
  num_hidden_layers: 26,
  num_attention_heads: 16,
  image_size: 384,
  patch_size: 14,
  vision_use_head: false,
};

/** transformers/models/llava*, vipllava, video_llava */
function addLlavaTowers(
  towers: readonly string[],
  { type, absent }: { type: string; absent: Readonly<Record<string, unknown>> },
  hasNewline: boolean,
): MultimodalEntry['towers'] {
  return (model, config, { hidden }) => {
    if (hasNewline) model.parameter('model.image_newline', [hidden]);
    const sizes = towers.map((tower) => addImageTower(model, `model.${tower}.`, visionOf(config, absent), type));
    const [vision] = sizes;
    if (vision === undefined || vision === null) return false;
    addProjector(model, vision * featureLayers(config, 1), hidden, config.flag('multimodal_projector_bias') ?? true);
    return true;
  };
}

const clipTower = { type: 'clip_vision_model', absent: clipLarge };
const siglipTower = { type: 'siglip_vision_model', absent: siglipLarge };

const llavaEntries: readonly MultimodalEntry[] = [
  {
    modelTypes: ['llava'],
    name: 'LLaVA',
    textType: 'llama',
    isTied: false,
    takesTextTie: true,
    towers: addLlavaTowers(['vision_tower'], clipTower, false),
  },
  {
    modelTypes: ['llava_next'],
    name: 'LLaVA-NeXT',
    textType: 'llama',
    isTied: false,
    towers: addLlavaTowers(['vision_tower'], clipTower, true),
  },
  {
    modelTypes: ['llava_onevision'],
    name: 'LLaVA-OneVision',
    textType: 'qwen2',
    isTied: false,
    takesTextTie: true,
    towers: addLlavaTowers(['vision_tower'], siglipTower, true),
  },
  {
    modelTypes: ['llava_next_video'],
    name: 'LLaVA-NeXT-Video',
    textType: 'llama',
    isTied: false,
    takesTextTie: true,
    towers: addLlavaTowers(['vision_tower'], clipTower, true),
  },
  {
    modelTypes: ['video_llava'],
    name: 'Video-LLaVA',
    textType: 'llama',
    isTied: false,
    towers: addLlavaTowers(['video_tower', 'image_tower'], { ...clipTower, absent: { ...clipLarge, image_size: 224 } }, false),
  },
  {
    modelTypes: ['vipllava'],
    name: 'ViP-LLaVA',
    textType: 'llama',
    isTied: false,
    towers(model, config, { hidden }) {
      const vision = addImageTower(model, 'model.vision_tower.', visionOf(config, clipLarge), 'clip_vision_model');
      if (vision === null) return false;
      const inputs = vision * featureLayers(config, 5);
      model.norm(`${projector}.projector_layernorm`, inputs, { bias: true });
      addProjector(model, inputs, hidden, true);
      return true;
    },
  },
];

/** transformers/models/{gemma3,paligemma}/modeling_*.py */
const gemmaEntries: readonly MultimodalEntry[] = [
  {
    modelTypes: ['gemma3'],
    name: 'Gemma 3',
    textType: 'gemma3_text',
    classifiers: ['SequenceClassification'],
    isTied: true,
    towers(model, config, { hidden }) {
      const vision = addImageTower(model, 'model.vision_tower.', config.at('vision_config'), 'siglip_vision_model');
      if (vision === null) return false;
      model.parameter(`${projector}.mm_input_projection_weight`, [vision, hidden]);
      model.norm(`${projector}.mm_soft_emb_norm`, vision);
      return true;
    },
  },
  {
    modelTypes: ['paligemma'],
    name: 'PaliGemma',
    textType: 'gemma',
    absentText: {
      model_type: 'gemma',
      vocab_size: 257_152,
      hidden_size: 2048,
      intermediate_size: 16_384,
      num_hidden_layers: 18,
      num_attention_heads: 8,
      num_key_value_heads: 1,
      head_dim: 256,
    },
    isTied: true,
    towers(model, config) {
      const absent = { ...siglipLarge, intermediate_size: 4096, num_hidden_layers: 27, image_size: 224 };
      const vision = addImageTower(model, 'model.vision_tower.', visionOf(config, absent), 'siglip_vision_model');
      if (vision === null) return false;
      const projection = config.at('vision_config').integer('projection_dim') ?? config.integer('projection_dim') ?? 2048;
      model.linear(`${projector}.linear`, vision, projection, { bias: true });
      return true;
    },
  },
];

/** Towers of Qwen's and GLM's own, whose last part is as wide as the language model. */
function visual(add: (model: ModelTensors, prefix: string, config: Fields) => boolean): MultimodalEntry['towers'] {
  return (model, config) => add(model, 'model.visual.', config.at('vision_config'));
}

const qwenEntries: readonly MultimodalEntry[] = [
  {
    modelTypes: ['qwen2_vl'],
    name: 'Qwen2-VL',
    textType: 'qwen2_vl_text',
    absentText: 'root',
    isTied: false,
    takesTextTie: true,
    towers: visual(addQwen2Vision),
  },
  {
    modelTypes: ['qwen2_5_vl'],
    name: 'Qwen2.5-VL',
    textType: 'qwen2_5_vl_text',
    absentText: 'root',
    isTied: false,
    takesTextTie: true,
    towers: visual((model, prefix, config) => addQwen25Vision(model, prefix, config)),
  },
  {
    modelTypes: ['qwen3_vl'],
    name: 'Qwen3-VL',
    textType: 'qwen3_vl_text',
    isTied: false,
    towers: visual((model, prefix, config) => addQwen3Vision(model, prefix, config)),
  },
  {
    modelTypes: ['qwen3_vl_moe'],
    name: 'Qwen3-VL, experts',
    textType: 'qwen3_vl_moe_text',
    isTied: false,
    towers: visual((model, prefix, config) => addQwen3Vision(model, prefix, config)),
  },
  {
    modelTypes: ['qwen3_5'],
    name: 'Qwen3.5',
    textType: 'qwen3_5_text',
    classifiers: ['SequenceClassification', 'TokenClassification'],
    isTied: false,
    towers: visual((model, prefix, config) => addQwen3Vision(model, prefix, config, { hasDeepStack: false })),
  },
  {
    modelTypes: ['qwen4_exp'],
    name: 'Qwen 4',
    textType: 'qwen4_exp_text',
    isTied: false,
    towers: visual((model, prefix, config) => addQwen3Vision(model, prefix, config, { hasDeepStack: false })),
  },
  {
    modelTypes: ['qwen3_5_moe'],
    name: 'Qwen3.5, experts',
    textType: 'qwen3_5_moe_text',
    isTied: false,
    towers: visual((model, prefix, config) => addQwen3Vision(model, prefix, config, { hasDeepStack: false })),
  },
  {
    modelTypes: ['glm4v', 'glm46v', 'glmga'],
    name: 'GLM-4V',
    textType: 'glm4v_text',
    isTied: false,
    takesTextTie: true,
    towers: visual(addGlmVision),
  },
  {
    modelTypes: ['glm_ocr'],
    name: 'GLM-OCR',
    textType: 'glm_ocr_text',
    isTied: false,
    takesTextTie: true,
    towers: visual(addGlmOcrVision),
  },
  {
    // Fewer heads of keys and values in the tower (transformers/models/exaone4_5/modeling_exaone4_5.py).
    modelTypes: ['exaone4_5'],
    name: 'EXAONE 4.5',
    textType: 'exaone4',
    isTied: false,
    towers: visual((model, prefix, config) => addQwen25Vision(model, prefix, config, 'grouped')),
  },
  {
    modelTypes: ['glm4v_moe'],
    name: 'GLM-4.5V',
    textType: 'glm4v_moe_text',
    isTied: false,
    takesTextTie: true,
    towers: visual(addGlmVision),
  },
];

/** transformers/models/{idefics2,idefics3,smolvlm}/modeling_*.py */
const ideficsEntries: readonly MultimodalEntry[] = [
  {
    modelTypes: ['idefics3', 'smolvlm'],
    name: 'Idefics3, SmolVLM',
    textType: 'llama',
    isTied: false,
    textPrefix: 'model.text_model.',
    towers(model, config, { hidden }) {
      const vision = addImageTower(model, 'model.vision_model.', config.at('vision_config'), 'idefics3_vision');
      const scale = config.integer('scale_factor') ?? 2;
      if (vision === null) return false;
      model.linear('model.connector.modality_projection.proj', vision * scale * scale, hidden);
      return true;
    },
  },
  {
    modelTypes: ['idefics2'],
    name: 'Idefics2',
    textType: 'mistral',
    isTied: false,
    textPrefix: 'model.text_model.',
    towers: addIdefics2Towers,
  },
];

const perceiverLayer: LayerNames = {
  attention: attentionNames('self_attn'),
  feedForward: ['mlp.gate_proj', 'mlp.up_proj', 'mlp.down_proj'],
  norms: ['input_latents_norm', 'input_context_norm', 'post_attention_layernorm'],
};

function addIdefics2Towers(model: ModelTensors, config: Fields, { hidden, groups }: TextModel): boolean {
  const vision = addImageTower(model, 'model.vision_model.', config.at('vision_config'), 'idefics2_vision');
  const perceiver = config.at('perceiver_config').withDefaults({
    hidden_size: 4096,
    resampler_n_latents: 64,
    resampler_depth: 3,
    resampler_n_heads: 16,
    resampler_head_dim: 96,
    num_key_value_heads: 4,
  });
  const keys = ['hidden_size', 'resampler_n_latents', 'resampler_depth', 'resampler_n_heads', 'resampler_head_dim'] as const;
  const sizes = readSizes(perceiver, [...keys, 'num_key_value_heads']);
  // States become as wide as the language model by a feed-forward part as wide as its own.
  const width = groups.find(({ name }) => name.endsWith('mlp.up_proj.weight'))?.shape[0];
  if (vision === null || sizes === null || width === undefined) return false;
  // The class gives the perceiver the language model's size, whatever its config has (configuration_idefics2.py).
  const { resampler_head_dim: headSize } = sizes;
  const inner = hidden;
  for (const part of ['gate_proj', 'up_proj']) model.linear(`model.connector.modality_projection.${part}`, vision, width);
  model.linear('model.connector.modality_projection.down_proj', width, hidden);
  model.parameter('model.connector.perceiver_resampler.latents', [sizes.resampler_n_latents, inner]);
  addLayers(model, 'model.connector.perceiver_resampler.layers.N', perceiverLayer, {
    copies: sizes.resampler_depth,
    hidden: inner,
    inner: sizes.resampler_n_heads * headSize,
    keyValue: sizes.num_key_value_heads * headSize,
    width: 4 * inner,
    hasBias: false,
    normBias: false,
  });
  model.norm('model.connector.perceiver_resampler.norm', inner);
  return true;
}

/** Others, each with a way of its own from the tower to the language model. */
const otherEntries: readonly MultimodalEntry[] = [
  {
    modelTypes: ['internvl'],
    name: 'InternVL',
    textType: 'qwen2',
    isTied: true,
    towers(model, config, { hidden }) {
      const vision = addImageTower(model, 'model.vision_tower.', config.at('vision_config'), 'internvl_vision');
      const ratio = config.number('downsample_ratio') ?? 0.5;
      if (vision === null || !(ratio > 0)) return false;
      const inputs = vision * Math.floor(1 / ratio) ** 2;
      model
        .norm(`${projector}.layer_norm`, inputs, { bias: true })
        .linear(`${projector}.linear_1`, inputs, hidden, { bias: true })
        .linear(`${projector}.linear_2`, hidden, hidden, { bias: true });
      return true;
    },
  },
  {
    modelTypes: ['mistral3'],
    name: 'Mistral 3',
    textType: 'mistral',
    absentText: {
      model_type: 'mistral',
      vocab_size: 131_072,
      hidden_size: 5120,
      intermediate_size: 32_768,
      num_hidden_layers: 40,
      num_attention_heads: 32,
      num_key_value_heads: 8,
      head_dim: 128,
    },
    isTied: true,
    towers(model, config, { hidden }) {
      const vision = addImageTower(model, 'model.vision_tower.', visionOf(config, { patch_size: 14 }), 'pixtral');
      const merge = config.integer('spatial_merge_size') ?? 2;
      if (vision === null) return false;
      model.norm(`${projector}.norm`, vision).linear(`${projector}.patch_merger.merging_layer`, vision * merge * merge, vision);
      addProjector(model, vision * featureLayers(config, 1), hidden, config.flag('multimodal_projector_bias') ?? false);
      return true;
    },
  },
  {
    modelTypes: ['lighton_ocr'],
    name: 'LightOnOCR',
    textType: 'qwen3',
    absentText: {
      model_type: 'qwen3',
      vocab_size: 151_936,
      hidden_size: 1024,
      intermediate_size: 3072,
      num_hidden_layers: 28,
      num_attention_heads: 16,
      num_key_value_heads: 8,
      head_dim: 128,
    },
    isTied: true,
    towers: addLightOnTowers,
  },
  {
    modelTypes: ['paddleocr_vl'],
    name: 'PaddleOCR-VL',
    textType: 'paddleocr_vl_text',
    isTied: true,
    takesTextTie: 'usually',
    towers: addPaddleTowers,
  },
  {
    modelTypes: ['llama4'],
    name: 'Llama 4',
    textType: 'llama4_text',
    isTied: null,
    textPrefix: 'language_model.model.',
    headPrefix: 'language_model.',
    towers(model, config, { hidden }) {
      const vision = addImageTower(model, 'vision_model.', config.at('vision_config'), 'llama4_vision_model');
      if (vision === null) return false;
      model.linear('multi_modal_projector.linear_1', vision, hidden);
      return true;
    },
  },
  {
    modelTypes: ['mllama'],
    name: 'Llama 3.2 Vision',
    textType: 'mllama_text_model',
    isTied: false,
    towers(model, config, { hidden }) {
      const vision = addImageTower(model, 'model.vision_model.', config.at('vision_config'), 'mllama_vision_model');
      if (vision === null) return false;
      model.linear('model.multi_modal_projector', vision, hidden, { bias: true });
      return true;
    },
  },
  { modelTypes: ['aria'], name: 'Aria', textType: 'aria_text', isTied: false, towers: addAriaTowers },
  {
    modelTypes: ['cohere2_vision'],
    name: 'Command A Vision',
    textType: 'cohere2',
    isTied: true,
    towers(model, config, { hidden }) {
      const absent = {
        ...siglipLarge,
        intermediate_size: 3072,
        num_hidden_layers: 27,
        image_size: 512,
        patch_size: 16,
        vision_use_head: true,
      };
      const vision = addImageTower(model, 'model.vision_tower.', visionOf(config, absent), 'siglip_vision_model');
      const factor = config.integer('downsample_factor') ?? 2;
      const inner = config.integer('alignment_intermediate_size') ?? 36_864;
      if (vision === null) return false;
      // Half of what the first layer answers gates the other half.
      model
        .linear(`${projector}.linear_1`, vision * factor * factor, inner, { bias: true })
        .linear(`${projector}.linear_2`, Math.floor(inner / 2), hidden, { bias: true });
      return true;
    },
  },
  {
    modelTypes: ['aya_vision'],
    name: 'Aya Vision',
    textType: 'cohere2',
    isTied: true,
    towers(model, config, { hidden }) {
      const vision = addImageTower(model, 'model.vision_tower.', config.at('vision_config'), 'siglip_vision_model');
      const factor = config.integer('downsample_factor') ?? 2;
      const inner = config.integer('alignment_intermediate_size') ?? hidden;
      if (vision === null) return false;
      model
        .norm(`${projector}.layernorm`, vision * factor * factor, { bias: true })
        .linear(`${projector}.linear_1`, vision * factor * factor, inner, { bias: true })
        .linear(`${projector}.linear_2`, Math.floor(inner / 2), hidden, { bias: true });
      return true;
    },
  },
  {
    modelTypes: ['lfm2_vl'],
    name: 'LFM2-VL',
    textType: 'lfm2',
    isTied: true,
    towers(model, config, { hidden }) {
      const vision = addImageTower(model, 'model.vision_tower.', config.at('vision_config'), 'siglip2_vision_model');
      const factor = config.integer('downsample_factor') ?? 2;
      const inner = config.integer('projector_hidden_size') ?? 2560;
      const bias = config.flag('projector_bias') ?? true;
      if (vision === null) return false;
      const inputs = vision * factor * factor;
      if (config.flag('projector_use_layernorm') ?? true) model.norm(`${projector}.layer_norm`, inputs, { bias: true });
      model.linear(`${projector}.linear_1`, inputs, inner, { bias }).linear(`${projector}.linear_2`, inner, hidden, { bias });
      return true;
    },
  },
  {
    // transformers/models/cohere_compass/modeling_cohere_compass.py: Qwen3-VL's tower.
    modelTypes: ['cohere_compass'],
    name: 'Cohere Compass',
    textType: 'cohere_compass_text',
    isTied: false,
    towers: visual((model, prefix, config) => addQwen3Vision(model, prefix, config)),
  },
  {
    modelTypes: ['minimax_m3_vl'],
    name: 'MiniMax-M3',
    textType: 'minimax_m3_vl_text',
    isTied: false,
    takesTextTie: true,
    towers: addMiniMaxTowers,
  },
  // Kimi-VL is code of its own at its repository, with the tensors of what became a class for Kimi K2.5.
  { modelTypes: ['kimi_k25'], name: 'Kimi K2.5', textType: 'deepseek_v3', isTied: true, towers: addKimiTowers },
  { modelTypes: ['kimi_vl'], name: 'Kimi-VL', textType: 'deepseek_v3', isTied: false, towers: addKimiTowers },
  {
    modelTypes: ['blip-2'],
    name: 'BLIP-2',
    textType: 'opt',
    isTied: null,
    textPrefix: 'language_model.model.',
    headPrefix: 'language_model.',
    towers: addBlip2Towers,
  },
];

/** transformers/models/lighton_ocr/modeling_lighton_ocr.py: Mistral 3's way to the language model, under other names and without biases. */
function addLightOnTowers(model: ModelTensors, config: Fields, { hidden }: TextModel): boolean {
  const vision = addImageTower(model, 'model.vision_encoder.', visionOf(config, { patch_size: 14 }), 'pixtral');
  const merge = config.integer('spatial_merge_size') ?? 2;
  if (vision === null) return false;
  const module = 'model.vision_projection';
  model
    .norm(`${module}.norm`, vision)
    .linear(`${module}.patch_merger.merging_layer`, vision * merge * merge, vision)
    .linear(`${module}.linear_1`, vision, hidden)
    .linear(`${module}.linear_2`, hidden, hidden);
  return true;
}

/** transformers/models/paddleocr_vl/modeling_paddleocr_vl.py, PaddleOCRProjector: SigLIP's tower without a head. */
function addPaddleTowers(model: ModelTensors, config: Fields, { hidden }: TextModel): boolean {
  const given = config.at('vision_config');
  const sizes = {
    hidden_size: 1152,
    intermediate_size: 4304,
    num_hidden_layers: 27,
    num_attention_heads: 16,
    num_channels: 3,
    image_size: 384,
    patch_size: 14,
    vision_use_head: false,
  };
  const vision = addSiglipVision(model, 'model.visual.vision_model.', given, sizes);
  const merge = given.integer('spatial_merge_size') ?? 2;
  if (vision === null) return false;
  const merged = vision * merge * merge;
  model
    .norm('model.projector.pre_norm', vision, { bias: true })
    .linear('model.projector.linear_1', merged, merged, { bias: true })
    .linear('model.projector.linear_2', merged, hidden, { bias: true });
  return true;
}

/** transformers/models/minimax_m3_vl/modeling_minimax_m3_vl.py: CLIP's layers over patches of several pictures, merged after they are projected. */
function addMiniMaxTowers(model: ModelTensors, config: Fields, { hidden: output }: TextModel): boolean {
  const vision = config.at('vision_config').withDefaults({
    hidden_size: 1280,
    intermediate_size: 5120,
    num_hidden_layers: 32,
    num_channels: 3,
    patch_size: 14,
    temporal_patch_size: 2,
    spatial_merge_size: 2,
  });
  const keys = ['hidden_size', 'intermediate_size', 'num_hidden_layers', 'num_channels', 'patch_size'] as const;
  const sizes = readSizes(vision, [...keys, 'temporal_patch_size', 'spatial_merge_size']);
  const inner = config.integer('projector_hidden_size') ?? 6144;
  if (sizes === null) return false;
  const { hidden_size: hidden, num_hidden_layers: copies, patch_size: patch } = sizes;
  const merged = output * sizes.spatial_merge_size ** 2;
  model
    .convolution('model.vision_tower.embeddings.proj', [hidden, sizes.num_channels, sizes.temporal_patch_size, patch, patch])
    .norm('model.vision_tower.pre_layrnorm', hidden, { bias: true });
  addLayers(model, 'model.vision_tower.layers.N', clipLayer, { copies, hidden, width: sizes.intermediate_size });
  model
    .linear(`${projector}.linear_1`, hidden, inner, { bias: true })
    .linear(`${projector}.linear_2`, inner, output, { bias: true })
    .linear(`${projector}.merge_linear_1`, merged, inner, { bias: true })
    .linear(`${projector}.merge_linear_2`, inner, output, { bias: true });
  return true;
}

/** transformers/models/aria/modeling_aria.py, AriaProjector */
function addAriaTowers(model: ModelTensors, config: Fields, { hidden }: TextModel): boolean {
  const vision = addImageTower(model, 'model.vision_tower.', config.at('vision_config'), 'idefics3_vision');
  const queries =
    config.integer('max_value_projector_patch_to_query_dict') ?? ariaQueries(config.at('projector_patch_to_query_dict'));
  if (vision === null) return false;
  const cross = `${projector}.cross_attn`;
  model.parameter(`${projector}.query`, [queries, vision]);
  for (const part of ['q_proj', 'k_proj', 'v_proj']) model.linear(`${cross}.${part}`, vision, vision);
  model
    .parameter(`${cross}.multihead_attn.in_proj_weight`, [3 * vision, vision])
    .parameter(`${cross}.multihead_attn.in_proj_bias`, [3 * vision], { kind: 'bias' })
    .linear(`${cross}.multihead_attn.out_proj`, vision, vision, { bias: true })
    .linear(`${cross}.linear`, vision, vision, { bias: true })
    .norm(`${cross}.layer_norm`, vision, { bias: true })
    .norm(`${cross}.layer_norm_kv`, vision, { bias: true })
    .norm(`${projector}.layer_norm`, vision, { bias: true })
    .linear(`${projector}.feed_forward.linear_in`, vision, hidden)
    .linear(`${projector}.feed_forward.linear_out`, hidden, hidden);
  return true;
}

/** The largest number of questions for any size of image. */
function ariaQueries(counts: Fields): number {
  const numbers = counts.keys.slice(0, 100).map((key) => counts.integer(key) ?? 0);
  return numbers.length === 0 ? 256 : numbers.reduce((most, number) => Math.max(most, number));
}

const kimiLayer: LayerNames = {
  attention: attentionNames('attn', 'q_proj k_proj v_proj proj'),
  feedForward: ['mlp.fc1', 'mlp.fc2'],
  norms: ['norm1', 'norm2'],
};

/** transformers/models/kimi_k25/modeling_kimi_k25.py */
function addKimiTowers(model: ModelTensors, config: Fields, { hidden: output }: TextModel): boolean {
  const vision = config.at('vision_config').withDefaults({
    hidden_size: 1152,
    intermediate_size: 4304,
    num_hidden_layers: 27,
    patch_size: 14,
  });
  const sizes = readSizes(vision, ['hidden_size', 'intermediate_size', 'num_hidden_layers', 'patch_size']);
  const [height = 2, width = 2] = vision.integers('merge_kernel_size') ?? [];
  if (sizes === null) return false;
  const { hidden_size: hidden, num_hidden_layers: copies, patch_size: patch } = sizes;
  const rows = vision.integer('pos_emb_height', 'init_pos_emb_height') ?? 64;
  const columns = vision.integer('pos_emb_width', 'init_pos_emb_width') ?? 64;
  model
    .convolution('model.vision_tower.patch_embed.proj', [hidden, 3, patch, patch], { bias: true })
    .parameter('model.vision_tower.patch_embed.pos_emb.position_embeddings', [rows, columns, hidden]);
  addLayers(model, 'model.vision_tower.layers.N', kimiLayer, { copies, hidden, width: sizes.intermediate_size });
  const merged = hidden * height * width;
  model
    .norm('model.vision_tower.final_layernorm', hidden, { bias: true })
    .norm('model.mm_projector.pre_norm', config.integer('projection_hidden_size') ?? hidden, { bias: true })
    .linear('model.mm_projector.in_proj', merged, merged, { bias: true })
    .linear('model.mm_projector.out_proj', merged, output, { bias: true });
  return true;
}

/** transformers/models/blip_2/modeling_blip_2.py */
function addBlip2Towers(model: ModelTensors, config: Fields, { hidden }: TextModel): boolean {
  const former = config.at('qformer_config').withDefaults({
    hidden_size: 768,
    num_hidden_layers: 12,
    intermediate_size: 3072,
    cross_attention_frequency: 2,
    encoder_hidden_size: 1408,
  });
  const keys = ['hidden_size', 'num_hidden_layers', 'intermediate_size', 'cross_attention_frequency'] as const;
  const sizes = readSizes(former, keys);
  const vision = addImageTower(model, 'vision_model.', config.at('vision_config'), 'blip_2_vision_model');
  // Its answers to text are those of a class for retrieval.
  if (sizes === null || vision === null || former.flag('use_qformer_text_input') === true) return false;
  const { hidden_size: inner, num_hidden_layers: layers, intermediate_size: width } = sizes;
  model.parameter('query_tokens', [1, config.integer('num_query_tokens') ?? 32, inner]);
  const frequency = sizes.cross_attention_frequency;
  addQuestioner(model, 'qformer', { hidden: inner, states: vision, layers, width, frequency });
  model.linear('language_projection', inner, hidden, { bias: true });
  return true;
}

/** Language models that see. */
export const imageTextFamilies: readonly MultimodalEntry[] = [
  ...llavaEntries,
  ...gemmaEntries,
  ...qwenEntries,
  ...ideficsEntries,
  ...otherEntries,
];
