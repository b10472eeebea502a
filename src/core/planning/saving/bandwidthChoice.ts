/**
 * The bandwidth of a plan: given, or that from which on one more dollar of storage saves less than a dollar of GPU time. Each rate is taken
 * with the interval that is best under it, so that both are chosen together: slow storage makes saves long and rare and their copies late,
 * fast storage costs more than the time that it gives back.
 */
import type { PlanInputs } from '../inputs/planInputs.js';
import { shareOfJob } from '../inputs/sharedStorage.js';
import type { PlannedSize } from '../size/plannedSize.js';
import { atHandRate } from '../money/bandwidthPrice.js';
import { gpuDollarsPerSecond } from '../money/gpuMoney.js';
import { slowestSold, storageDollarsPerSecond } from '../money/storageMoney.js';
import { bandwidthLimit } from '../systems/storageSystem.js';
import { comesWithNode, systemOf } from '../systems/storageSystems.js';
import { givenIntervalSeconds } from '../training/stepTime.js';
import { carriedRate } from './clientRate.js';
import { lostShareOfSave } from './lostShare.js';
import { rateForAcceptableLoss } from './intervalBounds.js';
import { logSpaced } from './samples.js';
import { savePlan, type PlanBandwidth } from './savePlan.js';
import { topologyOf, writersOf } from './writers.js';

/** Faster than any storage. */
export const fastestSold = 1e15;

/** Rates that are compared for each factor of ten, and then between the neighbours of the best until it is known to a thousandth. */
const ratesPerDecade = 10;
const ratesBetween = 12;
const rounds = 5;
/** Of the plan's bandwidth: the rates that are listed beside it. */
export const listedFactors = [1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8, 16] as const;
/** Of rates that are up to 10^7 apart, to a thousandth. */
const bisections = 34;

export function chooseBandwidth(inputs: PlanInputs, size: PlannedSize): PlanBandwidth {
  const carried = carriedRate(inputs, size, writersOf(topologyOf(inputs), size, inputs.zeroStage, inputs.gpusPerNode));
  const given = shareOfJob(inputs.writeBytesPerSecond, inputs);
  if (given !== null && given <= carried) return { bytesPerSecond: given, basis: 'given' };
  if (given !== null) return { bytesPerSecond: carried, basis: 'nodes' };
  const { kind } = systemOf(inputs.store);
  if (comesWithNode(systemOf(inputs.store))) return { bytesPerSecond: carried, basis: 'nodes' };
  const most = slowestOf([
    { bytesPerSecond: carried, basis: 'nodes' },
    { bytesPerSecond: shareOfJob(bandwidthLimit(systemOf(inputs.store), 'write'), inputs), basis: 'limit' },
    ...(kind === 'object' ? [{ bytesPerSecond: inputs.objectBytesPerSecond, basis: 'objects' } as const] : []),
  ]);
  const least = Math.max(slowestSold, wantedRate(inputs, size), rateForAcceptableLoss(inputs, size));
  // The bandwidth to objects is not sold: the job has what it gets.
  if (kind === 'object' || least >= most.bytesPerSecond) return most;
  const bytesPerSecond = cheapestRate(inputs, size, least, Math.min(most.bytesPerSecond, fastestSold));
  const isCapped = bytesPerSecond === most.bytesPerSecond;
  if (isCapped && (most.basis === 'limit' || inputs.clientBytesPerSecond !== null)) return most;
  return { bytesPerSecond, basis: 'pays' };
}

/** The first of the slowest. */
function slowestOf(rates: readonly PlanBandwidth[]): PlanBandwidth {
  return rates.reduce((slowest, rate) => (rate.bytesPerSecond < slowest.bytesPerSecond ? rate : slowest));
}

/** What keeps the saves of a given interval within the wanted share of the time; where the interval is open it follows the bandwidth. */
function wantedRate(inputs: PlanInputs, { checkpointBytes }: PlannedSize): number {
  const intervalSeconds = givenIntervalSeconds(inputs);
  if (intervalSeconds === null || inputs.saveMode !== 'asynchronous') return 0;
  return checkpointBytes / (inputs.overlapTarget * intervalSeconds);
}

/** By comparing all rates of a scale: the cost has steps where a deeper level gets one save fewer, and is flat where nothing trains. */
function cheapestRate(inputs: PlanInputs, size: PlannedSize, least: number, most: number): number {
  const costAt = (bytesPerSecond: number) => {
    const save = savePlan(inputs, size, { bytesPerSecond, basis: 'pays' });
    return dollarsPerSecond(inputs, bytesPerSecond, lostShareOfSave(inputs, size, save));
  };
  let best = least;
  let [low, high, count] = [least, most, 2 + Math.ceil(Math.log10(most / least) * ratesPerDecade)];
  for (let round = 0; round < rounds; round += 1) {
    const rates = logSpaced(low, high, count);
    const place = leastOf(rates.map(costAt));
    best = rates[place] ?? best;
    [low, high, count] = [rates[place - 1] ?? low, rates[place + 1] ?? high, ratesBetween];
  }
  // Steps between the rates that were compared: a warning that a save just fits into, and what is there without being paid for.
  const atHand = atHandRate(inputs);
  const steps = [leastWarned(inputs, size, least, most), atHand > least && atHand < most ? atHand : null];
  const chosen = steps.reduce<number>((rate, step) => (step !== null && costAt(step) < costAt(rate) ? step : rate), best);
  return unbeatenRate(chosen, costAt, (rate) => rate >= least && rate <= most);
}

/** Of the rate, those that are listed beside it, those beside these, …: a step between the rates that were compared may hide a cheaper one. */
function unbeatenRate(chosen: number, costAt: (rate: number) => number, isPossible: (rate: number) => boolean): number {
  let best = chosen;
  for (let round = 0; round < rounds; round += 1) {
    const rates = [best, ...listedFactors.map((factor) => best * factor).filter(isPossible)];
    const cheapest = rates[leastOf(rates.map(costAt))] ?? best;
    if (cheapest === best) break;
    best = cheapest;
  }
  return best;
}

/** The least rate at which a save fits into the warning of a machine that is taken back; null where none does, or all do. By bisection. */
function leastWarned(inputs: PlanInputs, size: PlannedSize, least: number, most: number): number | null {
  const isWarned = (bytesPerSecond: number) => savePlan(inputs, size, { bytesPerSecond, basis: 'pays' }).isWarned;
  if (inputs.reclaimSeconds === null || isWarned(least) || !isWarned(most)) return null;
  let [low, high] = [least, most];
  for (let round = 0; round < bisections; round += 1) {
    const middle = Math.sqrt(low * high);
    if (isWarned(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** The first of the least. */
function leastOf(values: readonly number[]): number {
  return values.reduce((best, value, index) => (value < (values[best] ?? Infinity) ? index : best), 0);
}

/** US dollars a second: GPUs that do not train, and the storage. */
export function dollarsPerSecond(inputs: PlanInputs, bytesPerSecond: number, lostShare: number): number {
  return gpuDollarsPerSecond(inputs) * lostShare + storageDollarsPerSecond(inputs, bytesPerSecond);
}
