/** MiniCPM-V 4.6: SigLIP's tower, four neighbours made one in it and again after it (transformers/models/minicpmv4_6/modeling_minicpmv4_6.py). */
import { readSizes } from '../configSizes.js';
import type { ModelTensors } from '../tensorGroup.js';
import type { MultimodalEntry } from './multimodalShape.js';
import { addSiglipVision, siglipVisionDefaults } from './visionTowers.js';

/** Two linear layers after neighbours are one. */
function addMerger(
  model: ModelTensors,
  prefix: string,
  [merged, inner, output]: readonly [number, number, number],
  copies = 1,
): void {
  model
    .norm(`${prefix}.pre_norm`, merged, { copies, bias: true })
    .linear(`${prefix}.linear_1`, merged, inner, { copies, bias: true })
    .linear(`${prefix}.linear_2`, inner, output, { copies, bias: true });
}

export const miniCpmVisionFamily: MultimodalEntry = {
  modelTypes: ['minicpmv4_6'],
  name: 'MiniCPM-V 4.6',
  textType: 'qwen3_5_text',
  isTied: false,
  towers(model, config, { hidden: output }) {
    const vision = config.at('vision_config');
    const defaults = { ...siglipVisionDefaults, vision_use_head: false };
    const sizes = readSizes(vision.withDefaults(defaults), ['intermediate_size']);
    const hidden = addSiglipVision(model, 'model.vision_tower.', vision, defaults);
    if (hidden === null || sizes === null) return false;
    const [height = 2, width = 2] = vision.integers('window_kernel_size') ?? [];
    const inTower = 'model.vision_tower.vit_merger';
    for (const part of ['q_proj', 'k_proj', 'v_proj', 'out_proj'])
      model.linear(`${inTower}.self_attn.${part}`, hidden, hidden, { bias: true });
    model.norm(`${inTower}.layer_norm1`, hidden, { bias: true });
    addMerger(model, inTower, [hidden * height * width, sizes.intermediate_size * height * width, hidden]);
    // Of four, whatever `merge_kernel_size` says.
    const merged = 4 * hidden;
    const before = (config.integer('merger_times') ?? 1) - 1;
    addMerger(model, 'model.merger.mlp.N', [merged, merged, hidden], before);
    addMerger(model, `model.merger.mlp.${before}`, [merged, merged, output]);
    return true;
  },
};
