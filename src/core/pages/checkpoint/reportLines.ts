/** Sentences and rows that the terminal and the Markdown form share. */
import type { CheckpointReport, RunPointer } from '../../checkpoints/checkpointReport.js';
import type { Report } from '../../inspection/report.js';
import { visibleText } from '../../text/visibleText.js';
import { checkpointState } from './checkpointWords.js';
import { segmentsOf } from '../../checkpoints/segments.js';
import { formatBytes, formatCount, formatPerParameter, formatShare } from '../../text/units.js';

export interface ComponentLine {
  label: string;
  bytes: number;
  size: string;
  share: number;
  shareText: string;
  perParameter: string;
}

/** The components table: one line a segment, largest where it stands in the fixed order. */
export function componentLines(report: CheckpointReport): ComponentLine[] {
  return segmentsOf(report).map(({ label, bytes }) => {
    const share = report.totalBytes === 0 ? 0 : bytes / report.totalBytes;
    const perParameter =
      report.bytesPerParameter === null || report.run !== undefined ? '' : formatPerParameter(bytes / report.parameters.unique);
    return { label, bytes, size: formatBytes(bytes), share, shareText: formatShare(share), perParameter };
  });
}

export interface RunLine {
  step: string;
  size: string;
  state: string;
  path: string;
  modified: string;
}

/** The checkpoints of a run, oldest step first; empty for a single checkpoint. */
function runLines({ run }: CheckpointReport): RunLine[] {
  return (run?.checkpoints ?? []).map((checkpoint) => ({
    step: checkpoint.step === null ? '' : formatCount(checkpoint.step),
    size: formatBytes(checkpoint.bytes),
    state: checkpointState(checkpoint),
    path: checkpoint.path === '' ? '.' : visibleText(checkpoint.path),
    modified: checkpoint.modified === null ? '' : checkpoint.modified.slice(0, 16).replace('T', ' '),
  }));
}

/** The lines that a list with room for `most` shows: checkpoints that fail before newer ones, all in the order of `runLines`. */
export function shownRunLines(report: CheckpointReport, most: number): { lines: RunLine[]; rest: string } {
  const all = runLines(report).map((line, at) => ({ line, fails: report.run?.checkpoints[at]?.verdict === 'broken' }));
  const kept = new Set(
    [...all]
      .reverse()
      .sort((a, b) => Number(b.fails) - Number(a.fails))
      .slice(0, most),
  );
  const left = all.filter((each) => !kept.has(each));
  const failing = left.filter(({ fails }) => fails).length;
  return {
    lines: all.filter((each) => kept.has(each)).map(({ line }) => line),
    rest: left.length === 0 ? '' : `${formatCount(left.length)} older${failing === 0 ? '' : ` (${formatCount(failing)} fail)`}`,
  };
}

/** `latest → global_step10`, and whether that is there. */
export function pointerLines({ run }: CheckpointReport): string[] {
  return (run?.pointers ?? []).map(
    (pointer) => `${visibleText(pointer.path)} → ${visibleText(pointer.target)}${pointerMark(pointer)}`,
  );
}

/** Where a pointer leads that leads to no checkpoint of the report; empty for others. */
function pointerMark({ exists, followed }: RunPointer): string {
  if (followed === false) return ' (not followed)';
  return exists ? '' : ' (missing)';
}

/** `14.00 bytes per parameter = 2.00 weights + 4.00 first moment + …`; empty without parameters. */
export function perParameterSum(
  report: CheckpointReport,
  labelOf: (term: { component: string; part: string }) => string,
): string {
  const sum = report.bytesPerParameter;
  if (sum === null) return '';
  const terms = sum.terms.map(
    (term) =>
      `${formatPerParameter(term.bytesPerParameter)} ${labelOf(term)}${term.dtypes.length === 0 ? '' : ` (${term.dtypes.slice(0, 2).map(visibleText).join(', ')})`}`,
  );
  return `${formatPerParameter(sum.value)} bytes per parameter${ofWhatIsHere(report)} = ${terms.join(' + ')}`;
}

/** ` of what is here` where files of the save are missing; empty for others. */
export function ofWhatIsHere({ parameters }: Pick<CheckpointReport, 'parameters'>): string {
  return parameters.missingFiles === undefined ? '' : ' of what is here';
}

/** `read 41.2 kB of 1.2 GB (0.003 %) in 12 ms, 9 reads; nothing was executed`. */
export function ioSentence(report: Pick<Report, 'io' | 'totalBytes'>): string {
  const { bytesRead, reads, elapsedMs } = report.io;
  return `read ${ioAmount(bytesRead, report.totalBytes)} in ${elapsedMs.toFixed(0)} ms, ${formatCount(reads)} ${reads === 1 ? 'read' : 'reads'}; nothing was executed`;
}

/** A share above all of it says nothing: headers, for one, are looked at by several checks. */
function ioAmount(bytesRead: number, totalBytes: number): string {
  if (bytesRead > totalBytes && totalBytes > 0)
    return `all ${formatBytes(totalBytes)}, parts more than once (${formatBytes(bytesRead)} in all)`;
  const share = totalBytes === 0 ? 0 : bytesRead / totalBytes;
  const shareText = share >= 0.001 ? `${(share * 100).toFixed(1)} %` : `${(share * 100).toPrecision(1)} %`;
  return `${formatBytes(bytesRead)} of ${formatBytes(totalBytes)} (${shareText})`;
}
