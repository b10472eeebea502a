/** A sentence with its number, and how the number came about: panel, Markdown and terminal render the same statements. */

/** `derived`: computed from inputs that are given; `assumed`: at least one input has its default. */
export type StatementKind = 'measured' | 'read' | 'derived' | 'assumed';

/** How a number came about, one click away from it. */
export interface Derivation {
  /** `τ = √(2 d M)`. */
  formula: string;
  /** With the plan's numbers in it: `√(2 × 5 s × 11,135 s) = 333.7 s`. */
  steps: string[];
  /** Paper, documentation or rule. */
  source: string;
}

/** A sentence that begins with its number: amount `172 GB/s`, text `keeps saving below 10 % of the time`. */
export interface Statement {
  amount: string;
  text: string;
  /** A second line, smaller. */
  detail: string;
  kind: StatementKind;
  derivation: Derivation | null;
}
