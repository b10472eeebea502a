/** One run in words: what is wrong with it, how it saves and how it grows. */
import { median } from '../../bytes/median.js';
import { areRegular } from '../../runs/gaps.js';
import type { ReportedRun } from '../../runs/runsReport.js';
import { counted, listed, shortRate, shortShare, shortTime } from '../../text/quantities.js';
import { formatBytes, formatCount } from '../../text/units.js';
import { visibleText } from '../../text/visibleText.js';

/** The first thing that is wrong; else how the run saves. */
export function headlineOf(run: ReportedRun): string {
  const [first] = wrongOf(run);
  return first ?? howItSaves(run);
}

/** What is to be said besides. */
export function reasonsOf(run: ReportedRun): string[] {
  const wrong = wrongOf(run);
  const rest = wrong.length === 0 ? [] : [...wrong.slice(1), howItSaves(run)];
  return [...rest, ...holeWords(run), ...growthWords(run)];
}

/** The worst first. */
export function wrongOf(run: ReportedRun): string[] {
  return [...staleWords(run), ...lateWords(run), ...overlapWords(run), ...gapWords(run), ...clockWords(run)];
}

function staleWords({ stale, checkpoints }: ReportedRun): string[] {
  if (stale.length === 0) return [];
  const newest = checkpoints.findLast(({ step }) => step !== null);
  const isNewest = newest !== undefined && stale.includes(newest.path);
  const isOne = stale.length === 1;
  const names =
    listed(stale.slice(0, 3).map(visibleText)) + (stale.length > 3 ? ` and ${formatCount(stale.length - 3)} more` : '');
  const newestWords = isNewest ? (isOne ? ', the newest save' : ', the newest save among them') : '';
  return [
    `${names} ${isOne ? 'lacks' : 'lack'} files that other saves have, or ${isOne ? 'is' : 'are'} under way${newestWords}.`,
  ];
}

function lateWords({ checkpoints }: ReportedRun): string[] {
  const late = checkpoints.flatMap(({ step, path, lateRanks }) =>
    lateRanks.map((rank) => ({ ...rank, name: saveName(step, path) })),
  );
  const [worst] = [...late].sort((a, b) => b.seconds - a.seconds);
  if (worst === undefined) return [];
  const share = worst.share === null ? '' : `, ${shortShare(worst.share)} of the save`;
  const saves = new Set(late.map(({ name }) => name)).size;
  const more = saves > 1 ? `; ranks were late in ${counted(saves, 'save')}` : '';
  return [
    `Rank ${visibleText(worst.rank)} finished ${shortTime(worst.seconds)} after the others at ${worst.name}${share}${more}.`,
  ];
}

/** More is a run that spends its time with saves under way. */
const highOverlap = 0.5;

function overlapWords({ save }: ReportedRun): string[] {
  const { overlap, medianSeconds } = save;
  if (overlap === null || overlap < highOverlap) return [];
  // More than all of the time is no share: the next save begins before the last one ends, or clocks and copies changed the times.
  return overlap > 1
    ? [
        `A save takes ${shortTime(medianSeconds ?? 0)}, longer than the interval: saves overlap, or their times are not their own.`,
      ]
    : [`A save is under way for ${shortShare(overlap)} of the time.`];
}

/** Of one that was saved last nothing that follows shows why. */
function gapWords({ gaps, checkpoints, newest }: ReportedRun): string[] {
  const newestStep = checkpoints.find(({ path }) => path === newest)?.step ?? null;
  const [one, two] = gaps;
  if (one !== undefined && two !== undefined && areRegular(gaps))
    return [
      `Training stood still for about ${shortTime(median(gaps.map(({ seconds }) => seconds)))} every ${counted(two.afterStep - one.afterStep, 'step')}, as for an evaluation.`,
    ];
  const [longest] = [...gaps].sort((a, b) => b.seconds - a.seconds);
  if (longest === undefined) return [];
  const steps = `between step ${formatCount(longest.afterStep)} and ${formatCount(longest.beforeStep)}`;
  const what = {
    rewind:
      longest.beforeStep === newestStep
        ? `Step ${formatCount(longest.beforeStep)} was saved after step ${formatCount(longest.afterStep)}: training went back, or it was written again`
        : `Training went back from step ${formatCount(longest.afterStep)}: the save after it is step ${formatCount(longest.beforeStep)}`,
    restart: `Training lost ${shortTime(longest.seconds)} ${steps}, as a crash and a start do`,
    pause: `Training stood still for ${shortTime(longest.seconds)} ${steps}`,
  }[longest.kind];
  const others = gaps.length > 1 ? `; ${counted(gaps.length - 1, 'other gap')}` : '';
  return [`${what}${others}.`];
}

function clockWords({ clockJumps: [first, ...others] }: ReportedRun): string[] {
  if (first === undefined) return [];
  const more = others.length > 0 ? `, and ${counted(others.length, 'other time')}` : '';
  return [
    `A clock was set back by about ${shortTime(first.seconds)} between step ${formatCount(first.afterStep)} and ${formatCount(first.beforeStep)}${more}: ages, and gaps across it, are not known.`,
  ];
}

function howItSaves(run: ReportedRun): string {
  const { checkpoints, intervals, save, bytes, timesLost } = run;
  const all = `${counted(checkpoints.length, 'checkpoint')}, ${formatBytes(bytes)}`;
  if (timesLost === 'equal') return `${all}. All have the same time: when and how fast they were saved is not in it.`;
  if (timesLost === 'future')
    return `${all}. Files of it have times that are still to come, by a clock that is ahead: nothing is said of when and how fast they were saved.`;
  if (timesLost === 'copied')
    return `${all}. Their times look like those of a copy, or of saves without a pause between them: when and how fast training saved is not known.`;
  const steps = intervals.steps === null ? '' : counted(intervals.steps, 'step');
  const time = intervals.medianSeconds === null ? '' : shortTime(intervals.medianSeconds);
  const every = steps !== '' && time !== '' ? `${steps} (${time})` : steps || time;
  const took =
    save.medianSeconds === null
      ? ''
      : `, which takes ${shortTime(save.medianSeconds)} at ${shortRate(save.effectiveBytesPerSecond ?? 0)}`;
  const overlap = save.overlap === null || save.overlap > 1 ? '' : `, ${shortShare(save.overlap)} of the time`;
  return every === '' ? `${all}.` : `${all}: saved every ${every}${took}${overlap}.`;
}

/** Less of a file on the disk is a file with holes, or one that the file system compresses. */
const wholeShare = 0.5;

function holeWords({ bytes, allocatedBytes }: ReportedRun): string[] {
  if (allocatedBytes === null || allocatedBytes >= wholeShare * bytes) return [];
  return [
    `${formatBytes(allocatedBytes)} of ${formatBytes(bytes)} are on the disk: files have holes or second names, or are compressed.`,
  ];
}

const fullWords = {
  bytes: 'the file system is full',
  files: 'the file system has no more files to give',
  quota: 'your quota is used up',
  project: 'the quota of its project is used up',
  target: 'the fullest target of the file system is full, where files spread over all alike,',
} as const;

function growthWords({ bytesPerDay, fullAt, fullBy, allocatedBytes }: ReportedRun): string[] {
  if (bytesPerDay === null) return [];
  return [
    `It grows by ${formatBytes(Math.round(bytesPerDay))} a day${allocatedBytes === null ? '' : ' on the disk'}${fullAt === null ? '' : `; as all that grows here goes on, ${fullWords[fullBy ?? 'bytes']} on ${fullAt.slice(0, 10)}`}.`,
  ];
}

export function saveName(step: number | null, path: string): string {
  return step === null ? visibleText(path) : `step ${formatCount(step)}`;
}

/** Of its directory, and of its checkpoints where that has those of another run. */
export function runName({ path, names }: ReportedRun): string {
  const directory = path === '' ? 'this directory' : visibleText(path);
  return names === null ? directory : `${directory} (${visibleText(names)})`;
}
