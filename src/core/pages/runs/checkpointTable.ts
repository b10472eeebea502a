/** The checkpoints of a run in a table of words. */
import { saveSeconds } from '../../runs/gaps.js';
import type { ReportedRun } from '../../runs/runsReport.js';
import type { SavedCheckpoint } from '../../runs/savedCheckpoint.js';
import { counted, shortRate, shortTime } from '../../text/quantities.js';
import { formatBytes, formatCount } from '../../text/units.js';
import { visibleText } from '../../text/visibleText.js';
import type { PageTable } from '../table.js';
import { unknown } from './unknown.js';

export function checkpointTable(run: ReportedRun): PageTable {
  const columns = ['checkpoint', 'step', 'size', 'ended', 'took', 'rate', ''];
  return {
    id: 'checkpoints',
    caption: 'Checkpoints',
    columns: columns.map((label, index) => ({ label, isNumber: index > 0 && index < columns.length - 1 })),
    rows: run.checkpoints.map(checkpointRow),
    note: basisOf(run),
  };
}

/** What durations rest on. */
function basisOf({ save: { coverage }, checkpoints }: ReportedRun): string {
  if (coverage.saves === 0) return '';
  const isCounted = checkpoints.some(({ startBasis }) => startBasis === 'counted');
  const basis = isCounted ? 'counted back from the times of the files of each rank' : 'when its first file was made';
  return `Times of ${formatCount(coverage.saves)} of ${counted(coverage.of, 'whole save')}; the beginning is ${basis}.`;
}

function checkpointRow(one: SavedCheckpoint): string[] {
  const { path, step, bytes, writtenBytes, finishedMs } = one;
  const seconds = saveSeconds(one);
  return [
    visibleText(path === '' ? '.' : path),
    step === null ? unknown : formatCount(step),
    formatBytes(bytes),
    finishedMs === null ? unknown : `${new Date(finishedMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    seconds === null ? unknown : shortTime(seconds),
    seconds === null ? unknown : shortRate(writtenBytes / seconds),
    saveState(one),
  ];
}

/** What is the matter with a save; empty where nothing is. */
export function saveState({ complete, missingFiles, lateRanks }: SavedCheckpoint): string {
  if (!complete) return missingFiles > 0 ? `${counted(missingFiles, 'file')} missing` : 'under way';
  const [worst] = lateRanks;
  return worst === undefined ? '' : `rank ${visibleText(worst.rank)} ${shortTime(worst.seconds)} late`;
}
