/** Every text in a value, as a reader of a plan's page would meet it. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((item) => textsIn(item));
}
