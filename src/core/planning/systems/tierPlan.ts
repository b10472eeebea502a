/** Where the plan keeps its checkpoints: a row for each place, from the fastest to the safest. */
import type { PlanInputs } from '../inputs/planInputs.js';
import type { KeepingCost, PlaceCost } from '../keeping/cost.js';
import { objectRequests } from '../keeping/objectRequests.js';
import type { KeptPlace, PlaceId, Retention } from '../keeping/retention.js';
import type { SavePlan } from '../saving/savePlan.js';
import type { PlannedSize } from '../size/plannedSize.js';
import type { FailureClass, StorageSystem } from './storageSystem.js';
import { failureClasses } from './storageSystem.js';
import { systemOf } from './storageSystems.js';

export interface TierRow {
  id: 'host-memory' | 'neighbour-memory' | 'local-nvme' | PlaceId;
  system: StorageSystem;
  /** `staging`: on the way to the next place only; `stays`: what is kept for ever. */
  takes: 'every save' | 'staging' | 'stays';
  /** From the first byte to the last of one save; Infinity where it never ends. */
  seconds: number;
  survives: FailureClass[];
  /** Full checkpoints, and exports, at the end of the run. */
  full: number;
  exports: number;
  /** Null where the node pays for it. */
  cost: PlaceCost | null;
}

export function tierPlan(inputs: PlanInputs, size: PlannedSize, save: SavePlan, kept: Retention, cost: KeepingCost): TierRow[] {
  const places = kept.places.map((place) =>
    placeTier(place, cost.places.find((row) => row.place === place.place) ?? null, { inputs, size, save }),
  );
  return [...nodeTiers(inputs, save), ...places];
}

/** Two copies lie in each: the last one that is complete, and the one that is being written. */
const buffered = 2;

function nodeTiers(inputs: PlanInputs, { writers }: SavePlan): TierRow[] {
  if (inputs.saveMode === 'synchronous') return [];
  const tier = (id: 'host-memory' | 'neighbour-memory' | 'local-nvme', bytes: number, speed: number): TierRow => {
    const system = systemOf(id);
    const takes = inputs.saveMode === 'multi-level' ? 'every save' : 'staging';
    return { id, system, takes, seconds: bytes / speed, survives: system.survives, full: buffered, exports: 0, cost: null };
  };
  const host = tier('host-memory', writers.largestWriterBytes, inputs.deviceToHostBytesPerSecond);
  if (inputs.saveMode !== 'multi-level') return [host];
  return [
    host,
    tier('neighbour-memory', writers.largestNodeBytes, inputs.networkBytesPerSecond),
    ...(inputs.nvmeWriteBytesPerSecond === 0
      ? []
      : [tier('local-nvme', writers.largestNodeBytes, inputs.nvmeWriteBytesPerSecond)]),
  ];
}

interface Setting {
  inputs: PlanInputs;
  size: PlannedSize;
  save: SavePlan;
}

function placeTier({ place, count }: KeptPlace, cost: PlaceCost | null, { inputs, size, save }: Setting): TierRow {
  const system = cost?.system ?? systemOf(inputs.store);
  const requests = system.objects === null ? null : objectRequests(size, save.writers, system.objects);
  const bytesPerSecond = place === 'store' ? save.writeBytesPerSecond : inputs.objectBytesPerSecond;
  return {
    id: place,
    system,
    takes: place === 'store' ? 'every save' : 'stays',
    seconds: Math.max(size.checkpointBytes / bytesPerSecond, requests?.requestSeconds ?? 0),
    survives: place === 'region' ? [...failureClasses] : system.survives,
    full: count.latest + count.forever,
    exports: count.exports,
    cost,
  };
}
