/** Drives of the job's own nodes as the place of checkpoints: their rates and room are those of a node, times the nodes that write. */
import type { PlanInputs } from '../inputs/planInputs.js';
import { shareOfJob } from '../inputs/sharedStorage.js';

export type Direction = 'write' | 'read';

type DriveInputs = Pick<
  PlanInputs,
  'store' | 'nvmeWriteBytesPerSecond' | 'nvmeReadBytesPerSecond' | 'nvmeCapacityBytes' | 'networkBytesPerSecond'
>;

/** How many drives hold each byte: a neighbour's hold what the node's own do. Null where the storage is no drives of nodes. */
export function driveCopies({ store }: Pick<PlanInputs, 'store'>): number | null {
  if (store === 'local-nvme') return 1;
  return store === 'neighbour-nvme' ? 2 : null;
}

/** Bytes a second of one node: a drive that takes a neighbour's part besides writes both. Null where the storage is no drives, or there are none. */
export function driveRateOf(inputs: DriveInputs, direction: Direction): number | null {
  const copies = driveCopies(inputs);
  const { nvmeWriteBytesPerSecond: write, nvmeReadBytesPerSecond: read, networkBytesPerSecond: network } = inputs;
  if (copies === null || write === 0 || read === 0) return null;
  const rate = direction === 'write' ? write / copies : read;
  return copies > 1 ? Math.min(rate, network) : rate;
}

/**
 * All the room for whole checkpoints on the storage: as given, or that of the drives until those of the node with the largest part are full.
 * @returns null where as much is bought as is needed
 */
export function storeCapacityOf(
  inputs: DriveInputs & Pick<PlanInputs, 'storeCapacityBytes' | 'jobs'>,
  checkpointBytes: number,
  largestNodeBytes: number,
): number | null {
  const copies = driveCopies(inputs);
  if (inputs.storeCapacityBytes !== null || copies === null) return inputs.storeCapacityBytes;
  return (((checkpointBytes / largestNodeBytes) * inputs.nvmeCapacityBytes) / copies) * inputs.jobs;
}

/** What one job may still fill of it; null as above. */
export function storeRoomOf(
  inputs: Parameters<typeof storeCapacityOf>[0] & Pick<PlanInputs, 'storeUsedBytes'>,
  checkpointBytes: number,
  largestNodeBytes: number,
): number | null {
  const capacity = storeCapacityOf(inputs, checkpointBytes, largestNodeBytes);
  return capacity === null ? null : shareOfJob(Math.max(0, capacity - inputs.storeUsedBytes), inputs);
}
