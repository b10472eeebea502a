import type { LogOutcome } from '../core/findings/loggedCheck.js';

/** False where an entry into a log was asked for, and there is none: the answer says why. */
export function isWritten(log: LogOutcome | undefined): boolean {
  return log === undefined || log.problem === null;
}
