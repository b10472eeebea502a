/** What stands in for inputs that were not told: the plan's own numbers, for who wants to see them before overwriting them. */
import { failureRateOf } from '../saving/failureRates.js';
import type { StoragePlan } from '../storagePlan.js';
import type { PlanKey } from './planInputs.js';

/**
 * @returns what the plan uses in place of an input that is null, in the field's base unit; null where it uses nothing or no single number
 */
export function derivedInput(key: PlanKey, { inputs, size, save }: StoragePlan): number | null {
  switch (key) {
    case 'activeParameters':
      return inputs.parameters;
    case 'bytesPerParameter':
      return size.bytesPerParameter;
    case 'checkpointBytes':
      return size.checkpointBytes;
    case 'dataParallel':
      return save.topology.dataParallel;
    case 'intervalSeconds':
      return save.intervalSeconds;
    case 'stallSeconds':
      return save.stallSeconds;
    case 'gpuMtbfSeconds':
      return failureRateOf(inputs.failureRate).gpuMtbfSeconds;
    case 'mtbfSeconds':
      return save.mtbfSeconds;
    case 'writeBytesPerSecond':
      return save.writeBytesPerSecond;
    case 'readBytesPerSecond':
      return save.readBytesPerSecond;
    default:
      return null;
  }
}
