/** How long an interval may be at most: by the work that a failure may cost, by what of a job trains, by the run itself. */
import type { PlanInputs } from '../inputs/planInputs.js';
import type { PlannedSize } from '../size/plannedSize.js';
import { givenIntervalSeconds } from '../training/stepTime.js';

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
    const left = acceptableLossSeconds - underWaySeconds;
    const least = acceptableLossSeconds * leastTrainingOf(saveMode);
    // Where training waits any interval is possible that is left, however little it trains then.
    const seconds = saveMode === 'synchronous' && left > 0 ? left : Math.max(least, left);
    bounds.push({ seconds, by: 'acceptable-loss' });
  }
  return bounds.reduce((least, bound) => (bound.seconds < least.seconds ? bound : least));
}

/**
 * The write bandwidth below which no interval keeps to the acceptable loss, or not the given one; 0 where nothing is said of that, and where the given
 * interval alone loses more.
 */
export function rateForAcceptableLoss(inputs: PlanInputs, { checkpointBytes }: PlannedSize): number {
  const { acceptableLossSeconds } = inputs;
  if (acceptableLossSeconds === null) return 0;
  const givenSeconds = givenIntervalSeconds(inputs);
  const isGiven = givenSeconds !== null && givenSeconds < acceptableLossSeconds;
  const saveSeconds = isGiven
    ? longestSaveAt(givenSeconds, acceptableLossSeconds, inputs.saveMode)
    : (1 - leastTrainingOf(inputs.saveMode)) * acceptableLossSeconds;
  return checkpointBytes / saveSeconds;
}

/** Of saves every τ seconds: τ + t is lost at most, or n τ + t where the storage gets every nth one, n being as many as come while one is written. */
function longestSaveAt(seconds: number, acceptableSeconds: number, saveMode: PlanInputs['saveMode']): number {
  const left = acceptableSeconds - seconds;
  // Whether saves pile up is another question.
  if (saveMode !== 'multi-level') return left;
  const every = Math.floor(acceptableSeconds / 2 / seconds);
  return Math.max(every * seconds, acceptableSeconds - (every + 1) * seconds);
}

function leastTrainingOf(saveMode: PlanInputs['saveMode']): number {
  return leastTrainingShare[saveMode === 'synchronous' ? 'synchronous' : 'other'];
}
