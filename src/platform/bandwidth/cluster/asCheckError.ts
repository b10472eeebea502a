import { CheckError } from '../../../core/bandwidth/checkError.js';

/** Anything thrown, as an error of a check. */
export function asCheckError(error: unknown): CheckError {
  if (CheckError.is(error)) return error;
  return new CheckError('io', error instanceof Error ? error.message : String(error), { cause: error });
}
