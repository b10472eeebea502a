/** What the nodes get of the storage, whatever it has: their networks or drives, what it gives one client, or what a check on one node measured. */
import type { PlanInputs } from '../inputs/planInputs.js';
import type { PlannedSize } from '../size/plannedSize.js';
import { driveRateOf, type Direction } from '../systems/nodeDrives.js';
import { systemOf } from '../systems/storageSystems.js';
import type { Writers } from './writers.js';

/** Bytes a second of one node. */
export function clientRateOf(inputs: PlanInputs, direction: Direction = 'write'): number {
  const { clientBytesPerSecond, networkBytesPerSecond, store } = inputs;
  if (clientBytesPerSecond !== null) return clientBytesPerSecond;
  return driveRateOf(inputs, direction) ?? Math.min(networkBytesPerSecond, systemOf(store).clientBytesPerSecond ?? Infinity);
}

/** What a checkpoint leaves the nodes at, which is over when the node with most of it is done. Bytes a second. */
export function carriedRate(inputs: PlanInputs, { checkpointBytes }: PlannedSize, { largestNodeBytes }: Writers): number {
  return (checkpointBytes / largestNodeBytes) * clientRateOf(inputs);
}
