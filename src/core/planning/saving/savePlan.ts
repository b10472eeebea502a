/** When and how fast a plan saves: the numbers that all other answers rest on. */
import type { PlanInputs } from '../inputs/planInputs.js';
import type { PlannedSize } from '../size/plannedSize.js';
import { bandwidthDemand, overlapOf, regionOf, type Demand, type OverlapRegion } from './demand.js';
import { failureRateOf } from './failureRates.js';
import { optimalInterval, timeShares, type IntervalCosts, type OptimalInterval, type TimeShares } from './interval.js';
import { topologyOf, writersOf, type Topology, type Writers } from './writers.js';

export interface SavePlan {
  topology: Topology;
  writers: Writers;
  mtbfSeconds: number;
  /** How long training stands still for a save. */
  stallSeconds: number;
  /** Where the stall comes from. */
  stallBasis: 'given' | 'device-to-host' | 'storage';
  optimum: OptimalInterval;
  /** Of the plan: given, or the exact optimum. */
  intervalSeconds: number;
  intervalBasis: 'given' | 'optimum';
  /** What writes go at: given, or what is needed. */
  writeBytesPerSecond: number;
  bandwidthBasis: 'given' | 'needed';
  readBytesPerSecond: number;
  /** From the first byte to the last on the shared storage. */
  saveSeconds: number;
  overlap: number;
  region: OverlapRegion;
  demand: Demand;
  shares: TimeShares;
}

export function savePlan(inputs: PlanInputs, size: PlannedSize): SavePlan {
  const topology = topologyOf(inputs);
  const writers = writersOf(topology, size, inputs.zeroStage, inputs.gpusPerNode);
  const mtbfSeconds = inputs.mtbfSeconds ?? gpuMtbf(inputs) / inputs.gpus;
  const stall = stallOf(inputs, size, writers, mtbfSeconds);
  const optimum = optimalInterval(Math.max(stall.seconds, leastStallSeconds), mtbfSeconds);
  const intervalSeconds = inputs.intervalSeconds ?? optimum.exact;
  const demand = bandwidthDemand(size.checkpointBytes, intervalSeconds, inputs.overlapTarget);
  const writeBytesPerSecond = inputs.writeBytesPerSecond ?? demand.requiredBytesPerSecond;
  const overlap = overlapOf(size.checkpointBytes, intervalSeconds, writeBytesPerSecond);
  const costs: IntervalCosts = { stallSeconds: stall.seconds, mtbfSeconds, restartSeconds: inputs.restartSeconds };
  return {
    topology,
    writers,
    mtbfSeconds,
    stallSeconds: stall.seconds,
    stallBasis: stall.basis,
    optimum,
    intervalSeconds,
    intervalBasis: inputs.intervalSeconds === null ? 'optimum' : 'given',
    writeBytesPerSecond,
    bandwidthBasis: inputs.writeBytesPerSecond === null ? 'needed' : 'given',
    readBytesPerSecond: readBandwidth(inputs, size, writeBytesPerSecond),
    saveSeconds: size.checkpointBytes / writeBytesPerSecond,
    overlap,
    region: regionOf(overlap, inputs.overlapTarget),
    demand,
    shares: timeShares(intervalSeconds, costs),
  };
}

/** Storage that is as fast as it needs to be gives a checkpoint back once within the wanted time. */
function readBandwidth(inputs: PlanInputs, size: PlannedSize, writeBytesPerSecond: number): number {
  if (inputs.readBytesPerSecond !== null) return inputs.readBytesPerSecond;
  if (inputs.writeBytesPerSecond !== null) return writeBytesPerSecond;
  return Math.max(writeBytesPerSecond, size.checkpointBytes / inputs.restoreTargetSeconds);
}

/** Without any stall the best interval would be 0; no save is shorter than a step's synchronisation. */
const leastStallSeconds = 0.01;

function gpuMtbf(inputs: PlanInputs): number {
  return inputs.gpuMtbfSeconds ?? failureRateOf(inputs.failureRate).gpuMtbfSeconds;
}

/** An asynchronous save stops training for the copy to host memory, a synchronous one until storage has it all. */
function stallOf(
  inputs: PlanInputs,
  size: PlannedSize,
  writers: Writers,
  mtbfSeconds: number,
): { seconds: number; basis: SavePlan['stallBasis'] } {
  if (inputs.stallSeconds !== null) return { seconds: inputs.stallSeconds, basis: 'given' };
  if (inputs.saveMode !== 'synchronous')
    return { seconds: writers.largestWriterBytes / inputs.deviceToHostBytesPerSecond, basis: 'device-to-host' };
  if (inputs.writeBytesPerSecond !== null)
    return { seconds: size.checkpointBytes / inputs.writeBytesPerSecond, basis: 'storage' };
  return { seconds: neededStall(inputs, mtbfSeconds), basis: 'storage' };
}

/** Storage that is just fast enough stalls for phi of the interval, and the interval is the optimum for that stall. */
function neededStall({ intervalSeconds, overlapTarget }: PlanInputs, mtbfSeconds: number): number {
  if (intervalSeconds !== null) return overlapTarget * intervalSeconds;
  // d = phi tau(d): tau grows as the root of d, so repeating it converges; 2 phi² M is where Young's form would.
  let stall = 2 * overlapTarget ** 2 * mtbfSeconds;
  for (let round = 0; round < 80; round += 1) stall = overlapTarget * optimalInterval(stall, mtbfSeconds).exact;
  return stall;
}
