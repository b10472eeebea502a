/** Florence-2: stages of attention over windows and over channels, before BART (transformers/models/florence2/modeling_florence2.py). */
import type { Fields } from '../../fields.js';
import type { MultimodalEntry } from './multimodalShape.js';
import type { ModelTensors } from '../tensorGroup.js';

const maximumStages = 16;

interface Stages {
  widths: readonly number[];
  depths: readonly number[];
  kernels: readonly number[];
}

function stagesOf(config: Fields): Stages | null {
  const list = (key: string, usual: readonly number[]): readonly number[] =>
    config.has(key) ? (config.integers(key) ?? []) : usual;
  const stages = {
    widths: list('embed_dim', [128, 256, 512, 1024]),
    depths: list('depths', [1, 1, 9, 1]),
    kernels: list('patch_size', [7, 3, 3, 3]),
  };
  const count = stages.widths.length;
  const isUsable = count > 0 && count <= maximumStages && stages.depths.length === count && stages.kernels.length === count;
  return isUsable && Object.values(stages).every((values) => values.every((value) => value >= 0)) ? stages : null;
}

function addBlock(
  model: ModelTensors,
  block: string,
  attention: string,
  sizes: { hidden: number; width: number; copies: number; qkv: boolean },
): void {
  const { hidden, width, copies, qkv } = sizes;
  for (const part of ['1', '2'])
    model
      .convolution(`${block}.conv${part}`, [hidden, 1, 3, 3], { copies, bias: true })
      .norm(`${block}.norm${part}`, hidden, { copies, bias: true });
  model
    .linear(`${block}.${attention}.qkv`, hidden, 3 * hidden, { copies, bias: qkv })
    .linear(`${block}.${attention}.proj`, hidden, hidden, { copies, bias: true })
    .linear(`${block}.ffn.fc1`, hidden, width, { copies, bias: true })
    .linear(`${block}.ffn.fc2`, width, hidden, { copies, bias: true });
}

/** Answers the size of the last states. */
function addVision(model: ModelTensors, prefix: string, config: Fields): number | null {
  const stages = stagesOf(config);
  const ratio = config.number('mlp_ratio') ?? 4;
  if (stages === null) return null;
  const normed = config.has('patch_prenorm') ? config.flags('patch_prenorm') : [false, true, true, true];
  let before = config.integer('in_channels') ?? 3;
  for (const [stage, hidden] of stages.widths.entries()) {
    const kernel = stages.kernels[stage] ?? 0;
    const copies = stages.depths[stage] ?? 0;
    model.convolution(`${prefix}convs.${stage}.conv`, [hidden, before, kernel, kernel], { bias: true });
    model.norm(`${prefix}convs.${stage}.norm`, normed[stage] === true ? before : hidden, { bias: true });
    const sizes = { hidden, width: Math.floor(hidden * ratio), copies, qkv: config.flag('qkv_bias') ?? true };
    addBlock(model, `${prefix}blocks.${stage}.N.spatial_block`, 'window_attn', sizes);
    addBlock(model, `${prefix}blocks.${stage}.N.channel_block`, 'channel_attn', sizes);
    before = hidden;
  }
  return before;
}

export const florenceFamily: MultimodalEntry = {
  modelTypes: ['florence2'],
  name: 'Florence-2',
  textType: 'bart',
  isTied: true,
  towers(model, config) {
    const vision = config.at('vision_config');
    const hidden = addVision(model, 'model.vision_tower.', vision);
    const output = vision.integer('projection_dim') ?? 1024;
    const positions = vision.integer('max_position_embeddings') ?? 50;
    if (hidden === null) return false;
    const projector = 'model.multi_modal_projector';
    model
      .linear(`${projector}.image_projection`, hidden, output)
      .norm(`${projector}.image_proj_norm`, output, { bias: true })
      .embedding(`${projector}.image_position_embed.row_embeddings`, positions, Math.floor(hidden / 2))
      .embedding(`${projector}.image_position_embed.column_embeddings`, positions, hidden - Math.floor(hidden / 2));
    return true;
  },
};
