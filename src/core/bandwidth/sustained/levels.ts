/** Stretches of a course of rates between which its level changes: binary segmentation by least squares. */

/** Windows from `from` up to, but without, `to`. */
export interface Stretch {
  from: number;
  to: number;
}

/** Neighbouring levels that differ by less than this share of the higher one are the same. */
const leastChange = 0.15;
/** And by less than this many standard errors of their difference. */
const leastErrors = 3;

/**
 * Divides at the place where two means describe the values best, and each part again, as long as the means differ by more than noise.
 * @param least fewest values of a stretch
 */
export function stretchesOf(values: readonly number[], least: number): Stretch[] {
  const sums = prefixSums(values);
  const divide = ({ from, to }: Stretch): Stretch[] => {
    const at = bestDivision(sums, from, to, least);
    if (at === null || !isChange(values, from, at, to)) return [{ from, to }];
    return [...divide({ from, to: at }), ...divide({ from: at, to })];
  };
  return values.length === 0 ? [] : divide({ from: 0, to: values.length });
}

/** The place that leaves the least sum of squares around both means; null where no part would be long enough. */
function bestDivision(sums: Float64Array, from: number, to: number, least: number): number | null {
  let found: number | null = null;
  let most = -Infinity;
  for (let at = from + least; at <= to - least; at++) {
    const left = sumBetween(sums, from, at);
    const right = sumBetween(sums, at, to);
    // The sum of all squares is the same for every place, so that the squares of the sums decide.
    const explained = left ** 2 / (at - from) + right ** 2 / (to - at);
    if (explained > most) [found, most] = [at, explained];
  }
  return found;
}

function isChange(values: readonly number[], from: number, at: number, to: number): boolean {
  const left = values.slice(from, at);
  const right = values.slice(at, to);
  const [one, other] = [meanOf(left), meanOf(right)];
  const difference = Math.abs(one - other);
  return difference > leastChange * Math.max(one, other) && difference > leastErrors * errorOfDifference(left, right);
}

/** Standard error of the difference of two means. */
export function errorOfDifference(left: readonly number[], right: readonly number[]): number {
  return Math.sqrt(varianceOf(left) / left.length + varianceOf(right) / right.length);
}

export function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function varianceOf(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const mean = meanOf(values);
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
}

/** `sums[n]` is the sum of the first n values. */
function prefixSums(values: readonly number[]): Float64Array {
  const sums = new Float64Array(values.length + 1);
  for (const [index, value] of values.entries()) sums[index + 1] = (sums[index] ?? 0) + value;
  return sums;
}

function sumBetween(sums: Float64Array, from: number, to: number): number {
  return (sums[to] ?? 0) - (sums[from] ?? 0);
}
