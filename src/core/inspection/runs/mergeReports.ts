/** The account of a run: what its checkpoints and the files beside them amount to, each counted as itself. */
import type { FindingReport, Finding } from '../../findings/finding.js';
import { brokenPointerOf } from '../../checkpoints/brokenPointer.js';
import type { CheckpointReport, ResumeReport, RunCheckpoint, StoredTwiceItem } from '../../checkpoints/checkpointReport.js';
import { importsCut, sumImports } from '../../formats/pickle/imports/importList.js';
import { describeFinding, limitFindings } from '../../findings/describeFindings.js';
import type { CopiedCheckpoint } from './copiedCheckpoints.js';
import { sumChecks, sumComponents } from './sumReports.js';

/**
 * What a run adds up of each of its checkpoints. Settings and objects are those of the newest alone: those of 20,000 checkpoints take two
 * gigabytes.
 */
export type AddedReport = Pick<
  CheckpointReport,
  'totalBytes' | 'components' | 'files' | 'tensorCount' | 'storedTwice' | 'findings' | 'checks' | 'pickleImports'
>;

/** One checkpoint of a run as it was read. */
export interface ReadMember<Report = AddedReport> {
  root: string;
  report: Report;
  checkpoint: RunCheckpoint;
}

/** A run's checkpoints with the newest of them, and the report of the files beside them. */
export interface ReadRun {
  members: readonly ReadMember[];
  newest: ReadMember<CheckpointReport>;
  rest: CheckpointReport;
  /** Members that repeat another one, by their paths. */
  copies: ReadonlyMap<string, CopiedCheckpoint>;
}

/** The checkpoint with nothing in its report but what is added up. */
export function withAddedAlone({ root, report, checkpoint }: ReadMember<CheckpointReport>): ReadMember {
  const { totalBytes, components, files, tensorCount, storedTwice, findings, checks, pickleImports } = report;
  return {
    root,
    report: { totalBytes, components, files, tensorCount, storedTwice, findings, checks, pickleImports },
    checkpoint,
  };
}

/**
 * Adds the reports up, in the order in which they were read. What cannot be added (parameters, topology, settings, whether training
 * can go on) is that of `newest`, the newest checkpoint whose save was finished.
 */
export function mergeReports(
  { members, newest, rest, copies }: ReadRun,
  found: readonly Finding[],
  path: string,
): CheckpointReport {
  const all = [...members.map(({ report }) => report), rest];
  const { report } = newest;
  const isAlone = members.length === 1;
  const { imports, hasMore } = sumImports(all.map(({ pickleImports }) => pickleImports));
  return {
    ...report,
    path,
    layout: 'run',
    step: newest.checkpoint.step,
    resume: resumeOf(report, found),
    totalBytes: all.reduce((sum, item) => sum + item.totalBytes, 0),
    parameters: {
      ...report.parameters,
      source: `Of ${newest.root === '' ? 'the model here' : newest.root}. ${report.parameters.source}`,
    },
    bytesPerParameter: null,
    components: sumComponents(all),
    ranks: isAlone ? report.ranks : [],
    files: all.flatMap((item) => item.files),
    tensorCount: all.reduce((sum, item) => sum + item.tensorCount, 0),
    storedTwice: sumStoredTwice({ members, rest, copies }),
    findings: gatherFindings({ members, newest, rest, copies }, [...found, ...(hasMore ? [importsCut] : [])]),
    checks: sumChecks(all),
    pickleImports: imports,
  };
}

/** Whether the newest loads, and by which pointer of the run it would not be found. */
function resumeOf({ resume }: CheckpointReport, found: readonly Finding[]): ResumeReport {
  const pointer = brokenPointerOf(found, resume.verdict);
  return pointer === undefined ? resume : { ...resume, pointer };
}

/** What the checkpoints have twice in themselves, and the copies of whole ones, in which nothing counts once more. */
function sumStoredTwice({ members, rest, copies }: Omit<ReadRun, 'newest'>): CheckpointReport['storedTwice'] {
  const reports = [...members.flatMap(({ root, report }) => (copies.has(root) ? [] : [report])), rest];
  const own = reports.flatMap(({ storedTwice }) => storedTwice.items);
  const items = [...own, ...[...copies].filter(([, { bytes }]) => bytes > 0).map(([root, copy]) => copyItem(root, copy))];
  return { bytes: items.reduce((sum, item) => sum + item.bytes, 0), items };
}

function copyItem(root: string, { original, bytes, files, compared }: CopiedCheckpoint): StoredTwiceItem {
  return {
    what: `copy of ${original}`,
    bytes,
    paths: [original, root],
    setting: null,
    basis: 'sampled',
    coverage: { counted: compared, of: files, unit: 'files' },
  };
}

/** Findings of all checkpoints, the newest first where there are too many; what concerns the directory as such is the run. */
function gatherFindings({ members, newest, rest }: ReadRun, found: readonly Finding[]): FindingReport[] {
  const byStep = [...members].sort((a, b) => (b.checkpoint.step ?? Infinity) - (a.checkpoint.step ?? Infinity));
  const ofMembers = [newest, ...byStep.filter(({ root }) => root !== newest.root)].flatMap(({ report }) => report.findings);
  const ofRest = rest.findings.filter(({ code }) => code !== 'layout-unknown' && code !== 'nothing-here');
  return limitFindings([...found.map(describeFinding), ...ofRest, ...ofMembers]);
}
