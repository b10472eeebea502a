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

/** What a checkpoint leaves the nodes at, which is over when the node with most of it, and the largest file, are done. Bytes a second. */
export function carriedRate(inputs: PlanInputs, size: PlannedSize, writers: Writers): number {
  const ofNodes = (size.checkpointBytes / writers.largestNodeBytes) * clientRateOf(inputs);
  const { fileBytesPerSecond } = inputs;
  if (fileBytesPerSecond === null) return ofNodes;
  const ofWeights = size.weightBytes / writers.weightWriters;
  const ofRest = (size.checkpointBytes - size.weightBytes) / writers.optimizerWriters;
  return Math.min(ofNodes, (size.checkpointBytes / Math.max(ofWeights, ofRest)) * fileBytesPerSecond);
}
