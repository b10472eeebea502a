/** Where the plan keeps its checkpoints: the levels it saves to with what stays on them and what that costs, and a second region. */
import type { PlanInputs } from '../inputs/planInputs.js';
import type { KeepingCost, PlaceCost } from '../keeping/cost.js';
import type { KeptPlace, PlaceId, Retention } from '../keeping/retention.js';
import { hostCopies } from '../saving/hostCopies.js';
import type { LevelId, SaveLevel, SaveLevels } from '../saving/levels.js';
import type { PlannedSize } from '../size/plannedSize.js';
import { failureClasses, type FailureClass, type StorageSystem } from './storageSystem.js';
import { systemOf, type PlanStores } from './storageSystems.js';

export interface TierRow {
  id: LevelId | 'region';
  system: StorageSystem;
  /** Every how many saves one comes here; null where only what stays does, or nothing. */
  everySaves: number | null;
  /** From the first byte to the last of one save; Infinity where it never ends. */
  seconds: number;
  /** Empty where it only passes a save on. */
  survives: FailureClass[];
  /** Full checkpoints at the end of the run, and how many of them stay for ever. */
  full: number;
  forever: number;
  exports: number;
  /** Null where the node pays for it. */
  cost: PlaceCost | null;
}

export function tierPlan(
  inputs: PlanInputs,
  size: PlannedSize,
  { levels }: SaveLevels,
  kept: Retention,
  cost: KeepingCost,
  stores: PlanStores,
): TierRow[] {
  const costOf = (place: PlaceId) => cost.places.find((row) => row.place === place) ?? null;
  const region = kept.places.find(({ place }) => place === 'region');
  return [
    ...levels.map((level) => tierOf(level, stores, kept, costOf)),
    ...(region === undefined ? [] : [regionTier(region, costOf('region'), inputs, size)]),
  ];
}

function tierOf(level: SaveLevel, stores: PlanStores, kept: Retention, costOf: (place: PlaceId) => PlaceCost | null): TierRow {
  const { id, survives, everySaves, drainSeconds: seconds } = level;
  const tier = { id, survives, everySaves, seconds };
  if (id === 'shared-store') return { ...tier, ...countsOf('store', kept), system: stores.store, cost: costOf('store') };
  if (id === 'object-store') {
    const system = stores.further ?? stores.store;
    return { ...tier, ...countsOf('object', kept), system, cost: costOf('object') };
  }
  const full = everySaves === null ? 0 : hostCopies;
  return { ...tier, system: systemOf(id), full, forever: 0, exports: 0, cost: null };
}

function countsOf(place: PlaceId, { places }: Retention): Pick<TierRow, 'full' | 'forever' | 'exports'> {
  const count = places.find((row) => row.place === place)?.count ?? { latest: 0, forever: 0, exports: 0 };
  return { full: count.latest + count.forever, forever: count.forever, exports: count.exports };
}

/** A copy of what stays, at the bandwidth to the object store: no input has another. */
function regionTier({ count }: KeptPlace, cost: PlaceCost | null, inputs: PlanInputs, { checkpointBytes }: PlannedSize): TierRow {
  return {
    id: 'region',
    system: cost?.system ?? systemOf(inputs.store),
    everySaves: null,
    seconds: checkpointBytes / inputs.objectBytesPerSecond,
    survives: [...failureClasses],
    full: count.latest + count.forever,
    forever: count.forever,
    exports: count.exports,
    cost,
  };
}
