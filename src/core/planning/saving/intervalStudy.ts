/** What the interval of a plan costs beside the best one, and what other storage or another failure rate would change. */
import type { PlanInputs } from '../inputs/planInputs.js';
import type { PlannedSize } from '../size/plannedSize.js';
import { frugalLossShare, goodput, longestInterval, type IntervalCosts } from './interval.js';
import { leastScalingGpus } from './failureRates.js';
import { savePlan, type SavePlan } from './savePlan.js';

export interface IntervalAndShare {
  intervalSeconds: number;
  /** Of the wall-clock time that trains. */
  goodput: number;
}

export interface IntervalStudy {
  costs: IntervalCosts;
  best: IntervalAndShare;
  planned: IntervalAndShare;
  hourly: IntervalAndShare;
  /** The longest interval that trains at most half a point less than the best: rarer saves need less bandwidth. */
  frugal: IntervalAndShare;
  /** With the best interval each. */
  twiceTheBandwidth: IntervalAndShare;
  halfTheMtbf: IntervalAndShare;
  halfTheStall: IntervalAndShare;
  /** Meta's expected ETTR at the plan's interval: (1 − (R + τ/2) / M) ÷ (1 + d/τ), at least 0. Kokolis et al., HPCA 2025. */
  metaGoodput: number;
  /** Of a job of this size by 1/N alone, where fewer GPUs fail more often than that: Meta measured 7.9 h at 1,024 GPUs, not 28.8 h. */
  isScalingOptimistic: boolean;
}

const hour = 3600;

export function intervalStudy(inputs: PlanInputs, size: PlannedSize, save: SavePlan): IntervalStudy {
  const costs = costsOf(inputs, save);
  const at = (intervalSeconds: number) => ({ intervalSeconds, goodput: goodput(intervalSeconds, costs) });
  const bestOf = (change: Partial<PlanInputs>) =>
    bestWith({ ...inputs, intervalSeconds: null, intervalSteps: null, ...change }, size);
  return {
    costs,
    best: at(save.bestIntervalSeconds),
    planned: at(save.intervalSeconds),
    hourly: at(hour),
    frugal: at(longestInterval(save.bestIntervalSeconds, save.bestIntervalSeconds * frugalFactor, frugalLossShare, costs)),
    twiceTheBandwidth: bestOf({ writeBytesPerSecond: save.writeBytesPerSecond * 2 }),
    halfTheMtbf: bestOf({ mtbfSeconds: save.mtbfSeconds / 2 }),
    halfTheStall: bestOf({ stallSeconds: save.stallSeconds / 2 }),
    metaGoodput: metaGoodput(save.intervalSeconds, costs),
    isScalingOptimistic: inputs.mtbfSeconds === null && inputs.gpus < leastScalingGpus,
  };
}

/** So many times the best interval at most. */
const frugalFactor = 1000;

export function costsOf({ restartSeconds }: PlanInputs, { stallSeconds, mtbfSeconds }: SavePlan): IntervalCosts {
  return { stallSeconds, mtbfSeconds, restartSeconds };
}

function bestWith(inputs: PlanInputs, size: PlannedSize): IntervalAndShare {
  const save = savePlan(inputs, size);
  const intervalSeconds = save.bestIntervalSeconds;
  return { intervalSeconds, goodput: goodput(intervalSeconds, costsOf(inputs, save)) };
}

/** @returns Meta's expected ETTR, with 1/M in place of nodes × failures a node-day; 0 where a failure comes before any progress */
export function metaGoodput(intervalSeconds: number, { stallSeconds, mtbfSeconds, restartSeconds }: IntervalCosts): number {
  const kept = 1 - (restartSeconds + intervalSeconds / 2) / mtbfSeconds;
  return Math.max(0, kept) / (1 + stallSeconds / intervalSeconds);
}
