/** The middle of the values, of an even number of them the mean of both middles. @throws RangeError without values */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError('there is no median of nothing');
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}

/** The same; null without values. */
export function medianOrNull(values: readonly number[]): number | null {
  return values.length === 0 ? null : median(values);
}
