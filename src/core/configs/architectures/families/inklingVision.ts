/** Inkling: patches that are folded into vectors of growing width, and sound as tokens (transformers/models/inkling/modeling_inkling.py). */
import type { Fields } from '../../fields.js';
import { readSizes } from '../configSizes.js';
import { mostLayers } from '../sizes.js';
import type { ModelTensors } from '../tensorGroup.js';
import type { MultimodalEntry } from './multimodalShape.js';

/** What a vector stands for between two layers: frames, pixels along a side, and how wide it is. */
interface Scale {
  frames: number;
  side: number;
  width: number;
}

const largestPatch = 2 ** 12;

/** Prime factors, largest first, each multiplied with those before it. */
function foldings(size: number): number[] {
  const factors: number[] = [];
  let left = size;
  for (let factor = 2; left > 1; factor += 1) for (; left % factor === 0; left /= factor) factors.unshift(factor);
  let product = 1;
  return factors.map((factor) => (product *= factor));
}

function scalesOf(patch: number, frames: number, channels: number): Scale[] {
  const rounded = (width: number): number => 64 * Math.ceil(width);
  const spatial = foldings(patch).map((side) => ({ frames: 1, side, width: rounded((side * side * channels) / 64) }));
  // Upstream rounds these up to a multiple of 64 without the division.
  const temporal = foldings(frames).map((count) => ({
    frames: count,
    side: patch,
    width: rounded(patch * patch * channels * count),
  }));
  return [{ frames: 1, side: 1, width: channels }, ...spatial, ...temporal];
}

/** One scale for each place between layers, as near as can be to equal steps (plan_out_scales). */
function planned(scales: readonly Scale[], layers: number, elements: number): Scale[] {
  const logs = scales.map(({ frames, side }) => Math.log(frames * side * side));
  const ideals = Array.from({ length: layers + 1 }, (_, index) => (Math.log(elements) * index) / layers);
  const chosen = layers < scales.length ? assigned(ideals, logs) : ideals.map((ideal) => nearest(ideal, logs));
  chosen[0] = 0;
  chosen[layers] = scales.length - 1;
  return chosen.flatMap((index) => scales[index] ?? []);
}

function nearest(ideal: number, logs: readonly number[]): number {
  const costs = logs.map((log) => Math.abs(ideal - log));
  return costs.reduce((least, cost, index) => (cost < (costs[least] ?? Infinity) ? index : least), 0);
}

/** Each ideal gets a scale of its own with the least distances in all; as both ascend, the order stays. */
function assigned(ideals: readonly number[], logs: readonly number[]): number[] {
  let best = logs.map(() => ({ cost: 0, chosen: [] as number[] }));
  for (const [row, ideal] of ideals.entries()) {
    let before = { cost: row === 0 ? 0 : Infinity, chosen: [] as number[] };
    best = logs.map((log, index) => {
      const own = { cost: before.cost + Math.abs(ideal - log), chosen: [...before.chosen, index] };
      const above = best[index];
      if (row > 0 && above !== undefined && above.cost < before.cost) before = above;
      return own;
    });
  }
  return best.reduce((least, one) => (one.cost < least.cost ? one : least)).chosen;
}

function addTower(model: ModelTensors, given: Fields, output: number): boolean {
  const config = given.withDefaults({ patch_size: 40, temporal_patch_size: 2, num_channels: 3 });
  const sizes = readSizes(config, ['patch_size', 'temporal_patch_size', 'num_channels']);
  const layers = config.integer('n_layers', 'num_hidden_layers') ?? 24;
  if (sizes === null || !(layers > 0 && layers <= mostLayers)) return false;
  const { patch_size: patch, temporal_patch_size: frames, num_channels: channels } = sizes;
  if (!(patch > 1 && patch <= largestPatch && frames > 0 && frames <= largestPatch)) return false;
  const plan = planned(scalesOf(patch, frames, channels), layers, patch * patch * frames * channels);
  const layer = 'model.vision_tower.encoder_layers.N';
  for (const [index, start] of plan.slice(0, -1).entries()) {
    const end = plan[index + 1] ?? start;
    const folded = Math.floor(end.frames / start.frames) * Math.floor(end.side / start.side) ** 2;
    const isLast = index === layers - 1;
    model.linear(`${layer}.projection`, start.width * folded, isLast ? output : end.width);
    if (!isLast) model.norm(`${layer}.layer_norm`, end.width);
  }
  model.norm('model.vision_tower.final_norm', output);
  return true;
}

export const inklingFamily: MultimodalEntry = {
  modelTypes: ['inkling_mm_model'],
  name: 'Inkling',
  textType: 'inkling_text',
  isTied: null,
  towers(model, config, { hidden }) {
    const audio = config.at('audio_config').withDefaults({ n_mel_bins: 80, mel_vocab_size: 256 });
    const sizes = readSizes(audio, ['n_mel_bins', 'mel_vocab_size']);
    if (sizes === null) return false;
    model
      .embedding('model.audio_tower.embed_audio_tokens.embed_audio_tokens', sizes.n_mel_bins * sizes.mel_vocab_size, hidden)
      .norm('model.audio_tower.norm', hidden);
    return addTower(model, config.at('vision_config'), hidden);
  },
};
