/** @param from above 0 @param to above `from` @returns `count` places, each the same factor after the one before */
export function logSpaced(from: number, to: number, count: number): number[] {
  const ratio = Math.log(to / from) / (count - 1);
  return Array.from({ length: count }, (_, index) => (index === count - 1 ? to : from * Math.exp(ratio * index)));
}

/** Least and greatest of some numbers, at least one. */
export function extentOf(values: readonly number[]): [number, number] {
  return values.reduce<[number, number]>(
    ([least, most], value) => [Math.min(least, value), Math.max(most, value)],
    [Infinity, -Infinity],
  );
}
