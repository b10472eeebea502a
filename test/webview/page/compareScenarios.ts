/** Comparisons that the host of a page shows. Nothing here makes one: the page's server knows the names alone. */
export const compareScenarios = [
  'compare',
  'compare-values',
  'compare-experts',
  'compare-tensors',
  'compare-resized',
  'compare-same',
  'compare-many',
  'compare-hostile',
  'compare-runs',
  'compare-web',
  'compare-running',
  'compare-failed',
] as const;

export type CompareScenario = (typeof compareScenarios)[number];

export function isCompareScenario(name: string | null): name is CompareScenario {
  return (compareScenarios as readonly (string | null)[]).includes(name);
}
