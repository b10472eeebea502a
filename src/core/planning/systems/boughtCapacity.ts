/** How much of a managed file system must be bought: for the bytes that lie there, or for the bandwidth that comes with capacity. */
import type { BandwidthLevel, StorageSystem } from './storageSystem.js';

const GiB = 2 ** 30;
const TiB = 2 ** 40;

/** File systems slow down, and allocate badly, when they are nearly full. */
export const usableShare = 0.8;

export interface BoughtCapacity {
  bytes: number;
  /** `bandwidth`: more than the bytes need, because bandwidth is sold by capacity; `least`: nothing smaller is sold. */
  decidedBy: 'bytes' | 'bandwidth' | 'least';
  /** Null where bandwidth is not sold by capacity. */
  level: BandwidthLevel | null;
  /** Systems of this size that are needed, where one is not enough. */
  systems: number;
  perMonth: number | null;
}

/**
 * The cheapest level that has the bandwidth and the room; the smallest where no prices are known.
 * @param perGiBMonth a given price, for each level; null for the list prices
 */
export function boughtCapacity(
  { levels }: Pick<StorageSystem, 'levels'>,
  residentBytes: number,
  bytesPerSecond: number,
  perGiBMonth: number | null,
): BoughtCapacity {
  const needed = residentBytes / usableShare;
  const offers = levels.map((level) => offerOf(level, needed, bytesPerSecond, perGiBMonth));
  const [first, ...others] = offers;
  if (first === undefined)
    return {
      bytes: needed,
      decidedBy: 'bytes',
      level: null,
      systems: 1,
      perMonth: perGiBMonth === null ? null : (needed / GiB) * perGiBMonth,
    };
  return others.reduce((best, offer) => (isBetter(offer, best) ? offer : best), first);
}

function offerOf(level: BandwidthLevel, needed: number, bytesPerSecond: number, given: number | null): BoughtCapacity {
  const forBandwidth = (bytesPerSecond / level.bytesPerSecondPerTiB) * TiB;
  const wanted = Math.max(needed, forBandwidth);
  const systems = level.largestBytes === null ? 1 : Math.max(1, Math.ceil(wanted / level.largestBytes));
  const each = Math.max(level.leastBytes, Math.ceil(wanted / systems / level.stepBytes) * level.stepBytes);
  const price = given ?? level.perGiBMonth;
  return {
    bytes: each * systems,
    decidedBy: wanted < level.leastBytes ? 'least' : forBandwidth > needed ? 'bandwidth' : 'bytes',
    level,
    systems,
    perMonth: price === null ? null : ((each * systems) / GiB) * price,
  };
}

function isBetter(offer: BoughtCapacity, best: BoughtCapacity): boolean {
  if (offer.perMonth !== null && best.perMonth !== null && offer.perMonth !== best.perMonth)
    return offer.perMonth < best.perMonth;
  return offer.bytes < best.bytes;
}
