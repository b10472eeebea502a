/** When and how fast a plan saves: the numbers that all other answers rest on. */
import type { PlanInputs } from '../inputs/planInputs.js';
import { monthSeconds } from '../systems/storageSystem.js';
import type { PlannedSize } from '../size/plannedSize.js';
import { bandwidthDemand, overlapOf, regionOf, type Demand, type OverlapRegion } from './demand.js';
import { failureRateOf } from './failureRates.js';
import { optimalInterval, timeShares, type IntervalCosts, type OptimalInterval, type TimeShares } from './interval.js';
import { givenIntervalSeconds } from '../training/stepTime.js';
import { bandwidthPricePerMonth } from '../systems/bandwidthPrice.js';
import { bandwidthThatPays } from './bandwidthThatPays.js';
import { knownWriteRate } from './clientRate.js';
import { chooseInterval, type IntervalChoice } from './intervalChoice.js';
import { stallOf, type Stall } from './stall.js';
import { topologyOf, writersOf, type Topology, type Writers } from './writers.js';

export interface SavePlan {
  topology: Topology;
  writers: Writers;
  mtbfSeconds: number;
  /** How long training stands still for a save. */
  stallSeconds: number;
  /** Of it, what does not depend on the bytes. */
  fixedStallSeconds: number;
  stallBasis: Stall['basis'];
  optimum: OptimalInterval;
  /** Loses least of the possible ones. */
  bestIntervalSeconds: number;
  /** Of the plan. */
  intervalSeconds: number;
  intervalBasis: IntervalChoice['basis'];
  /** What writes go at: given, what is needed, or what is worth its money where training waits. */
  writeBytesPerSecond: number;
  bandwidthBasis: 'given' | 'needed' | 'pays';
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
  const known = knownWriteRate(inputs, size, writers);
  const waitedFor = bandwidthWaitedFor(inputs, size, mtbfSeconds, known);
  const stall = stallOf(inputs, size, writers, waitedFor);
  const optimum = optimalInterval(Math.max(stall.seconds, leastStallSeconds), mtbfSeconds);
  const costs: IntervalCosts = { stallSeconds: stall.seconds, mtbfSeconds, restartSeconds: inputs.restartSeconds };
  const interval = chooseInterval(inputs, known === null ? 0 : size.checkpointBytes / known, optimum.exact, costs);
  const demand = bandwidthDemand(size.checkpointBytes, interval.seconds, inputs.overlapTarget);
  const bandwidthBasis = inputs.writeBytesPerSecond !== null ? 'given' : paysForItself(inputs) ? 'pays' : 'needed';
  const writeBytesPerSecond =
    bandwidthBasis === 'needed' ? Math.min(demand.requiredBytesPerSecond, known ?? Infinity) : waitedFor;
  const overlap = overlapOf(size.checkpointBytes, interval.seconds, writeBytesPerSecond);
  return {
    topology,
    writers,
    mtbfSeconds,
    stallSeconds: stall.seconds,
    fixedStallSeconds: stall.fixedSeconds,
    stallBasis: stall.basis,
    optimum,
    bestIntervalSeconds: interval.bestSeconds,
    intervalSeconds: interval.seconds,
    intervalBasis: interval.basis,
    writeBytesPerSecond,
    bandwidthBasis,
    readBytesPerSecond: readBandwidth(inputs, size, writeBytesPerSecond),
    saveSeconds: size.checkpointBytes / writeBytesPerSecond,
    overlap,
    region: regionOf(overlap, inputs.overlapTarget),
    demand,
    shares: timeShares(interval.seconds, costs),
  };
}

/** Where training waits, the bandwidth that is not given is that which is worth its money. */
function paysForItself(inputs: PlanInputs): boolean {
  return inputs.saveMode === 'synchronous' && givenIntervalSeconds(inputs) === null;
}

/** What a synchronous save is written at; of no meaning for others whose bandwidth is not given. */
function bandwidthWaitedFor(
  inputs: PlanInputs,
  { checkpointBytes }: PlannedSize,
  mtbfSeconds: number,
  known: number | null,
): number {
  const { writeBytesPerSecond, overlapTarget, fixedStallSeconds, restartSeconds, gpus } = inputs;
  const intervalSeconds = givenIntervalSeconds(inputs);
  if (writeBytesPerSecond !== null) return known ?? writeBytesPerSecond;
  const most = known ?? Infinity;
  if (intervalSeconds !== null) return Math.min(most, checkpointBytes / (overlapTarget * intervalSeconds));
  const pays = bandwidthThatPays({
    checkpointBytes,
    fixedStallSeconds,
    mtbfSeconds,
    restartSeconds,
    gpusPerSecond: (gpus * inputs.gpuPricePerHour) / 3600,
    perByteASecond: bandwidthPricePerMonth(inputs) / 1e9 / monthSeconds,
  });
  return Math.min(most, pays);
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
