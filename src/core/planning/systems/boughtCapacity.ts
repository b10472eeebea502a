/** How much of a managed file system must be bought: for the bytes that lie there, or for the bandwidth that comes with capacity. */
import type { BandwidthLevel, StorageSystem, SystemPrice } from './storageSystem.js';

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

/** Whether room is paid for before it is used: sold in sizes with their bandwidth, or as volumes with theirs. */
export function isBoughtAhead({ levels, price }: Pick<StorageSystem, 'levels' | 'price'>): boolean {
  return levels.length > 0 || price?.throughput !== undefined;
}

/**
 * The cheapest level that has the bandwidth and the room; the smallest where no prices are known.
 * @param perGiBMonth a given price, for each level; null for the list prices
 * @param nodes that have a volume each, where it is sold as volumes
 */
export function boughtCapacity(
  { levels, price }: Pick<StorageSystem, 'levels' | 'price'>,
  residentBytes: number,
  bytesPerSecond: number,
  perGiBMonth: number | null,
  nodes = 1,
): BoughtCapacity {
  const needed = residentBytes / usableShare;
  const offers = levels.map((level) => offerOf(level, needed, bytesPerSecond, perGiBMonth));
  const [first, ...others] = offers;
  if (first === undefined) return volumes(price, needed, bytesPerSecond, perGiBMonth, nodes);
  return others.reduce((best, offer) => (isBetter(offer, best) ? offer : best), first);
}

/** A volume for each node, whose throughput above what comes with it is paid for; all of it is in a price that is given. */
function volumes(
  price: SystemPrice | null,
  bytes: number,
  bytesPerSecond: number,
  given: number | null,
  nodes: number,
): BoughtCapacity {
  const perGiB = given ?? (price === null ? null : price.perGBMonth / (price.unit === 'GiB' ? 1 : 1e9 / GiB));
  const { includedBytesPerSecond = 0, perGBps = 0 } = price?.throughput ?? {};
  const paidBytesPerSecond = given === null ? Math.max(0, bytesPerSecond - nodes * includedBytesPerSecond) : 0;
  const perMonth = perGiB === null ? null : (bytes / GiB) * perGiB + (paidBytesPerSecond / 1e9) * perGBps;
  return { bytes, decidedBy: 'bytes', level: null, systems: nodes, perMonth };
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
