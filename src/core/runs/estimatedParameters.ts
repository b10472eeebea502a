/** How many parameters a model may have, by the bytes of its checkpoints alone. */
import { medianOrNull } from '../bytes/median.js';
import type { SavedCheckpoint } from './savedCheckpoint.js';

export interface ParameterRange {
  low: number;
  high: number;
  /** What both rest on. */
  basis: string;
}

/** Bytes of a checkpoint for each parameter, from a rounded-up rule of mixed precision to bf16 weights alone (Rajbhandari et al., ZeRO, 2020). */
const [mostBytesPerParameter, leastBytesPerParameter] = [16, 2];

/** @param bytes of a save, the median of all */
export function parametersOfBytes(bytes: number): ParameterRange {
  return {
    low: Math.round(bytes / mostBytesPerParameter),
    high: Math.round(bytes / leastBytesPerParameter),
    basis:
      'median bytes of a save, from 16 bytes a parameter (bf16 weights, fp32 master weights and Adam moments are 14, with exported weights beside them 16) to 2 (bf16 weights alone)',
  };
}

/** Weights in files of their own, beside other state, are in 32 or in 16 bits. Of others all bytes of a save count. Null without a whole one. */
export function parametersOf(complete: readonly SavedCheckpoint[]): ParameterRange | null {
  const bytes = medianOrNull(complete.map((one) => one.bytes));
  if (bytes === null) return null;
  const weights = medianOrNull(complete.flatMap(({ components: { weights: own } }) => (own === undefined ? [] : [own])));
  // ZeRO-3 leaves next to none of the weights in the files that are called after the model.
  const isApart = weights !== null && weights < bytes && weights >= bytes * (leastBytesPerParameter / mostBytesPerParameter);
  if (!isApart) return parametersOfBytes(bytes);
  return {
    low: Math.round(weights / 4),
    high: Math.round(weights / 2),
    basis: 'median bytes of the files of weights, from 4 bytes a parameter (fp32) to 2 (bf16)',
  };
}
