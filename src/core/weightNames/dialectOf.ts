/** Whose names the tensors of a model have. */
import { dialects, type TableDialect } from './dialects/dialects.js';
import { isNameOfTransformers } from './dialects/transformers.js';
import { findInTable } from './placeInTable.js';
import { splitName } from './splitName.js';
import type { NameDialect } from './weightPlace.js';
import { withoutWrappers } from './withoutWrappers.js';

const marksOfTables = Object.entries(dialects).map(([dialect, table]) => ({
  dialect: dialect as TableDialect,
  table,
  marks: new Set(table.marks),
}));

const fusedAttention = 'transformer.h.N.attn.c_attn';

/**
 * The dialect whose own modules most patterns are; null where there are none of any. nanoGPT has the names of GPT-2 in transformers, and is
 * distinguished from it where attention has no bias; shapes decide the rest, as matrices are [out, in] there.
 * @param patterns of the weights, as `patternOf` makes them
 */
export function dialectOf(patterns: Iterable<string>): NameDialect | null {
  const counts = new Map<NameDialect, number>();
  const add = (dialect: NameDialect, count: number): unknown => counts.set(dialect, (counts.get(dialect) ?? 0) + count);
  let attention = { hasWeight: false, hasBias: false };
  for (const pattern of patterns) {
    const name = withoutWrappers(pattern);
    for (const { dialect, table, marks } of marksOfTables) {
      const found = findInTable(table, name);
      if (found !== null && marks.has(found.key)) add(dialect, 1);
    }
    const { module, leaf } = splitName(name);
    if (module === fusedAttention)
      attention = { hasWeight: attention.hasWeight || leaf === 'weight', hasBias: attention.hasBias || leaf === 'bias' };
    // Less than any mark, as other frameworks have modules of the same beginnings.
    if (isNameOfTransformers(name)) add(leaf === 'kernel' || leaf === 'embedding' ? 'flax' : 'transformers', 0.001);
  }
  if (attention.hasWeight && !attention.hasBias) add('nanogpt', 1);
  let best: NameDialect | null = null;
  for (const [dialect, count] of counts) if (best === null || count > (counts.get(best) ?? 0)) best = dialect;
  return best === 'transformers' && counts.has('flax') ? 'flax' : best;
}
