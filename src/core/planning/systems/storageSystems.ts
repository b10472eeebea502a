import { memorySystems } from './memorySystems.js';
import { nodeSystems } from './nodeSystems.js';
import { objectSystems } from './objectSystems.js';
import { sharedSystems } from './sharedSystems.js';
import type { StorageSystem } from './storageSystem.js';
import type { SystemId } from './systemNames.js';

/** All systems that a plan compares, from the fastest and most volatile to the slowest and safest. */
export const storageSystems: readonly StorageSystem[] = [...memorySystems, ...nodeSystems, ...sharedSystems, ...objectSystems];

/** @throws RangeError for an id without data, which the test of the data excludes */
export function systemOf(id: SystemId): StorageSystem {
  const found = storageSystems.find((system) => system.id === id);
  if (found === undefined) throw new RangeError(`there are no data of ${id}`);
  return found;
}
