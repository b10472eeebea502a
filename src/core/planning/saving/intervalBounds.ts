/** How long an interval may be at most: by the work that a failure may cost, by the time after which a job ends, by the run itself. */
import type { PlanInputs } from '../inputs/planInputs.js';
import type { PlannedSize } from '../size/plannedSize.js';

export interface IntervalBound {
  seconds: number;
  by: 'acceptable-loss' | 'walltime' | 'run';
}

/**
 * The shortest of the bounds. A failure loses at most τ + t of work, with t for the save that was under way: τ is what is left of the
 * acceptable loss, and half of it where that cannot be.
 * @param underWaySeconds from the beginning of a save until it is of use on all levels
 */
export function intervalBound(
  { acceptableLossSeconds, walltimeSeconds, runSeconds }: PlanInputs,
  underWaySeconds: number,
): IntervalBound {
  const bounds: IntervalBound[] = [{ seconds: runSeconds, by: 'run' }];
  if (walltimeSeconds !== null) bounds.push({ seconds: walltimeSeconds, by: 'walltime' });
  if (acceptableLossSeconds !== null)
    bounds.push({ seconds: Math.max(acceptableLossSeconds / 2, acceptableLossSeconds - underWaySeconds), by: 'acceptable-loss' });
  return bounds.reduce((least, bound) => (bound.seconds < least.seconds ? bound : least));
}

/**
 * The write bandwidth from which on a failure can lose no more than is acceptable; 0 where nothing is said of that. The save t must leave
 * an interval τ: t ≤ φ τ where it is written beside training, t ≤ τ where training waits for it.
 */
export function rateForAcceptableLoss(
  { acceptableLossSeconds, overlapTarget, saveMode }: PlanInputs,
  { checkpointBytes }: PlannedSize,
): number {
  if (acceptableLossSeconds === null) return 0;
  const overlap = saveMode === 'synchronous' ? 1 : overlapTarget;
  return (checkpointBytes * (1 + overlap)) / (overlap * acceptableLossSeconds);
}
