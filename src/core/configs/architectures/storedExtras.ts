import type { Fields } from '../fields.js';
import type { ArchitectureReading } from './architecture.js';
import type { DecoderShape } from './decoderShape.js';
import { decoderTensors } from './decoderTensors.js';
import { isCountable } from './isCountable.js';
import { size } from './sizes.js';
import { countGroups, type ModelTensors, type TensorGroup } from './tensorGroup.js';

/** Modules of this kind that a model has; the published ones have one, and a config may say anything. */
const mostModules = 1000;

/** Models whose modules are as DeepSeek-V3's: a layer, an embedding and a head. Others have none of the latter, or more streams. */
const withDeepseekModules: readonly string[] = [
  'deepseek_v3',
  'deepseek_v32',
  'kimi_k2',
  'glm4_moe',
  'glm4_moe_lite',
  'glm_moe_dsa',
];

/**
 * What is published beside a model and its own class does not load: modules that predict further tokens (DeepSeek-V3, arXiv 2412.19437,
 * section 2.2), and the scales of weights in 8 bits.
 */
export function storedExtras(config: Fields, shape: DecoderShape, model: ModelTensors): ArchitectureReading['extras'] {
  const isKnown = withDeepseekModules.includes(config.text('model_type') ?? '');
  const modules = isKnown ? (size(config, 'num_nextn_predict_layers') ?? 0) : 0;
  const prediction = modules > 0 && modules <= mostModules ? predictionModule(shape) : null;
  const own = prediction === null ? undefined : countGroups(prediction.groups)?.unique;
  const block = blockOf(config);
  const scales = block === null ? 0 : scalesOf([...model.groups, ...(prediction?.groups ?? [])], block);
  return [
    ...(own === undefined ? [] : [{ name: 'multi-token-prediction' as const, parameters: modules * own }]),
    ...(Number.isSafeInteger(scales) && scales > 0 ? [{ name: 'block-scales' as const, parameters: scales }] : []),
  ];
}

/** One more layer, with experts where the model has some, an embedding and a head of its own, and what joins two hidden states. */
function predictionModule(shape: DecoderShape): ModelTensors | null {
  const { hidden, attention, experts } = shape;
  const module = decoderTensors({
    ...shape,
    layers: 1,
    isTied: false,
    experts: experts === null ? null : { ...experts, layers: 1 },
    attention:
      attention.kind === 'latent' && attention.indexer !== undefined
        ? { ...attention, indexer: { ...attention.indexer, layers: 1 } }
        : attention,
  });
  module
    .norm('model.layers.N.enorm', hidden)
    .norm('model.layers.N.hnorm', hidden)
    .parameter('model.layers.N.eh_proj.weight', [hidden, 2 * hidden]);
  return isCountable(module) ? module : null;
}

/** Sides of the blocks that have a scale each, null without any. */
function blockOf(config: Fields): [number, number] | null {
  const quantization = config.at('quantization_config');
  if (quantization.texts('quant_method')?.[0] !== 'fp8') return null;
  // Linear layers that stay as they are cannot be identified by their number, so the size is left open.
  const kept = quantization.texts('modules_to_not_convert', 'ignored_layers') ?? [];
  if (kept.some((name) => !/(?:^|\.)(?:lm_head|embed_tokens|gate|router|\w*norm)$/.test(name))) return null;
  const [rows = 0, columns = 0] = quantization.integers('weight_block_size') ?? [];
  return rows > 0 && columns > 0 ? [rows, columns] : null;
}

/** Routers, embeddings and the head stay as they are, and so does what joins hidden states of the prediction module. */
function scalesOf(groups: readonly TensorGroup[], [rows, columns]: [number, number]): number {
  let scales = 0;
  for (const { kind, name, shape, copies } of groups) {
    const [outputs = 0, inputs = 0] = shape;
    if (kind === 'linear' && !name.endsWith('.gate.weight'))
      scales += Math.ceil(outputs / rows) * Math.ceil(inputs / columns) * copies;
  }
  return scales;
}
