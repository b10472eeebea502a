/** What a measured bandwidth means for saving the checkpoint. */
import type { BandwidthVerdict, MeasuredReport, Sufficiency } from '../bandwidthReport.js';
import { readsMemory } from '../cachedReads.js';
import type { Caveat } from '../caveats.js';
import { fileTimesOf } from './fileTimes.js';
import { rateBoundsOf, type RateBounds } from './rateBounds.js';
import { verdictSentences, type VerdictNumbers } from './verdictWords.js';

/** The interval of most published recipes is between half an hour and four; where none is given, an hour is assumed, and the verdict says so. */
export const assumedIntervalSeconds = 3600;
/** A save that takes more of the interval than this is felt (Lockwood: storage for checkpointing keeps below 10 %). */
export const mostOfInterval = 0.1;

/** @param intervalSeconds between two saves; null where none is given */
export function verdictOf(report: MeasuredReport, intervalSeconds: number | null, caveats: Caveat[]): BandwidthVerdict {
  const { write, read, shape } = report;
  const seconds = intervalSeconds ?? assumedIntervalSeconds;
  const files = fileTimesOf(report);
  const bounds = rateBoundsOf(report, caveats);
  const saveSecondsAt = (bytesPerSecond: number): number =>
    finite(secondsFor(shape.realBytes, bytesPerSecond) + (files?.seconds ?? 0));
  const saveSeconds = saveSecondsAt(bounds.expected.bytesPerSecond);
  const forBytes = mostOfInterval * seconds - (files?.seconds ?? 0);
  const numbers: VerdictNumbers = {
    ...sufficiencyOf(bounds, (rate) => saveSecondsAt(rate) <= mostOfInterval * seconds),
    saveSeconds,
    saveSecondsRange: [saveSecondsAt(write.maximumBytesPerSecond), saveSecondsAt(bounds.slowest.bytesPerSecond)],
    expectedRate: bounds.expected,
    slowestRate: bounds.slowest,
    lowerBound: { ...bounds.lower, saveSeconds: saveSecondsAt(bounds.lower.bytesPerSecond) },
    files: files && { ...files, saveShare: share(files.seconds, saveSeconds) },
    restoreSeconds: readsMemory(report) ? null : secondsFor(shape.realBytes, read.medianBytesPerSecond),
    interval: { seconds, isAssumed: intervalSeconds === null },
    intervalShare: share(saveSeconds, seconds),
    neededBytesPerSecond: forBytes > 0 ? finite(shape.realBytes / forBytes) : null,
  };
  return { sentences: verdictSentences(report, numbers, mostOfInterval), ...numbers, caveats };
}

/** Enough only where the lower bound is; what decided is the first bound that is not enough, else the lower bound itself. */
function sufficiencyOf(
  { expected, slowest, lower }: RateBounds,
  isEnoughAt: (bytesPerSecond: number) => boolean,
): Pick<BandwidthVerdict, 'sufficiency' | 'isEnough' | 'decidedBy'> {
  const answer = (sufficiency: Sufficiency, decidedBy: BandwidthVerdict['decidedBy']) => ({
    sufficiency,
    isEnough: sufficiency === 'enough',
    decidedBy,
  });
  if (!isEnoughAt(expected.bytesPerSecond)) return answer('not-enough', { bound: 'expected', of: expected.of, caveat: null });
  if (!isEnoughAt(slowest.bytesPerSecond)) return answer('may-be-enough', { bound: 'slowest', of: slowest.of, caveat: null });
  const byLower = { bound: lower.caveat === null ? 'slowest' : 'caveat', of: slowest.of, caveat: lower.caveat } as const;
  return answer(isEnoughAt(lower.bytesPerSecond) ? 'enough' : 'may-be-enough', byLower);
}

/** Bounded, as nothing written in the time says no more than that it never ends, and JSON has no infinity. */
function secondsFor(bytes: number, bytesPerSecond: number): number {
  return bytesPerSecond > 0 ? finite(bytes / bytesPerSecond) : Number.MAX_SAFE_INTEGER;
}

function share(part: number, whole: number): number {
  return whole > 0 ? finite(part / whole) : 0;
}

function finite(value: number): number {
  return Math.min(value, Number.MAX_SAFE_INTEGER);
}
