import type { StoredTwiceItem } from '../../checkpoints/checkpointReport.js';
import { coverageInWords } from '../../findings/evidence.js';

/** Whether the bytes of copies were looked at: `sampled bytes of 8 of 291 tensors agree`. */
export function comparisonInWords({ basis, coverage }: Pick<StoredTwiceItem, 'basis' | 'coverage'>): string {
  return basis === 'sampled' && coverage !== null
    ? `sampled bytes of ${coverageInWords(coverage)} agree`
    : 'by names, dtypes and shapes; values were not compared';
}
