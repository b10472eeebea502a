/** What storage of other bandwidths would train and cost, each with the interval that is best under it. */
import type { PlanInputs } from '../inputs/planInputs.js';
import type { PlannedSize } from '../size/plannedSize.js';
import { usableShare } from '../systems/boughtCapacity.js';
import { monthSeconds } from '../systems/storageSystem.js';
import { gpuDollarsPerSecond, gpusMoney } from '../money/gpuMoney.js';
import { atHandRate, bandwidthPriceOf, rateOfRoom } from '../money/bandwidthPrice.js';
import { bandwidthMoney, energyOfBytes, slowestSold, together } from '../money/storageMoney.js';
import { chooseBandwidth, fastestSold, listedFactors } from './bandwidthChoice.js';
import { carriedRate } from './clientRate.js';
import { rateForAcceptableLoss } from './intervalBounds.js';
import { lostShareOfSave } from './lostShare.js';
import { savePlan, type SavePlan } from './savePlan.js';

export interface FrontierPoint {
  bytesPerSecond: number;
  intervalSeconds: number;
  /** Of all time, late copies and long restores too. */
  trainingShare: number;
  /** US dollars a month. */
  storagePerMonth: number;
  /** Of the GPU time that does not train, US dollars a month. */
  lostPerMonth: number;
  /** Of the storage, for this bandwidth and what lies there; null where it is not given. */
  storageWatts: number | null;
}

/** Of the plan, or of the same plan at the interval that is recommended in place of the given one. */
export interface BandwidthFrontier {
  planned: FrontierPoint;
  /** With the plan's own, from the slowest; without what is not sold, what the nodes cannot carry, and what saves pile up or compete with training under. */
  points: FrontierPoint[];
  /** Whatever it costs. The plan itself where that cannot be. */
  twice: FrontierPoint;
  /** False where the price of more bandwidth is not known: no purchase can be weighed. */
  isPriced: boolean;
  /** Of the points, where a bandwidth that is given is not the one that costs least with its GPU time; null elsewhere. */
  cheaper: FrontierPoint | null;
  /** Of all GPUs, US dollars a month. */
  gpusPerMonth: number;
  /** As many GPUs could be had for what the plan's bandwidth costs. */
  worthGpus: number;
  /** Of all GPUs; null where it is not known. */
  gpuWatts: number | null;
  /** As many GPUs could run on the power of the plan's storage; null where one of these is not known. */
  worthGpusByPower: number | null;
}

/** What the nodes that write carry; the bandwidth to objects, and what one account takes, cannot be bought. */
function mostRate({ bandwidthBasis, writeBytesPerSecond }: SavePlan, carried: number): number {
  const isSold = bandwidthBasis !== 'objects' && bandwidthBasis !== 'limit';
  return Math.min(carried, isSold ? fastestSold : writeBytesPerSecond);
}

/** The most that a price is known of: of storage without one no more than the plan's. */
function mostPriced(inputs: PlanInputs, { writeBytesPerSecond }: SavePlan): number {
  return bandwidthPriceOf(inputs).basis === 'none' ? writeBytesPerSecond : Math.max(fastestSold, writeBytesPerSecond);
}

/** As far apart are two rates that are compared. */
const leastFactor = 1.05;

/** From the slowest: factors of the plan's bandwidth, and where that is given the one that would be chosen. */
function ratesOf(inputs: PlanInputs, size: PlannedSize, save: SavePlan): number[] {
  const rates = listedFactors.map((factor) => save.writeBytesPerSecond * factor);
  if (save.bandwidthBasis !== 'given') return rates;
  const { bytesPerSecond, basis } = chooseBandwidth({ ...inputs, writeBytesPerSecond: null }, size);
  const isNear = rates.some((rate) => Math.max(rate, bytesPerSecond) / Math.min(rate, bytesPerSecond) < leastFactor);
  return basis !== 'pays' || isNear ? rates : [...rates, bytesPerSecond].sort((a, b) => a - b);
}

/** @param storedBytes what lies on the storage at most */
export function bandwidthFrontier(inputs: PlanInputs, size: PlannedSize, save: SavePlan, storedBytes: number): BandwidthFrontier {
  const own = save.writeBytesPerSecond;
  const carried = carriedRate(inputs, size, save.writers);
  // A bandwidth that is open was chosen before it was known what stays.
  const ofRoom = save.bandwidthBasis === 'given' ? rateOfRoom(inputs, storedBytes / usableShare) : 0;
  const use: StoreUse = { storedBytes, atHandBytesPerSecond: Math.max(atHandRate(inputs), ofRoom) };
  const planned = pointOf(inputs, size, save, use);
  const at = (bytesPerSecond: number): FrontierPoint[] => {
    if (bytesPerSecond === own) return [planned];
    if (bytesPerSecond < slowestSold || bytesPerSecond > mostRate(save, carried)) return [];
    const other = savePlan(inputs, size, { bytesPerSecond, basis: save.bandwidthBasis });
    return isOffered(inputs, size, other) ? [pointOf(inputs, size, other, use)] : [];
  };
  const gpusPerMonth = together(gpusMoney(inputs));
  const priced = mostPriced(inputs, save);
  const points = ratesOf(inputs, size, save)
    .filter((rate) => rate <= priced)
    .flatMap(at);
  return {
    planned,
    points,
    cheaper: cheaperOf(points, planned),
    twice: at(own * 2)[0] ?? planned,
    isPriced: priced > own,
    gpusPerMonth,
    worthGpus: gpusPerMonth === 0 ? 0 : (planned.storagePerMonth / gpusPerMonth) * inputs.gpus,
    gpuWatts: inputs.gpuWatts === null ? null : inputs.gpuWatts * inputs.gpus,
    worthGpusByPower: inputs.gpuWatts === null || planned.storageWatts === null ? null : planned.storageWatts / inputs.gpuWatts,
  };
}

/** What is less apart is the same: bandwidths are compared by factors of two. */
const leastSaving = 0.02;

function cheaperOf(points: readonly FrontierPoint[], planned: FrontierPoint): FrontierPoint | null {
  const [best = planned] = [...points].sort((a, b) => costOfPoint(a) - costOfPoint(b));
  return costOfPoint(best) < costOfPoint(planned) * (1 - leastSaving) ? best : null;
}

/** Storage and GPU time that does not train, US dollars a month. */
export function costOfPoint({ lostPerMonth, storagePerMonth }: FrontierPoint): number {
  return lostPerMonth + storagePerMonth;
}

/**
 * Where the bandwidth is open, saves of a given interval are not to be under way for longer than is wanted; no failure may lose more than is
 * acceptable.
 */
function isOffered(inputs: PlanInputs, size: PlannedSize, save: SavePlan): boolean {
  const { region, bandwidthBasis, writeBytesPerSecond, intervalBasis } = save;
  const isGiven = intervalBasis === 'given' && bandwidthBasis === 'pays';
  const competes = region === 'slow' && isGiven && inputs.saveMode === 'asynchronous';
  return region !== 'impossible' && !competes && writeBytesPerSecond >= rateForAcceptableLoss(inputs, size);
}

/** What is not given draws nothing that is known. */
function wattsOf(
  { storageWattsPerGBps, storageWattsPerTB }: PlanInputs,
  bytesPerSecond: number,
  storedBytes: number,
): number | null {
  if (storageWattsPerGBps === null && storageWattsPerTB === null) return null;
  return ((storageWattsPerGBps ?? 0) * bytesPerSecond) / 1e9 + ((storageWattsPerTB ?? 0) * storedBytes) / 1e12;
}

/** What is on the storage at most, and the bandwidth that is there without being paid for. */
interface StoreUse {
  storedBytes: number;
  atHandBytesPerSecond: number;
}

function pointOf(
  inputs: PlanInputs,
  size: PlannedSize,
  save: SavePlan,
  { storedBytes, atHandBytesPerSecond }: StoreUse,
): FrontierPoint {
  const lostShare = lostShareOfSave(inputs, size, save);
  return {
    bytesPerSecond: save.writeBytesPerSecond,
    intervalSeconds: save.intervalSeconds,
    trainingShare: 1 - lostShare,
    storagePerMonth:
      together(bandwidthMoney(inputs, save.writeBytesPerSecond, atHandBytesPerSecond)) + energyOfBytes(inputs, storedBytes),
    lostPerMonth: gpuDollarsPerSecond(inputs) * lostShare * monthSeconds,
    storageWatts: wattsOf(inputs, save.writeBytesPerSecond, storedBytes),
  };
}
