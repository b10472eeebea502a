/** What a GB/s of a shared storage costs a month. */
import type { PlanInputs } from '../inputs/planInputs.js';
import type { BandwidthLevel } from './storageSystem.js';
import { systemOf } from './storageSystems.js';

/** FSx for Lustre at 1,000 MB/s for each TiB, the price of what names none of its own (AWS price list, as in sharedSystems.ts). */
const usualPerMonth = 614;

/**
 * US dollars: given, the cheapest level of a storage whose bandwidth is sold with capacity, that of throughput which is provisioned, or else
 * the usual price. Nobody charges for the bandwidth to objects, nor for that of the nodes' own drives.
 */
export function bandwidthPricePerMonth({ store, storePricePerGBps }: Pick<PlanInputs, 'store' | 'storePricePerGBps'>): number {
  const { levels, price, kind } = systemOf(store);
  const sold = levels.reduce<number | null>(cheaper, null) ?? price?.throughput?.perGBps ?? price?.provisionedPerGBps;
  return storePricePerGBps ?? sold ?? (kind === 'shared' ? usualPerMonth : 0);
}

function cheaper(least: number | null, { perGiBMonth, bytesPerSecondPerTiB }: BandwidthLevel): number | null {
  if (perGiBMonth === null) return least;
  const price = (perGiBMonth * 1024) / (bytesPerSecondPerTiB / 1e9);
  return least === null ? price : Math.min(least, price);
}
