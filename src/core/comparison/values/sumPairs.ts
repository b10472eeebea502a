/** Sums over two runs of numbers, chunk by chunk: doubles, whose error grows with the number of chunks and not of elements. */
import type { PairSums } from './pairTask.js';
import { areRounded } from './rounding.js';

type Numbers = Float32Array | Float64Array;

/** Adds the same elements of both sides, and keeps of `sums.rounded` what they are as well. */
export function sumPairs(sums: PairSums, a: Numbers, b: Numbers): void {
  let [maxAbs, sumAbs, dot, squaresA, squaresB, squaresOfDifference, notFinite, finite] = [0, 0, 0, 0, 0, 0, 0, 0];
  let [notFiniteA, notFiniteB] = [0, 0];
  for (let at = 0; at < a.length; at++) {
    const own = a[at] as number;
    const other = b[at] as number;
    const difference = other - own;
    if (difference - difference !== 0) {
      // Infinities of one sign and two NaN are alike; two large finite numbers may be apart by more than a double holds.
      if (!Object.is(own, other)) notFinite += 1;
      if (!Number.isFinite(own)) notFiniteA += 1;
      if (!Number.isFinite(other)) notFiniteB += 1;
      continue;
    }
    finite += 1;
    const distance = difference < 0 ? -difference : difference;
    if (distance > maxAbs) maxAbs = distance;
    sumAbs += distance;
    dot += own * other;
    squaresA += own * own;
    squaresB += other * other;
    squaresOfDifference += difference * difference;
  }
  const first = (sums.first ??= a[0] ?? null);
  // Of most tensors the first two numbers tell.
  sums.isConstant &&= a.every((value) => Object.is(value, first));
  const firstB = (sums.firstB ??= b[0] ?? null);
  sums.isConstantB &&= b.every((value) => Object.is(value, firstB));
  sums.compared += a.length;
  sums.notFinite += notFinite;
  sums.notFiniteA += notFiniteA;
  sums.notFiniteB += notFiniteB;
  sums.finite += finite;
  sums.isEqual &&= maxAbs === 0 && notFinite === 0;
  sums.maxAbs = Math.max(sums.maxAbs, maxAbs);
  sums.sumAbs += sumAbs;
  sums.dot += dot;
  sums.squaresA += squaresA;
  sums.squaresB += squaresB;
  sums.squaresOfDifference += squaresOfDifference;
  if (sums.rounded.length > 0) sums.rounded = sums.rounded.filter((rounded) => areRounded(a, b, rounded));
}
