/** What keeping costs: a month at the end of the run, and the whole run. An unknown price is missing, never 0. */
import type { PlanInputs } from '../inputs/planInputs.js';
import type { SaveLevels } from '../saving/levels.js';
import type { RestorePlan } from '../saving/restore.js';
import type { SavePlan } from '../saving/savePlan.js';
import { capitalPerMonth } from '../money/capital.js';
import { boughtCapacity, isBoughtAhead, type BoughtCapacity } from '../systems/boughtCapacity.js';
import { monthSeconds, type StorageSystem, type SystemPrice } from '../systems/storageSystem.js';
import { comesWithNode, type PlanStores } from '../systems/storageSystems.js';
import type { PlannedSize } from '../size/plannedSize.js';
import { objectRequests } from './objectRequests.js';
import type { KeptPlace, PlaceId, Retention } from './retention.js';
import { chargePerByte, writeCharges } from './writeCharges.js';

const GB = 1e9;
const GiB = 2 ** 30;

export interface PlaceCost {
  place: PlaceId;
  system: StorageSystem;
  /** Bytes that are paid for in a month at the end of the run. */
  paidBytes: number;
  /** Where more is bought than lies there; null for places that bill what lies there. */
  bought: BoughtCapacity | null;
  /** US dollars; null where the price is missing. */
  perMonth: number | null;
  /** From the first save to the end of the run. */
  storedForRun: number | null;
  /** Writes of the run, and the bytes where these are charged too; 0 where requests are not charged, null where their price is missing. */
  requestsForRun: number | null;
  /** Copying into this place from another region. */
  egressForRun: number | null;
  /** One restore from here: requests and what is charged for each GB that is read; 0 where reading is not charged, null where its price is missing. */
  perRestore: number | null;
  /** As many restores as failures of the run are expected to need from here. */
  restoresForRun: number | null;
  /** More than was stored for, because the least time is billed. */
  isLeastTimeBilled: boolean;
  /** Given, of the provider's list, or paid for with the node. */
  priceBasis: 'given' | 'list' | 'node' | 'missing';
  priceDate: string | null;
}

export interface KeepingCost {
  places: PlaceCost[];
  /** Of the places whose price is known; null where none is. */
  perMonth: number | null;
  forRun: number | null;
  /** Prices that are missing, and so are in no sum. */
  missing: { place: PlaceId; what: 'stored' | 'requests' | 'egress' | 'restores' }[];
}

type CostInputs = Pick<
  PlanInputs,
  | 'store'
  | 'objectStore'
  | 'objectBytesPerSecond'
  | 'runSeconds'
  | 'storePricePerGBMonth'
  | 'storeCapitalDollars'
  | 'storeLifetimeSeconds'
  | 'jobs'
  | 'objectPricePerGBMonth'
  | 'egressPricePerGB'
>;

/** @param restore what one reads, and how often @param levels which failures it is needed after */
export function keepingCost(
  inputs: CostInputs,
  size: PlannedSize,
  save: SavePlan,
  kept: Retention,
  { restore, levels, stores }: { restore: RestorePlan; levels: SaveLevels; stores: PlanStores },
): KeepingCost {
  const places = kept.places.map((place) => placeCost(place, { inputs, size, save, kept, restore, levels, stores }));
  const missing = places.flatMap(({ place, paidBytes, perMonth, requestsForRun, egressForRun, restoresForRun }) => [
    ...(perMonth === null && paidBytes > 0 ? [{ place, what: 'stored' as const }] : []),
    ...(requestsForRun === null ? [{ place, what: 'requests' as const }] : []),
    ...(egressForRun === null && paidBytes > 0 ? [{ place, what: 'egress' as const }] : []),
    ...(restoresForRun === null ? [{ place, what: 'restores' as const }] : []),
  ]);
  return {
    places,
    perMonth: sumOfKnown(places.map(({ perMonth }) => perMonth)),
    forRun: sumOfKnown(places.flatMap((place) => (place.storedForRun === null ? [] : [costOfRun(place)]))),
    missing,
  };
}

interface CostPlan {
  inputs: CostInputs;
  size: PlannedSize;
  save: SavePlan;
  kept: Retention;
  restore: RestorePlan;
  levels: SaveLevels;
  stores: PlanStores;
}

/** What of a place's run is known. */
function costOfRun({ storedForRun, requestsForRun, egressForRun, restoresForRun }: PlaceCost): number {
  return (storedForRun ?? 0) + (requestsForRun ?? 0) + (egressForRun ?? 0) + (restoresForRun ?? 0);
}

function sumOfKnown(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}

function placeCost(place: KeptPlace, plan: CostPlan): PlaceCost {
  const { inputs, kept, save } = plan;
  const system = systemAt(place.place, plan.stores);
  const given = place.place === 'store' ? inputs.storePricePerGBMonth : inputs.objectPricePerGBMonth;
  const purchase = place.place === 'store' && given === null ? purchaseOf(inputs) : null;
  const isGiven = given !== null || purchase !== null || system.price?.isOwn === true;
  const isOfNode = given === null && comesWithNode(system);
  const perByteMonth = isOfNode ? 0 : given === null ? listPrice(system.price) : given / GB;
  const bought = boughtFor(place, system, save, given);
  // An object store bills what is there when the run ends; elsewhere the room for the save in flight is there all the time.
  const paidBytes = system.objects === null ? place.peakBytes : place.bytes;
  const perMonth = purchase ?? (bought === null ? times(perByteMonth, paidBytes) : bought.perMonth);
  const least = system.price?.leastStoredSeconds ?? 0;
  const monthsOfRun = inputs.runSeconds / monthSeconds;
  const perRestore = restoreCost(place, system, plan);
  const restores = restoresFrom(place.place, plan);
  return {
    place: place.place,
    system,
    paidBytes: bought?.bytes ?? paidBytes,
    bought,
    perMonth,
    storedForRun:
      bought === null && purchase === null
        ? times(perByteMonth, byteMonths(place.place, kept, inputs.runSeconds, least))
        : times(perMonth, monthsOfRun),
    requestsForRun: requestCost(place, system, plan),
    egressForRun: place.place === 'region' ? times(egressPerByte(system, inputs.egressPricePerGB), place.bytes) : 0,
    perRestore,
    restoresForRun: restores === 0 ? 0 : times(perRestore, restores),
    isLeastTimeBilled: least > 0 && place.bytes > 0,
    priceBasis: isOfNode ? 'node' : isGiven ? 'given' : perMonth === null ? 'missing' : 'list',
    priceDate: !isGiven && !isOfNode && perMonth !== null ? (system.price?.date ?? null) : null,
  };
}

/** A job's share of what was paid for the storage, US dollars a month, whatever lies there; null where that is not given. */
function purchaseOf({ storeCapitalDollars, storeLifetimeSeconds, jobs }: CostInputs): number | null {
  return storeCapitalDollars === null ? null : capitalPerMonth(storeCapitalDollars, storeLifetimeSeconds) / jobs;
}

/** A second region keeps what the object store does, in a store of the same kind. */
function systemAt(place: PlaceId, { store, further }: PlanStores): StorageSystem {
  return (place === 'store' ? null : further) ?? store;
}

function boughtFor(place: KeptPlace, system: StorageSystem, save: SavePlan, given: number | null): BoughtCapacity | null {
  if (!isBoughtAhead(system)) return null;
  // Copies in another region do not take the saves, only what stays.
  const speed = place.place === 'store' ? save.writeBytesPerSecond : 0;
  const perGiB = given === null ? null : (given / GB) * GiB;
  return boughtCapacity(system, place.peakBytes, speed, perGiB, save.writers.writingNodes);
}

/** US dollars for a byte a month. */
function listPrice(price: SystemPrice | null): number | null {
  return price === null ? null : price.perGBMonth / (price.unit === 'GiB' ? GiB : GB);
}

function egressPerByte({ price }: StorageSystem, given: number | null): number | null {
  const perGB = given ?? price?.egressPerGB ?? null;
  return perGB === null ? null : perGB / GB;
}

function times(price: number | null, amount: number): number | null {
  return price === null ? null : price * amount;
}

/**
 * Bytes times months over the run. What lies there only grows (what goes is replaced by as much), so each step of the curve is paid for
 * from then to the end, and for the least time at least.
 */
function byteMonths(place: PlaceId, kept: Retention, runSeconds: number, leastSeconds: number): number {
  const { points, places } = kept;
  const foreverPlaces = places.filter(({ count }) => count.forever + count.exports > 0).length;
  const holdsForever = places.some((one) => one.place === place && one.count.forever + one.count.exports > 0);
  const bytesAt = (index: number): number => {
    const point = points[index];
    if (point === undefined) return 0;
    const stays = holdsForever ? (point.foreverBytes + point.exportBytes) / foreverPlaces : 0;
    return stays + (place === 'store' ? point.latestBytes : 0);
  };
  const grown = points.reduce((sum, { seconds }, index) => {
    const added = bytesAt(index) - bytesAt(index - 1);
    return sum + (added * Math.max(runSeconds - seconds, leastSeconds)) / monthSeconds;
  }, 0);
  return place === 'object' ? grown + newestByteMonths(kept, runSeconds, leastSeconds) : grown;
}

/** Copies against the loss of the site, one after the other: each lies there until the next one does, and is billed the least time. */
function newestByteMonths(kept: Retention, runSeconds: number, leastSeconds: number): number {
  const copies = newestCopies(kept);
  if (copies === 0 || kept.objectEvery === null) return 0;
  const apart = kept.objectEvery * kept.storeIntervalSeconds;
  const last = Math.max(0, runSeconds - copies * apart);
  const bytes = kept.writtenBytes / kept.saves;
  return (bytes * ((copies - 1) * Math.max(apart, leastSeconds) + Math.max(last, leastSeconds))) / monthSeconds;
}

function newestCopies({ saves, objectEvery }: Retention): number {
  return objectEvery === null ? 0 : Math.floor(saves / objectEvery);
}

/** Every save where the storage takes them, what stays once for each place, and each newest one. */
function requestCost({ place, count }: KeptPlace, system: StorageSystem, { inputs, size, save, kept }: CostPlan): number | null {
  const newest = place === 'object' ? newestCopies(kept) : 0;
  return writeCharges(system, size, save.writers, {
    full: place === 'store' ? kept.saves : count.forever + newest,
    exports: count.exports,
    bytesPerSecond: place === 'store' ? save.writeBytesPerSecond : inputs.objectBytesPerSecond,
    seconds: inputs.runSeconds,
  });
}

/** Reading one checkpoint back: from the storage as the plan does it, from elsewhere once. */
function restoreCost(
  { place }: KeptPlace,
  { objects, price }: StorageSystem,
  { size, save, inputs, restore }: CostPlan,
): number | null {
  const bytes = place === 'store' ? restore.planned.volumeBytes : size.checkpointBytes;
  const ofBytes = bytes * chargePerByte(price, price?.perGBRead);
  if (objects === null) return ofBytes;
  const per1000 = price?.per1000Reads ?? null;
  if (per1000 === null) return null;
  const rate = place === 'store' ? save.writeBytesPerSecond : inputs.objectBytesPerSecond;
  const reads = objectRequests(size, save.writers, objects, size.checkpointBytes / rate).readsPerCheckpoint;
  return (((reads * bytes) / size.checkpointBytes) * per1000) / 1000 + ofBytes;
}

const levelOfPlace = { store: 'shared-store', object: 'object-store', region: null } as const;

/** Expected restores of the run from a place. */
function restoresFrom(place: PlaceId, { inputs, levels }: CostPlan): number {
  const ofPlace = levels.recoveries.filter(({ level }) => level !== null && level === levelOfPlace[place]);
  return ofPlace.reduce((sum, { secondsBetween }) => sum + inputs.runSeconds / secondsBetween, 0);
}
