/** The least common multiple of two positive whole numbers; null where one is none, or the multiple is no safe integer. */
export function leastCommonMultiple(a: number, b: number): number | null {
  if (!Number.isSafeInteger(a) || !Number.isSafeInteger(b) || a < 1 || b < 1) return null;
  let [greater, less] = [a, b];
  while (less > 0) [greater, less] = [less, greater % less];
  const multiple = (a / greater) * b;
  return Number.isSafeInteger(multiple) ? multiple : null;
}
