/** When and how fast a plan saves: the numbers that all other answers rest on. */
import type { PlanInputs } from '../inputs/planInputs.js';
import { shareOfJob } from '../inputs/sharedStorage.js';
import type { PlannedSize } from '../size/plannedSize.js';
import { bandwidthDemand, overlapOf, regionOf, type Demand, type OverlapRegion } from './demand.js';
import { bandwidthLimit } from '../systems/storageSystem.js';
import { comesWithNode, systemOf } from '../systems/storageSystems.js';
import { clientRateOf } from './clientRate.js';
import { failureRateOf } from './failureRates.js';
import { saveTimeIn } from './gracePeriod.js';
import { optimalInterval, timeShares, type IntervalCosts, type OptimalInterval, type TimeShares } from './interval.js';
import { chooseInterval, type IntervalChoice } from './intervalChoice.js';
import { jobEndSeconds } from './jobEnd.js';
import { stallOf, type Stall } from './stall.js';
import { topologyOf, writersOf, type Topology, type Writers } from './writers.js';

/** What writes to the shared storage go at. */
export interface PlanBandwidth {
  bytesPerSecond: number;
  /**
   * Given, all that the nodes which write can carry, all that one account or file system takes, what the job gets to the object store, or what
   * is worth its money.
   */
  basis: 'given' | 'nodes' | 'limit' | 'objects' | 'pays';
}

export interface SavePlan {
  topology: Topology;
  writers: Writers;
  /** Between losses of work: failures, and machines that are taken back before a save is done. */
  mtbfSeconds: number;
  /** Between failures alone. */
  failureSeconds: number;
  /** Whether a save fits between a warning and the end. */
  isWarned: boolean;
  /** How long training stands still for a save. */
  stallSeconds: number;
  /** Of it, what does not depend on the bytes. */
  fixedStallSeconds: number;
  stallBasis: Stall['basis'];
  optimum: OptimalInterval;
  /** Loses least of the possible ones. */
  bestIntervalSeconds: number;
  /** Shorter ones are not possible: saves pile up, or a step takes longer. */
  leastIntervalSeconds: number;
  /** Of the plan. */
  intervalSeconds: number;
  intervalBasis: IntervalChoice['basis'];
  /** What writes go at. */
  writeBytesPerSecond: number;
  bandwidthBasis: PlanBandwidth['basis'];
  readBytesPerSecond: number;
  /** From the first byte to the last on the shared storage. */
  saveSeconds: number;
  overlap: number;
  region: OverlapRegion;
  demand: Demand;
  shares: TimeShares;
}

export function savePlan(inputs: PlanInputs, size: PlannedSize, bandwidth: PlanBandwidth): SavePlan {
  const { bytesPerSecond: writeBytesPerSecond, basis: bandwidthBasis } = bandwidth;
  const topology = topologyOf(inputs);
  const writers = writersOf(topology, size, inputs.zeroStage, inputs.gpusPerNode);
  const failureSeconds = inputs.mtbfSeconds ?? gpuMtbf(inputs) / inputs.gpus;
  const stall = stallOf(inputs, size, writers, writeBytesPerSecond);
  const saveSeconds = size.checkpointBytes / writeBytesPerSecond;
  const nearSeconds = neighbourSeconds(inputs, writers);
  // A neighbour that stays has the save as soon as it is sent.
  const isNear = inputs.saveMode === 'multi-level' && topology.nodes > 1;
  const isWarned = stall.seconds + (isNear ? nearSeconds : saveSeconds) <= saveTimeIn(inputs.graceSeconds);
  const mtbfSeconds = isWarned ? failureSeconds : withReclaims(failureSeconds, inputs.reclaimSeconds);
  const optimum = optimalInterval(Math.max(stall.seconds, leastStallSeconds), mtbfSeconds);
  const costs: IntervalCosts = { stallSeconds: stall.seconds, mtbfSeconds, restartSeconds: inputs.restartSeconds };
  // Training that waits for a save does nothing that it would lose in the fixed part of its stall.
  const underWaySeconds = inputs.saveMode === 'synchronous' ? saveSeconds : Math.max(saveSeconds, stall.seconds, nearSeconds);
  const readBytesPerSecond = readBandwidth(inputs, size, topology, writeBytesPerSecond);
  const endSeconds = jobEndSeconds(
    inputs,
    { stallSeconds: stall.seconds, saveSeconds },
    size.checkpointBytes / readBytesPerSecond,
  );
  const write = { saveSeconds, underWaySeconds, endSeconds };
  const interval = chooseInterval(inputs, write, optimum.exact, costs);
  const overlap = overlapOf(size.checkpointBytes, interval.seconds, writeBytesPerSecond);
  return {
    topology,
    writers,
    mtbfSeconds,
    failureSeconds,
    isWarned,
    stallSeconds: stall.seconds,
    fixedStallSeconds: stall.fixedSeconds,
    stallBasis: stall.basis,
    optimum,
    bestIntervalSeconds: interval.bestSeconds,
    leastIntervalSeconds: interval.leastSeconds,
    intervalSeconds: interval.seconds,
    intervalBasis: interval.basis,
    writeBytesPerSecond,
    bandwidthBasis,
    readBytesPerSecond,
    saveSeconds,
    overlap,
    region: regionOf(overlap, inputs.overlapTarget),
    demand: bandwidthDemand(size.checkpointBytes, interval.seconds, inputs.overlapTarget),
    shares: timeShares(interval.seconds, costs),
  };
}

/** Until a save is with the neighbour, where saves go there. */
function neighbourSeconds({ saveMode, networkBytesPerSecond }: PlanInputs, { largestNodeBytes }: Writers): number {
  return saveMode === 'multi-level' ? largestNodeBytes / networkBytesPerSecond : 0;
}

/** Storage that is as fast as it needs to be gives a checkpoint back once within the wanted time; drives and objects give what they have. */
function readBandwidth(inputs: PlanInputs, size: PlannedSize, { nodes }: Topology, writeBytesPerSecond: number): number {
  const given = shareOfJob(inputs.readBytesPerSecond, inputs);
  if (given !== null) return given;
  if (inputs.writeBytesPerSecond !== null) return writeBytesPerSecond;
  const system = systemOf(inputs.store);
  if (comesWithNode(system)) return nodes * clientRateOf(inputs, 'read');
  const wanted = Math.max(writeBytesPerSecond, size.checkpointBytes / inputs.restoreTargetSeconds);
  return Math.min(
    shareOfJob(bandwidthLimit(system, 'read'), inputs),
    system.kind === 'object' ? inputs.objectBytesPerSecond : wanted,
  );
}

/** Without any stall the best interval would be 0; no save is shorter than a step's synchronisation. */
const leastStallSeconds = 0.01;

/** Rates add: a machine that is taken back ends the job as a failure does. */
export function withReclaims(failureSeconds: number, reclaimSeconds: number | null): number {
  return reclaimSeconds === null ? failureSeconds : 1 / (1 / failureSeconds + 1 / reclaimSeconds);
}

function gpuMtbf(inputs: PlanInputs): number {
  return inputs.gpuMtbfSeconds ?? failureRateOf(inputs.failureRate).gpuMtbfSeconds;
}
