/**
 * Where a plan saves to, from the fastest and most volatile place to the safest, and which failure each recovers from. A failure is
 * recovered from the first level that survives it.
 */
import type { PlanInputs } from '../inputs/planInputs.js';
import type { PlannedSize } from '../size/plannedSize.js';
import { failureClasses, type FailureClass } from '../systems/storageSystem.js';
import { driveCopies } from '../systems/nodeDrives.js';
import { furtherStoreOf, systemOf } from '../systems/storageSystems.js';
import { hostAllowance, hostCopies } from './hostCopies.js';
import type { RestorePlan } from './restore.js';
import type { SavePlan } from './savePlan.js';

export type LevelId = 'host-memory' | 'neighbour-memory' | 'local-nvme' | 'shared-store' | 'object-store';

export interface SaveLevel {
  id: LevelId;
  /** Empty where it only passes a save on. */
  survives: FailureClass[];
  /** How long training waits for a save here. */
  stallSeconds: number;
  /** From the beginning of a save until it is safe here; in the background where training does not wait. */
  drainSeconds: number;
  readSeconds: number;
  /** Share of all failures that are recovered from here. */
  failureShare: number;
  /** Every how many saves one comes here; null where no failure needs this level. */
  everySaves: number | null;
  /** A whole multiple of the plan's interval; null as above. */
  intervalSeconds: number | null;
  /** True where a save is not done when the next one begins. */
  isBehind: boolean;
  /** What it takes of a node's memory or drives, and what these have; null for shared places. */
  room: { neededBytes: number; nodeBytes: number } | null;
}

/** What happens after a failure of a class. */
export interface Recovery {
  failure: FailureClass;
  /** Of all failures. */
  share: number;
  /** Infinity where the share is 0. */
  secondsBetween: number;
  /** Null where nothing survives it: the run begins anew. */
  level: LevelId | null;
  /** Training time that is lost at most: τ + drain of the level; null without one. */
  recoveryPointSeconds: number | null;
  /** And on average: τ ÷ 2 + drain. */
  expectedLostSeconds: number | null;
  readSeconds: number | null;
  /** Until training resumes: the restart as given, or the reading where that takes longer. */
  recoverySeconds: number | null;
}

export interface SaveLevels {
  levels: SaveLevel[];
  recoveries: Recovery[];
  /** Time lost because a save that is still under way, or rarer on a deeper level, is no use in a failure: a share of all time. */
  furtherLossShare: number;
  /** The part of it that the shared storage's write time makes, which bandwidth shortens. */
  drainLossShare: number;
  /** Time lost because reading back takes longer than the restart that is counted with, by the quicker of the ways. */
  slowRestoreShare: number;
  /** From the shared storage, by the quicker of the ways. */
  storeReadSeconds: number;
  /** What keeps saves to the shared storage within the wanted overlap at that level's own interval; null where no failure needs it. */
  storeBytesPerSecond: number | null;
}

export function saveLevels(inputs: PlanInputs, size: PlannedSize, save: SavePlan, restore: RestorePlan): SaveLevels {
  const shares = failureShares(inputs, save);
  const levels = withIntervals(placesOf(inputs, size, save, restore), shares, inputs, save);
  const recoveries = failureClasses.map((failure) => recoveryOf(failure, shares[failure], levels, inputs, save));
  // A failure while training waits is in the shares of the time already.
  const loss = (level: SaveLevel) => (isWaitedFor(level) ? 0 : level.failureShare * level.drainSeconds);
  const later = (level: SaveLevel) =>
    level.intervalSeconds === null ? 0 : (level.failureShare * (level.intervalSeconds - save.intervalSeconds)) / 2;
  // No more than what trains can be lost besides.
  const shareOf = (seconds: number) => Math.min(save.shares.training, seconds / save.mtbfSeconds);
  const store = levels.find(({ id }) => id === 'shared-store');
  const storeReadSeconds = Math.min(restore.planned.seconds, restore.broadcast.seconds);
  return {
    levels,
    recoveries,
    furtherLossShare: shareOf(levels.reduce((sum, level) => sum + loss(level) + later(level), 0)),
    drainLossShare: store === undefined ? 0 : shareOf(loss(store)),
    slowRestoreShare: slowRestoreShare(recoveries, inputs, save, storeReadSeconds),
    storeReadSeconds,
    storeBytesPerSecond: store?.everySaves == null ? null : save.demand.requiredBytesPerSecond / store.everySaves,
  };
}

/** In Daly's model each failure takes e^(R/M) as long. @param storeSeconds to read from the shared storage */
export function slowRestoreShare(
  recoveries: readonly Recovery[],
  { restartSeconds }: PlanInputs,
  { mtbfSeconds, shares }: SavePlan,
  storeSeconds: number,
): number {
  const excessSeconds = recoveries.reduce((sum, { share, level, readSeconds }) => {
    const seconds = level === 'shared-store' ? storeSeconds : (readSeconds ?? 0);
    return sum + share * Math.max(0, seconds - restartSeconds);
  }, 0);
  return shares.training * -Math.expm1(-excessSeconds / mtbfSeconds);
}

/**
 * Of all failures, by what they take with them; shares that sum to more than 1 are scaled to it. A machine that is taken back before a save is
 * done is lost as one that fails.
 */
function failureShares(inputs: PlanInputs, { mtbfSeconds, failureSeconds }: SavePlan): Record<FailureClass, number> {
  const { nodeFailureShare: node, rackFailureShare: rack, siteFailureShare: site } = inputs;
  const failures = mtbfSeconds / failureSeconds;
  const scale = failures / Math.max(1, node + rack + site);
  return {
    process: failures * Math.max(0, 1 - (node + rack + site)),
    node: node * scale + 1 - failures,
    rack: rack * scale,
    site: site * scale,
  };
}

type Place = Omit<SaveLevel, 'failureShare' | 'everySaves' | 'intervalSeconds' | 'isBehind'>;

function placesOf(inputs: PlanInputs, size: PlannedSize, save: SavePlan, restore: RestorePlan): Place[] {
  const isWaiting = inputs.saveMode === 'synchronous';
  const store: Place = {
    id: 'shared-store',
    survives: systemOf(inputs.store).survives,
    stallSeconds: isWaiting ? save.stallSeconds : 0,
    drainSeconds: save.saveSeconds,
    readSeconds: restore.planned.seconds,
    room: null,
  };
  return [
    ...(isWaiting ? [] : [hostMemory(inputs, save)]),
    ...(inputs.saveMode === 'multi-level' ? nearPlaces(inputs, save) : []),
    store,
    ...objectPlace(inputs, size),
  ];
}

/** Staging alone where saving is only asynchronous: nothing is left of it when the process ends. */
function hostMemory(inputs: PlanInputs, save: SavePlan): Place {
  const { writers } = save;
  const isKept = inputs.saveMode === 'multi-level';
  return {
    id: 'host-memory',
    survives: isKept ? ['process'] : [],
    stallSeconds: save.stallSeconds,
    drainSeconds: save.stallSeconds,
    readSeconds: writers.largestWriterBytes / inputs.deviceToHostBytesPerSecond,
    room: { neededBytes: hostBytes(inputs, save), nodeBytes: inputs.hostMemoryBytes },
  };
}

/** A neighbour that writes itself holds its own copies as well; where few nodes write, others hold them. */
function hostBytes(inputs: PlanInputs, { writers, topology }: SavePlan): number {
  const own = writers.largestNodeBytes * hostCopies * hostAllowance;
  const holdsBoth = inputs.saveMode === 'multi-level' && topology.nodes > 1 && writers.writingNodes * 2 > topology.nodes;
  return holdsBoth ? own * 2 : own;
}

function nearPlaces(inputs: PlanInputs, { writers, topology }: SavePlan): Place[] {
  const part = writers.largestNodeBytes;
  const { nvmeWriteBytesPerSecond: write, nvmeReadBytesPerSecond: read } = inputs;
  const neighbour: Place = {
    id: 'neighbour-memory',
    survives: ['process', 'node'],
    stallSeconds: 0,
    drainSeconds: part / inputs.networkBytesPerSecond,
    readSeconds: part / inputs.networkBytesPerSecond,
    room: null,
  };
  const drives: Place = {
    id: 'local-nvme',
    survives: ['process'],
    stallSeconds: 0,
    drainSeconds: part / write,
    readSeconds: part / read,
    room: { neededBytes: part * hostCopies, nodeBytes: inputs.nvmeCapacityBytes },
  };
  // Drives that are the storage are no level before it.
  const isBefore = driveCopies(inputs) === null && write > 0 && read > 0;
  return [...(topology.nodes > 1 ? [neighbour] : []), ...(isBefore ? [drives] : [])];
}

function objectPlace(inputs: PlanInputs, size: PlannedSize): Place[] {
  const system = furtherStoreOf(inputs);
  if (system === null) return [];
  const seconds = size.checkpointBytes / inputs.objectBytesPerSecond;
  const { kind, latencySeconds } = system;
  return [
    {
      id: 'object-store',
      survives: inputs.secondRegion ? [...failureClasses] : system.survives,
      stallSeconds: 0,
      drainSeconds: seconds,
      // An archive brings objects back before they can be read: its longest wait, as resuming has to plan with it.
      readSeconds: (kind === 'archive' ? latencySeconds[1] : 0) + seconds,
      room: null,
    },
  ];
}

/**
 * The first level that anything is recovered from gets every save. A deeper one pays for the stall of a save, as Young's form has it,
 * with the failures that only it survives: √(2 d M ÷ share); but its saves are under way for no more of the time than is wanted, and
 * others than the object store's are no older than is acceptable.
 */
function withIntervals(
  places: readonly Place[],
  shares: Record<FailureClass, number>,
  { overlapTarget, acceptableLossSeconds }: PlanInputs,
  save: SavePlan,
): SaveLevel[] {
  const isFirst = places.findIndex(({ survives }) => survives.length > 0);
  const survived: Partial<Record<FailureClass, true>> = {};
  return places.map((place, index) => {
    // A search of bandwidths comes here hundreds of times: no list is made for it, and no object is spread.
    const { id, survives, stallSeconds, drainSeconds, readSeconds, room } = place;
    let failureShare = 0;
    for (const failure of survives) {
      // Shares of a rounded sum may come to a little more than all.
      if (survived[failure] !== true) failureShare = Math.min(1, failureShare + shares[failure]);
      survived[failure] = true;
    }
    const mostSeconds = id !== 'object-store' && acceptableLossSeconds !== null ? acceptableLossSeconds - drainSeconds : Infinity;
    const bounds = { leastSeconds: drainSeconds, wantedSeconds: drainSeconds / overlapTarget, mostSeconds };
    const everySaves = index <= isFirst ? 1 : everyHowManySaves(bounds, failureShare, save);
    const intervalSeconds = everySaves === null ? null : everySaves * save.intervalSeconds;
    const isBehind = intervalSeconds !== null && !isWaitedFor(place) && drainSeconds > intervalSeconds;
    return {
      id,
      survives,
      stallSeconds,
      drainSeconds,
      readSeconds,
      room,
      failureShare,
      everySaves,
      intervalSeconds,
      isBehind,
    };
  });
}

function isWaitedFor({ stallSeconds }: Pick<Place, 'stallSeconds'>): boolean {
  return stallSeconds > 0;
}

/** More saves than any run has: the level is not needed. */
const mostSaves = 1e12;

interface LevelBounds {
  /** No save comes before the last one is there. */
  leastSeconds: number;
  wantedSeconds: number;
  mostSeconds: number;
}

function everyHowManySaves(
  { leastSeconds, wantedSeconds, mostSeconds }: LevelBounds,
  failureShare: number,
  save: SavePlan,
): number | null {
  if (failureShare === 0) return null;
  const young = Math.sqrt((2 * save.stallSeconds * save.mtbfSeconds) / failureShare);
  const inSaves = (seconds: number): number => seconds / save.intervalSeconds;
  const wanted = Math.max(Math.round(inSaves(young)), Math.ceil(inSaves(wantedSeconds)));
  const every = Math.max(1, Math.ceil(inSaves(leastSeconds)), Math.min(wanted, Math.floor(inSaves(mostSeconds))));
  return every > mostSaves ? null : every;
}

function recoveryOf(
  failure: FailureClass,
  share: number,
  levels: readonly SaveLevel[],
  { restartSeconds }: PlanInputs,
  { mtbfSeconds }: SavePlan,
): Recovery {
  const secondsBetween = share === 0 ? Infinity : mtbfSeconds / share;
  const level = levels.find(({ survives, everySaves }) => survives.includes(failure) && everySaves !== null);
  const intervalSeconds = level?.intervalSeconds ?? null;
  if (level === undefined || intervalSeconds === null)
    return {
      failure,
      share,
      secondsBetween,
      level: null,
      recoveryPointSeconds: null,
      expectedLostSeconds: null,
      readSeconds: null,
      recoverySeconds: null,
    };
  const { id, drainSeconds, readSeconds } = level;
  return {
    failure,
    share,
    secondsBetween,
    level: id,
    recoveryPointSeconds: intervalSeconds + drainSeconds,
    expectedLostSeconds: intervalSeconds / 2 + drainSeconds,
    readSeconds,
    recoverySeconds: Math.max(restartSeconds, readSeconds),
  };
}
