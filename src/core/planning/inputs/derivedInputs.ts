/** What the plan uses for inputs that are not given: its own numbers, shown before they are overwritten. */
import { peakIn, type PlaceId } from '../keeping/retention.js';
import { bandwidthPricePerMonth } from '../money/bandwidthPrice.js';
import { clientRateOf } from '../saving/clientRate.js';
import { failureRateOf } from '../saving/failureRates.js';
import type { StoragePlan } from '../storagePlan.js';
import type { planFields } from './planFields.js';
import type { PlanKey } from './planInputs.js';

type Fields = typeof planFields;
type DerivedKey = { [Key in PlanKey]: Fields[Key] extends { derived: string } ? Key : never }[PlanKey];

/** Of each input that the plan derives: what it uses, in the field's base unit; null where that is nothing or no single number. */
const derivations: Readonly<Record<DerivedKey, (plan: StoragePlan) => number | null>> = {
  activeParameters: ({ inputs }) => inputs.parameters,
  bytesPerParameter: ({ size }) => size.bytesPerParameter,
  checkpointBytes: ({ size }) => size.checkpointBytes,
  gpuWatts: () => null,
  dataParallel: ({ save }) => save.topology.dataParallel,
  shardDegree: ({ save }) => save.topology.shardDegree,
  intervalSeconds: ({ save }) => save.intervalSeconds,
  stallSeconds: ({ save }) => save.stallSeconds,
  gpuMtbfSeconds: ({ inputs }) => failureRateOf(inputs.failureRate).gpuMtbfSeconds,
  mtbfSeconds: ({ save }) => save.failureSeconds,
  writeBytesPerSecond: ({ save, inputs }) => save.writeBytesPerSecond * inputs.jobs,
  readBytesPerSecond: ({ save, inputs }) => save.readBytesPerSecond * inputs.jobs,
  clientBytesPerSecond: ({ inputs }) => clientRateOf(inputs),
  storeCapacityBytes: ({ retention, inputs }) => peakIn(retention, 'store') * inputs.jobs,
  storePricePerGBMonth: (plan) => listPricePerGB(plan, 'store'),
  storePricePerGBps: ({ inputs }) => bandwidthPricePerMonth(inputs),
  objectPricePerGBMonth: (plan) => listPricePerGB(plan, 'object'),
  egressPricePerGB: () => null,
  tokensPerSecond: ({ feed }) => feed.tokensPerSecond,
  adapterParameters: ({ memory }) => memory.adapterParameters,
  gradientBytes: () => null,
};

/** What the plan uses in place of an input that is null, in the field's base unit; null where it uses nothing or no single number. */
export function derivedInput(key: PlanKey, plan: StoragePlan): number | null {
  return isDerived(key) ? derivations[key](plan) : null;
}

function isDerived(key: PlanKey): key is DerivedKey {
  return Object.hasOwn(derivations, key);
}

/** US dollars for a GB a month as it comes out of the list; null where no price is known or nothing is kept there. */
function listPricePerGB({ cost }: StoragePlan, of: PlaceId): number | null {
  const place = cost.places.find(({ place: id }) => id === of);
  if (place === undefined || place.perMonth === null || place.paidBytes === 0) return null;
  return place.perMonth / (place.paidBytes / 1e9);
}
