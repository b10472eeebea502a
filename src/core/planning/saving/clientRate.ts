/** What one node gets of the shared storage, whatever the storage has: its network, or what a check on one node measured. */
import type { PlanInputs } from '../inputs/planInputs.js';
import type { PlannedSize } from '../size/plannedSize.js';
import type { Writers } from './writers.js';

/** Bytes a second of one node. */
export function clientRateOf({ clientBytesPerSecond, networkBytesPerSecond }: PlanInputs): number {
  return clientBytesPerSecond ?? networkBytesPerSecond;
}

/** What a checkpoint is written at at most, known from the storage or from the nodes that write; null where neither is given. */
export function knownWriteRate(inputs: PlanInputs, { checkpointBytes }: PlannedSize, writers: Writers): number | null {
  const { clientBytesPerSecond: client, writeBytesPerSecond: storage } = inputs;
  const ofNodes = client === null ? null : (checkpointBytes / writers.largestNodeBytes) * client;
  if (storage === null || ofNodes === null) return storage ?? ofNodes;
  return Math.min(storage, ofNodes);
}
