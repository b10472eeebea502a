/** What a GB/s of a shared storage costs a month, and which bandwidth is there without being paid for. */
import type { PlanInputs } from '../inputs/planInputs.js';
import { shareOfJob } from '../inputs/sharedStorage.js';
import type { BandwidthLevel } from '../systems/storageSystem.js';
import { systemOf } from '../systems/storageSystems.js';
import { capitalPerMonth, energyPerMonth } from './capital.js';

/** FSx for Lustre at 1,000 MB/s for each TiB, the price of what names none of its own (AWS price list, as in sharedSystems.ts). */
const usualPerMonth = 614;

const TiB = 2 ** 40;

type PriceInputs = Pick<
  PlanInputs,
  | 'store'
  | 'storePricePerGBps'
  | 'storeCapitalDollars'
  | 'storeLifetimeSeconds'
  | 'storageWattsPerGBps'
  | 'energyPricePerKilowattHour'
  | 'writeBytesPerSecond'
>;

/** Of a GB/s, US dollars a month. */
export interface BandwidthPrice {
  /** What was paid for the storage, written off. */
  capital: number;
  /** What is charged for it by the month. */
  rent: number;
  energy: number;
  /** `usual`: that of another storage, as this one has no list price. */
  basis: 'given' | 'capital' | 'list' | 'usual' | 'none';
}

/**
 * Given, the purchase price over the bandwidth that was bought, the cheapest level of a storage whose bandwidth is sold with capacity, that of
 * throughput which is provisioned, or else the usual price. The bandwidth to objects and that of the nodes' own drives have no price of their own.
 */
export function bandwidthPriceOf(inputs: PriceInputs): BandwidthPrice {
  const { storageWattsPerGBps: watts, energyPricePerKilowattHour: energyPrice } = inputs;
  const energy = watts === null || energyPrice === null ? 0 : energyPerMonth(watts, energyPrice);
  if (inputs.storePricePerGBps !== null) return { capital: 0, rent: inputs.storePricePerGBps, energy, basis: 'given' };
  const { storeCapitalDollars: capitalDollars, writeBytesPerSecond } = inputs;
  if (capitalDollars !== null && writeBytesPerSecond !== null) {
    const capital = capitalPerMonth(capitalDollars, inputs.storeLifetimeSeconds) / (writeBytesPerSecond / 1e9);
    return { capital, rent: 0, energy, basis: 'capital' };
  }
  const sold = listPriceOf(inputs);
  if (sold !== null) return { capital: 0, rent: sold, energy, basis: 'list' };
  const isBought = systemOf(inputs.store).kind === 'shared';
  return { capital: 0, rent: isBought ? usualPerMonth : 0, energy, basis: isBought ? 'usual' : 'none' };
}

/** US dollars a month for a GB/s, all together. */
export function bandwidthPricePerMonth(inputs: PriceInputs): number {
  const { capital, rent, energy } = bandwidthPriceOf(inputs);
  return capital + rent + energy;
}

/**
 * Bandwidth of one job that is there and costs nothing more: as given, of a storage without a price of its own, or what comes with the room
 * that there is. Bytes a second; 0 where it is rented, or its purchase is counted.
 */
export function atHandRate(inputs: PriceInputs & Pick<PlanInputs, 'jobs' | 'storeCapacityBytes'>): number {
  const given = shareOfJob(inputs.writeBytesPerSecond, inputs) ?? 0;
  return bandwidthPriceOf(inputs).basis === 'usual'
    ? given
    : rateOfRoom(inputs, shareOfJob(inputs.storeCapacityBytes, inputs) ?? 0);
}

/** What comes at least with so many bytes of a storage whose bandwidth is sold with capacity, at its list price. Bytes a second; 0 elsewhere. */
export function rateOfRoom(inputs: PriceInputs, roomBytes: number): number {
  const { levels } = systemOf(inputs.store);
  if (levels.length === 0 || bandwidthPriceOf(inputs).basis !== 'list') return 0;
  return (roomBytes / TiB) * levels.reduce((least, { bytesPerSecondPerTiB }) => Math.min(least, bytesPerSecondPerTiB), Infinity);
}

/** US dollars a month; null where bandwidth has no list price. */
function listPriceOf({ store }: Pick<PlanInputs, 'store'>): number | null {
  const { levels, price } = systemOf(store);
  return levels.reduce<number | null>(cheaper, null) ?? price?.throughput?.perGBps ?? price?.provisionedPerGBps ?? null;
}

function cheaper(least: number | null, { perGiBMonth, bytesPerSecondPerTiB }: BandwidthLevel): number | null {
  if (perGiBMonth === null) return least;
  const price = (perGiBMonth * 1024) / (bytesPerSecondPerTiB / 1e9);
  return least === null ? price : Math.min(least, price);
}
