import type { ModelTensors } from './tensorGroup.js';

/** A gated delta net (arXiv 2412.06464) in the words of Qwen3-Next (transformers/models/qwen3_next/modeling_qwen3_next.py). */
export interface DeltaNetShape {
  hidden: number;
  keyHeads: number;
  valueHeads: number;
  keySize: number;
  valueSize: number;
  kernel: number;
  /** Which projections are one matrix: `qkvz` and `ba` (Qwen3-Next), `qkv` (Qwen3.5), none (OLMo). */
  fused: 'qkvz' | 'qkv' | 'none';
}

export function addDeltaNet(model: ModelTensors, shape: DeltaNetShape, copies: number, prefix: string): void {
  const { hidden, keyHeads, valueHeads, keySize, valueSize, kernel, fused } = shape;
  const keys = keyHeads * keySize;
  const values = valueHeads * valueSize;
  const options = { copies };
  model.parameter(`${prefix}.dt_bias`, [valueHeads], options).parameter(`${prefix}.A_log`, [valueHeads], options);
  model.convolution(`${prefix}.conv1d`, [2 * keys + values, 1, kernel], options);
  if (fused === 'qkvz')
    model
      .linear(`${prefix}.in_proj_qkvz`, hidden, 2 * keys + 2 * values, options)
      .linear(`${prefix}.in_proj_ba`, hidden, 2 * valueHeads, options);
  else if (fused === 'qkv')
    model
      .linear(`${prefix}.in_proj_qkv`, hidden, 2 * keys + values, options)
      .linear(`${prefix}.in_proj_z`, hidden, values, options)
      .linear(`${prefix}.in_proj_b`, hidden, valueHeads, options)
      .linear(`${prefix}.in_proj_a`, hidden, valueHeads, options);
  else
    model
      .linear(`${prefix}.q_proj`, hidden, keys, options)
      .linear(`${prefix}.k_proj`, hidden, keys, options)
      .linear(`${prefix}.v_proj`, hidden, values, options)
      .linear(`${prefix}.a_proj`, hidden, valueHeads, options)
      .linear(`${prefix}.b_proj`, hidden, valueHeads, options)
      .linear(`${prefix}.g_proj`, hidden, values, options);
  model
    .norm(`${prefix}.${fused === 'none' ? 'o_norm' : 'norm'}`, valueSize, options)
    .linear(`${prefix}.${fused === 'none' ? 'o_proj' : 'out_proj'}`, values, hidden, options);
}

/** Kimi delta attention (arXiv 2510.26692; transformers/models/kimi_linear/modeling_kimi_linear.py, KimiLinearDeltaAttention). */
export interface KimiDeltaShape {
  hidden: number;
  heads: number;
  headSize: number;
  kernel: number;
  /** Gates through a rank of one head's size, or by full matrices (Ling). */
  hasLowRankGates: boolean;
  /** A module of its own that holds what the state is forgotten by (GLM-5.3). */
  forgetGate?: string;
}

export function addKimiDelta(model: ModelTensors, shape: KimiDeltaShape, copies: number, prefix: string): void {
  const { hidden, heads, headSize, kernel, hasLowRankGates } = shape;
  const inner = heads * headSize;
  const options = { copies };
  const forget = shape.forgetGate === undefined ? prefix : `${prefix}.${shape.forgetGate}`;
  model
    .linear(`${prefix}.q_proj`, hidden, inner, options)
    .linear(`${prefix}.k_proj`, hidden, inner, options)
    .linear(`${prefix}.v_proj`, hidden, inner, options)
    .convolution(`${prefix}.conv1d`, [3 * inner, 1, kernel], options)
    .parameter(`${forget}.dt_bias`, [inner], options)
    .parameter(`${forget}.A_log`, [heads], options)
    .linear(`${prefix}.b_proj`, hidden, heads, options)
    .norm(`${prefix}.o_norm`, headSize, options)
    .linear(`${prefix}.o_proj`, inner, hidden, options);
  for (const gate of [`${forget}.f`, `${prefix}.g`])
    if (hasLowRankGates)
      model.linear(`${gate}_a_proj`, hidden, headSize, options).linear(`${gate}_b_proj`, headSize, inner, options);
    else model.linear(`${gate}_proj`, hidden, inner, options);
}
