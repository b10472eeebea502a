/**
 * Memory of activations, and what it costs not to keep them. Korthikanti et al., Reducing Activation Recomputation in Large Transformer
 * Models (arXiv 2205.05198): s tokens, b sequences, h wide, a heads, in 16 bits; tensor parallel t with sequence parallelism.
 */
import type { PlanInputs } from '../inputs/planInputs.js';

export interface ActivationChoice {
  choice: PlanInputs['activations'];
  /** On one GPU. */
  bytes: number;
  /** Compute that is done twice ÷ compute of a step without it. */
  repeatedCompute: number;
}

type ActivationInputs = Pick<
  PlanInputs,
  'layers' | 'hiddenSize' | 'attentionHeads' | 'sequenceLength' | 'microBatch' | 'tensorParallel'
>;

/**
 * All three choices. Pipeline stages hold fewer layers and as many more micro-batches, so the first one holds as much as all layers do.
 */
export function activationMemory(inputs: ActivationInputs): ActivationChoice[] {
  const { layers: L, hiddenSize: h, attentionHeads: a, sequenceLength: s, microBatch: b, tensorParallel: t } = inputs;
  const layer = s * b * h;
  const attention = (5 * a * s) / h;
  // A layer's forward pass is 24 b s h² (1 + s ÷ 6h) operations, 4 b s² h of them in attention; a step is three times all of that.
  const repeatedAttention = s / (18 * h + 3 * s);
  return [
    { choice: 'kept', bytes: (layer * L * (34 + attention)) / t, repeatedCompute: 0 },
    { choice: 'selective', bytes: (layer * L * 34) / t, repeatedCompute: repeatedAttention },
    { choice: 'full', bytes: 2 * layer * L, repeatedCompute: 1 / 3 },
  ];
}
