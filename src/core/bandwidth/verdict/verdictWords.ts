/** A verdict in sentences: the decision first, then what was measured, what is needed, and what the files take. */
import { counted, shortRate, shortShare, shortTime, shortTimes } from '../../text/quantities.js';
import { formatBytes } from '../../text/units.js';
import type {
  BandwidthReport,
  BandwidthVerdict,
  CaveatCode,
  MeasuredReport,
  RateBound,
  Sufficiency,
} from '../bandwidthReport.js';
import { sustainedSentence } from '../sustained/sustainedWords.js';

export type VerdictNumbers = Omit<BandwidthVerdict, 'sentences' | 'caveats'>;

/** Below this share of the save, what its files take is not worth a sentence. */
const feltShare = 0.03;

/** @param mostOfInterval share of the interval that a save may take */
export function verdictSentences(report: MeasuredReport, numbers: VerdictNumbers, mostOfInterval: number): string[] {
  return [
    saving(report, numbers),
    rates(report),
    ...(report.sustained === null ? [] : [sustainedSentence(report.sustained)]),
    need(numbers, mostOfInterval),
    ...filesSentence(numbers),
  ];
}

export const sufficiencyWords: Readonly<Record<Sufficiency, string>> = {
  enough: 'Enough',
  'may-be-enough': 'May be enough',
  'not-enough': 'Not enough',
};

function saving({ shape, sustained }: MeasuredReport, numbers: VerdictNumbers): string {
  const { sufficiency, saveSeconds, saveSecondsRange, intervalShare, interval, expectedRate } = numbers;
  if (expectedRate.bytesPerSecond === 0) return `${sufficiencyWords[sufficiency]}: nothing was written in the time.`;
  const what = shape.replayOf === null ? formatBytes(shape.realBytes) : `these ${formatBytes(shape.realBytes)}`;
  const [least, most] = saveSecondsRange.map(shortTime);
  const range = least === most ? '' : ` (${least} to ${most})`;
  const of = `${interval.isAssumed ? 'an assumed interval' : 'the interval'} of ${shortTime(interval.seconds)}`;
  const save = `saving ${what} takes about ${shortTime(saveSeconds)}${range}, ${shortShare(intervalShare)} of ${of}.`;
  return `${sufficiencyWords[sufficiency]}: ${save}${writtenShare(shape, sustained)}`;
}

/** What was written of the whole save at a time, or without a pause, where that is less. */
function writtenShare({ scale, totalBytes, realBytes }: MeasuredReport['shape'], sustained: MeasuredReport['sustained']): string {
  const writtenBytes = Math.max(totalBytes, sustained?.bytes ?? 0);
  if (scale >= 0.999 || writtenBytes >= realBytes) return '';
  return ` ${formatBytes(writtenBytes)} of ${formatBytes(realBytes)} written: ${shortShare(writtenBytes / realBytes)}.`;
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

function need(numbers: VerdictNumbers, mostOfInterval: number): string {
  const { neededBytesPerSecond: needed, sufficiency, decidedBy, expectedRate, slowestRate, lowerBound } = numbers;
  const part = `${shortShare(mostOfInterval)} of the interval`;
  if (needed === null) return `No bandwidth is enough: the files alone take more than ${part}.`;
  const words = `Staying below ${part} needs ${shortRate(needed)}`;
  const times = (bytesPerSecond: number): string => `${shortTimes(bytesPerSecond / needed)} that`;
  if (sufficiency === 'not-enough') return `${words}${missing(expectedRate, needed)}.`;
  const slowest = `${slowestWords(slowestRate)} is ${times(slowestRate.bytesPerSecond)}`;
  if (decidedBy.bound === 'slowest' && sufficiency === 'may-be-enough')
    return `${words}: ${rateWords(expectedRate)} is ${times(expectedRate.bytesPerSecond)}, ${slowest}.`;
  const { caveat } = decidedBy;
  if (caveat === null) return `${words}: ${slowest}.`;
  const { where, remedy } = leavings[caveat] ?? { where: 'otherwise', remedy: '' };
  const left = `${shortRate(lowerBound.bytesPerSecond)} (${shortShare(lowerBound.bytesPerSecond / slowestRate.bytesPerSecond)} of it)`;
  return sufficiency === 'enough'
    ? `${words}: ${slowest}, and the ${left} that may be left ${where} are enough too.`
    : `${words}: ${slowest}, but only ${left} may be left ${where}.${remedy}`;
}

function missing({ bytesPerSecond }: RateBound, needed: number): string {
  return bytesPerSecond === 0 ? '' : `, ${shortTimes(needed / bytesPerSecond)} what was measured`;
}

function rateWords({ of }: RateBound): string {
  return of === 'sustained' ? 'the sustained rate' : 'the median';
}

function slowestWords({ of }: RateBound): string {
  return of === 'sustained' ? 'the slowest quarter of the sustained time' : 'the slowest repeat';
}

/** Where less than what was measured may be left, and what decides. */
const leavings: Partial<Record<CaveatCode, { where: string; remedy: string }>> = {
  burst: { where: 'after a burst', remedy: ' Measure the sustained rate to decide.' },
  'reused-room': { where: 'beyond a cache', remedy: ' Allow more space to decide.' },
  'other-users': { where: 'beside other users', remedy: ' Check again at a busy hour.' },
};

function filesSentence({ files, saveSeconds }: VerdictNumbers): string[] {
  if (files === null || files.saveShare < feltShare) return [];
  const { files: count, seconds, secondsPerFile, saveShare } = files;
  const times = `${shortTime(seconds)} of these ${shortTime(saveSeconds)}`;
  const each = `${shortTime(secondsPerFile)} for each to be created, synced, renamed and removed`;
  return saveShare > 0.5
    ? [`Files dominate: ${counted(count, 'file')} take ${times}, ${each}. Fewer and larger files are faster.`]
    : [`Its ${counted(count, 'file')} ${count === 1 ? 'takes' : 'take'} ${times} (${shortShare(saveShare)}), ${each}.`];
}
