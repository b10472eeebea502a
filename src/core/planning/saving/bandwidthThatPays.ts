/**
 * The bandwidth at which one more dollar of storage saves a dollar of GPU time, where training waits for it. Slower storage makes saves long
 * and so rare; faster storage costs more than the time that it gives back.
 */
import { goodput, optimalInterval } from './interval.js';

export interface BandwidthMarket {
  checkpointBytes: number;
  fixedStallSeconds: number;
  mtbfSeconds: number;
  restartSeconds: number;
  /** US dollars a second of all GPUs. */
  gpusPerSecond: number;
  /** US dollars a second for a byte a second of bandwidth. */
  perByteASecond: number;
}

/** Rates between which it is looked for, bytes a second. */
const [slowest, fastest] = [1e3, 1e15];
const golden = (Math.sqrt(5) - 1) / 2;
/** The logarithm of the rate is then known to 1e-6. */
const rounds = 36;

/** @returns bytes a second, by golden section over its logarithm */
export function bandwidthThatPays(market: BandwidthMarket): number {
  let [low, high] = [Math.log(slowest), Math.log(fastest)];
  for (let round = 0; round < rounds; round += 1) {
    const third = (high - low) * golden;
    if (costPerSecond(Math.exp(high - third), market) <= costPerSecond(Math.exp(low + third), market)) high = low + third;
    else low = high - third;
  }
  return Math.exp((low + high) / 2);
}

/** US dollars a second: GPUs that do not train, and the storage. */
export function costPerSecond(bytesPerSecond: number, market: BandwidthMarket): number {
  const { checkpointBytes, fixedStallSeconds, mtbfSeconds, restartSeconds, gpusPerSecond, perByteASecond } = market;
  const stallSeconds = fixedStallSeconds + checkpointBytes / bytesPerSecond;
  const interval = optimalInterval(stallSeconds, mtbfSeconds).exact;
  const lost = 1 - goodput(interval, { stallSeconds, mtbfSeconds, restartSeconds });
  return gpusPerSecond * lost + perByteASecond * bytesPerSecond;
}
