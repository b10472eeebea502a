/** How long an interval may be at most: by the work that a failure may cost, by what of a job trains, by the run itself. */
import type { PlanInputs } from '../inputs/planInputs.js';
import type { PlannedSize } from '../size/plannedSize.js';

export interface IntervalBound {
  seconds: number;
  by: 'acceptable-loss' | 'walltime' | 'run';
}

/** A run has so many saves at least, however rarely it fails: training that goes wrong has to go back to one. */
const leastSavesOfRun = 5;

/** Of the acceptable loss, what training gets at least where it waits for each save; where it does not, no save takes longer than the interval. */
const leastTrainingShare = { synchronous: 0.1, other: 0.5 } as const;

/**
 * The shortest of the bounds. A failure loses at most τ + t of work, with t for the save that was under way: τ is what is left of the
 * acceptable loss, and half of it where that cannot be.
 * @param underWaySeconds from the beginning of a save until it is of use on all levels
 * @param endSeconds of a job that ends at its walltime, that do not train
 */
export function intervalBound(
  { acceptableLossSeconds, walltimeSeconds, runSeconds, saveMode }: PlanInputs,
  underWaySeconds: number,
  endSeconds: number,
): IntervalBound {
  const bounds: IntervalBound[] = [{ seconds: runSeconds / leastSavesOfRun, by: 'run' }];
  // A job that ends before it trains is a reason against the plan, not an interval.
  if (walltimeSeconds !== null)
    bounds.push({ seconds: walltimeSeconds > endSeconds ? walltimeSeconds - endSeconds : walltimeSeconds, by: 'walltime' });
  if (acceptableLossSeconds !== null) {
    const least = acceptableLossSeconds * leastTrainingShare[saveMode === 'synchronous' ? 'synchronous' : 'other'];
    bounds.push({ seconds: Math.max(least, acceptableLossSeconds - underWaySeconds), by: 'acceptable-loss' });
  }
  return bounds.reduce((least, bound) => (bound.seconds < least.seconds ? bound : least));
}

/** The write bandwidth below which no interval keeps to the acceptable loss, however much of the time saves are under way; 0 where nothing is said of that. */
export function rateForAcceptableLoss({ acceptableLossSeconds, saveMode }: PlanInputs, { checkpointBytes }: PlannedSize): number {
  if (acceptableLossSeconds === null) return 0;
  const training = leastTrainingShare[saveMode === 'synchronous' ? 'synchronous' : 'other'];
  return checkpointBytes / ((1 - training) * acceptableLossSeconds);
}
