/** Several estimates side by side: a row for each run, what they take together, and when a quota is full. */
import type { EstimateReport } from '../../estimates/estimateReport.js';
import type { QuotaUse, RunsTogether } from '../../estimates/runsTogether.js';
import { counted, shortTime } from '../../text/quantities.js';
import { formatBytes, formatCount, formatShortCount } from '../../text/units.js';
import { visibleText } from '../../text/visibleText.js';
import type { ComparisonPage } from '../plan/planComparison.js';

/** @param runs of these reports, in their order */
export function runsPage(reports: readonly EstimateReport[], runs: RunsTogether): ComparisonPage {
  return {
    decision: reports.every(({ trainsNothing }) => trainsNothing) ? untrained : sumSentence(runs),
    reasons: runs.quota === null ? [] : [quotaSentence(runs.quota, runs)],
    table: {
      id: 'runs',
      caption: 'Runs',
      columns: ['', 'parameters', 'a checkpoint', 'saved', 'kept', 'at the end', 'written'].map((label, index) => ({
        label,
        isNumber: index > 0,
      })),
      rows: reports.map(rowOf),
      note: runs.coverage.runs < runs.coverage.of ? '– is not known from the config.' : '',
    },
  };
}

const untrained = 'The configs evaluate, generate or serve: no checkpoint is written.';

const unknown = '–';
/** Characters of a path in the table. */
const longestPath = 56;

function rowOf({ path, parameters, checkpoint, run }: EstimateReport): string[] {
  const bytes = (amount: number | null) => (amount === null ? unknown : formatBytes(amount));
  const count = (amount: number | null) => (amount === null ? unknown : formatCount(amount));
  return [
    pathCell(path),
    parameters === null ? unknown : formatShortCount(parameters.unique),
    bytes(checkpoint.bytes),
    count(run.saves),
    count(run.kept),
    bytes(run.bytes),
    bytes(run.writtenBytes),
  ];
}

/** The end of a long path says more than its beginning. */
function pathCell(path: string): string {
  const shown = [...visibleText(path)];
  return shown.length <= longestPath ? shown.join('') : `…${shown.slice(1 - longestPath).join('')}`;
}

function sumSentence({ bytes, peakBytes, writtenBytes, coverage }: RunsTogether): string {
  if (coverage.runs === 0) return 'No config sets how much its run keeps.';
  const least = coverage.runs < coverage.of ? 'at least ' : '';
  const of = coverage.runs < coverage.of ? `${coverage.runs} of ${counted(coverage.of, 'run')}` : counted(coverage.of, 'run');
  const together = coverage.of === 1 ? '' : ' together';
  const peak = peakBytes > bytes ? `, ${least}${formatBytes(peakBytes)} at peak` : '';
  return `${of}${together}: ${least}${formatBytes(bytes)} at the end${peak}, ${least}${formatBytes(writtenBytes)} written.`;
}

function quotaSentence({ quotaBytes, verdict, full }: QuotaUse, { peakBytes }: RunsTogether): string {
  const amount = `quota of ${formatBytes(quotaBytes)}`;
  const quota = `The ${amount}`;
  if (full !== null) {
    const after = full.seconds === null ? '' : ` after ${shortTime(full.seconds)}`;
    const reached = full.isIfReached ? ' if the runs go on that far' : '';
    return `${quota} is full${after}${full.isLatest ? ' at the latest' : ''}${reached}: the save at step ${formatCount(full.step)} of ${visibleText(full.path)} does not fit.`;
  }
  if (verdict === 'full') return `${quota} is exceeded; when is not known, as a run saves at steps that are not known.`;
  if (verdict === 'unknown') return `Whether the ${amount} is enough is not known: a run has no known size or length.`;
  return `${quota} is enough: ${formatBytes(quotaBytes - peakBytes)} stay free.`;
}
