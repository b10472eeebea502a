/** Which interval a plan saves at: the given one, the one that loses least, or the one that the bandwidth leaves room for. */
import type { PlanInputs } from '../inputs/planInputs.js';
import { givenIntervalSeconds, stepSecondsOf } from '../training/stepTime.js';
import { frugalLossShare, longestInterval, type IntervalCosts } from './interval.js';

export interface IntervalChoice {
  seconds: number;
  /** `bandwidth`: drawn out so that saves at the given bandwidth are under way for no more of the time than is wanted. */
  basis: 'given' | 'optimum' | 'bandwidth';
  /** Loses least of those that are possible: no save comes before the last one is written, nor more often than a step. */
  bestSeconds: number;
}

/**
 * @param writeSeconds how long a save is written, at the bandwidth that is known; 0 where none is
 * @param optimumSeconds of storage that is never behind
 */
export function chooseInterval(
  inputs: PlanInputs,
  writeSeconds: number,
  optimumSeconds: number,
  costs: IntervalCosts,
): IntervalChoice {
  // Elsewhere training waits for each save, or the shared storage gets only as many as it can take.
  const behindSeconds = inputs.saveMode === 'asynchronous' ? writeSeconds : 0;
  const bestSeconds = Math.max(optimumSeconds, behindSeconds, stepSecondsOf(inputs) ?? 0);
  const givenSeconds = givenIntervalSeconds(inputs);
  if (givenSeconds !== null) return { seconds: givenSeconds, basis: 'given', bestSeconds };
  const wantedSeconds = behindSeconds / inputs.overlapTarget;
  if (wantedSeconds <= bestSeconds) return { seconds: bestSeconds, basis: 'optimum', bestSeconds };
  const seconds = longestInterval(bestSeconds, wantedSeconds, frugalLossShare, costs);
  return { seconds, basis: 'bandwidth', bestSeconds };
}
