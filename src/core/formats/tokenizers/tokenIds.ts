/** Ids that the file of a tokenizer gives. */
export interface TokenIds {
  /** Entries of the vocabulary. */
  tokens: number;
  /** One more than the largest id; 0 without any. */
  end: number;
}

/** A token that was added to a vocabulary, and is looked for in a text before all others. */
export interface AddedToken {
  id: number;
  content: string;
}

/** Whether a value is a number that a token may have. */
export function isTokenId(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
