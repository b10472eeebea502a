/** The step in the name of a save against the one that it contains: they differ where one was renamed, or copied over the other. */
import type { Finding } from '../../findings/finding.js';

/** A save or a file of one. */
export interface NamedSave {
  name: string;
  /** The file that contains the step. */
  path: string;
  step: number | null;
}

/**
 * A finding where the name contains another step than the file.
 * @param pattern the name as the framework gives it, with its step as the only group; other names contain no step in its units
 */
export function findOtherStep({ name, path, step }: NamedSave, pattern: RegExp): Finding[] {
  const digits = pattern.exec(name)?.[1];
  const named = Number(digits);
  if (digits === undefined || step === null || !Number.isSafeInteger(named) || named === step) return [];
  return [{ code: 'step-differs', path, facts: { named, step } }];
}
