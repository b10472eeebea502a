/** Hunyuan that sees, HunyuanOCR among them (transformers/models/hunyuan_vl/modeling_hunyuan_vl.py). */
import type { Fields } from '../../fields.js';
import { patchesOf, readSizes } from '../configSizes.js';
import { addLayers, attentionNames, clipLayer } from '../encoderLayer.js';
import type { ModelTensors } from '../tensorGroup.js';
import type { MultimodalEntry } from './multimodalShape.js';
import { towerSizes } from './visionTowers.js';

const visionLayer = { ...clipLayer, attention: attentionNames('self_attn') };

/** Neighbours become one by a convolution; rows, and the picture itself, begin and end with states of their own. */
function addMerger(model: ModelTensors, prefix: string, hidden: number, merge: number, output: number): void {
  model
    .convolution(`${prefix}proj_conv`, [2 * hidden, hidden, merge, merge], { bias: true })
    .convolution(`${prefix}proj_out`, [4 * hidden, 2 * hidden, 1, 1], { bias: true })
    .linear(`${prefix}mlp`, 4 * hidden, output, { bias: true })
    .parameter(`${prefix}image_newline`, [4 * hidden]);
  for (const place of ['begin', 'end', 'sep']) model.parameter(`${prefix}image_${place}`, [output]);
  model.norm(`${prefix}before_rms`, hidden).norm(`${prefix}after_rms`, output);
}

function addTower(model: ModelTensors, given: Fields, output: number): boolean {
  const config = given.withDefaults({
    hidden_size: 1152,
    intermediate_size: 4304,
    num_hidden_layers: 27,
    num_channels: 3,
    patch_size: 16,
    spatial_merge_size: 2,
    max_image_size: 2048,
  });
  const sizes = readSizes(config, [...towerSizes, 'spatial_merge_size', 'max_image_size']);
  if (sizes === null) return false;
  const { hidden_size: hidden, num_hidden_layers: copies, patch_size: patch } = sizes;
  const prefix = 'model.vision_tower.';
  model
    .convolution(`${prefix}embeddings.patch_embedding`, [hidden, sizes.num_channels, patch, patch], { bias: true })
    // One more for a token that no picture has.
    .embedding(`${prefix}embeddings.position_embedding`, patchesOf(sizes.max_image_size, patch) + 1, hidden);
  addLayers(model, `${prefix}layers.N`, visionLayer, { copies, hidden, width: sizes.intermediate_size });
  addMerger(model, `${prefix}patch_merger.`, hidden, sizes.spatial_merge_size, output);
  return true;
}

export const hunyuanVisionFamily: MultimodalEntry = {
  modelTypes: ['hunyuan_vl'],
  name: 'Hunyuan VL',
  textType: 'hunyuan_vl_text',
  isTied: true,
  towers: (model, config, { hidden }) => addTower(model, config.at('vision_config'), hidden),
};
