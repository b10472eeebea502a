import type { Fields } from '../../fields.js';
import type { Architecture } from '../architecture.js';
import { patchesOf, readSizes, sidesOf } from '../configSizes.js';
import { addLayers, type LayerNames, vitLayer } from '../encoderLayer.js';
import { hierarchicalVisionFamilies } from './hierarchicalVisionFamilies.js';
import { addClassifier, headOf, labelCount } from '../modelHead.js';
import { ModelTensors } from '../tensorGroup.js';
import { addClipText, addClipVision, addSiglipText, addSiglipVision } from './visionTowers.js';

const vitDefaults = {
  hidden_size: 768,
  num_hidden_layers: 12,
  num_attention_heads: 12,
  intermediate_size: 3072,
  num_channels: 3,
};

const vitSizes = ['hidden_size', 'num_hidden_layers', 'num_attention_heads', 'intermediate_size', 'num_channels'] as const;

/** Patches of the image and their sizes; either may be two numbers. */
function gridOf(config: Fields, patchSize: number): { patch: readonly [number, number]; rows: number; columns: number } {
  const image = sidesOf(config, 'image_size', 224);
  const patch = sidesOf(config, 'patch_size', patchSize);
  const along = (index: 0 | 1): number => Math.floor(image[index] / Math.max(patch[index], 1));
  return { patch, rows: along(0), columns: along(1) };
}

/** How a family differs from ViT. */
interface VitKin {
  modelTypes: readonly string[];
  name: string;
  base: string;
  /** Vectors in front of the patches: the class, and what is distilled. */
  tokens: readonly string[];
  /** Layer norms, pooler and heads of its classes. */
  head: (
    model: ModelTensors,
    head: string,
    config: Fields,
    sizes: { hidden: number; patch: number; channels: number },
  ) => boolean;
}

/** transformers/models/{vit,deit,vit_msn}/modeling_*.py */
const vitKin: readonly VitKin[] = [
  { modelTypes: ['vit', 'vit_msn'], name: 'ViT', base: 'vit', tokens: ['cls_token'], head: addVitHead },
  { modelTypes: ['deit'], name: 'DeiT', base: 'deit', tokens: ['cls_token', 'distillation_token'], head: addDeitHead },
];

function vitArchitecture(kin: VitKin): Architecture {
  return { modelTypes: kin.modelTypes, name: kin.name, tensors: (config) => vitTensors(kin, config) };
}

function vitTensors(kin: VitKin, given: Fields): ModelTensors | null {
  const config = given.withDefaults(vitDefaults);
  const sizes = readSizes(config, vitSizes);
  if (sizes === null) return null;
  const { hidden_size: hidden, num_hidden_layers: copies, intermediate_size: width, num_channels: channels } = sizes;
  const head = headOf(config, 'ImageClassification');
  const prefix = head === 'Model' ? '' : `${kin.base}.`;
  const { patch, rows, columns } = gridOf(config, 16);
  const model = new ModelTensors();
  for (const token of kin.tokens) model.parameter(`${prefix}embeddings.${token}`, [1, 1, hidden]);
  if (head === 'MaskedImageModeling') model.parameter(`${prefix}embeddings.mask_token`, [1, 1, hidden]);
  model
    .parameter(`${prefix}embeddings.position_embeddings`, [1, rows * columns + kin.tokens.length, hidden])
    .convolution(`${prefix}embeddings.patch_embeddings.projection`, [hidden, channels, ...patch], { bias: true });
  const queryBias = config.flag('qkv_bias') ?? true;
  addLayers(model, `${prefix}layers.N`, vitLayer, { copies, hidden, width, queryBias });
  model.norm(`${prefix}layernorm`, hidden, { bias: true });
  return kin.head(model, head, config, { hidden, patch: patch[0], channels }) ? model : null;
}

interface VitSizes {
  hidden: number;
  patch: number;
  channels: number;
}

function addVitHead(model: ModelTensors, head: string, config: Fields, sizes: VitSizes): boolean {
  const { hidden, channels } = sizes;
  const pooled = config.integer('pooler_output_size') ?? hidden;
  // ViT-MSN has no pooler.
  if (head === 'Model' && config.text('model_type') !== 'vit_msn') model.linear('pooler.dense', hidden, pooled, { bias: true });
  else if (head === 'ImageClassification') addClassifier(model, labelCount(config), hidden);
  else if (head === 'MaskedImageModeling') {
    const stride = config.integer('encoder_stride') ?? 16;
    model.convolution('decoder.N', [stride * stride * channels, hidden, 1, 1], { bias: true });
  } else return head === 'Model';
  return true;
}

function addDeitHead(model: ModelTensors, head: string, config: Fields, sizes: VitSizes): boolean {
  if (head !== 'ImageClassificationWithTeacher') return addVitHead(model, head, config, sizes);
  addClassifier(model, labelCount(config), sizes.hidden, 'cls_classifier');
  addClassifier(model, labelCount(config), sizes.hidden, 'distillation_classifier');
  return true;
}

/** Positions relative to each other, and scales of what a layer adds (transformers/models/{beit,data2vec}/modeling_*.py). */
const beit: Architecture = {
  modelTypes: ['beit', 'data2vec-vision'],
  name: 'BEiT',
  tensors(given) {
    const config = given.withDefaults({ ...vitDefaults, vocab_size: 8192, layer_scale_init_value: 0.1 });
    const sizes = readSizes(config, [...vitSizes, 'vocab_size']);
    if (sizes === null) return null;
    const { hidden_size: hidden, num_hidden_layers: copies, intermediate_size: width, num_attention_heads: heads } = sizes;
    const isBeit = config.text('model_type') !== 'data2vec-vision';
    const head = headOf(config, 'ImageClassification');
    const prefix = head === 'Model' ? '' : isBeit ? 'beit.' : 'data2vec_vision.';
    const { patch, rows, columns } = gridOf(config, 16);
    const distances = (2 * rows - 1) * (2 * columns - 1) + 3;
    const stack = `${prefix}${isBeit ? '' : 'encoder.'}`;
    const layer = `${stack}${isBeit ? 'layers' : 'layer'}.N`;
    const model = new ModelTensors();
    model.parameter(`${prefix}embeddings.cls_token`, [1, 1, hidden]);
    if (config.flag('use_mask_token') === true) model.parameter(`${prefix}embeddings.mask_token`, [1, 1, hidden]);
    if (config.flag('use_absolute_position_embeddings') === true)
      model.parameter(`${prefix}embeddings.position_embeddings`, [1, rows * columns + 1, hidden]);
    model.convolution(`${prefix}embeddings.patch_embeddings.projection`, [hidden, sizes.num_channels, ...patch], { bias: true });
    if ((config.number('layer_scale_init_value') ?? 0) > 0)
      for (const scale of ['lambda_1', 'lambda_2']) model.parameter(`${layer}.${scale}`, [hidden], { copies });
    addLayers(model, layer, isBeit ? vitLayer : data2vecLayer, { copies, hidden, width, keyBias: false });
    const table = 'relative_position_bias.relative_position_bias_table';
    if (config.flag('use_relative_position_bias') === true)
      model.parameter(`${layer}.attention.${table}`, [distances, heads], { copies });
    if (config.flag('use_shared_relative_position_bias') === true) model.parameter(`${stack}${table}`, [distances, heads]);
    return addBeitHead(model, prefix, head, config, { hidden, vocabulary: sizes.vocab_size }) ? model : null;
  },
};

const data2vecLayer: LayerNames = {
  attention: ['attention.attention.query', 'attention.attention.key', 'attention.attention.value', 'attention.output.dense'],
  feedForward: ['intermediate.dense', 'output.dense'],
  norms: vitLayer.norms,
};

function addBeitHead(
  model: ModelTensors,
  prefix: string,
  head: string,
  config: Fields,
  { hidden, vocabulary }: { hidden: number; vocabulary: number },
): boolean {
  const isMean = config.flag('use_mean_pooling') ?? true;
  const isPooled = head === 'Model' || head === 'ImageClassification';
  if (!isPooled && head !== 'MaskedImageModeling') return false;
  // The mean of the patches is normed in the pooler, in place of a norm after the last layer.
  const hasPooler = head === 'ImageClassification' || config.text('model_type') === 'beit';
  if (isPooled && isMean && hasPooler) model.norm(`${prefix}pooler.layernorm`, hidden, { bias: true });
  if (isPooled && !isMean) model.norm(`${prefix}layernorm`, hidden, { bias: true });
  if (head === 'ImageClassification') addClassifier(model, labelCount(config), hidden);
  if (head === 'MaskedImageModeling') {
    if (!isMean) model.norm(`${prefix}layernorm`, hidden, { bias: true });
    model.norm('layernorm', hidden, { bias: true }).head('lm_head', vocabulary, hidden, { bias: true });
  }
  return true;
}

const dinoLayer: LayerNames = { ...vitLayer, norms: ['norm1', 'norm2'] };
const gatedDinoLayer: LayerNames = { ...dinoLayer, feedForward: ['mlp.gate_proj', 'mlp.up_proj', 'mlp.down_proj'] };

/** transformers/models/{dinov2,dinov2_with_registers}/modeling_*.py */
const dinov2: Architecture = {
  modelTypes: ['dinov2', 'dinov2_with_registers'],
  name: 'DINOv2',
  tensors(given) {
    const hasRegisters = given.text('model_type') === 'dinov2_with_registers';
    const config = given.withDefaults({ ...vitDefaults, mlp_ratio: 4, num_register_tokens: 4 });
    const sizes = readSizes(config, ['hidden_size', 'num_hidden_layers', 'num_channels', 'num_register_tokens']);
    const ratio = config.number('mlp_ratio');
    if (sizes === null || ratio === undefined || ratio < 0) return null;
    const { hidden_size: hidden, num_hidden_layers: copies } = sizes;
    const isGated = config.flag('use_swiglu_ffn') ?? false;
    const full = Math.floor(hidden * ratio);
    const width = isGated ? Math.floor((Math.floor((full * 2) / 3) + 7) / 8) * 8 : full;
    const head = headOf(config, 'ImageClassification');
    const prefix = head === 'Model' ? '' : hasRegisters ? 'dinov2_with_registers.' : 'dinov2.';
    const { patch, rows, columns } = gridOf(config, hasRegisters ? 16 : 14);
    const model = new ModelTensors();
    model.parameter(`${prefix}embeddings.cls_token`, [1, 1, hidden]);
    if (config.flag('use_mask_token') ?? true) model.parameter(`${prefix}embeddings.mask_token`, [1, hidden]);
    model.parameter(`${prefix}embeddings.position_embeddings`, [1, rows * columns + 1, hidden]);
    if (hasRegisters) model.parameter(`${prefix}embeddings.register_tokens`, [1, sizes.num_register_tokens, hidden]);
    model.convolution(`${prefix}embeddings.patch_embeddings.projection`, [hidden, sizes.num_channels, ...patch], { bias: true });
    const layer = `${prefix}encoder.layer.N`;
    const queryBias = config.flag('qkv_bias') ?? true;
    addLayers(model, layer, isGated ? gatedDinoLayer : dinoLayer, { copies, hidden, width, queryBias });
    for (const scale of ['layer_scale1', 'layer_scale2']) model.parameter(`${layer}.${scale}.lambda1`, [hidden], { copies });
    model.norm(`${prefix}layernorm`, hidden, { bias: true });
    // The class and the mean of the patches, side by side.
    if (head === 'ImageClassification') addClassifier(model, labelCount(config), 2 * hidden);
    else if (head !== 'Model') return null;
    return model;
  },
};

/** Rotary positions (transformers/models/dinov3_vit/modeling_dinov3_vit.py). */
const dinov3: Architecture = {
  modelTypes: ['dinov3_vit'],
  name: 'DINOv3',
  tensors(given) {
    const defaults = {
      hidden_size: 384,
      num_hidden_layers: 12,
      intermediate_size: 1536,
      num_channels: 3,
      num_register_tokens: 0,
    };
    const config = given.withDefaults(defaults);
    const keys = ['hidden_size', 'num_hidden_layers', 'intermediate_size', 'num_channels', 'num_register_tokens'] as const;
    const sizes = readSizes(config, keys);
    if (sizes === null || headOf(config, 'Model') !== 'Model') return null;
    const { hidden_size: hidden, num_hidden_layers: copies, intermediate_size: width } = sizes;
    const [height, across] = sidesOf(config, 'patch_size', 16);
    const model = new ModelTensors();
    model
      .parameter('embeddings.cls_token', [1, 1, hidden])
      .parameter('embeddings.mask_token', [1, 1, hidden])
      .parameter('embeddings.register_tokens', [1, sizes.num_register_tokens, hidden])
      .convolution('embeddings.patch_embeddings', [hidden, sizes.num_channels, height, across], { bias: true });
    const gated = { ...gatedDinoLayer };
    const plain = { ...dinoLayer, feedForward: ['mlp.up_proj', 'mlp.down_proj'] };
    addLayers(model, 'model.layer.N', config.flag('use_gated_mlp') === true ? gated : plain, {
      copies,
      hidden,
      width,
      queryBias: config.flag('query_bias') ?? true,
      keyBias: config.flag('key_bias') ?? false,
      valueBias: config.flag('value_bias') ?? true,
      outputBias: config.flag('proj_bias') ?? true,
      feedForwardBias: config.flag('mlp_bias') ?? true,
    });
    for (const scale of ['layer_scale1', 'layer_scale2']) model.parameter(`model.layer.N.${scale}.lambda1`, [hidden], { copies });
    model.norm('norm', hidden, { bias: true });
    return model;
  },
};

/** transformers/models/vit_mae/modeling_vit_mae.py */
const vitMae: Architecture = {
  modelTypes: ['vit_mae'],
  name: 'ViT-MAE',
  tensors(given) {
    const defaults = { decoder_hidden_size: 512, decoder_num_hidden_layers: 8, decoder_intermediate_size: 2048 };
    const config = given.withDefaults({ ...vitDefaults, ...defaults, patch_size: 16, image_size: 224 });
    const keys = [
      'decoder_hidden_size',
      'decoder_num_hidden_layers',
      'decoder_intermediate_size',
      'patch_size',
      'image_size',
    ] as const;
    const sizes = readSizes(config, [...vitSizes, ...keys]);
    const head = headOf(config, 'PreTraining');
    if (sizes === null || (head !== 'PreTraining' && head !== 'Model')) return null;
    const { hidden_size: hidden, num_hidden_layers: copies, patch_size: patch, num_channels: channels } = sizes;
    const prefix = head === 'Model' ? '' : 'vit.';
    const positions = patchesOf(sizes.image_size, patch) + 1;
    const queryBias = config.flag('qkv_bias') ?? true;
    const model = new ModelTensors();
    model
      .parameter(`${prefix}embeddings.cls_token`, [1, 1, hidden])
      // Sines, kept as a parameter that is not trained.
      .parameter(`${prefix}embeddings.position_embeddings`, [1, positions, hidden])
      .convolution(`${prefix}embeddings.patch_embeddings.projection`, [hidden, channels, patch, patch], { bias: true });
    addLayers(model, `${prefix}layers.N`, vitLayer, { copies, hidden, width: sizes.intermediate_size, queryBias });
    model.norm(`${prefix}layernorm`, hidden, { bias: true });
    if (head === 'Model') return model;
    const { decoder_hidden_size: inner, decoder_num_hidden_layers: layers, decoder_intermediate_size: width } = sizes;
    model
      .parameter('decoder.mask_token', [1, 1, inner])
      .parameter('decoder.decoder_pos_embed', [1, positions, inner])
      .linear('decoder.decoder_embed', hidden, inner, { bias: true });
    addLayers(model, 'decoder.decoder_layers.N', vitLayer, { copies: layers, hidden: inner, width, queryBias });
    model.norm('decoder.decoder_norm', inner, { bias: true });
    model.linear('decoder.decoder_pred', inner, patch * patch * channels, { bias: true });
    return model;
  },
};

/** transformers/models/clip/modeling_clip.py */
const clip: Architecture = {
  modelTypes: ['clip', 'clip_vision_model', 'clip_text_model'],
  name: 'CLIP',
  tensors(config) {
    const type = config.text('model_type');
    const head = config.texts('architectures')?.[0] ?? '';
    const model = new ModelTensors();
    const isVision = type === 'clip_vision_model' || head.startsWith('CLIPVision') || head === 'CLIPForImageClassification';
    const isText = type === 'clip_text_model' || head.startsWith('CLIPText');
    const isBare = /^CLIP(Vision|Text)Model$/.test(head) || (head === '' && type !== 'clip');
    const projection = config.integer('projection_dim') ?? 512;
    // Configs of before 2023 have a second one of each tower, which the class of both takes (CLIPConfig, __post_init__).
    const isOfBoth = type === 'clip' && ['', 'CLIPModel', 'CLIPForImageClassification'].includes(head);
    const towerConfig = (key: string): Fields =>
      isOfBoth && config.has(`${key}_dict`) && !config.isNull(`${key}_dict`) ? config.at(`${key}_dict`) : config.at(key);
    const visionConfig = type === 'clip_vision_model' ? config : towerConfig('vision_config');
    const textConfig = type === 'clip_text_model' ? config : towerConfig('text_config');
    if (isVision) {
      const hidden = addClipVision(model, isBare ? '' : 'vision_model.', visionConfig);
      if (hidden === null) return null;
      const ownProjection = visionConfig.integer('projection_dim') ?? 512;
      if (head.endsWith('WithProjection')) model.linear('visual_projection', hidden, ownProjection);
      if (head.endsWith('Classification')) addClassifier(model, labelCount(config), hidden);
      return model;
    }
    const text = addClipText(model, isBare ? '' : 'text_model.', textConfig);
    if (text === null) return null;
    if (isText) {
      if (head.endsWith('WithProjection')) model.linear('text_projection', text, textConfig.integer('projection_dim') ?? 512);
      return model;
    }
    const vision = addClipVision(model, 'vision_model.', visionConfig);
    if (vision === null || !['', 'CLIPModel'].includes(head)) return null;
    model.linear('visual_projection', vision, projection).linear('text_projection', text, projection);
    // The temperature, a single number.
    model.parameter('logit_scale', []);
    return model;
  },
};

/** transformers/models/{siglip,siglip2}/modeling_*.py */
const siglip: Architecture = {
  modelTypes: ['siglip', 'siglip2', 'siglip_vision_model', 'siglip_text_model', 'siglip2_vision_model', 'siglip2_text_model'],
  name: 'SigLIP',
  tensors(config) {
    const type = config.text('model_type') ?? '';
    const head = headOf(config, 'Model');
    const model = new ModelTensors();
    if (type.endsWith('vision_model')) return addSiglipVision(model, '', config) === null ? null : model;
    if (type.endsWith('text_model')) return addSiglipText(model, '', config) === null ? null : model;
    const vision = config.at('vision_config').withDefaults({ model_type: `${type}_vision_model` });
    const [, tower] = /^Siglip2?(Text|Vision)Model$/.exec(config.texts('architectures')?.[0] ?? '') ?? [];
    if (tower === 'Text') return addSiglipText(model, '', config.at('text_config')) === null ? null : model;
    if (tower === 'Vision') return addSiglipVision(model, '', vision) === null ? null : model;
    if (head === 'Model') {
      if (addSiglipText(model, 'text_model.', config.at('text_config')) === null) return null;
      model.parameter('logit_scale', [1]).parameter('logit_bias', [1]);
      return addSiglipVision(model, 'vision_model.', vision) === null ? null : model;
    }
    // Images are classified by the mean of the patches.
    const hidden = addSiglipVision(model, 'vision_model.', vision);
    if (hidden === null || head !== 'ImageClassification') return null;
    addClassifier(model, labelCount(config), hidden);
    return model;
  },
};

/** Encoders of images. */
export const visionFamilies: readonly Architecture[] = [
  ...vitKin.map(vitArchitecture),
  beit,
  dinov2,
  dinov3,
  vitMae,
  clip,
  siglip,
  ...hierarchicalVisionFamilies,
];
