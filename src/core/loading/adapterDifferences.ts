import { appendAll } from '../bytes/appendAll.js';
import { limits } from '../bytes/limits.js';
import type { AdapterComparison } from './adapterTensors.js';
import type { TensorDifferences } from './tensors/tensorDifferences.js';

/** Counts what one adapter lacks, has beside, and has in other shapes; lists as many as a report takes. */
export function addDifferences({ counts, missing, unexpected, mismatched }: TensorDifferences, found: AdapterComparison): void {
  const lacking = [...found.required, ...found.missing];
  counts.expected += found.compared;
  counts.missing += lacking.length;
  counts.unexpected += found.unexpected.length;
  counts.mismatched += found.mismatched.length + found.ranks.length;
  appendAll(
    missing,
    firstOf(missing, lacking).map(({ name, shape }) => ({ name, shape: [...(shape ?? [])] })),
  );
  appendAll(
    unexpected,
    firstOf(unexpected, found.unexpected).map(({ name, shape }) => ({ name, shape: [...shape] })),
  );
  appendAll(
    mismatched,
    firstOf(mismatched, [...found.mismatched, ...found.ranks.map(({ tensor }) => tensor)]).map(
      ({ name, expected, found: shape }) => ({
        name,
        expected: [...expected],
        found: [...shape],
      }),
    ),
  );
}

/** As many as a list of the report still takes. */
function firstOf<Tensor>(listed: readonly unknown[], more: readonly Tensor[]): readonly Tensor[] {
  return more.slice(0, Math.max(0, limits.loadDifferences - listed.length));
}
