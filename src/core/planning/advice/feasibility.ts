/** What makes a plan impossible, and the smallest change of one input that helps. */
import type { PlanInputs } from '../inputs/planInputs.js';
import { clientRateOf } from '../saving/clientRate.js';
import type { SaveLevels } from '../saving/levels.js';
import type { RestorePlan } from '../saving/restore.js';
import type { SavePlan } from '../saving/savePlan.js';
import { writersOf } from '../saving/writers.js';
import type { PlannedSize } from '../size/plannedSize.js';
import { objectRequests } from '../keeping/objectRequests.js';
import { driveCopies, driveRateOf, storeCapacityOf } from '../systems/nodeDrives.js';
import { systemOf } from '../systems/storageSystems.js';

export type Blocker =
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
  /** Overlap above 1. */
  | {
      id: 'saves-pile-up';
      overlap: number;
      /** The save at which training stops for want of a free buffer; null where training waits for each save anyway. */
      breaksAtSave: number | null;
      neededIntervalSeconds: number;
      neededBytesPerSecond: number;
      largestBytes: number;
    }
  /** The networks of the nodes that write take longer than the interval. */
  | { id: 'writers-network'; drainSeconds: number; intervalSeconds: number; neededNodes: number; writingNodes: number }
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

/** In the order in which they would be met: before the job starts, at the first save, at a later one, at a failure. */
export function blockersOf(parts: PlanParts): Blocker[] {
  return [
    ...topology(parts),
    ...experts(parts),
    ...room(parts),
    ...storeRoom(parts),
    ...drives(parts),
    ...objectSize(parts),
    ...pileUp(parts),
    ...network(parts),
    ...restoring(parts),
    ...failing(parts),
  ];
}

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

function room({ inputs, size, save, levels }: PlanParts): Blocker[] {
  const found: Blocker[] = [];
  for (const { id, room: place, everySaves } of levels.levels) {
    if (place === null || place.neededBytes <= place.nodeBytes) continue;
    if (id === 'host-memory') {
      const all = writersOf(save.topology, size, '3', inputs.gpusPerNode).largestNodeBytes;
      const neededIfAllWriteBytes = (place.neededBytes / save.writers.largestNodeBytes) * all;
      found.push({ id: 'host-memory', ...place, neededIfAllWriteBytes });
    } else if (everySaves !== null) found.push({ id: 'drives-full', ...place });
  }
  return found;
}

function storeRoom({ inputs, size, save }: PlanParts): Blocker[] {
  const neededBytes = 2 * size.checkpointBytes;
  const roomBytes = storeCapacityOf(inputs, size.checkpointBytes, save.writers.largestNodeBytes);
  return roomBytes !== null && roomBytes < neededBytes ? [{ id: 'store-room', neededBytes, roomBytes }] : [];
}

function drives({ inputs }: PlanParts): Blocker[] {
  return driveCopies(inputs) !== null && driveRateOf(inputs, 'write') === null ? [{ id: 'no-drives' }] : [];
}

function objectSize({ inputs, size, save }: PlanParts): Blocker[] {
  const { objects } = systemOf(inputs.store);
  if (objects === null) return [];
  const { problem, largestFileBytes: fileBytes } = objectRequests(size, save.writers, objects, save.saveSeconds);
  if (problem === null) return [];
  const largestBytes = Math.min(objects.largestObjectBytes, objects.mostParts * objects.largestPartBytes);
  return [{ id: 'object-size', fileBytes, largestBytes, writers: save.writers.writers }];
}

/** Rounding alone makes no blocker of a drain that is as long as the interval. */
const tolerance = 1 + 1e-9;

function pileUp({ inputs, size, save }: PlanParts): Blocker[] {
  // In a multi-level plan the shared storage gets no more saves than it can take.
  if (inputs.saveMode === 'multi-level' || save.overlap <= tolerance) return [];
  const { saveSeconds, intervalSeconds, overlap } = save;
  return [
    {
      id: 'saves-pile-up',
      overlap,
      breaksAtSave: inputs.saveMode === 'synchronous' ? null : firstBlockedSave(saveSeconds, intervalSeconds),
      neededIntervalSeconds: saveSeconds,
      neededBytesPerSecond: save.demand.leastBytesPerSecond,
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

function network({ inputs, size, save, levels }: PlanParts): Blocker[] {
  const { writingNodes, largestNodeBytes } = save.writers;
  const drainSeconds = largestNodeBytes / clientRateOf(inputs);
  const store = levels.levels.find(({ id }) => id === 'shared-store');
  const intervalSeconds = store?.intervalSeconds ?? save.intervalSeconds;
  if (drainSeconds <= intervalSeconds * tolerance) return [];
  const neededNodes = Math.ceil(size.checkpointBytes / (clientRateOf(inputs) * intervalSeconds));
  return [{ id: 'writers-network', drainSeconds, intervalSeconds, neededNodes, writingNodes }];
}

/** Of a bandwidth that is given: what is bought for writing alone may well be more. */
function restoring({ inputs, save, restore }: PlanParts): Blocker[] {
  const { mtbfSeconds } = save;
  const readSeconds = Math.min(restore.planned.seconds, restore.broadcast.seconds);
  const isGiven = inputs.readBytesPerSecond !== null || inputs.writeBytesPerSecond !== null;
  if (!isGiven || readSeconds <= mtbfSeconds) return [];
  return [{ id: 'never-restored', readSeconds, mtbfSeconds, neededBytesPerSecond: restore.broadcast.volumeBytes / mtbfSeconds }];
}

function failing({ inputs, save }: PlanParts): Blocker[] {
  const { mtbfSeconds, stallSeconds } = save;
  const of = inputs.restartSeconds >= stallSeconds ? 'restart' : 'stall';
  const neededSeconds = Math.max(inputs.restartSeconds, stallSeconds);
  if (mtbfSeconds >= neededSeconds) return [];
  const mostGpus = Math.floor((mtbfSeconds * inputs.gpus) / neededSeconds);
  return [{ id: 'never-finishes', mtbfSeconds, neededSeconds, of, mostGpus }];
}
