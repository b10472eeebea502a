/** In a table, where a number is not known. */
export const unknown = '–';

/** The number in words, or that it is not known. */
export function orUnknown(value: number | null, words: (value: number) => string): string {
  return value === null ? unknown : words(value);
}
