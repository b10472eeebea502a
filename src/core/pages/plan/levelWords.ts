/** Levels of saving and classes of failure, as a plan calls them. */
import type { PlanInputs } from '../../planning/inputs/planInputs.js';
import type { LevelId } from '../../planning/saving/levels.js';
import type { FailureClass } from '../../planning/systems/storageSystem.js';
import { systemNames } from '../../planning/systems/systemNames.js';

/** `host memory`, `Lustre`. */
export function levelName(id: LevelId, inputs: Pick<PlanInputs, 'store' | 'objectStore'>): string {
  if (id === 'shared-store') return systemNames[inputs.store];
  if (id === 'object-store') return inputs.objectStore === 'none' ? 'an object store' : systemNames[inputs.objectStore];
  return { 'host-memory': 'host memory', 'neighbour-memory': 'a neighbour’s memory', 'local-nvme': 'the node’s drives' }[id];
}

/** What fails: `a node`. */
export const failureNames: Readonly<Record<FailureClass, string>> = {
  process: 'a process',
  node: 'a node',
  rack: 'a rack',
  site: 'the site',
};
