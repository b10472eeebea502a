/** What the end of a job costs where it is known: the last save, which is waited for, and the start of the next job. */
import type { PlanInputs } from '../inputs/planInputs.js';

/** Seconds of a job that do not train: restarting, which takes as long as reading does where that is longer, and one save. */
export function jobEndSeconds(
  { restartSeconds }: Pick<PlanInputs, 'restartSeconds'>,
  { stallSeconds, saveSeconds }: { stallSeconds: number; saveSeconds: number },
  readSeconds: number,
): number {
  return Math.max(restartSeconds, readSeconds) + Math.max(stallSeconds, saveSeconds);
}
