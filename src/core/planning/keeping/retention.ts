/**
 * What a run leaves on storage while it goes on. Resident bytes follow from the number of saves in closed form, so a run of any length
 * costs the same to plan: the newest N, every Kth for ever, milestones and held ones, exports of the weights, one more in flight.
 */
import type { PlanInputs } from '../inputs/planInputs.js';
import type { LevelId, SaveLevels } from '../saving/levels.js';
import type { SavePlan } from '../saving/savePlan.js';
import { furtherStoreOf } from '../systems/storageSystems.js';
import { storeRoomOf } from '../systems/nodeDrives.js';
import type { PlannedSize } from '../size/plannedSize.js';

/** Full checkpoints that lie in a place, and exports of the weights. */
export interface KeptCount {
  /** The newest ones, which come and go. */
  latest: number;
  /** Those that stay: every Kth, milestones, held ones; each counted once. */
  forever: number;
  exports: number;
}

/** `store`: the shared storage; `object`: the object store; `region`: a second region. */
export type PlaceId = 'store' | 'object' | 'region';

export interface KeptPlace {
  place: PlaceId;
  count: KeptCount;
  /** At the end of the run. */
  bytes: number;
  /** With the save that is being written while the oldest is still there. */
  peakBytes: number;
  /** Files or objects. */
  objects: number;
}

export interface RetentionPoint {
  seconds: number;
  /** On the shared storage. */
  latestBytes: number;
  /** The newest in the object store. */
  objectLatestBytes: number;
  /** All copies of what stays. */
  foreverBytes: number;
  exportBytes: number;
}

export interface Retention {
  /** Of the whole run that reach the shared storage, if nothing fails. */
  saves: number;
  /** All saves, also those that only reach memory or drives. */
  allSaves: number;
  /** Between two that reach the shared storage. */
  storeIntervalSeconds: number;
  /** Full checkpoints and exports that stay for ever, one copy. */
  kept: KeptCount;
  /** Of one export. */
  exportBytes: number;
  /** What the job itself writes to the shared storage: saves × S. */
  writtenBytes: number;
  /** All exports, one copy. */
  exportedBytes: number;
  /** What is written again: further copies of what stays, and of the newest in the object store against the loss of the site. */
  copiedBytes: number;
  /** The sum of the three: what all places take in. */
  allWrittenBytes: number;
  /** Every how many saves on the shared storage one is copied to the object store as the newest; null where none is. */
  objectEvery: number | null;
  /** At the end, all places and copies. */
  residentBytes: number;
  peakBytes: number;
  places: KeptPlace[];
  /** Copies of what stays that the plan has a place for; fewer than asked for where places run out. */
  copies: number;
  /** Where the shared storage overflows: null where it holds the run, or its capacity is not given. */
  fullAfterSeconds: number | null;
  /** At most 200, in order. */
  points: RetentionPoint[];
}

/** Everything that decides what lies where after some saves. */
interface Policy {
  saves: number;
  latest: number;
  every: number;
  spread: number;
  exportEvery: number;
  foreverInStore: boolean;
  /** Where what stays has its copies. */
  places: PlaceId[];
  objectEvery: number | null;
  fullBytes: number;
  exportBytes: number;
}

type RetentionInputs = Pick<
  PlanInputs,
  | 'runSeconds'
  | 'keepLast'
  | 'keepEvery'
  | 'milestones'
  | 'exportEvery'
  | 'legalHolds'
  | 'copies'
  | 'store'
  | 'objectStore'
  | 'secondRegion'
  | 'storeCapacityBytes'
  | 'storeUsedBytes'
  | 'jobs'
  | 'nvmeWriteBytesPerSecond'
  | 'nvmeReadBytesPerSecond'
  | 'nvmeCapacityBytes'
  | 'networkBytesPerSecond'
>;

/** Points of the curve. */
const mostPoints = 200;

/** @param levels which saves reach the shared storage and the object store */
export function retention(inputs: RetentionInputs, size: PlannedSize, save: SavePlan, levels: SaveLevels): Retention {
  const { policy, storeIntervalSeconds, roomBytes } = keepingOf(inputs, size, save, levels);
  const { saves, fullBytes, exportBytes } = policy;
  const kept = keptAfter(policy, saves);
  const writtenBytes = saves * fullBytes;
  const exportedBytes = kept.exports * exportBytes;
  const copiedBytes = copied(policy, kept);
  const places = (['store', 'object', 'region'] as const)
    .filter((place) => place === 'store' || policy.places.includes(place) || countIn(place, policy, saves).latest > 0)
    .map((place) => keptPlace(place, policy, save.writers));
  return {
    saves,
    allSaves: savesIn(inputs.runSeconds, save.intervalSeconds),
    storeIntervalSeconds,
    kept: { ...kept, latest: latestAfter(policy, saves) },
    exportBytes,
    writtenBytes,
    exportedBytes,
    copiedBytes,
    allWrittenBytes: writtenBytes + exportedBytes + copiedBytes,
    objectEvery: policy.objectEvery,
    residentBytes: places.reduce((sum, { bytes }) => sum + bytes, 0),
    peakBytes: places.reduce((sum, { peakBytes }) => sum + peakBytes, 0),
    places,
    copies: policy.places.length,
    fullAfterSeconds: fullAfter(policy, roomBytes, storeIntervalSeconds),
    points: curve(policy, storeIntervalSeconds),
  };
}

/** What is kept, in saves that reach the shared storage, and the room for it there: null where as much is bought as is needed. */
function keepingOf(
  inputs: RetentionInputs,
  size: PlannedSize,
  save: SavePlan,
  { levels }: SaveLevels,
): { policy: Policy; storeIntervalSeconds: number; roomBytes: number | null } {
  const everyOf = (id: LevelId) => levels.find((level) => level.id === id)?.everySaves ?? null;
  const storeEvery = everyOf('shared-store') ?? 1;
  const objectEvery = everyOf('object-store');
  const storeIntervalSeconds = save.intervalSeconds * storeEvery;
  const policy = policyOf(inputs, size, {
    saves: savesIn(inputs.runSeconds, storeIntervalSeconds),
    objectEvery: objectEvery === null ? null : Math.ceil(objectEvery / storeEvery),
  });
  return { policy, storeIntervalSeconds, roomBytes: storeRoomOf(inputs, size.checkpointBytes, save.writers.largestNodeBytes) };
}

/** How many of the newest fit the room that there is for the whole run, at most as many as are planned; null where not even one does. */
export function keptThatFit(inputs: RetentionInputs, size: PlannedSize, save: SavePlan, levels: SaveLevels): number | null {
  const { policy, roomBytes } = keepingOf(inputs, size, save, levels);
  if (roomBytes === null) return policy.latest;
  // Where all are kept, so many of the newest are what is kept instead.
  const every = policy.every === 1 ? 0 : policy.every;
  const doFit = (latest: number) => peakInStore({ ...policy, every, latest }, policy.saves) <= roomBytes;
  if (!doFit(1)) return null;
  let fits = 1;
  let overflows = policy.latest + 1;
  while (overflows - fits > 1) {
    const middle = Math.floor((fits + overflows) / 2);
    if (doFit(middle)) fits = middle;
    else overflows = middle;
  }
  return fits;
}

/** Bytes that lie in a place at most. */
export function peakIn({ places }: Retention, place: PlaceId): number {
  return places.find((one) => one.place === place)?.peakBytes ?? 0;
}

/** 90 days of 3 hours are 720 saves, whatever the last bit of the quotient says. */
function savesIn(runSeconds: number, intervalSeconds: number): number {
  return Math.floor((runSeconds / intervalSeconds) * (1 + 1e-12));
}

function policyOf(
  inputs: RetentionInputs,
  size: PlannedSize,
  { saves, objectEvery }: Pick<Policy, 'saves' | 'objectEvery'>,
): Policy {
  const places = placesOfWhatStays(inputs);
  return {
    saves,
    objectEvery,
    // The newest is never deleted: a run that keeps none could not go on.
    latest: Math.max(1, inputs.keepLast),
    every: inputs.keepEvery,
    spread: Math.min(saves, inputs.milestones + inputs.legalHolds),
    exportEvery: inputs.exportEvery,
    foreverInStore: places.includes('store'),
    places,
    fullBytes: size.checkpointBytes,
    exportBytes: size.weightBytes,
  };
}

/** A full checkpoint that stays where it was saved is no further copy; an export has to be written once in any case. */
function copied({ saves, places, foreverInStore, fullBytes, exportBytes, objectEvery }: Policy, kept: KeptCount): number {
  const further = places.length - 1;
  const ofFull = foreverInStore ? further : places.length;
  const newest = objectEvery === null ? 0 : Math.floor(saves / objectEvery);
  return (ofFull * kept.forever + newest) * fullBytes + further * kept.exports * exportBytes;
}

/** As many places as copies are wanted, the ones that do not fail together first. A second region that was asked for always has one. */
function placesOfWhatStays({ secondRegion, copies, ...stores }: RetentionInputs): PlaceId[] {
  const away: PlaceId[] = [
    ...(furtherStoreOf(stores) === null ? [] : (['object'] as const)),
    ...(secondRegion ? (['region'] as const) : []),
  ];
  const all: PlaceId[] = [...away, 'store'];
  return all.slice(0, Math.max(copies, secondRegion ? away.length : 1));
}

function periodicAfter({ every }: Policy, n: number): number {
  return every === 0 ? 0 : Math.floor(n / every);
}

/** Milestones and held ones, taken as spread evenly over the run. */
function spreadAfter({ saves, spread }: Policy, n: number): number {
  return saves === 0 ? 0 : Math.floor((n / saves) * spread);
}

/** What stays of the first n saves. */
function keptAfter(policy: Policy, n: number): KeptCount {
  const { exportEvery } = policy;
  return {
    latest: 0,
    forever: Math.min(n, periodicAfter(policy, n) + spreadAfter(policy, n)),
    exports: exportEvery === 0 ? 0 : Math.floor(n / exportEvery),
  };
}

/** Of the newest ones those that do not stay anyhow, where what stays lies in the same place. */
function latestAfter(policy: Policy, n: number): number {
  const window = Math.min(n, policy.latest);
  if (!policy.foreverInStore) return window;
  const all = Math.min(n, window + periodicAfter(policy, n - window) + spreadAfter(policy, n));
  return all - keptAfter(policy, n).forever;
}

function countIn(place: PlaceId, policy: Policy, n: number): KeptCount {
  const stays = policy.places.includes(place) ? keptAfter(policy, n) : { latest: 0, forever: 0, exports: 0 };
  if (place === 'store') return { ...stays, latest: latestAfter(policy, n) };
  const { objectEvery } = policy;
  return { ...stays, latest: place === 'object' && objectEvery !== null && n >= objectEvery ? 1 : 0 };
}

function bytesIn(place: PlaceId, policy: Policy, n: number): number {
  const { latest, forever, exports } = countIn(place, policy, n);
  return (latest + forever) * policy.fullBytes + exports * policy.exportBytes;
}

/** The oldest goes only when the new one is complete; where nothing is dropped, nothing lies there besides. */
function peakInStore(policy: Policy, n: number): number {
  const { latest, forever } = countIn('store', policy, n);
  return bytesIn('store', policy, n) + (latest + forever < n ? policy.fullBytes : 0);
}

function keptPlace(place: PlaceId, policy: Policy, { filesPerSave, weightWriters }: SavePlan['writers']): KeptPlace {
  const count = countIn(place, policy, policy.saves);
  const bytes = bytesIn(place, policy, policy.saves);
  return {
    place,
    count,
    bytes,
    peakBytes: place === 'store' ? peakInStore(policy, policy.saves) : bytes + inFlight(place, policy),
    objects: (count.latest + count.forever) * filesPerSave + count.exports * weightWriters,
  };
}

/** The newest of the object store goes when the next one is complete. */
function inFlight(place: PlaceId, { objectEvery, saves, fullBytes }: Policy): number {
  return place === 'object' && objectEvery !== null && saves >= 2 * objectEvery ? fullBytes : 0;
}

/** What lies there only grows, so the save that no longer fits is found by halving. */
function fullAfter(policy: Policy, capacityBytes: number | null, intervalSeconds: number): number | null {
  if (capacityBytes === null || peakInStore(policy, policy.saves) <= capacityBytes) return null;
  let fits = 0;
  let overflows = policy.saves;
  while (overflows - fits > 1) {
    const middle = Math.floor((fits + overflows) / 2);
    if (peakInStore(policy, middle) <= capacityBytes) fits = middle;
    else overflows = middle;
  }
  return overflows * intervalSeconds;
}

function curve(policy: Policy, intervalSeconds: number): RetentionPoint[] {
  const { saves, fullBytes, exportBytes, places } = policy;
  const count = Math.min(saves + 1, mostPoints);
  return Array.from({ length: count }, (_, index) => {
    const n = count < 2 ? 0 : Math.round((saves * index) / (count - 1));
    const stays = keptAfter(policy, n);
    return {
      seconds: n * intervalSeconds,
      latestBytes: latestAfter(policy, n) * fullBytes,
      objectLatestBytes: countIn('object', policy, n).latest * fullBytes,
      foreverBytes: places.length * stays.forever * fullBytes,
      exportBytes: places.length * stays.exports * exportBytes,
    };
  });
}
