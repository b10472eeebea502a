/** Telemetry in words: what matters first, a row for each job, then what is uncertain. */
import type { TelemetryJob, TelemetryReport } from '../../runs/telemetry/telemetryReport.js';
import { capitalized } from '../../text/capitalized.js';
import { counted, shortParameters, shortRate, shortShare, shortTime } from '../../text/quantities.js';
import { formatBytes, formatCount } from '../../text/units.js';
import { visibleText } from '../../text/visibleText.js';
import type { ComparisonPage } from '../plan/planComparison.js';
import type { PageTable } from '../table.js';
import { orUnknown } from './unknown.js';

/** Uncertain stretches that the page lists, the largest. */
const mostListed = 12;
/** More of the time with saves under way is too little bandwidth: most model builders keep it below 10 % (Lockwood, 2025). */
const highOverlap = 0.1;

export function telemetryPage(report: TelemetryReport): ComparisonPage {
  return {
    decision: decisionOf(report),
    reasons: [...restoreWords(report), ...coverageWords(report), ...uncertainWords(report)],
    table: jobTable(report),
  };
}

function decisionOf({ jobs, uncertain }: TelemetryReport): string {
  if (jobs.length === 0)
    return uncertain.length === 0
      ? 'No saves: nothing stands out from the background.'
      : `No saves that come at an interval: ${counted(uncertain.length, 'burst')} of something else.`;
  const worst = jobs.reduce((most, job) => (overlapOf(job) > overlapOf(most) ? job : most));
  const saves = jobs.reduce((sum, job) => sum + job.saves.length, 0);
  const all = `${counted(jobs.length, 'job')} with ${counted(saves, 'save')}`;
  const name = jobs.length === 1 ? 'it' : `job ${jobs.indexOf(worst) + 1}`;
  if (worst.overlap === null && worst.bounds === null) return `${all}: how long they take is not known.`;
  const share = `a save of ${name === 'it' ? 'the job' : name} ${overlapWords(worst)}`;
  return worst.overlap !== null && worst.overlap > highOverlap
    ? `${capitalized(share)}; ${all} in all.`
    : `${all}: ${share}${jobs.length > 1 ? ', the most' : ''}.`;
}

function overlapWords(job: TelemetryJob): string {
  const overlap = overlapOf(job);
  if (job.overlap === null) return `is under way for at most ${shortShare(overlap)} of the time`;
  // Longer than an interval, one or more are under way at any time.
  return overlap > 1 ? `takes ${shortShare(overlap)} of its interval` : `is under way for ${shortShare(overlap)} of the time`;
}

function overlapOf({ overlap, bounds }: TelemetryJob): number {
  return overlap ?? bounds?.overlapAtMost ?? 0;
}

function restoreWords({ jobs }: TelemetryReport): string[] {
  return jobs.flatMap(({ restores }, index) => {
    if (restores.length === 0) return [];
    const bytes = restores.reduce((sum, restore) => sum + restore.bytes, 0);
    return [
      `Job ${index + 1} restored ${restores.length === 1 ? 'once' : `${formatCount(restores.length)} times`}: ${formatBytes(bytes)} read.`,
    ];
  });
}

function coverageWords({ coverage, jobs, stepSeconds }: TelemetryReport): string[] {
  const { samples, missingSteps, notes, source } = coverage;
  const missing = missingSteps === 0 ? '' : `, ${counted(missingSteps, 'step')} without a sample`;
  const bounded = jobs.some(({ bounds }) => bounds !== null)
    ? [
        'Saves that take a step or two have a duration that is at most, and a rate that is at least, what is printed: their bytes are as they were.',
      ]
    : [];
  return [
    `${visibleText(source)}: ${counted(samples, 'sample')}, one in ${shortTime(stepSeconds)}${missing}.`,
    ...notes.map(visibleText),
    ...bounded,
  ];
}

function uncertainWords({ uncertain, coverage }: TelemetryReport): string[] {
  if (uncertain.length === 0) return [];
  const bytes = uncertain.reduce((sum, one) => sum + one.bytes, 0);
  const largest = [...uncertain].sort((a, b) => b.bytes - a.bytes).slice(0, mostListed);
  const shown = largest.sort((a, b) => a.startedMs - b.startedMs);
  const count = uncertain.length + coverage.unlisted;
  const more =
    count > shown.length ? [`${counted(count - shown.length, 'other stretch', 'other stretches')}, smaller: in the JSON.`] : [];
  return [
    `Uncertain: ${counted(count, 'stretch', 'stretches')}, ${formatBytes(bytes)}.`,
    ...shown.map((one) => `${timeText(one.startedMs)}, ${formatBytes(one.bytes)}: ${one.why}.`),
    ...more,
  ];
}

function timeText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function jobTable({ jobs, background }: TelemetryReport): PageTable {
  const columns = ['job', 'saves', 'interval', 'size', 'a save takes', 'rate', 'overlap', 'parameters', 'restores'];
  return {
    id: 'telemetry-jobs',
    caption: 'Jobs',
    columns: columns.map((label, index) => ({ label, isNumber: index > 0 })),
    rows: jobs.map(jobRow),
    note: noteOf(jobs, background.medianBytesPerSecond),
  };
}

function jobRow(job: TelemetryJob, index: number): string[] {
  const { bounds, estimatedParameters: parameters } = job;
  return [
    String(index + 1),
    formatCount(job.saves.length),
    shortTime(job.medianIntervalSeconds),
    formatBytes(job.medianBytes),
    bounds === null ? orUnknown(job.medianSaveSeconds, shortTime) : `≤ ${shortTime(bounds.saveSecondsAtMost)}`,
    bounds === null ? orUnknown(job.effectiveBytesPerSecond, shortRate) : `≥ ${shortRate(bounds.bytesPerSecondAtLeast)}`,
    bounds === null ? orUnknown(job.overlap, shortShare) : `≤ ${shortShare(bounds.overlapAtMost)}`,
    `${shortParameters(parameters.low)} to ${shortParameters(parameters.high)}`,
    formatCount(job.restores.length),
  ];
}

function noteOf(jobs: readonly TelemetryJob[], background: number | null): string {
  const [first] = jobs;
  const below = background === null ? '' : `Background: ${shortRate(background)}.`;
  if (first === undefined) return below;
  const alone = jobs.reduce((sum, { coverage }) => sum + coverage.alone, 0);
  const all = jobs.reduce((sum, { coverage }) => sum + coverage.of, 0);
  const rests = `${formatCount(alone)} of ${counted(all, 'save')} ${alone === 1 ? 'was' : 'were'} seen alone; the others are shares of bursts of several.`;
  return `Parameters: ${first.estimatedParameters.basis}. ${rests} ${below}`.trim();
}
