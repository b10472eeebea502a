/** What is said of a bandwidth in several places. */
import { atHandRate } from '../../planning/money/bandwidthPrice.js';
import type { StoragePlan } from '../../planning/storagePlan.js';

/** Whether the bandwidth that the plan chose is no more than what the room of a storage, which is there, brings. */
export function comesWithRoom({ inputs, save }: Pick<StoragePlan, 'inputs' | 'save'>): boolean {
  return save.bandwidthBasis === 'pays' && save.writeBytesPerSecond <= atHandRate(inputs);
}
