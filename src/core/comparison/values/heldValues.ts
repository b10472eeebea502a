/** Values that were read of two sides, kept for a comparison of both in the other order. */
import type { Sample } from '../../values/valueTask.js';
import type { Sides } from '../comparisonReport.js';
import type { TensorMatch } from '../matchTensors.js';
import type { PairResult } from './pairTask.js';

export interface HeldValues {
  /** Rows of each pair, by the numbers of the results. */
  rows: Sides<Uint32Array>;
  results: readonly PairResult[];
  /** Undefined where everything was read. */
  sample: Sample | undefined;
}

/** The same with A as B. What is of both, such as the largest distance, stays. */
export function swapped({ rows, results, sample }: HeldValues): HeldValues {
  return { rows: { a: rows.b, b: rows.a }, results: results.map(swappedResult), sample };
}

function swappedResult({ sums, ...rest }: PairResult): PairResult {
  const { squaresA, squaresB, notFiniteA, notFiniteB } = sums;
  return { ...rest, sums: { ...sums, squaresA: squaresB, squaresB: squaresA, notFiniteA: notFiniteB, notFiniteB: notFiniteA } };
}

/** What is held of the pairs of a match, by their numbers in it. */
export function heldResults({ rows, results }: HeldValues, { pairs }: Pick<TensorMatch, 'pairs'>): Map<number, PairResult> {
  const byRow = new Map(results.map((result) => [rows.a[result.pair] as number, result]));
  const held = new Map<number, PairResult>();
  pairs.a.forEach((row, pair) => {
    const result = byRow.get(row);
    if (result !== undefined && rows.b[result.pair] === pairs.b[pair]) held.set(pair, { ...result, pair });
  });
  return held;
}
