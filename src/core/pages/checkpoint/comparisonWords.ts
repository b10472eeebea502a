import type { StoredTwiceItem } from '../../checkpoints/checkpointReport.js';
import { coverageInWords } from '../../findings/evidence.js';

/** Whether the bytes of copies were looked at: `8 of 291 tensors compared by sampled bytes: all equal`. */
export function comparisonInWords({ basis, coverage }: Pick<StoredTwiceItem, 'basis' | 'coverage'>): string {
  return basis === 'sampled' && coverage !== null
    ? `${coverageInWords(coverage)} compared by sampled bytes: all equal`
    : 'by names, dtypes and shapes; values were not compared';
}
