/** What writing into a place is charged: requests of object stores, and bytes where these are charged. */
import type { SavePlan } from '../saving/savePlan.js';
import type { PlannedSize } from '../size/plannedSize.js';
import { monthSeconds, type StorageSystem, type SystemPrice } from '../systems/storageSystem.js';
import { objectRequests } from './objectRequests.js';

const GB = 1e9;
const GiB = 2 ** 30;

/** US dollars for a byte. @param perGB of what is charged by the GB; undefined where nothing is */
export function chargePerByte(price: SystemPrice | null, perGB: number | undefined): number {
  return (perGB ?? 0) / (price?.unit === 'GiB' ? GiB : GB);
}

/** What is written in a time. */
export interface Writes {
  full: number;
  exports: number;
  /** While a save is written. */
  bytesPerSecond: number;
  seconds: number;
}

/** US dollars; null where requests are charged and their price is not known. */
export function writeCharges(
  { objects, price }: Pick<StorageSystem, 'objects' | 'price'>,
  size: PlannedSize,
  writers: SavePlan['writers'],
  { full, exports, bytesPerSecond, seconds }: Writes,
): number | null {
  const bytes = full * size.checkpointBytes + exports * size.weightBytes;
  const ofBytes = cheaperThroughput(bytes * chargePerByte(price, price?.perGBWritten), price, bytesPerSecond, seconds);
  if (objects === null) return ofBytes;
  const requestsOf = (checkpointBytes: number) =>
    objectRequests({ ...size, checkpointBytes }, writers, objects, checkpointBytes / bytesPerSecond).writesPerCheckpoint;
  const requests = full * requestsOf(size.checkpointBytes) + exports * requestsOf(size.weightBytes);
  if (requests === 0) return 0;
  const per1000 = price?.per1000Writes ?? null;
  return per1000 === null ? null : (requests * per1000) / 1000 + ofBytes;
}

/** Throughput that is provisioned in place of a charge for each GB, where that is less. */
function cheaperThroughput(ofBytes: number, price: SystemPrice | null, bytesPerSecond: number, seconds: number): number {
  if (price?.provisionedPerGBps === undefined) return ofBytes;
  return Math.min(ofBytes, (bytesPerSecond / GB) * price.provisionedPerGBps * (seconds / monthSeconds));
}
