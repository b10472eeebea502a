/** Which interval a plan saves at: the given one, the one that loses least, or the one that the bandwidth leaves room for. */
import type { PlanInputs } from '../inputs/planInputs.js';
import { givenIntervalSeconds, stepSecondsOf } from '../training/stepTime.js';
import { frugalLossShare, longestInterval, type IntervalCosts } from './interval.js';
import { intervalBound, type IntervalBound } from './intervalBounds.js';

export interface IntervalChoice {
  seconds: number;
  /**
   * `bandwidth`: drawn out, as far as that costs little, so that saves are under way for no more of the time than is wanted. The last three: no
   * longer than that allows.
   */
  basis: 'given' | 'optimum' | 'bandwidth' | IntervalBound['by'];
  /** Loses least of those that are possible: no save comes before the last one is written, nor more often than a step, nor later than its bound. */
  bestSeconds: number;
  /** That are possible at all: until the last save is written, and a step. */
  leastSeconds: number;
}

/**
 * @param write how long a save is written, how long it is of no use on the slowest level, and what of a job does not train at its end
 * @param optimumSeconds of storage that is never behind
 */
export function chooseInterval(
  inputs: PlanInputs,
  write: { saveSeconds: number; underWaySeconds: number; endSeconds: number },
  optimumSeconds: number,
  costs: IntervalCosts,
): IntervalChoice {
  // Elsewhere training waits for each save, or the shared storage gets only as many as it can take.
  const behindSeconds = inputs.saveMode === 'asynchronous' ? write.saveSeconds : 0;
  const leastSeconds = Math.max(behindSeconds, stepSecondsOf(inputs) ?? 0);
  const bound = intervalBound(inputs, write.underWaySeconds, write.endSeconds);
  const bounded = (seconds: number) => Math.max(leastSeconds, Math.min(seconds, bound.seconds));
  const boundedSeconds = bounded(optimumSeconds);
  const bestSeconds = Math.max(leastSeconds, dividingInterval(inputs, boundedSeconds, write.saveSeconds));
  const givenSeconds = givenIntervalSeconds(inputs);
  if (givenSeconds !== null) return { seconds: givenSeconds, basis: 'given', bestSeconds, leastSeconds };
  const wantedSeconds = behindSeconds / inputs.overlapTarget;
  if (wantedSeconds <= bestSeconds)
    return {
      seconds: bestSeconds,
      basis: bestSeconds < boundedSeconds ? 'acceptable-loss' : bestSeconds < optimumSeconds ? bound.by : 'optimum',
      bestSeconds,
      leastSeconds,
    };
  const seconds = longestInterval(bestSeconds, wantedSeconds, frugalLossShare, costs);
  return bounded(seconds) < seconds
    ? { seconds: bounded(seconds), basis: bound.by, bestSeconds, leastSeconds }
    : { seconds, basis: 'bandwidth', bestSeconds, leastSeconds };
}

/**
 * Where the storage gets every nth save alone, n saves may be no shorter than it takes to write one, and no longer than the acceptable loss
 * leaves: the longest interval up to `seconds` of which a multiple is so. The interval itself where there is none.
 */
function dividingInterval({ saveMode, acceptableLossSeconds }: PlanInputs, seconds: number, saveSeconds: number): number {
  if (saveMode !== 'multi-level' || acceptableLossSeconds === null) return seconds;
  const mostSeconds = acceptableLossSeconds - saveSeconds;
  const every = Math.max(1, Math.ceil(saveSeconds / seconds));
  return mostSeconds < saveSeconds || every * seconds <= mostSeconds ? seconds : mostSeconds / every;
}
