/** Runs that the host of a page shows. Nothing here lists one: the page's server knows the names alone. */
export const runScenarios = [
  'saves',
  'saves-followed',
  'saves-copied',
  'saves-hostile',
  'saves-of-runs',
  'saves-of-two',
  'saves-none',
  'saves-failed',
] as const;

export type RunScenario = (typeof runScenarios)[number];

export function isRunScenario(name: string | null): name is RunScenario {
  return (runScenarios as readonly (string | null)[]).includes(name);
}
