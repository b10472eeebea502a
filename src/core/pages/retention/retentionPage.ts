/** What a policy lets go, in words: the decision, what the reader should know, and a row for each checkpoint with its reasons. */
import type { Reason } from '../../retention/reason.js';
import type { RetentionNote, RetentionReport } from '../../retention/retentionReport.js';
import type { RetentionPolicy } from '../../retention/retentionPolicy.js';
import { counted, listed } from '../../text/quantities.js';
import { formatBytes, formatCount } from '../../text/units.js';
import { visibleText } from '../../text/visibleText.js';
import type { ComparisonPage } from '../plan/planComparison.js';
import type { PageTable } from '../table.js';
import { reasonWords } from './reasonWords.js';

export function retentionPage(report: RetentionReport): ComparisonPage {
  return { decision: headline(report), reasons: [...rotationWords(report), ...noteWords(report)], table: table(report) };
}

function headline({ keep, drop, undecided, freedBytes, policy }: RetentionReport): string {
  const all = keep.length + drop.length + undecided.length;
  if (all === 0) return 'No checkpoints of a run are here.';
  const held = keep.filter(({ reasons }) => has(reasons, 'held')).length;
  const keeps = listed([...policyWords(policy), ...(held === 0 ? [] : [`${formatCount(held)} held`])]);
  const left =
    undecided.length === 0
      ? ''
      : ` ${counted(undecided.length, 'checkpoint')} cannot be judged and ${undecided.length === 1 ? 'stays' : 'stay'}.`;
  if (drop.length === 0) return `Drops none of ${counted(all, 'checkpoint')}; keeps ${keeps}.${left}`;
  return `Drops ${formatCount(drop.length)} of ${counted(all, 'checkpoint')} and frees ${formatBytes(freedBytes)}; keeps ${keeps}.${left}`;
}

function has(reasons: readonly Reason[], code: Reason['code']): boolean {
  return reasons.some((one) => one.code === code);
}

function policyWords({
  keepLast,
  keepEverySteps,
  keepEveryHours,
  keepBest,
  milestones,
  minimumAgeHours,
}: RetentionPolicy): string[] {
  return [
    ...(keepLast === null ? [] : [`the newest ${formatCount(keepLast)}`]),
    ...(keepEverySteps === null ? [] : [`every ${counted(keepEverySteps, 'step')}`]),
    ...(keepEveryHours === null ? [] : [`every ${keepEveryHours} h`]),
    ...(keepBest === null ? [] : [`the best ${formatCount(keepBest.count)} by ${visibleText(keepBest.metric)}`]),
    ...(milestones.length === 0 ? [] : [counted(milestones.length, 'milestone')]),
    ...(minimumAgeHours === 0 ? [] : [`those younger than ${minimumAgeHours} h`]),
  ];
}

function rotationWords({ rotation }: RetentionReport): string[] {
  if (rotation === null) return [];
  const { framework, setting, limit, next, wanted } = rotation;
  const set = `${framework} (${setting}: ${limit})`;
  if (next.length === 0) return [`${set} removes none of them at its next save.`];
  const wants =
    wanted.length === 0
      ? ''
      : ` Warning: ${names(wanted)} should stay: copy ${wanted.length === 1 ? 'it' : 'them'} elsewhere before that.`;
  return [`${set} removes ${names(next)} at its next save.${wants}`];
}

function names(paths: readonly string[]): string {
  const shown = paths.slice(0, 3).map(visibleText);
  return paths.length > 3 ? `${shown.join(', ')} and ${formatCount(paths.length - 3)} more` : listed(shown);
}

function noteWords({ notes, coverage, freedBasis, drop, trash }: RetentionReport): string[] {
  const unseen = coverage.unreadable.length;
  return [
    ...notes.map(noteText),
    ...(trash.length === 0
      ? []
      : [`${counted(trash.length, 'checkpoint')} ${trash.length === 1 ? 'is' : 'are'} in the trash by its log.`]),
    ...(unseen === 0 ? [] : [`${counted(unseen, 'directory', 'directories')} could not be listed.`]),
    ...(freedBasis === 'size' && drop.length > 0
      ? ['Freed bytes are sizes of files: what they take on the disk is not known.']
      : []),
  ];
}

function noteText({ code, path, detail }: RetentionNote): string {
  const words = {
    'pointer-target-missing': `${path} names ${detail ?? ''}, which is not here.`,
    'hold-expired': `The hold of ${path} (${detail ?? ''}) has ended.`,
    'beside-unseen': `The directory that the run is in cannot be looked at (${detail ?? ''}): pointers there that name a checkpoint are not known.`,
    'milestone-missing': `Milestone ${path} has no checkpoint.`,
  };
  return visibleText(words[code]);
}

/** What one row shows. */
interface Row {
  path: string;
  step: number | null;
  bytes: number;
  verdict: string;
  freed: string;
  reasons: string;
}

function table({ keep, drop, undecided }: RetentionReport): PageTable {
  const rows: Row[] = [
    ...keep.map((one) => ({ ...one, verdict: 'keep', freed: '', reasons: reasonWords(one.reasons) })),
    ...drop.map((one) => ({ ...one, verdict: 'drop', freed: formatBytes(one.freedBytes), reasons: reasonWords(one.reasons) })),
    ...undecided.map((one) => ({ ...one, verdict: 'undecided', freed: '', reasons: reasonWords(one.why) })),
  ];
  rows.sort((a, b) => (a.step ?? Infinity) - (b.step ?? Infinity) || (a.path < b.path ? -1 : 1));
  const columns = ['checkpoint', 'step', 'size', '', 'frees', 'reason'];
  return {
    id: 'retention',
    caption: 'Checkpoints',
    columns: columns.map((label) => ({ label, isNumber: ['step', 'size', 'frees'].includes(label) })),
    rows: rows.map(({ path, step, bytes, verdict, freed, reasons }) => [
      visibleText(path === '' ? '.' : path),
      step === null ? '–' : formatCount(step),
      formatBytes(bytes),
      verdict,
      freed,
      reasons,
    ]),
    note: '',
  };
}
