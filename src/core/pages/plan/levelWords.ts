/** Levels of saving and classes of failure, as a plan calls them. */
import type { LevelId } from '../../planning/saving/levels.js';
import type { StoragePlan } from '../../planning/storagePlan.js';
import type { FailureClass } from '../../planning/systems/storageSystem.js';

/** `host memory`, `Lustre`, or the name that the sites file has. */
export function levelName(id: LevelId, { tiers }: Pick<StoragePlan, 'tiers'>): string {
  const near = { 'host-memory': 'host memory', 'neighbour-memory': 'a neighbour’s memory', 'local-nvme': 'the node’s drives' };
  if (id !== 'shared-store' && id !== 'object-store') return near[id];
  return tiers.find((tier) => tier.id === id)?.system.name ?? 'an object store';
}

/** What fails: `a node`. */
export const failureNames: Readonly<Record<FailureClass, string>> = {
  process: 'a process',
  node: 'a node',
  rack: 'a rack',
  site: 'the site',
};
