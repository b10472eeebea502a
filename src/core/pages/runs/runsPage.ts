/** Runs in words: what matters first, and a row for each checkpoint, or for each run where there are several. */
import type { ReportedRun, RunsReport } from '../../runs/runsReport.js';
import { counted, shortRate, shortShare, shortTime } from '../../text/quantities.js';
import { formatBytes, formatCount } from '../../text/units.js';
import type { ComparisonPage } from '../plan/planComparison.js';
import type { PageTable } from '../table.js';
import { checkpointTable } from './checkpointTable.js';
import { headlineOf, reasonsOf, runName, wrongOf } from './runWords.js';
import { orUnknown } from './unknown.js';

export function runsPage(report: RunsReport): ComparisonPage {
  const { runs } = report;
  const [first, ...others] = runs;
  const notes = coverageNotes(report);
  if (first === undefined) return { decision: 'No checkpoints of a run are here.', reasons: notes, table: runsTable([]) };
  if (others.length === 0)
    return { decision: headlineOf(first), reasons: [...reasonsOf(first), ...notes], table: checkpointTable(first) };
  const bytes = runs.reduce((sum, run) => sum + run.bytes, 0);
  const checkpoints = runs.reduce((sum, run) => sum + run.checkpoints.length, 0);
  return {
    decision: `${counted(runs.length, 'run')} with ${counted(checkpoints, 'checkpoint')}, ${formatBytes(bytes)}.`,
    reasons: [...runs.flatMap((run) => wrongOf(run).map((text) => `${runName(run)}: ${text}`)), ...notes],
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

function runsTable(runs: readonly ReportedRun[]): PageTable {
  const columns = ['run', 'checkpoints', 'size', 'interval', 'a save takes', 'rate', 'overlap', 'grows a day'];
  return {
    id: 'runs',
    caption: 'Runs',
    columns: columns.map((label, index) => ({ label, isNumber: index > 0 })),
    rows: runs.map((run) => [
      runName(run),
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
