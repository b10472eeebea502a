/** What the bandwidth of a plan costs, and what lies on it draws. */
import type { PlanInputs } from '../inputs/planInputs.js';
import { shareOfJob } from '../inputs/sharedStorage.js';
import { monthSeconds } from '../systems/storageSystem.js';
import { atHandRate, bandwidthPriceOf } from './bandwidthPrice.js';
import { energyPerMonth } from './capital.js';

/** A line of 1 Gb/s, the slowest that shared storage is reached by: less of it costs no less. Bytes a second. */
export const slowestSold = 125e6;

/** US dollars a month. */
export interface MonthlyMoney {
  /** What was bought, written off over its lifetime. */
  capital: number;
  /** What is rented, and energy. */
  running: number;
}

export function together({ capital, running }: MonthlyMoney): number {
  return capital + running;
}

/**
 * Of bandwidth; what is at hand costs nothing more, whatever faster storage would, and what was bought costs and draws no less where less of it is used.
 * @param atHandBytesPerSecond of one job, that is there already
 */
export function bandwidthMoney(
  inputs: PlanInputs,
  bytesPerSecond: number,
  atHandBytesPerSecond = atHandRate(inputs),
): MonthlyMoney {
  const { capital, rent, energy, basis } = bandwidthPriceOf(inputs);
  const isPaidWhole = basis === 'capital' || basis === 'given';
  const paid =
    isPaidWhole || atHandBytesPerSecond === 0
      ? Math.max(slowestSold, bytesPerSecond)
      : Math.max(0, bytesPerSecond - atHandBytesPerSecond);
  const owned = basis === 'capital' ? (shareOfJob(inputs.writeBytesPerSecond, inputs) ?? 0) : 0;
  return {
    capital: (capital * Math.max(paid, owned)) / 1e9,
    running: (rent * paid + energy * Math.max(bytesPerSecond, owned)) / 1e9,
  };
}

/** Of bandwidth, US dollars a second. */
export function storageDollarsPerSecond(inputs: PlanInputs, bytesPerSecond: number): number {
  return together(bandwidthMoney(inputs, bytesPerSecond)) / monthSeconds;
}

/** Of what lies on the storage, US dollars a month; 0 where its power or the price of energy is not given. */
export function energyOfBytes({ storageWattsPerTB, energyPricePerKilowattHour }: PlanInputs, storedBytes: number): number {
  if (storageWattsPerTB === null || energyPricePerKilowattHour === null) return 0;
  return energyPerMonth((storageWattsPerTB * storedBytes) / 1e12, energyPricePerKilowattHour);
}
