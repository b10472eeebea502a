/** What a finding says, and what its words are made of. */
export interface FindingWords {
  /** What it is. */
  message: string;
  /** Why it matters. */
  effect: string;
  /** What to do. */
  advice: string;
}

/** The text of a finding's fact; `?` where it has none of that name. */
export type FactText = (name: string) => string;
