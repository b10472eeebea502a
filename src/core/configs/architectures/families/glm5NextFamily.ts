/** GLM-5.3 Flash: latent attention that chooses its tokens, Kimi's delta attention in most layers (transformers/models/glm5_next/modeling_glm5_next.py). */
import type { Fields } from '../../fields.js';
import type { DecoderEntry, DecoderTraits } from '../decoderEntry.js';
import { layersWith, listedLayers, sparseLayers } from '../layerPattern.js';
import { addKimiDelta } from '../linearAttention.js';
import { type DecoderSizes, sizeOr } from '../sizes.js';
import { deepseekExperts, latentOf } from './expertFamilies.js';
import { addStreamMixes } from './hyperConnections.js';
import type { MultimodalEntry } from './multimodalShape.js';
import { addGlmOcrVision } from './qwenVisionTowers.js';

const attention = 'model.layers.N.self_attn';

/** Which layers choose tokens for themselves; the others take the choice of the one before them (configuration_glm5_next.py). */
function choosesItself(config: Fields, layers: number): (layer: number) => boolean {
  const listed = listedLayers(config, layers, 'indexer_types');
  if (listed !== null) return (layer) => listed[layer] !== 'shared';
  const written = config.texts('index_topk_pattern') ?? [];
  const pattern = written.length === 1 ? [...(written[0] ?? '')] : written;
  if (pattern.length > 0) return (layer) => !['S', 'shared'].includes(pattern[layer] ?? '');
  const period = Math.max(sizeOr(config, 1, 'index_topk_freq'), 1);
  const offset = sizeOr(config, 2, 'index_skip_topk_offset');
  return (layer) => Math.max(layer - offset + 1, 0) % period === 0;
}

function traits(config: Fields, sizes: DecoderSizes): DecoderTraits {
  const { hidden, layers } = sizes;
  const listed = listedLayers(config, layers, 'layer_types');
  const isIndexed = (layer: number): boolean => (listed === null ? layer % 4 === 3 : listed[layer] !== 'linear_attention');
  const indexed = layersWith(layers, isIndexed);
  const chooses = choosesItself(config, layers);
  const choosing = layersWith(layers, (layer) => isIndexed(layer) && chooses(layer));
  const index = { heads: sizeOr(config, 0, 'index_n_heads'), size: sizeOr(config, 0, 'index_head_dim'), layers: choosing };
  const linear = config.at('linear_attn_config');
  const streams = sizeOr(config, 1, 'hc_mult');
  return {
    attentionLayers: indexed,
    latent: latentOf(config, sizes, { indexer: index }),
    experts: deepseekExperts(config, sizes, { layers: sparseLayers(config, layers, 3) }),
    add(model) {
      model
        .parameter(`${attention}.indexer.index_kpool_compress_ape`, [sizeOr(config, 16, 'index_kpool'), index.size], {
          copies: choosing,
        })
        .parameter(`${attention}.indexer.index_kpool_compress_gate`, [index.size, hidden], { copies: choosing });
      const delta = {
        hidden,
        heads: sizeOr(linear, sizeOr(config, 64, 'linear_num_heads'), 'num_heads'),
        headSize: sizeOr(linear, sizeOr(config, 128, 'linear_head_dim'), 'head_dim'),
        kernel: sizeOr(linear, sizeOr(config, 4, 'linear_conv_kernel_dim'), 'short_conv_kernel_size'),
        hasLowRankGates: true,
        forgetGate: 'forget_gate',
      };
      addKimiDelta(model, delta, layers - indexed, attention);
      addStreamMixes(model, sizes, { streams, mixes: (2 + streams) * streams, scales: 3 });
    },
  };
}

export const glm5NextText: DecoderEntry = { modelTypes: ['glm5_next_text'], name: 'GLM-5.3', traits };

export const glm5NextFamily: MultimodalEntry = {
  modelTypes: ['glm5_next'],
  name: 'GLM-5.3',
  textType: 'glm5_next_text',
  absentText: 'root',
  isTied: false,
  towers(model, config) {
    const vision = config.at('vision_config').withDefaults({ projection_intermediate_size: 10_240 });
    return addGlmOcrVision(model, 'model.visual.', vision);
  },
};
