/** Runs in words: what matters first, and a row for each checkpoint, or for each run where there are several. */
import type { ReportedRun, RunsReport } from '../../runs/runsReport.js';
import type { Gap } from '../../runs/gaps.js';
import type { SavedCheckpoint } from '../../runs/savedCheckpoint.js';
import { counted, listed, shortRate, shortShare, shortTime } from '../../text/quantities.js';
import { formatBytes, formatCount } from '../../text/units.js';
import { visibleText } from '../../text/visibleText.js';
import type { ComparisonPage } from '../plan/planComparison.js';
import type { PageTable } from '../table.js';

export function runsPage(report: RunsReport): ComparisonPage {
  const { runs } = report;
  const [first, ...others] = runs;
  const notes = coverageNotes(report);
  if (first === undefined) return { decision: 'No checkpoints of a run are here.', reasons: notes, table: runsTable([]) };
  if (others.length === 0)
    return { decision: headline(first), reasons: [...reasonsOf(first), ...notes], table: checkpointTable(first) };
  const bytes = runs.reduce((sum, run) => sum + run.bytes, 0);
  const checkpoints = runs.reduce((sum, run) => sum + run.checkpoints.length, 0);
  return {
    decision: `${counted(runs.length, 'run')} with ${counted(checkpoints, 'checkpoint')}, ${formatBytes(bytes)}.`,
    reasons: [...runs.flatMap((run) => wrongOf(run).map((text) => `${nameOf(run)}: ${text}`)), ...notes],
    table: runsTable(runs),
  };
}

function coverageNotes({ coverage }: RunsReport): string[] {
  if (coverage.isWhole) return [];
  const { unreadable } = coverage;
  const of =
    unreadable.length === 0
      ? 'more files are here than are listed'
      : `${counted(unreadable.length, 'directory', 'directories')} could not be listed`;
  return [`Not all of it was seen: ${of}.`];
}

/** The first thing that is wrong; else how the run saves. */
function headline(run: ReportedRun): string {
  const [first] = wrongOf(run);
  return first ?? howItSaves(run);
}

function reasonsOf(run: ReportedRun): string[] {
  const wrong = wrongOf(run);
  const rest = wrong.length === 0 ? [] : [...wrong.slice(1), howItSaves(run)];
  return [...rest, ...growthWords(run)];
}

/** The worst first. */
function wrongOf(run: ReportedRun): string[] {
  return [...staleWords(run), ...lateWords(run), ...overlapWords(run), ...gapWords(run.gaps)];
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
  const { overlap } = save;
  return overlap === null || overlap < highOverlap ? [] : [`A save is under way for ${shortShare(overlap)} of the time.`];
}

function gapWords(gaps: readonly Gap[]): string[] {
  const [longest] = [...gaps].sort((a, b) => b.seconds - a.seconds);
  if (longest === undefined) return [];
  const steps = `between step ${formatCount(longest.afterStep)} and ${formatCount(longest.beforeStep)}`;
  const what = {
    rewind: `Training went back from step ${formatCount(longest.afterStep)}: the save after it is step ${formatCount(longest.beforeStep)}`,
    restart: `Training lost ${shortTime(longest.seconds)} ${steps}, as a crash and a start do`,
    pause: `Training stood still for ${shortTime(longest.seconds)} ${steps}`,
  }[longest.kind];
  const others = gaps.length > 1 ? `; ${counted(gaps.length - 1, 'other gap')}` : '';
  return [`${what}${others}.`];
}

function howItSaves(run: ReportedRun): string {
  const { checkpoints, intervals, save, bytes, timesLost } = run;
  const all = `${counted(checkpoints.length, 'checkpoint')}, ${formatBytes(bytes)}`;
  if (timesLost === 'equal') return `${all}. All have the same time: when and how fast they were saved is not in it.`;
  if (timesLost === 'copied')
    return `${all}. Their times look like those of a copy, one after the other without a pause: nothing is said of when and how fast they were saved.`;
  const steps = intervals.steps === null ? '' : counted(intervals.steps, 'step');
  const time = intervals.medianSeconds === null ? '' : shortTime(intervals.medianSeconds);
  const every = steps !== '' && time !== '' ? `${steps} (${time})` : steps || time;
  const took =
    save.medianSeconds === null
      ? ''
      : `, which takes ${shortTime(save.medianSeconds)} at ${shortRate(save.effectiveBytesPerSecond ?? 0)}`;
  const overlap = save.overlap === null ? '' : `, ${shortShare(save.overlap)} of the time`;
  return every === '' ? `${all}.` : `${all}: saved every ${every}${took}${overlap}.`;
}

function growthWords({ bytesPerDay, fullAt }: ReportedRun): string[] {
  if (bytesPerDay === null) return [];
  return [
    `It grows by ${formatBytes(Math.round(bytesPerDay))} a day${fullAt === null ? '' : `, and the file system is full on ${fullAt.slice(0, 10)}`}.`,
  ];
}

const unknown = '–';

function nameOf({ path }: ReportedRun): string {
  return path === '' ? 'this directory' : visibleText(path);
}

function saveName(step: number | null, path: string): string {
  return step === null ? visibleText(path) : `step ${formatCount(step)}`;
}

function checkpointTable(run: ReportedRun): PageTable {
  const columns = ['checkpoint', 'step', 'size', 'ended', 'took', 'rate', ''];
  return {
    id: 'checkpoints',
    caption: 'Checkpoints',
    columns: columns.map((label, index) => ({ label, isNumber: index > 0 && index < columns.length - 1 })),
    rows: run.checkpoints.map(checkpointRow),
    note: save(run),
  };
}

/** What durations rest on. */
function save({ save: { coverage }, checkpoints }: ReportedRun): string {
  if (coverage.saves === 0) return '';
  const isCounted = checkpoints.some(({ startBasis }) => startBasis === 'counted');
  const basis = isCounted ? 'counted back from the times of the files of each rank' : 'when its first file was made';
  return `Times of ${formatCount(coverage.saves)} of ${counted(coverage.of, 'whole save')}; the beginning is ${basis}.`;
}

function checkpointRow(one: SavedCheckpoint): string[] {
  const { path, step, bytes, startedMs, finishedMs } = one;
  const seconds = startedMs === null || finishedMs === null ? null : (finishedMs - startedMs) / 1000;
  return [
    visibleText(path === '' ? '.' : path),
    step === null ? unknown : formatCount(step),
    formatBytes(bytes),
    finishedMs === null ? unknown : `${new Date(finishedMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    seconds === null ? unknown : shortTime(seconds),
    seconds === null || seconds <= 0 ? unknown : shortRate(bytes / seconds),
    stateOf(one),
  ];
}

function stateOf({ complete, missingFiles, lateRanks }: SavedCheckpoint): string {
  if (!complete) return missingFiles > 0 ? `${counted(missingFiles, 'file')} missing` : 'under way';
  const [worst] = lateRanks;
  return worst === undefined ? '' : `rank ${visibleText(worst.rank)} ${shortTime(worst.seconds)} late`;
}

function runsTable(runs: readonly ReportedRun[]): PageTable {
  const columns = ['run', 'checkpoints', 'size', 'interval', 'a save takes', 'rate', 'overlap', 'grows a day'];
  return {
    id: 'runs',
    caption: 'Runs',
    columns: columns.map((label, index) => ({ label, isNumber: index > 0 })),
    rows: runs.map((run) => [
      nameOf(run),
      formatCount(run.checkpoints.length),
      formatBytes(run.bytes),
      orUnknown(run.intervals.medianSeconds, shortTime),
      orUnknown(run.save.medianSeconds, shortTime),
      orUnknown(run.save.effectiveBytesPerSecond, shortRate),
      orUnknown(run.save.overlap, shortShare),
      orUnknown(run.bytesPerDay, (bytes) => formatBytes(Math.round(bytes))),
    ]),
    note: '',
  };
}

function orUnknown(value: number | null, words: (value: number) => string): string {
  return value === null ? unknown : words(value);
}
