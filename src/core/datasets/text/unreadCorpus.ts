/** A column of text that cannot be read here: it has a share in the whole, and its tokens are extrapolated from what can be read. */
import type { RowTexts } from './rowCorpus.js';
import type { TextCorpus } from './textCorpus.js';

/** Nothing of it is reachable. Its rows are counted by the shard that it is of. */
export function unreadCorpus({ path, rows, textBytes, guessBytes }: Omit<RowTexts, 'read'>): TextCorpus {
  return {
    path,
    span: rows,
    reachable: 0,
    weightBytes: Math.max(1, textBytes ?? guessBytes),
    textBytes,
    documents: rows,
    isCounted: true,
    window: 1,
    draw: () => Promise.resolve({ texts: [], textBytes: 0, documents: 0, covered: 0 }),
  };
}
