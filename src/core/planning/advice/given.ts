/** Which inputs are set: what a plan chose or assumed by itself may be no reason against it. */
import type { PlanInputs, PlanKey } from '../inputs/planInputs.js';
import type { SavePlan } from '../saving/savePlan.js';
import { driveCopies } from '../systems/nodeDrives.js';

/** The inputs that are set: entered, read, measured, of a preset or of the sites file. */
export type Given = Partial<PlanInputs>;

/** Whether one of them is. */
export function isAnyGiven(given: Given, ...keys: readonly PlanKey[]): boolean {
  return keys.some((key) => given[key] != null);
}

/** Whether what the nodes carry is more than an assumption: of their network, or of their drives where these are the storage. */
export function isClientGiven(given: Given): boolean {
  const drives = given.store !== undefined && driveCopies({ store: given.store }) !== null;
  const ofDrives: readonly PlanKey[] = drives ? ['nvmeWriteBytesPerSecond', 'nvmeReadBytesPerSecond'] : [];
  return isAnyGiven(given, 'clientBytesPerSecond', 'networkBytesPerSecond', 'fileBytesPerSecond', ...ofDrives);
}

/** Whether no choice of the plan lets more GPUs write. */
export function isShardingGiven(given: Given, { writers, topology }: Pick<SavePlan, 'writers' | 'topology'>): boolean {
  return isAnyGiven(given, 'zeroStage') || writers.writers === topology.gpus;
}

/** Whether the write bandwidth rests on what is set, or on a published limit, rather than on a choice of the plan. */
export function isRateGiven(given: Given, save: Pick<SavePlan, 'bandwidthBasis' | 'writers' | 'topology'>): boolean {
  switch (save.bandwidthBasis) {
    case 'given':
    case 'limit':
      return true;
    case 'nodes':
      return isClientGiven(given) && isShardingGiven(given, save);
    case 'objects':
      return isAnyGiven(given, 'objectBytesPerSecond');
    case 'pays':
      return false;
  }
}

/** Whether it is known how often the job fails. */
export function isMtbfGiven(given: Given): boolean {
  return isAnyGiven(given, 'mtbfSeconds', 'gpuMtbfSeconds', 'failureRate');
}

/** Whether the stall of a save is known: entered, or the write time at a bandwidth that is. */
export function isStallGiven(
  given: Given,
  save: Pick<SavePlan, 'stallBasis' | 'bandwidthBasis' | 'writers' | 'topology'>,
): boolean {
  if (save.stallBasis === 'storage') return isRateGiven(given, save);
  return isAnyGiven(given, save.stallBasis === 'given' ? 'stallSeconds' : 'fixedStallSeconds');
}
