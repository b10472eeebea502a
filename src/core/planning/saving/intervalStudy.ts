/** What the interval of a plan costs beside the best one, and what other storage or another failure rate would change. */
import type { PlanInputs } from '../inputs/planInputs.js';
import type { PlannedSize } from '../size/plannedSize.js';
import { leastScalingGpus } from './failureRates.js';
import { goodput, type IntervalCosts } from './interval.js';
import { savePlan, type PlanBandwidth, type SavePlan } from './savePlan.js';

export interface IntervalAndShare {
  intervalSeconds: number;
  /** Of the wall-clock time that trains. */
  goodput: number;
}

export interface IntervalStudy {
  costs: IntervalCosts;
  best: IntervalAndShare;
  planned: IntervalAndShare;
  /** Null where that is not possible. */
  hourly: IntervalAndShare | null;
  /** With the best interval each, at the plan's bandwidth. */
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
  const own = { bytesPerSecond: save.writeBytesPerSecond, basis: save.bandwidthBasis };
  const bestOf = (change: Partial<PlanInputs>, bandwidth = own) =>
    bestWith({ ...inputs, intervalSeconds: null, intervalSteps: null, ...change }, size, bandwidth);
  const twiceTheBandwidth = bestOf({}, { ...own, bytesPerSecond: own.bytesPerSecond * 2 });
  return {
    costs,
    best: at(save.bestIntervalSeconds),
    planned: at(save.intervalSeconds),
    hourly: save.leastIntervalSeconds > hour ? null : at(hour),
    twiceTheBandwidth,
    halfTheMtbf: bestOf({ mtbfSeconds: save.failureSeconds / 2 }),
    // Where training waits for storage the bandwidth alone shortens the stall.
    halfTheStall: save.stallBasis === 'storage' ? twiceTheBandwidth : bestOf({ stallSeconds: save.stallSeconds / 2 }),
    metaGoodput: metaGoodput(save.intervalSeconds, costs),
    isScalingOptimistic: inputs.mtbfSeconds === null && inputs.gpus < leastScalingGpus,
  };
}

export function costsOf({ restartSeconds }: PlanInputs, { stallSeconds, mtbfSeconds }: SavePlan): IntervalCosts {
  return { stallSeconds, mtbfSeconds, restartSeconds };
}

function bestWith(inputs: PlanInputs, size: PlannedSize, bandwidth: PlanBandwidth): IntervalAndShare {
  const save = savePlan(inputs, size, bandwidth);
  const intervalSeconds = save.bestIntervalSeconds;
  return { intervalSeconds, goodput: goodput(intervalSeconds, costsOf(inputs, save)) };
}

/** @returns Meta's expected ETTR, with 1/M in place of nodes × failures a node-day; 0 where a failure comes before any progress */
export function metaGoodput(intervalSeconds: number, { stallSeconds, mtbfSeconds, restartSeconds }: IntervalCosts): number {
  const kept = 1 - (restartSeconds + intervalSeconds / 2) / mtbfSeconds;
  return Math.max(0, kept) / (1 + stallSeconds / intervalSeconds);
}
