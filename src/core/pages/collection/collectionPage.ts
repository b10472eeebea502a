import type { CountReport } from '../../datasets/datasetReport.js';
/** Several things under one directory, in words: the sentence at the top, and a row for each. */
import type { CollectionPart, CollectionReport } from '../../inspection/collection/collectionReport.js';
import type { PartName } from '../../inspection/collection/partName.js';
import { collectionLayoutNames, layoutLabels } from '../../text/frameworkLabels.js';
import { revisionInWords } from '../../text/hubRevision.js';
import { counted } from '../../text/quantities.js';
import { formatBinaryBytes, formatBytes, formatCount, formatShortCount } from '../../text/units.js';
import { visibleText } from '../../text/visibleText.js';
import { passedBefore } from '../verification/loggedChecks.js';
import { decisionOf } from '../checkpoint/loadPage.js';
import { timeText, verdictWords } from '../checkpoint/checkpointWords.js';
import { boundInWords, isBound } from '../dataset/datasetHeadline.js';
import { cacheSentence, repositoryNames } from './cachePage.js';
import { countInWords, datasetLayoutNames } from '../dataset/datasetWords.js';

export interface CollectionHeadline {
  size: string;
  binarySize: string;
  /** `2 runs, 3 models and 1 data set`. */
  what: string;
  /** What does not belong to them, and what the disk holds. */
  more: string;
}

/** What kind of directory it is. */
export function collectionSubtitle({ layout, revision }: CollectionReport): string {
  const label = layout === undefined ? 'Collection' : collectionLayoutNames[layout];
  return revision === undefined ? label : `${label} · ${revisionInWords(revision)}`;
}

/** The answer that stands at the top. */
export function collectionHeadlineOf(report: CollectionReport): CollectionHeadline {
  const { totalBytes, allocatedBytes, cache } = report;
  const beside = cache === undefined ? otherFiles(report) : cacheSentence(cache, otherFiles(report));
  // Blocks are larger than the last bytes of a file: less is worth a word, a little more is not.
  const isSparse = allocatedBytes !== null && allocatedBytes < totalBytes * 0.99;
  return {
    size: formatBytes(totalBytes),
    binarySize: formatBinaryBytes(totalBytes),
    what:
      report.parts.length === 0
        ? 'Nothing to load.'
        : `${joined(kindsOf(report))}. ${report.parts.length === 1 ? 'It' : 'Each'} has a report of its own.`,
    more: `${beside}${isSparse ? ` They take ${formatBytes(allocatedBytes)} on the disk: some have holes, or are the same file under several names.` : ''}`,
  };
}

function otherFiles({ other, parts }: CollectionReport): string {
  if (other.files > 0) return `${counted(other.files, 'other file')}, ${formatBytes(other.bytes)}.`;
  return parts.length === 0 ? '' : 'Every file belongs to one of them.';
}

/** `4 revisions of 2 repositories`, `2 runs`, `3 checkpoints`, `1 data set`. */
function kindsOf({ parts: all, cache }: CollectionReport): string[] {
  const revisions = all.filter(({ revision }) => revision !== undefined).length;
  const parts = all.filter(({ revision }) => revision === undefined);
  const runs = parts.filter((part) => part.kind === 'checkpoint' && part.layout === 'run').length;
  const datasets = parts.filter(({ kind }) => kind === 'dataset').length;
  const checkpoints = parts.length - runs - datasets;
  return [
    ...(revisions > 0
      ? [`${counted(revisions, 'revision')} of ${counted(cache?.repositories.length ?? 0, 'repository', 'repositories')}`]
      : []),
    ...(runs > 0 ? [counted(runs, 'run')] : []),
    ...(checkpoints > 0 ? [counted(checkpoints, 'checkpoint')] : []),
    ...(datasets > 0 ? [counted(datasets, 'data set')] : []),
  ];
}

function joined(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
}

/** What passed before by the log; where there are findings these have it. */
export function passedLines(report: CollectionReport): string[] {
  return report.findings.length === 0 ? passedBefore(report) : [];
}

/** Parts that were compared with their configs are listed up to here, those that do not load first. */
const MAX_LOADS = 10;
const gravest = ['fails', 'loads-with-warnings', 'loads'] as const;

/** Whether the parts load, a line each: `Loading of best: Loads in transformers as LlamaForCausalLM. …`; what is not known is left out. */
export function loadLines({ parts }: CollectionReport): string[] {
  const compared = gravest.flatMap((verdict) =>
    parts.flatMap((part) =>
      part.kind === 'checkpoint' && part.load?.verdict === verdict ? [{ path: part.path, load: part.load }] : [],
    ),
  );
  const lines = compared
    .slice(0, MAX_LOADS)
    .map(({ path, load }) => `Loading of ${visibleText(path === '' ? '.' : path)}: ${decisionOf(load)} ${visibleText(load.why)}`);
  const more = compared.length - lines.length;
  return more > 0 ? [...lines, `Loading of ${counted(more, 'part')} more: see their own reports.`] : lines;
}

/** What the report does not rest on, a line each. */
export function uncheckedLines({ checks: { notDone } }: CollectionReport): string[] {
  return notDone.map((check) => `Not done: ${visibleText(check)}.`);
}

/** `2 errors and 1 warning in 2 of 5 parts: their own reports list them.` */
export function partFindings({ parts }: CollectionReport): string {
  const odd = parts.filter(({ findings: { error = 0, warning = 0 } }) => error + warning > 0);
  if (odd.length === 0) return `No errors or warnings in ${counted(parts.length, 'part')}, as far as headers tell.`;
  return `${findingsInWords(odd)} in ${formatCount(odd.length)} of ${counted(parts.length, 'part')}: their own reports list them.`;
}

/** `2 errors and 1 warning` of several parts; empty where they have none. */
function findingsInWords(parts: readonly CollectionPart[]): string {
  const sum = (severity: 'error' | 'warning'): number => parts.reduce((all, { findings }) => all + (findings[severity] ?? 0), 0);
  return joined(
    (['error', 'warning'] as const).flatMap((severity) => (sum(severity) > 0 ? [counted(sum(severity), severity)] : [])),
  );
}

/** A part as a row of words. */
export interface PartRow {
  path: string;
  /** What it is called where that is not its path. */
  label: string | undefined;
  /** Set where parts share a path: what tells them apart. */
  part: PartName | undefined;
  /** By which name its path gives its own report, where other things may lie beside it. */
  opens: PartName | undefined;
  /** `Hugging Face Trainer`, `Parquet`. */
  what: string;
  bytes: number;
  size: string;
  /** Of a revision in a cache: what no other revision has. */
  own: string;
  /** `8.03 B parameters`, `1.2 T tokens`; empty where neither is known. */
  holds: string;
  step: string;
  /** `complete`, `fails`; empty for a data set. */
  state: string;
  /** `1 error, 2 warnings`; empty where there are none. */
  findings: string;
  owner: string;
  /** In UTC. */
  written: string;
  /** What rows are sorted by where words do not tell; null when absent. */
  order: { own: number | null; holds: number | null; step: number | null; findings: number | null };
}

/** The rows, the largest part first. */
export function partRowsOf({ parts }: CollectionReport): PartRow[] {
  const paths = new Set<string>();
  const shared = new Set(parts.flatMap(({ path }) => (paths.size === paths.add(path).size ? [path] : [])));
  return parts.map((part) => ({
    path: part.path,
    label: part.revision && revisionInWords(part.revision),
    part: shared.has(part.path) || part.path === '' ? part.name : undefined,
    opens: part.revision === undefined ? part.name : undefined,
    what: whatOf(part),
    bytes: part.totalBytes,
    size: formatBytes(part.totalBytes),
    own: part.revision === undefined ? '' : formatBytes(part.revision.ownBytes),
    holds: holdsOf(part),
    step: part.kind === 'checkpoint' && part.step !== null ? formatCount(part.step) : '',
    state: part.kind === 'checkpoint' ? verdictWords[part.verdict] : '',
    findings: findingsOf(part),
    owner: part.owner === null ? '' : visibleText(part.owner),
    written: part.modifiedMs === null ? '' : timeText(new Date(part.modifiedMs).toISOString()),
    order: {
      own: part.revision?.ownBytes ?? null,
      holds: part.kind === 'checkpoint' ? part.parameters : ((part.tokens ?? part.samples)?.count ?? null),
      step: part.kind === 'checkpoint' ? part.step : null,
      findings: severityOrder(part),
    },
  }));
}

/** The rows that a list with room for `most` shows: parts with errors and warnings before larger ones, all in the order of `partRowsOf`. */
export function shownPartRows(report: CollectionReport, most: number): { rows: PartRow[]; rest: string } {
  const rows = partRowsOf(report);
  const kept = new Set([...rows].sort((a, b) => (b.order.findings ?? 0) - (a.order.findings ?? 0)).slice(0, most));
  const left = report.parts.filter((_, at) => !kept.has(rows[at] as PartRow));
  return {
    rows: rows.filter((row) => kept.has(row)),
    rest: left.length === 0 ? '' : `${formatCount(left.length)} more (${findingsInWords(left) || 'no errors or warnings'})`,
  };
}

/** Heads of the columns, as the cells of `partCells`. */
export const partHeads = [
  'part',
  'what',
  'size',
  'only here',
  'holds',
  'step',
  'resume',
  'findings',
  'owner',
  'written (UTC)',
] as const;

/** A row's cells in the order of `partHeads`. */
export function partCells({
  path,
  label,
  part,
  what,
  size,
  own,
  holds,
  step,
  state,
  findings,
  owner,
  written,
}: PartRow): string[] {
  const place = path === '' ? '.' : visibleText(path);
  const name = label ?? (part === undefined ? place : `${place} (${part})`);
  return [name, what, size, own, holds, step, state, findings, owner, written];
}

function whatOf(part: CollectionPart): string {
  const others = (part.revision?.parts ?? 1) - 1;
  return others === 0 ? layoutOf(part) : `${layoutOf(part)} and ${formatCount(others)} more`;
}

function layoutOf(part: CollectionPart): string {
  if (part.kind === 'dataset') return datasetLayoutNames[part.layout];
  if (part.revision !== undefined && part.layout === 'unknown') return repositoryNames[part.revision.type];
  return part.layout === 'run' ? `run of ${counted(part.checkpoints, 'checkpoint')}` : layoutLabels[part.layout];
}

function holdsOf(part: CollectionPart): string {
  if (part.kind === 'checkpoint') return part.parameters === 0 ? '' : `${formatShortCount(part.parameters)} parameters`;
  const { tokens, samples } = part;
  if (tokens !== null) return amountOf(tokens, 'tokens');
  return samples === null ? '' : amountOf(samples, 'samples');
}

/** `1.2 T tokens`; empty where nothing is known. */
function amountOf(count: CountReport, units: string): string {
  const amount = amountInWords(count);
  return amount === null ? '' : `${amount} ${units}`;
}

/** `1.2 T`, `about 1.2 T`, `at least 100`; null where nothing is known. */
function amountInWords(count: CountReport): string | null {
  if (isBound(count)) return boundInWords(count, (bound) => countInWords(bound, false));
  return `${count.exact ? '' : 'about '}${countInWords(count.count, count.exact)}`;
}

/** Errors before any number of warnings; null for neither. */
function severityOrder({ findings: { error = 0, warning = 0 } }: CollectionPart): number | null {
  return error + warning === 0 ? null : error * 1e9 + warning;
}

function findingsOf({ findings }: CollectionPart): string {
  const { error = 0, warning = 0 } = findings;
  return [...(error > 0 ? [counted(error, 'error')] : []), ...(warning > 0 ? [counted(warning, 'warning')] : [])].join(', ');
}
