/**
 * Appends items one by one. `push(...items)` puts each on the call stack, which overflows near 120,000 of them: how many there are is
 * up to the file.
 */
export function appendAll<T>(to: T[], items: Iterable<T>): void {
  for (const item of items) to.push(item);
}
