/**
 * The room that there is for checkpoints, and when it is used up: as the plan keeps them, and where nothing is removed, as configs without a
 * limit do. Growth is given by quarters of a year, in which budgets are made; what follows the run is taken to save at the same rate.
 */
import type { PlanInputs } from '../inputs/planInputs.js';
import type { SaveLevels } from '../saving/levels.js';
import type { SavePlan } from '../saving/savePlan.js';
import { storeCapacityOf, storeRoomOf } from '../systems/nodeDrives.js';
import type { PlannedSize } from '../size/plannedSize.js';
import { keptThatFit, peakIn, type Retention } from './retention.js';

export interface Quota {
  /** Of the storage, for all jobs. */
  capacityBytes: number;
  /** By other files. */
  usedBytes: number;
  /** For this job. */
  roomBytes: number;
  /** That this job's checkpoints take of it at most, as the plan keeps them. */
  peakBytes: number;
  /** From the beginning of the run to the save that no longer fits; null where all of them do. */
  fullAfterSeconds: number | null;
  /** How many of the newest fit for the whole run, at most as many as are planned; null where not even one does. */
  keptThatFit: number | null;
  /** The same where nothing is removed, whatever the length of the run. */
  fullIfKeptAfterSeconds: number;
}

/** How many of the newest stay as it is advised: as planned, or as many as fit where these do not; null where none is deleted. */
export function advisedKeep(
  { keepEvery, keepLast }: Pick<PlanInputs, 'keepEvery' | 'keepLast'>,
  quota: Quota | null,
): number | null {
  const isFull = quota !== null && quota.fullAfterSeconds !== null;
  if (isFull && quota.keptThatFit !== null) return quota.keptThatFit;
  return keepEvery === 1 ? null : Math.max(1, keepLast);
}

export interface Growth {
  /** Since the beginning, a quarter of a year each. */
  seconds: number;
  /** On the shared storage where nothing is removed. */
  keptBytes: number;
}

/** A quarter of a year. */
export const quarterSeconds = (365.25 * 86_400) / 4;
const quarters = 4;

/** Null where as much is bought as is needed. */
export function quotaOf(
  inputs: PlanInputs,
  size: PlannedSize,
  save: SavePlan,
  levels: SaveLevels,
  kept: Retention,
): Quota | null {
  const largest = save.writers.largestNodeBytes;
  const capacityBytes = storeCapacityOf(inputs, size.checkpointBytes, largest);
  const roomBytes = storeRoomOf(inputs, size.checkpointBytes, largest);
  if (capacityBytes === null || roomBytes === null) return null;
  const savesThatFit = Math.floor(roomBytes / size.checkpointBytes);
  return {
    capacityBytes,
    usedBytes: inputs.storeUsedBytes,
    roomBytes,
    peakBytes: peakIn(kept, 'store'),
    fullAfterSeconds: kept.fullAfterSeconds,
    keptThatFit: keptThatFit(inputs, size, save, levels),
    fullIfKeptAfterSeconds: (savesThatFit + 1) * kept.storeIntervalSeconds,
  };
}

/** What the saves of a job come to by the end of each of the next quarters of a year. */
export function growthOf({ checkpointBytes }: PlannedSize, { storeIntervalSeconds }: Retention): Growth[] {
  return Array.from({ length: quarters }, (_, index) => {
    const seconds = (index + 1) * quarterSeconds;
    return { seconds, keptBytes: Math.floor(seconds / storeIntervalSeconds) * checkpointBytes };
  });
}
