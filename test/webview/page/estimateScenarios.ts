/** Configs whose estimates the host of a page shows. Nothing here reads one: the page's server knows the names alone. */
export const estimateScenarios = [
  'estimate',
  'estimate-full',
  'estimate-adapter',
  'estimate-model',
  'estimate-serving',
  'estimate-unknown',
  'estimate-hostile',
  'estimate-none',
  'estimate-failed',
] as const;

export type EstimateScenario = (typeof estimateScenarios)[number];

export function isEstimateScenario(name: string | null): name is EstimateScenario {
  return (estimateScenarios as readonly (string | null)[]).includes(name);
}
