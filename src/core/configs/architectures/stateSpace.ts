import type { ModelTensors } from './tensorGroup.js';

/** A selective state-space layer (Mamba, arXiv 2312.00752; transformers/models/mamba/modeling_mamba.py, MambaMixer). */
export interface MambaShape {
  hidden: number;
  /** Channels inside, most often twice the hidden size. */
  inner: number;
  state: number;
  /** Rank of the step sizes. */
  rank: number;
  kernel: number;
  convolutionBias: boolean;
  /** Of the projections in and out. */
  bias: boolean;
}

export function addMamba(model: ModelTensors, shape: MambaShape, copies: number, prefix: string): void {
  const { hidden, inner, state, rank, kernel, bias } = shape;
  model
    .parameter(`${prefix}.A_log`, [inner, state], { copies })
    .parameter(`${prefix}.D`, [inner], { copies })
    .convolution(`${prefix}.conv1d`, [inner, 1, kernel], { copies, bias: shape.convolutionBias })
    .linear(`${prefix}.in_proj`, hidden, 2 * inner, { copies, bias })
    .linear(`${prefix}.x_proj`, inner, rank + 2 * state, { copies })
    .linear(`${prefix}.dt_proj`, rank, inner, { copies, bias: true })
    .linear(`${prefix}.out_proj`, inner, hidden, { copies, bias });
}

/** A layer of state-space duality (Mamba-2, arXiv 2405.21060; transformers/models/mamba2/modeling_mamba2.py, Mamba2Mixer). */
export interface Mamba2Shape {
  hidden: number;
  inner: number;
  heads: number;
  state: number;
  groups: number;
  kernel: number;
  convolutionBias: boolean;
  inputBias: boolean;
  outputBias: boolean;
  hasNorm: boolean;
}

export function addMamba2(model: ModelTensors, shape: Mamba2Shape, copies: number, prefix: string): void {
  const { hidden, inner, heads, state, groups, kernel } = shape;
  const channels = inner + 2 * groups * state;
  model
    .parameter(`${prefix}.dt_bias`, [heads], { copies })
    .parameter(`${prefix}.A_log`, [heads], { copies })
    .parameter(`${prefix}.D`, [heads], { copies })
    .convolution(`${prefix}.conv1d`, [channels, 1, kernel], { copies, bias: shape.convolutionBias })
    .linear(`${prefix}.in_proj`, hidden, inner + channels + heads, { copies, bias: shape.inputBias })
    .linear(`${prefix}.out_proj`, inner, hidden, { copies, bias: shape.outputBias });
  if (shape.hasNorm) model.norm(`${prefix}.norm`, inner, { copies });
}
