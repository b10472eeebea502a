/** The write rate that is to be expected, and the least that is left of it by the slowest measurement and by what was not measured. */
import type { CaveatCode, MeasuredReport, RateBound, RateSource } from '../bandwidthReport.js';
import type { Caveat } from '../caveats.js';

export interface RateBounds {
  /** Of the repeats, or the sustained rate where it was measured. */
  expected: RateBound;
  /** The slowest repeat, or the slowest quarter of the sustained time. */
  slowest: RateBound;
  /** What the caveats leave of the slowest. */
  lower: { bytesPerSecond: number; caveat: CaveatCode | null };
}

/**
 * What a caveat leaves of the slowest rate.
 *
 * `burst`: beyond its fast cells a drive has been seen to fall to a ninth (TechPowerUp, Adata XPG Atom 50, 4.5 to 0.5 GB/s). Credits of a cloud
 * file system may leave less (Amazon EFS in bursting mode): the caveat says that they are unknown.
 * `other-users`, `reused-room`: assumptions. Rates of shared file systems vary with their load, and past ones do not predict the next (Titan's
 * Lustre, HPC IODC 2017).
 */
const leftShares: Partial<Record<CaveatCode, number>> = { burst: 0.1, 'reused-room': 0.5, 'other-users': 0.5 };

/** A save that was written whole was no shorter than the real one. Whole sectors round a small file up. */
const wholeScale = 0.999;

export function rateBoundsOf(report: MeasuredReport, caveats: readonly Caveat[]): RateBounds {
  const slowest = slowestOf(report);
  const isWhole = report.shape.scale >= wholeScale;
  const lowering = caveats
    .map(({ code }) => ({ code, share: isWhole && code !== 'other-users' ? 1 : (leftShares[code] ?? 1) }))
    .filter(({ share }) => share < 1)
    .sort((a, b) => a.share - b.share)[0];
  return {
    expected: expectedRate(report),
    slowest,
    lower: { bytesPerSecond: slowest.bytesPerSecond * (lowering?.share ?? 1), caveat: lowering?.code ?? null },
  };
}

/** What a save and a plan reckon with: the sustained rate where it was measured, else the median of the repeats. */
export function expectedRate({ write, sustained }: Pick<MeasuredReport, 'write' | 'sustained'>): RateBound {
  if (sustained === null) return bound('repeats', write.medianBytesPerSecond);
  // A rate that may still fall is no reason to expect more than before.
  const isOpen = sustained.outcome === 'unsettled' && sustained.bytesPerSecond > write.medianBytesPerSecond;
  return isOpen ? bound('repeats', write.medianBytesPerSecond) : bound('sustained', sustained.bytesPerSecond);
}

function slowestOf({ write, sustained }: MeasuredReport): RateBound {
  const ofRepeats = bound('repeats', write.minimumBytesPerSecond);
  if (sustained === null || sustained.minimumBytesPerSecond >= ofRepeats.bytesPerSecond) return ofRepeats;
  return bound('sustained', sustained.minimumBytesPerSecond);
}

function bound(of: RateSource, bytesPerSecond: number): RateBound {
  return { of, bytesPerSecond };
}
