const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'variant' });

/** Orders names as people do: `rank_2` before `rank_10`. Total: names that the collator holds equal fall back to code units. */
export function compareNatural(a: string, b: string): number {
  return collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
}
