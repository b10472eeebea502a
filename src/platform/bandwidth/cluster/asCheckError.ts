import { CheckError } from '../../../core/bandwidth/checkError.js';
import { JobError } from '../../../core/jobs/jobError.js';

/** Anything thrown, as an error of a check. */
export function asCheckError(error: unknown): CheckError {
  if (CheckError.is(error)) return error;
  if (JobError.is(error)) return new CheckError(error.code, error.detail, { cause: error });
  return new CheckError('io', error instanceof Error ? error.message : String(error), { cause: error });
}
