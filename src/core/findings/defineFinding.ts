/** The worst first. */
export const severities = ['error', 'warning', 'note'] as const;

export type Severity = (typeof severities)[number];

/** What a finding says. */
export interface FindingWords {
  /** What it is. */
  message: string;
  /** Why it matters. */
  effect: string;
  /** What to do. */
  advice: string;
}

/** All there is to know of one kind of finding. */
export interface FindingDefinition<Facts> {
  severity: Severity;
  /** Facts as a file might give them, for docs/findings.md and the tests; null where there are none. */
  example: Facts;
  words: (facts: Facts) => FindingWords;
}

/** An entry of a table of findings. Its facts are those of the example, unless `Facts` names others. */
export function defineFinding<Facts extends object | null>(definition: FindingDefinition<Facts>): FindingDefinition<Facts> {
  return definition;
}
