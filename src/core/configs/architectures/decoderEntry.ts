import { entryOf } from '../../text/entryOf.js';
import type { Defaults, Fields } from '../fields.js';
import type { Architecture } from './architecture.js';
import { classDefaults } from './classDefaults/classDefaults.js';
import type { DecoderNames, DecoderShape, ExpertShape, LatentAttentionShape } from './decoderShape.js';
import { decoderTensors, llamaNames } from './decoderTensors.js';
import { type DecoderSizes, decoderSizes, isOn } from './sizes.js';
import { storedExtras } from './storedExtras.js';
import { withTaskHead } from './taskHead.js';
import type { ModelTensors } from './tensorGroup.js';

/** A family of decoders in what tells it from Llama. */
export interface DecoderEntry {
  modelTypes: readonly string[];
  name: string;
  /** For types that transformers has no class for; those of its classes are in `classDefaults`. */
  defaults?: Defaults | undefined;
  /** The number of layers, where the class does not take it from a key of its own. */
  layers?: (config: Fields) => number;
  traits?: (config: Fields, sizes: DecoderSizes) => DecoderTraits | null;
}

/** Where nothing is said it is as Llama has it: rotary positions, SwiGLU, two RMS norms, no biases. */
export interface DecoderTraits {
  sizes?: Partial<DecoderSizes>;
  /** Layers that have attention, and a feed-forward part without experts; all of them where nothing is said. */
  attentionLayers?: number;
  feedForwardLayers?: number;
  queryKeyValueBias?: boolean;
  outputBias?: boolean;
  queryKeyNorm?: 'head' | 'full' | null;
  queryKeyNormBias?: boolean;
  hasSinks?: boolean;
  gate?: 'number' | 'head' | 'query' | null;
  valueSize?: number;
  outputInputs?: number;
  latent?: LatentAttentionShape;
  isGated?: boolean;
  feedForwardBias?: boolean;
  norms?: readonly string[];
  hasNormWeights?: boolean;
  normBias?: boolean;
  hasFinalNorm?: boolean;
  positions?: number;
  embeddingSize?: number;
  headBias?: boolean;
  headRows?: number;
  isTied?: boolean;
  experts?: ExpertShape | null;
  names?: Partial<DecoderNames>;
  /** Tensors that only this family has. */
  add?: (model: ModelTensors) => void;
}

const llamaNorms = ['input_layernorm', 'post_attention_layernorm'] as const;

/** An architecture from what tells it from Llama. */
export function decoder(entry: DecoderEntry): Architecture {
  const { modelTypes, name } = entry;
  return {
    modelTypes,
    name,
    tensors: (config) => readDecoder(entry, config)?.model ?? null,
    extras(config) {
      const read = readDecoder(entry, config);
      return read === null ? [] : storedExtras(config, read.shape, read.model);
    },
  };
}

function readDecoder(
  { defaults, layers, traits }: DecoderEntry,
  fields: Fields,
): { shape: DecoderShape; model: ModelTensors } | null {
  const config = withClassDefaults(fields, defaults);
  const sizes = decoderSizes(config, layers?.(config));
  const described = sizes === null ? null : traits === undefined ? {} : traits(config, sizes);
  if (sizes === null || described === null) return null;
  const shape = decoderShapeOf(config, { ...sizes, ...described.sizes }, described);
  const model = decoderTensors(shape);
  described.add?.(model);
  return { shape, model: withTaskHead(model, config) };
}

/** The config with what its class in transformers takes for keys that are left out. */
export function withClassDefaults(config: Fields, defaults: Defaults = {}): Fields {
  return config.withDefaults({ ...defaults, ...entryOf(classDefaults, config.text('model_type') ?? '') });
}

/** The shape of a decoder that has these traits. */
export function decoderShapeOf(config: Fields, sizes: DecoderSizes, traits: DecoderTraits): DecoderShape {
  const norms = traits.norms ?? llamaNorms;
  return {
    vocabulary: sizes.vocabulary,
    hidden: sizes.hidden,
    ...(traits.embeddingSize === undefined ? {} : { embeddingSize: traits.embeddingSize }),
    layers: sizes.layers,
    attention: traits.latent ?? {
      kind: 'grouped',
      heads: sizes.heads,
      keyValueHeads: sizes.keyValueHeads,
      headSize: sizes.headSize,
      ...(traits.valueSize === undefined ? {} : { valueSize: traits.valueSize }),
      ...(traits.outputInputs === undefined ? {} : { outputInputs: traits.outputInputs }),
      queryKeyValueBias: traits.queryKeyValueBias ?? false,
      outputBias: traits.outputBias ?? false,
      queryKeyNorm: traits.queryKeyNorm ?? null,
      queryKeyNormBias: traits.queryKeyNormBias ?? false,
      hasSinks: traits.hasSinks ?? false,
      gate: traits.gate ?? null,
    },
    ...(traits.attentionLayers === undefined ? {} : { attentionLayers: traits.attentionLayers }),
    ...(traits.feedForwardLayers === undefined ? {} : { feedForwardLayers: traits.feedForwardLayers }),
    feedForward: { width: sizes.width, isGated: traits.isGated ?? true, hasBias: traits.feedForwardBias ?? false },
    norm: {
      perLayer: norms.length,
      hasWeight: traits.hasNormWeights ?? true,
      hasBias: traits.normBias ?? false,
      hasFinal: traits.hasFinalNorm ?? true,
    },
    positions: traits.positions ?? 0,
    ...(traits.headRows === undefined ? {} : { headRows: traits.headRows }),
    isTied: traits.isTied ?? isOn(config, 'tie_word_embeddings'),
    headBias: traits.headBias ?? false,
    experts: traits.experts ?? null,
    names: { ...llamaNames, ...traits.names, norms },
  };
}

/** Biases of all four projections of attention by one key. */
export function attentionBias(config: Fields): DecoderTraits {
  const bias = isOn(config, 'attention_bias');
  return { queryKeyValueBias: bias, outputBias: bias };
}
