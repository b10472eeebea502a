/** `total_limit` of Accelerate's ProjectConfiguration (accelerate/accelerator.py: save_state; version 1.15). */

/**
 * What goes before a save, so that there is room for it: the lowest first number of all that is in the folder, whatever it is called. One name without a number makes the
 * save fail, and nothing goes.
 */
export function removedByAccelerate(names: readonly string[], limit: number | null): string[] {
  if (limit === null || names.length + 1 <= limit) return [];
  const numbered = names.map((name) => ({ name, number: /\d+/.exec(name)?.[0] }));
  if (numbered.some(({ number }) => number === undefined)) return [];
  numbered.sort((a, b) => Number(a.number) - Number(b.number));
  return numbered.slice(0, names.length + 1 - limit).map(({ name }) => name);
}
