/** Variables of an environment, or settings of a profile. */
export type EnvironmentValues = Readonly<Record<string, string | undefined>>;

/** Null for a variable or setting that is not there or empty. */
export function givenText(value: string | undefined): string | null {
  return value === undefined || value.trim() === '' ? null : value.trim();
}
