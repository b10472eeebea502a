/** What stands in for inputs that were not told: the plan's own numbers, for who wants to see them before overwriting them. */
import type { PlaceId } from '../keeping/retention.js';
import { failureRateOf } from '../saving/failureRates.js';
import type { StoragePlan } from '../storagePlan.js';
import type { PlanKey } from './planInputs.js';

/**
 * @returns what the plan uses in place of an input that is null, in the field's base unit; null where it uses nothing or no single number
 */
export function derivedInput(key: PlanKey, plan: StoragePlan): number | null {
  const { inputs, size, save } = plan;
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
    case 'storeCapacityBytes':
      return plan.retention.places.find(({ place }) => place === 'store')?.peakBytes ?? null;
    case 'storePricePerGBMonth':
      return listPricePerGB(plan, 'store');
    case 'objectPricePerGBMonth':
      return listPricePerGB(plan, 'object');
    case 'tokensPerSecond':
      return plan.feed.tokensPerSecond;
    case 'adapterParameters':
      return plan.memory.adapterParameters;
    default:
      return null;
  }
}

/** US dollars for a GB a month as it comes out of the list; null where no price is known or nothing is kept there. */
function listPricePerGB({ cost }: StoragePlan, of: PlaceId): number | null {
  const place = cost.places.find(({ place: id }) => id === of);
  if (place === undefined || place.perMonth === null || place.paidBytes === 0) return null;
  return place.perMonth / (place.paidBytes / 1e9);
}
