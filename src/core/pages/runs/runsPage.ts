/** Runs in words: what matters first, and a row for each checkpoint, or for each run where there are several. */
import type { ReportedRun, RunsReport } from '../../runs/runsReport.js';
import { counted, listed, shortRate, shortShare, shortTime } from '../../text/quantities.js';
import { formatBytes, formatCount } from '../../text/units.js';
import { visibleText } from '../../text/visibleText.js';
import type { ComparisonPage } from '../plan/planComparison.js';
import type { PageTable } from '../table.js';
import { checkpointTable } from './checkpointTable.js';
import { headlineOf, reasonsOf, runName, wrongOf } from './runWords.js';
import { pathInRun } from '../../runs/pathInRun.js';
import { orUnknown, unknown } from './unknown.js';

export function runsPage(report: RunsReport): ComparisonPage {
  const { runs } = report;
  const [first, ...others] = runs;
  const notes = coverageNotes(report);
  if (first === undefined) return { decision: 'No checkpoints of a run are here.', reasons: notes, table: runsTable([]) };
  if (others.length === 0)
    return {
      decision: headlineOf(first),
      reasons: [...reasonsOf(first), ...retentionNotes([first]), ...notes],
      table: checkpointTable(first),
    };
  const bytes = runs.reduce((sum, run) => sum + run.bytes, 0);
  const checkpoints = runs.reduce((sum, run) => sum + run.checkpoints.length, 0);
  return {
    decision: `${counted(runs.length, 'run')} with ${counted(checkpoints, 'checkpoint')}, ${formatBytes(bytes)}${couldGoOfAll(runs)}.`,
    reasons: [...wrongOfRuns(runs), ...retentionNotes(runs), ...notes],
    table: runsTable(runs),
  };
}

function couldGoOfAll(runs: readonly ReportedRun[]): string {
  const judged = runs.flatMap(({ retention }) => (retention === null ? [] : [retention]));
  if (judged.length === 0) return '';
  return `; by the policy ${formatBytes(judged.reduce((sum, { freedBytes }) => sum + freedBytes, 0))} could go`;
}

/** What the sums of a policy rest on. */
function retentionNotes(runs: readonly ReportedRun[]): string[] {
  const judged = runs.flatMap(({ retention }) => (retention === null ? [] : [retention]));
  if (judged.length === 0) return [];
  const isAny = judged.some(({ refused: why }) => why === null);
  const dropped = judged.reduce((sum, { drop }) => sum + drop.length, 0);
  const undecided = judged.reduce((sum, one) => sum + one.undecided, 0);
  const refused = runs.flatMap((run) =>
    run.retention?.refused == null ? [] : [`${runName(run)}: ${visibleText(run.retention.refused)}.`],
  );
  const sum = `The policy lets ${dropped === 0 ? 'no checkpoint' : counted(dropped, 'checkpoint')} go${undecided === 0 ? '' : ` and cannot judge ${formatCount(undecided)}`}. Adapters elsewhere, whose base one may be, are not looked for; stowage retention has the reasons.`;
  return [
    ...(isAny ? [sum] : []),
    ...refused.slice(0, mostWrong),
    ...(refused.length > mostWrong ? [`Nothing is proposed for ${formatCount(refused.length - mostWrong)} more.`] : []),
  ];
}

/** Runs of which the page says what is wrong, the largest: the JSON has all. */
const mostWrong = 12;

function wrongOfRuns(runs: readonly ReportedRun[]): string[] {
  const wrong = runs.filter((run) => wrongOf(run).length > 0);
  const named = [...wrong].sort((a, b) => b.bytes - a.bytes).slice(0, mostWrong);
  const rest = wrong.length - named.length;
  return [
    ...runs.filter((run) => named.includes(run)).flatMap((run) => wrongOf(run).map((text) => `${runName(run)}: ${text}`)),
    ...(rest > 0 ? [`${counted(rest, 'smaller run')} ${rest === 1 ? 'has' : 'have'} something to look at, too.`] : []),
  ];
}

function coverageNotes({ coverage }: RunsReport): string[] {
  const { isWhole, unreadable, unchanged } = coverage;
  const of =
    unreadable.length === 0
      ? 'there are more directories or checkpoints than are looked at'
      : `${counted(unreadable.length, 'directory', 'directories')} could not be listed (${listed(unreadable.slice(0, 3).map(visibleText))}${unreadable.length > 3 ? ', …' : ''})`;
  return [
    ...(isWhole ? [] : [`Not all of it was seen: ${of}.`]),
    ...(unchanged === 0
      ? []
      : [
          `${counted(unchanged, 'directory has', 'directories have')} not changed since an earlier search and ${unchanged === 1 ? 'was' : 'were'} not listed again: files that were written over in place since then are shown as they were.`,
        ]),
  ];
}

function runsTable(runs: readonly ReportedRun[]): PageTable {
  const used = columns.filter((column) => runs.some((run) => column.cell(run) !== unknown));
  return {
    id: 'runs',
    caption: 'Runs',
    columns: used.map(({ label, isNumber = true }) => ({ label, isNumber })),
    rows: runs.map((run) => used.map((column) => column.cell(run))),
    note: '',
  };
}

/** A column of which no run has anything is left out. */
const columns: readonly { label: string; isNumber?: boolean; cell(run: ReportedRun): string }[] = [
  { label: 'run', isNumber: false, cell: runName },
  { label: 'owner', isNumber: false, cell: ({ owners }) => (owners.length === 0 ? unknown : owners.map(visibleText).join(', ')) },
  { label: 'checkpoints', cell: ({ checkpoints }) => formatCount(checkpoints.length) },
  { label: 'size', cell: ({ bytes }) => formatBytes(bytes) },
  { label: 'on disk', cell: ({ allocatedBytes }) => orUnknown(allocatedBytes, formatBytes) },
  { label: 'newest', isNumber: false, cell: newestText },
  { label: 'interval', cell: ({ intervals }) => orUnknown(intervals.medianSeconds, shortTime) },
  { label: 'a save takes', cell: ({ save }) => orUnknown(save.medianSeconds, shortTime) },
  { label: 'rate', cell: ({ save }) => orUnknown(save.effectiveBytesPerSecond, shortRate) },
  { label: 'a rank', cell: ({ save }) => orUnknown(save.bytesPerSecondPerRank, shortRate) },
  { label: 'overlap', cell: ({ save }) => orUnknown(save.overlap, (share) => (share > 1 ? '> 100 %' : shortShare(share))) },
  { label: 'could go', cell: couldGo },
  { label: 'best', isNumber: false, cell: bestText },
  { label: 'grows a day', cell: ({ bytesPerDay }) => orUnknown(bytesPerDay, (bytes) => formatBytes(Math.round(bytes))) },
];

function couldGo({ retention }: ReportedRun): string {
  return retention === null || retention.refused !== null ? unknown : formatBytes(retention.freedBytes);
}

function bestText(run: ReportedRun): string {
  const best = run.retention?.best ?? [];
  return best.map((path) => visibleText(pathInRun(run, path))).join(', ') || unknown;
}

function newestText({ checkpoints, newest, timesLost }: ReportedRun): string {
  const saved = checkpoints.find(({ path }) => path === newest);
  if (saved === undefined) return unknown;
  const { step, finishedMs } = saved;
  const at = finishedMs === null || timesLost !== null ? [] : [new Date(finishedMs).toISOString().slice(0, 10)];
  return [...(step === null ? [] : [`step ${formatCount(step)}`]), ...at].join(', ') || unknown;
}
