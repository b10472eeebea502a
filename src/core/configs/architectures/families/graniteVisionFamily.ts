/** Granite 4 Vision: states of several layers of the tower, each asked in windows (transformers/models/granite4_vision/modeling_granite4_vision.py). */
import { readSizes } from '../configSizes.js';
import type { ModelTensors } from '../tensorGroup.js';
import { addImageTower } from './imageTowers.js';
import type { MultimodalEntry } from './multimodalShape.js';
import { addQuestioner } from './questioner.js';

/** Offsets of the windows that the last projectors ask in: corners of a square. */
const corners = 4;

interface Window {
  /** Sides of a window of questions, and of the patches that they go to. */
  queries: number;
  patches: number;
}

/** `1/4`, `3/8`. */
function windowOf(rate: string | undefined): Window | null {
  const sides = /^(\d{1,4})\/(\d{1,4})$/.exec(rate ?? '');
  return sides === null ? null : { queries: Number(sides[1]), patches: Number(sides[2]) };
}

function addProjectors(
  model: ModelTensors,
  name: string,
  { copies, vision, output, window, layers, width, frequency }: ProjectorShape,
): void {
  model
    .norm(`${name}.norm`, vision, { copies, bias: true })
    .parameter(`${name}.query`, [1, window.queries ** 2, vision], { copies })
    .parameter(`${name}.image_positions`, [1, window.patches ** 2, vision], { copies })
    .linear(`${name}.out_linear`, vision, output, { copies, bias: true });
  addQuestioner(model, `${name}.qformer`, { hidden: vision, states: vision, layers, width, frequency, copies });
}

interface ProjectorShape {
  copies: number;
  vision: number;
  output: number;
  window: Window;
  layers: number;
  width: number;
  frequency: number;
}

export const graniteVisionFamily: MultimodalEntry = {
  modelTypes: ['granite4_vision'],
  name: 'Granite 4 Vision',
  textType: 'granite4_vision_text',
  isTextTypeFixed: true,
  isTied: false,
  towers(model, config, { hidden: output }) {
    const former = config.at('qformer_config').withDefaults({
      num_hidden_layers: 1,
      intermediate_size: 3072,
      cross_attention_frequency: 1,
    });
    const sizes = readSizes(former, ['num_hidden_layers', 'intermediate_size', 'cross_attention_frequency']);
    const vision = addImageTower(model, 'model.vision_tower.', config.at('vision_config'), 'clip_vision_model');
    const window = windowOf(config.text('downsample_rate'));
    const deep = config.lengthOf('deepstack_layer_map');
    if (sizes === null || vision === null || window === null || deep === undefined) return false;
    const shape = {
      ...{ vision, output, window, layers: sizes.num_hidden_layers, width: sizes.intermediate_size },
      frequency: sizes.cross_attention_frequency,
    };
    model.parameter('model.image_newline', [output]);
    addProjectors(model, 'model.layerwise_projectors.N', { ...shape, copies: deep });
    addProjectors(model, 'model.spatial_projectors.N', { ...shape, copies: corners });
    return true;
  },
};
