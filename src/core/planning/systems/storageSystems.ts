import { memorySystems } from './memorySystems.js';
import { nodeSystems } from './nodeSystems.js';
import { objectSystems } from './objectSystems.js';
import { sharedSystems } from './sharedSystems.js';
import type { PlanInputs } from '../inputs/planInputs.js';
import type { StorageSystem } from './storageSystem.js';
import type { SystemId } from './systemNames.js';

/** All systems that a plan compares, from the fastest and most volatile to the slowest and safest. */
export const storageSystems: readonly StorageSystem[] = [...memorySystems, ...nodeSystems, ...sharedSystems, ...objectSystems];

const byId: ReadonlyMap<SystemId, StorageSystem> = new Map(storageSystems.map((system) => [system.id, system]));

/** @throws RangeError for an id without data, which the test of the data excludes */
export function systemOf(id: SystemId): StorageSystem {
  const found = byId.get(id);
  if (found === undefined) throw new RangeError(`there are no data of ${id}`);
  return found;
}

/** The object store behind the storage; null without one, and where the storage is the same one: nothing is copied to where it is. */
export function furtherStoreOf({ store, objectStore }: Pick<PlanInputs, 'store' | 'objectStore'>): StorageSystem | null {
  return objectStore === 'none' || objectStore === store ? null : systemOf(objectStore);
}

/** The object store that takes the requests: the storage where that is one, or else the one behind it; null without any. */
export function objectSystemOf(inputs: Pick<PlanInputs, 'store' | 'objectStore'>): StorageSystem | null {
  const store = systemOf(inputs.store);
  return store.objects === null ? furtherStoreOf(inputs) : store;
}

/** The storage of a plan and the object store behind it: as known, or with the prices of a sites file. */
export interface PlanStores {
  store: StorageSystem;
  /** Null without one. */
  further: StorageSystem | null;
}

/** True for what the nodes have anyhow: nothing is bought for it. */
export function comesWithNode({ kind, price }: Pick<StorageSystem, 'kind' | 'price'>): boolean {
  return kind === 'memory' || (kind === 'node' && price === null);
}
