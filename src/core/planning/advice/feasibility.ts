/** What makes a plan impossible, and the smallest change of one input that helps. */
import type { PlanInputs } from '../inputs/planInputs.js';
import { carriedRate, clientRateOf } from '../saving/clientRate.js';
import { rateForAcceptableLoss } from '../saving/intervalBounds.js';
import { jobEndSeconds } from '../saving/jobEnd.js';
import type { SaveLevels } from '../saving/levels.js';
import type { RestorePlan } from '../saving/restore.js';
import { savePlan, type SavePlan } from '../saving/savePlan.js';
import { gpuModelOf, largestGpuBytes } from '../training/gpuModels.js';
import type { TrainingMemory } from '../training/memory.js';
import { fits, zeroStages } from '../training/memoryFit.js';
import { writersOf } from '../saving/writers.js';
import { isAnyGiven, isClientGiven, isMtbfGiven, isRateGiven, isShardingGiven, isStallGiven, type Given } from './given.js';
import type { PlannedSize } from '../size/plannedSize.js';
import { objectRequests } from '../keeping/objectRequests.js';
import { driveCopies, driveRateOf, storeRoomOf } from '../systems/nodeDrives.js';
import { systemOf } from '../systems/storageSystems.js';

/** Rooms and rates that are needed are of the whole storage, whose jobs are alike. */
export type Blocker =
  /** Weights, gradients, optimizer state and activations of one GPU are more than it has, or than any that is listed where none is given. */
  | {
      id: 'gpu-memory';
      neededBytes: number;
      gpuBytes: number;
      /** The least ZeRO stage that fits, with these GPUs; null where none does. */
      fittingStage: PlanInputs['zeroStage'] | null;
      /** GPUs with which it fits at ZeRO 3; null where no number does. */
      fittingGpus: number | null;
      /** Whether computing activations again is enough. */
      fitsWithFullActivations: boolean;
    }
  /** TP × PP × DP is not the number of GPUs. */
  | { id: 'topology'; product: number; gpus: number; replicaGpus: number; fittingDataParallel: number | null }
  /** More experts' ranks than there are replicas to spread them over. */
  | { id: 'experts'; expertParallel: number; dataParallel: number }
  /** A node's part, twice, does not fit its memory. */
  | { id: 'host-memory'; neededBytes: number; nodeBytes: number; neededIfAllWriteBytes: number }
  | { id: 'drives-full'; neededBytes: number; nodeBytes: number }
  /** One that is whole and one that is being written. */
  | { id: 'store-room'; neededBytes: number; roomBytes: number }
  /** The storage is the nodes' own drives, and they have none. */
  | { id: 'no-drives' }
  /** The largest file does not fit an object of the storage, or too few parts. */
  | { id: 'object-size'; fileBytes: number; largestBytes: number; writers: number }
  /** No save is done before the run is over. */
  | { id: 'never-saved'; saveSeconds: number; runSeconds: number; neededBytesPerSecond: number }
  /** Overlap above 1. */
  | {
      id: 'saves-pile-up';
      overlap: number;
      /** The save at which training stops for want of a free buffer. */
      breaksAtSave: number;
      neededIntervalSeconds: number;
      neededBytesPerSecond: number;
      largestBytes: number;
    }
  /** The networks of the nodes that write take longer than the interval. */
  | { id: 'writers-network'; drainSeconds: number; intervalSeconds: number; neededNodes: number; writingNodes: number }
  /** A failure that leaves the storage standing can lose more work than is acceptable. */
  | { id: 'acceptable-loss'; lostSeconds: number; acceptableSeconds: number; neededBytesPerSecond: number }
  /** A job is over before it has restarted and saved. */
  | {
      id: 'walltime';
      walltimeSeconds: number;
      neededSeconds: number;
      /** More than that is enough by itself; null where no bandwidth is. */
      neededBytesPerSecond: number | null;
    }
  /** Reading takes longer than the time between failures, in the best of the ways. */
  | { id: 'never-restored'; readSeconds: number; mtbfSeconds: number; neededBytesPerSecond: number }
  /** A failure comes before the restart or one save is over. */
  | { id: 'never-finishes'; mtbfSeconds: number; neededSeconds: number; of: 'restart' | 'stall'; mostGpus: number };

export interface PlanParts {
  inputs: PlanInputs;
  size: PlannedSize;
  save: SavePlan;
  restore: RestorePlan;
  levels: SaveLevels;
}

/**
 * In the order in which they would be met: before the job starts, at the first save, at a later one, at a failure.
 * @param given the inputs that are set: what the plan chose or assumed itself blocks nothing
 */
export function blockersOf(parts: PlanParts & { memory: TrainingMemory }, given: Given): Blocker[] {
  return [
    ...gpuMemory(parts, given),
    ...topology(parts),
    ...experts(parts),
    ...room(parts, given),
    ...storeRoom(parts, given),
    ...drives(parts),
    ...objectSize(parts, given),
    ...neverSaved(parts, given),
    ...pileUp(parts, given),
    ...network(parts, given),
    ...loss(parts, given),
    ...walltime(parts, given),
    ...restoring(parts, given),
    ...failing(parts, given),
  ];
}

/** Whether a blocker is one of the interval that is given alone: another one works. */
export function isOfInterval({ id }: Blocker): boolean {
  return id === 'saves-pile-up' || id === 'writers-network';
}

function gpuMemory({ inputs, memory }: PlanParts & { memory: TrainingMemory }, given: Given): Blocker[] {
  const isGiven = given.deviceMemoryBytes !== undefined || gpuModelOf(inputs.gpu) !== null;
  const gpuBytes = isGiven ? inputs.deviceMemoryBytes : largestGpuBytes;
  const neededBytes = memory.planned.totalBytes;
  if (neededBytes <= gpuBytes) return [];
  const onGpu = { ...inputs, deviceMemoryBytes: gpuBytes };
  const fittingStage = zeroStages.find((zeroStage) => fits({ ...onGpu, zeroStage })) ?? null;
  const fitsWithFullActivations = fits({ ...onGpu, activations: 'full' });
  return [{ id: 'gpu-memory', neededBytes, gpuBytes, fittingStage, fittingGpus: fittingGpus(onGpu), fitsWithFullActivations }];
}

/** By doubling replicas, and then between the last two; null where even a share of nothing does not fit. */
function fittingGpus(inputs: PlanInputs): number | null {
  const { tensorParallel, pipelineParallel } = inputs;
  const replica = tensorParallel * pipelineParallel;
  const doFit = (replicas: number) =>
    fits({ ...inputs, zeroStage: '3', gpus: replica * replicas, dataParallel: null, shardDegree: null });
  let [few, many] = [0, 1];
  while (!doFit(many)) {
    if (replica * many > mostGpus) return null;
    [few, many] = [many, many * 2];
  }
  while (many - few > 1) {
    const middle = Math.floor((few + many) / 2);
    if (doFit(middle)) many = middle;
    else few = middle;
  }
  return replica * many;
}

/** More than any machine has. */
const mostGpus = 1e7;

function topology({ save }: PlanParts): Blocker[] {
  const { product, gpus, tensorParallel, pipelineParallel } = save.topology;
  if (product === null) return [];
  const replicaGpus = tensorParallel * pipelineParallel;
  const fits = gpus % replicaGpus === 0 ? gpus / replicaGpus : null;
  return [{ id: 'topology', product, gpus, replicaGpus, fittingDataParallel: fits }];
}

function experts({ save }: PlanParts): Blocker[] {
  const { expertParallel, dataParallel } = save.topology;
  return expertParallel > dataParallel ? [{ id: 'experts', expertParallel, dataParallel }] : [];
}

function room({ inputs, size, save, levels }: PlanParts, given: Given): Blocker[] {
  const found: Blocker[] = [];
  for (const { id, room: place, everySaves } of levels.levels) {
    if (place === null || place.neededBytes <= place.nodeBytes) continue;
    if (!isAnyGiven(given, id === 'host-memory' ? 'hostMemoryBytes' : 'nvmeCapacityBytes')) continue;
    if (id === 'host-memory') {
      const all = writersOf(save.topology, size, '3', inputs.gpusPerNode).largestNodeBytes;
      const neededIfAllWriteBytes = (place.neededBytes / save.writers.largestNodeBytes) * all;
      found.push({ id: 'host-memory', ...place, neededIfAllWriteBytes });
    } else if (everySaves !== null) found.push({ id: 'drives-full', ...place });
  }
  return found;
}

function storeRoom({ inputs, size, save }: PlanParts, given: Given): Blocker[] {
  const neededBytes = 2 * size.checkpointBytes;
  const roomBytes = storeRoomOf(inputs, size.checkpointBytes, save.writers.largestNodeBytes);
  if (!isAnyGiven(given, 'storeCapacityBytes', 'nvmeCapacityBytes')) return [];
  if (roomBytes === null || roomBytes >= neededBytes) return [];
  return [{ id: 'store-room', neededBytes: neededBytes * inputs.jobs, roomBytes: roomBytes * inputs.jobs }];
}

function drives({ inputs }: PlanParts): Blocker[] {
  return driveCopies(inputs) !== null && driveRateOf(inputs, 'write') === null ? [{ id: 'no-drives' }] : [];
}

function objectSize({ inputs, size, save }: PlanParts, given: Given): Blocker[] {
  const { objects } = systemOf(inputs.store);
  if (objects === null) return [];
  const { problem, largestFileBytes: fileBytes } = objectRequests(size, save.writers, objects, save.saveSeconds);
  if (problem === null || !isShardingGiven(given, save)) return [];
  const largestBytes = Math.min(objects.largestObjectBytes, objects.mostParts * objects.largestPartBytes);
  return [{ id: 'object-size', fileBytes, largestBytes, writers: save.writers.writers }];
}

/** Rounding alone makes no blocker of a drain that is as long as the interval. */
const tolerance = 1 + 1e-9;

/** The fastest of a save by what is set, whatever bandwidth the plan chose. */
interface FastestSave {
  /** 0 where nothing bounds it. */
  saveSeconds: number;
  /** Of it that training waits; 0 where nothing bounds it. */
  stallSeconds: number;
  /** Between losses of work: a machine that is taken back is one where no save fits into the warning. */
  mtbfSeconds: number;
}

function fastestSave(parts: PlanParts, given: Given): FastestSave {
  const { save } = parts;
  const isStalling = isStallGiven(given, save);
  const fastest = isRateGiven(given, save) ? save : allThatNodesCarry(parts, given);
  if (fastest === null)
    return { saveSeconds: 0, stallSeconds: isStalling ? save.stallSeconds : 0, mtbfSeconds: save.failureSeconds };
  const { saveSeconds, stallSeconds, stallBasis, mtbfSeconds } = fastest;
  return { saveSeconds, stallSeconds: isStalling || stallBasis === 'storage' ? stallSeconds : 0, mtbfSeconds };
}

/** Where that is set: no bandwidth that the plan could choose is more; null elsewhere. */
function allThatNodesCarry({ inputs, size, save }: PlanParts, given: Given): SavePlan | null {
  if (!isClientGiven(given) || !isShardingGiven(given, save)) return null;
  return savePlan(inputs, size, { bytesPerSecond: carriedRate(inputs, size, save.writers), basis: 'nodes' });
}

function neverSaved(parts: PlanParts, given: Given): Blocker[] {
  const { inputs, size } = parts;
  const { saveSeconds } = fastestSave(parts, given);
  const { runSeconds, jobs } = inputs;
  if (saveSeconds <= runSeconds) return [];
  return [{ id: 'never-saved', saveSeconds, runSeconds, neededBytesPerSecond: (size.checkpointBytes / runSeconds) * jobs }];
}

function pileUp({ inputs, size, save }: PlanParts, given: Given): Blocker[] {
  // What the plan chose does not pile up, and is never longer than a bound: that is a reason of its own.
  if (save.intervalBasis !== 'given') return [];
  // Where training waits none does; in a multi-level plan the shared storage gets no more saves than it can take.
  if (inputs.saveMode !== 'asynchronous' || save.overlap <= tolerance || !isRateGiven(given, save)) return [];
  const { saveSeconds, intervalSeconds, overlap } = save;
  return [
    {
      id: 'saves-pile-up',
      overlap,
      breaksAtSave: firstBlockedSave(saveSeconds, intervalSeconds),
      neededIntervalSeconds: saveSeconds,
      neededBytesPerSecond: save.demand.leastBytesPerSecond * inputs.jobs,
      largestBytes: size.checkpointBytes / overlap,
    },
  ];
}

/**
 * With two buffers save n needs the one of save n − 2, which is free when n − 2 drains are over: blocked once (n − 2) T > (n − 1) τ,
 * that is for n > (2 T − τ) ÷ (T − τ).
 */
export function firstBlockedSave(saveSeconds: number, intervalSeconds: number): number {
  return Math.floor((2 * saveSeconds - intervalSeconds) / (saveSeconds - intervalSeconds)) + 1;
}

function network({ inputs, size, save, levels }: PlanParts, given: Given): Blocker[] {
  const isSharded = isAnyGiven(given, 'zeroStage') || save.writers.writingNodes === save.topology.nodes;
  // Whoever waits for each save has its time between two of them besides.
  if (inputs.saveMode === 'synchronous' || !isClientGiven(given) || !isSharded) return [];
  const { writingNodes, largestNodeBytes } = save.writers;
  const drainSeconds = largestNodeBytes / clientRateOf(inputs);
  const store = levels.levels.find(({ id }) => id === 'shared-store');
  // Levels before it survive all that it does.
  if (store?.everySaves === null) return [];
  const intervalSeconds = store?.intervalSeconds ?? save.intervalSeconds;
  if (drainSeconds <= intervalSeconds * tolerance) return [];
  const neededNodes = Math.ceil(size.checkpointBytes / (clientRateOf(inputs) * intervalSeconds));
  return [{ id: 'writers-network', drainSeconds, intervalSeconds, neededNodes, writingNodes }];
}

function loss({ inputs, size, save, levels }: PlanParts, given: Given): Blocker[] {
  if (save.intervalBasis !== 'given' && !isRateGiven(given, save)) return [];
  const acceptableSeconds = inputs.acceptableLossSeconds;
  if (acceptableSeconds === null) return [];
  const { survives } = systemOf(inputs.store);
  const lostSeconds = levels.recoveries.reduce((most, { failure, share, level, recoveryPointSeconds }) => {
    if (share === 0 || level === 'object-store') return most;
    // The storage would survive it and has no save yet: all of the run so far, and never more than that.
    const ofFailure = level === null && survives.includes(failure) ? Infinity : (recoveryPointSeconds ?? 0);
    return Math.max(most, Math.min(inputs.runSeconds, ofFailure));
  }, 0);
  if (lostSeconds <= acceptableSeconds * tolerance) return [];
  return [
    {
      id: 'acceptable-loss',
      lostSeconds,
      acceptableSeconds,
      neededBytesPerSecond: rateForAcceptableLoss(inputs, size) * inputs.jobs,
    },
  ];
}

/** By what of it is set. */
function walltime(parts: PlanParts, given: Given): Blocker[] {
  const { inputs, size, levels } = parts;
  const { walltimeSeconds } = inputs;
  const restartSeconds = isAnyGiven(given, 'restartSeconds') ? inputs.restartSeconds : 0;
  const { saveSeconds, stallSeconds } = fastestSave(parts, given);
  const isReadGiven = isAnyGiven(given, 'readBytesPerSecond', 'writeBytesPerSecond');
  const readSeconds = isReadGiven ? levels.storeReadSeconds : 0;
  const neededSeconds = jobEndSeconds({ restartSeconds }, { stallSeconds, saveSeconds }, readSeconds);
  if (walltimeSeconds === null || neededSeconds < walltimeSeconds) return [];
  // As long to read as to write; or written in what a restart leaves.
  const leftSeconds = Math.min(walltimeSeconds / 2, walltimeSeconds - restartSeconds);
  const isByRate = saveSeconds > 0 && leftSeconds > 0 && stallSeconds < leftSeconds + saveSeconds;
  const neededBytesPerSecond = isByRate ? (size.checkpointBytes / leftSeconds) * inputs.jobs : null;
  return [{ id: 'walltime', walltimeSeconds, neededSeconds, neededBytesPerSecond }];
}

/** Of a bandwidth that is given: what is bought for writing alone may well be more. */
function restoring(parts: PlanParts, given: Given): Blocker[] {
  const { inputs, restore } = parts;
  const { mtbfSeconds } = fastestSave(parts, given);
  const ways = isAnyGiven(given, 'zeroStage') ? [restore.planned, restore.broadcast] : restore.ways;
  const readSeconds = ways.reduce((least, { seconds }) => Math.min(least, seconds), Infinity);
  const isGiven = inputs.readBytesPerSecond !== null || inputs.writeBytesPerSecond !== null;
  if (!isGiven || !isMtbfGiven(given) || readSeconds <= mtbfSeconds) return [];
  return [
    {
      id: 'never-restored',
      readSeconds,
      mtbfSeconds,
      neededBytesPerSecond: (restore.broadcast.volumeBytes / mtbfSeconds) * inputs.jobs,
    },
  ];
}

function failing(parts: PlanParts, given: Given): Blocker[] {
  const { inputs } = parts;
  const { stallSeconds, mtbfSeconds } = fastestSave(parts, given);
  const restartSeconds = isAnyGiven(given, 'restartSeconds') ? inputs.restartSeconds : 0;
  const of = restartSeconds >= stallSeconds ? 'restart' : 'stall';
  const neededSeconds = Math.max(restartSeconds, stallSeconds);
  if (!isMtbfGiven(given) || mtbfSeconds >= neededSeconds) return [];
  const mostGpus = Math.floor((mtbfSeconds * inputs.gpus) / neededSeconds);
  return [{ id: 'never-finishes', mtbfSeconds, neededSeconds, of, mostGpus }];
}
