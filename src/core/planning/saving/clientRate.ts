/** What the nodes get of the shared storage, whatever it has: their networks, or what a check on one node measured. */
import type { PlanInputs } from '../inputs/planInputs.js';
import type { PlannedSize } from '../size/plannedSize.js';
import type { Writers } from './writers.js';

/** Bytes a second of one node. */
export function clientRateOf({ clientBytesPerSecond, networkBytesPerSecond }: PlanInputs): number {
  return clientBytesPerSecond ?? networkBytesPerSecond;
}

/** What a checkpoint leaves the nodes at, which is over when the node with most of it is done. Bytes a second. */
export function carriedRate(inputs: PlanInputs, { checkpointBytes }: PlannedSize, { largestNodeBytes }: Writers): number {
  return (checkpointBytes / largestNodeBytes) * clientRateOf(inputs);
}
