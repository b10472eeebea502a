/** Encoders of images whose stages have fewer and wider vectors each: Swin, ConvNeXt, ResNet. */
import type { Fields } from '../../fields.js';
import type { Architecture } from '../architecture.js';
import { sidesOf } from '../configSizes.js';
import { addLayers, attentionNames, vitLayer } from '../encoderLayer.js';
import { addClassifier, headOf, labelCount } from '../modelHead.js';
import { ModelTensors } from '../tensorGroup.js';

/** More stages than any model has; a longer list is none. */
const maximumStages = 64;

function listOf(config: Fields, key: string, usual: readonly number[]): readonly number[] | null {
  const values = config.has(key) ? config.integers(key) : usual;
  const isUsable = values?.every((value) => value >= 0 && Number.isSafeInteger(value)) === true;
  return values !== undefined && isUsable && values.length <= maximumStages ? values : null;
}

function addImageHead(model: ModelTensors, config: Fields, head: string, width: number, name?: string): boolean {
  if (head === 'ImageClassification') addClassifier(model, labelCount(config), width, name);
  return head === 'ImageClassification' || head === 'Model';
}

/** transformers/models/{swin,swinv2,donut}/modeling_*.py */
const swin: Architecture = {
  modelTypes: ['swin', 'swinv2', 'donut-swin'],
  name: 'Swin',
  tensors(given) {
    const config = given.withDefaults({ num_channels: 3, embed_dim: 96, window_size: 7, mlp_ratio: 4 });
    const type = config.text('model_type') ?? 'swin';
    const depths = listOf(config, 'depths', [2, 2, 6, 2]);
    const heads = listOf(config, 'num_heads', [3, 6, 12, 24]);
    const first = config.integer('embed_dim');
    const channels = config.integer('num_channels');
    const window = config.integer('window_size');
    const ratio = config.number('mlp_ratio') ?? 4;
    if (depths === null || heads === null || first === undefined || channels === undefined || window === undefined) return null;
    const head = headOf(config, 'ImageClassification');
    const prefix = head === 'Model' ? '' : `${type === 'donut-swin' ? 'donut' : type}.`;
    const patch = sidesOf(config, 'patch_size', 4);
    const image = sidesOf(config, 'image_size', 224);
    const patches = Math.floor(image[0] / Math.max(patch[0], 1)) * Math.floor(image[1] / Math.max(patch[1], 1));
    const model = new ModelTensors();
    model.convolution(`${prefix}embeddings.patch_embeddings.projection`, [first, channels, ...patch], { bias: true });
    model.norm(`${prefix}embeddings.norm`, first, { bias: true });
    if (config.flag('use_absolute_embeddings') === true)
      // The later ones keep a place for a class that they do not have.
      model.parameter(`${prefix}embeddings.position_embeddings`, [1, patches + (type === 'swin' ? 0 : 1), first]);
    const queryBias = config.flag('qkv_bias') ?? true;
    for (const [stage, copies] of depths.entries()) {
      const hidden = first * 2 ** stage;
      const shape = { copies, hidden, width: Math.floor(hidden * ratio), heads: heads[stage] ?? 0, window, queryBias };
      if (type === 'swinv2') addSwinV2Stage(model, `${prefix}encoder.layers.${stage}`, shape);
      else addSwinStage(model, `${prefix}encoder.layers.${stage}`, shape);
      if (stage === depths.length - 1) continue;
      // Four neighbours become one; norms come before in the first version, and after in the second.
      const down = `${prefix}encoder.layers.${stage}.downsample`;
      model.linear(`${down}.reduction`, 4 * hidden, 2 * hidden);
      model.norm(`${down}.norm`, type === 'swinv2' ? 2 * hidden : 4 * hidden, { bias: true });
    }
    const last = first * 2 ** Math.max(depths.length - 1, 0);
    // Donut reads states as they are.
    if (type !== 'donut-swin') model.norm(`${prefix}layernorm`, last, { bias: true });
    return addImageHead(model, config, head, last) ? model : null;
  },
};

interface SwinStage {
  copies: number;
  hidden: number;
  width: number;
  heads: number;
  window: number;
  queryBias: boolean;
}

function addSwinStage(model: ModelTensors, stage: string, { heads, window, ...sizes }: SwinStage): void {
  addLayers(model, `${stage}.blocks.N`, vitLayer, sizes);
  const table = `${stage}.blocks.N.attention.relative_position_bias.relative_position_bias_table`;
  model.parameter(table, [Math.abs(2 * window - 1) ** 2, heads], { copies: sizes.copies });
}

function addSwinV2Stage(model: ModelTensors, stage: string, { heads, queryBias, ...sizes }: SwinStage): void {
  const block = `${stage}.blocks.N`;
  const { copies } = sizes;
  const [query, key, value] = attentionNames('attention.self', 'query key value');
  const names = {
    attention: [query, key, value, 'attention.output.dense'] as const,
    feedForward: ['intermediate.dense', 'output.dense'],
    norms: vitLayer.norms,
  };
  addLayers(model, block, names, { ...sizes, queryBias, keyBias: false });
  model
    .parameter(`${block}.attention.self.logit_scale`, [heads, 1, 1], { copies })
    .linear(`${block}.attention.self.continuous_position_bias_mlp.0`, 2, 512, { copies, bias: true })
    .linear(`${block}.attention.self.continuous_position_bias_mlp.2`, 512, heads, { copies });
}

/** transformers/models/{convnext,convnextv2}/modeling_*.py */
const convnext: Architecture = {
  modelTypes: ['convnext', 'convnextv2'],
  name: 'ConvNeXt',
  tensors(given) {
    const config = given.withDefaults({ num_channels: 3, patch_size: 4, num_stages: 4, layer_scale_init_value: 1e-6 });
    const type = config.text('model_type') ?? 'convnext';
    const widths = listOf(config, 'hidden_sizes', [96, 192, 384, 768]);
    const depths = listOf(config, 'depths', [3, 3, 9, 3]);
    const channels = config.integer('num_channels');
    const patch = config.integer('patch_size');
    const [first] = widths ?? [];
    if (widths === null || depths === null || channels === undefined || patch === undefined || first === undefined) return null;
    const head = headOf(config, 'ImageClassification');
    const prefix = head === 'Model' ? '' : `${type}.`;
    const model = new ModelTensors();
    model.convolution(`${prefix}embeddings.patch_embeddings`, [first, channels, patch, patch], { bias: true });
    model.norm(`${prefix}embeddings.layernorm`, first, { bias: true });
    for (const [stage, hidden] of widths.entries()) {
      const before = stage === 0 ? 0 : (widths[stage - 1] ?? 0);
      const down = `${prefix}encoder.stages.${stage}.downsampling_layer`;
      if (stage > 0)
        model.norm(`${down}.0`, before, { bias: true }).convolution(`${down}.1`, [hidden, before, 2, 2], { bias: true });
      addConvNextLayers(model, `${prefix}encoder.stages.${stage}.layers.N`, hidden, depths[stage] ?? 0, {
        hasResponseNorm: type === 'convnextv2',
        hasScale: type === 'convnext' && (config.number('layer_scale_init_value') ?? 0) > 0,
      });
    }
    const last = widths.at(-1) ?? 0;
    model.norm(`${prefix}layernorm`, last, { bias: true });
    return addImageHead(model, config, head, last) ? model : null;
  },
};

function addConvNextLayers(
  model: ModelTensors,
  layer: string,
  hidden: number,
  copies: number,
  { hasResponseNorm, hasScale }: { hasResponseNorm: boolean; hasScale: boolean },
): void {
  if (hasScale) model.parameter(`${layer}.layer_scale_parameter`, [hidden], { copies });
  model
    .convolution(`${layer}.dwconv`, [hidden, 1, 7, 7], { copies, bias: true })
    .norm(`${layer}.layernorm`, hidden, { copies, bias: true })
    .linear(`${layer}.pwconv1`, hidden, 4 * hidden, { copies, bias: true });
  if (hasResponseNorm) model.norm(`${layer}.grn`, 4 * hidden, { copies, bias: true });
  model.linear(`${layer}.pwconv2`, 4 * hidden, hidden, { copies, bias: true });
}

/** transformers/models/resnet/modeling_resnet.py */
const resnet: Architecture = {
  modelTypes: ['resnet'],
  name: 'ResNet',
  tensors(given) {
    const config = given.withDefaults({ num_channels: 3, embedding_size: 64, layer_type: 'bottleneck' });
    const widths = listOf(config, 'hidden_sizes', [256, 512, 1024, 2048]);
    const depths = listOf(config, 'depths', [3, 4, 6, 3]);
    const channels = config.integer('num_channels');
    const first = config.integer('embedding_size');
    if (widths === null || depths === null || channels === undefined || first === undefined) return null;
    const head = headOf(config, 'ImageClassification');
    const prefix = head === 'Model' ? '' : 'resnet.';
    const isBottleneck = config.text('layer_type') === 'bottleneck';
    const model = new ModelTensors();
    addConvolutionAndNorm(model, `${prefix}embedder.embedder`, [first, channels, 7, 7], 1);
    for (const [stage, width] of widths.entries()) {
      const before = stage === 0 ? first : (widths[stage - 1] ?? 0);
      const isHalved = stage > 0 || config.flag('downsample_in_first_stage') === true;
      const layer = `${prefix}encoder.stages.${stage}.layers.N`;
      // The first layer of a stage changes width or size, and so has a way around it.
      if (before !== width || isHalved)
        addConvolutionAndNorm(model, `${prefix}encoder.stages.${stage}.layers.0.shortcut`, [width, before, 1, 1], 1);
      const copies = depths[stage] ?? 0;
      if (isBottleneck) addBottlenecks(model, `${layer}.layer`, before, width, copies);
      else {
        addConvolutionAndNorm(model, `${layer}.layer.0`, [width, before, 3, 3], 1);
        addConvolutionAndNorm(model, `${layer}.layer.0`, [width, width, 3, 3], copies - 1);
        addConvolutionAndNorm(model, `${layer}.layer.1`, [width, width, 3, 3], copies);
      }
    }
    return addImageHead(model, config, head, widths.at(-1) ?? 0, 'classifier.1') ? model : null;
  },
};

function addBottlenecks(model: ModelTensors, layer: string, before: number, width: number, copies: number): void {
  const reduced = Math.floor(width / 4);
  addConvolutionAndNorm(model, `${layer}.0`, [reduced, before, 1, 1], 1);
  addConvolutionAndNorm(model, `${layer}.0`, [reduced, width, 1, 1], copies - 1);
  addConvolutionAndNorm(model, `${layer}.1`, [reduced, reduced, 3, 3], copies);
  addConvolutionAndNorm(model, `${layer}.2`, [width, reduced, 1, 1], copies);
}

function addConvolutionAndNorm(model: ModelTensors, prefix: string, shape: readonly number[], copies: number): void {
  model.convolution(`${prefix}.convolution`, shape, { copies });
  model.norm(`${prefix}.normalization`, shape[0] ?? 0, { copies, bias: true });
}

export const hierarchicalVisionFamilies: readonly Architecture[] = [swin, convnext, resnet];
