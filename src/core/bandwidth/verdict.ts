/** What a measured bandwidth means for saving the checkpoint. */
import { shortRate, shortShare, shortTime, shortTimes } from '../text/quantities.js';
import { formatBytes } from '../text/units.js';
import type { BandwidthReport, BandwidthVerdict, MeasuredReport } from './bandwidthReport.js';
import { readsMemory } from './cachedReads.js';
import type { Caveat } from './caveats.js';

/** The interval of most published recipes is between half an hour and four; where none is given, an hour is assumed, and the verdict says so. */
export const assumedIntervalSeconds = 3600;
/** A save that takes more of the interval than this is felt (Lockwood: storage for checkpointing keeps below 10 %). */
const mostOfInterval = 0.1;

/** @param intervalSeconds between two saves; null where none is given */
export function verdictOf(report: MeasuredReport, intervalSeconds: number | null, caveats: Caveat[]): BandwidthVerdict {
  const { write, read, shape } = report;
  const seconds = intervalSeconds ?? assumedIntervalSeconds;
  const neededBytesPerSecond = shape.realBytes / (mostOfInterval * seconds);
  const numbers = {
    saveSeconds: secondsFor(shape.realBytes, write.medianBytesPerSecond),
    saveSecondsRange: [
      secondsFor(shape.realBytes, write.maximumBytesPerSecond),
      secondsFor(shape.realBytes, write.minimumBytesPerSecond),
    ] as [number, number],
    restoreSeconds: readsMemory(report) ? null : secondsFor(shape.realBytes, read.medianBytesPerSecond),
    interval: { seconds, isAssumed: intervalSeconds === null },
    intervalShare: secondsFor(shape.realBytes, write.medianBytesPerSecond) / seconds,
    neededBytesPerSecond,
    isEnough: write.medianBytesPerSecond >= neededBytesPerSecond,
  };
  return {
    sentences: [rates(report), saving(report, numbers), need(report, numbers)],
    ...numbers,
    caveats,
  };
}

type Numbers = Omit<BandwidthVerdict, 'sentences' | 'caveats'>;

/** Bounded, as nothing written in the time says no more than that it never ends, and JSON has no infinity. */
function secondsFor(bytes: number, bytesPerSecond: number): number {
  return bytesPerSecond > 0 ? bytes / bytesPerSecond : Number.MAX_SAFE_INTEGER;
}

function rates({ write, read, nodes, fileSystem, shape }: MeasuredReport): string {
  const of = shape.repeats === 1 ? 'one repeat' : `median of ${shape.repeats}`;
  const synced = fileSystem.kind === 'object' ? 'uploads completed' : 'synced';
  const where = nodes === null ? '' : ` on ${nodes.count} nodes at once`;
  return `Writes ${shortRate(write.medianBytesPerSecond)}${where} (${of}, ${synced}, last file done), reads ${shortRate(read.medianBytesPerSecond)} (${cacheWords[read.cache]}).`;
}

const cacheWords: Readonly<Record<BandwidthReport['read']['cache'], string>> = {
  bypassed: 'cache bypassed',
  dropped: 'cache dropped',
  'possibly-cached': 'possibly cached',
};

function saving({ shape }: MeasuredReport, { saveSeconds, saveSecondsRange, intervalShare, interval }: Numbers): string {
  const what = shape.replayOf === null ? formatBytes(shape.realBytes) : `these ${formatBytes(shape.realBytes)}`;
  const [least, most] = saveSecondsRange.map(shortTime);
  const range = least === most ? '' : ` (${least} to ${most})`;
  const of = `${interval.isAssumed ? 'an assumed interval' : 'the interval'} of ${shortTime(interval.seconds)}`;
  return `Saving ${what} takes about ${shortTime(saveSeconds)}${range}, ${shortShare(intervalShare)} of ${of}.`;
}

function need({ write }: MeasuredReport, { neededBytesPerSecond, isEnough }: Numbers): string {
  const needed = `Staying below ${shortShare(mostOfInterval)} of it needs ${shortRate(neededBytesPerSecond)}`;
  if (isEnough) return `${needed}: what was measured is ${shortTimes(write.medianBytesPerSecond / neededBytesPerSecond)} that.`;
  return write.medianBytesPerSecond === 0
    ? `${needed}.`
    : `${needed}, ${shortTimes(neededBytesPerSecond / write.medianBytesPerSecond)} what was measured.`;
}
