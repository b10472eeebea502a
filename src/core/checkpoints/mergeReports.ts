/** The account of a run: what its checkpoints and the files beside them amount to, each counted as itself. */
import { limits } from '../bytes/limits.js';
import { joinPath } from '../files/paths.js';
import type { CheckpointReport, ComponentTotals, FindingReport, PickleImport } from '../report/checkpointReport.js';
import type { Finding } from '../report/finding.js';
import { describeFinding } from '../report/findingText.js';
import { componentIds } from '../tensors/component.js';
import type { ReadMember } from './readRun.js';

/** A report and the function that puts its paths below the run's directory. */
interface Placed {
  report: CheckpointReport;
  place: (path: string) => string;
}

/**
 * Adds the reports up. What cannot be added (parameters, topology, settings, whether training can go on) is that of the newest
 * checkpoint whose save was finished.
 */
export function mergeReports(
  members: readonly ReadMember[],
  rest: CheckpointReport,
  found: readonly Finding[],
  path: string,
  tensorCount: number,
): CheckpointReport {
  const placed = members.map(placedMember);
  const all: Placed[] = [...placed, { report: rest, place: (name) => name }];
  const finished = members.filter(({ checkpoint }) => checkpoint.finished);
  const newest = finished.at(-1) ?? members.at(-1);
  const newestPlaced = placed[members.indexOf(newest as ReadMember)] as Placed;
  const { report } = newestPlaced;
  return {
    schemaVersion: 1,
    kind: 'checkpoint',
    path,
    layout: 'run',
    framework: report.framework,
    step: newest?.checkpoint.step ?? null,
    totalBytes: all.reduce((sum, item) => sum + item.report.totalBytes, 0),
    parameters: {
      ...report.parameters,
      source: `Of ${newest?.root === '' ? 'the model here' : (newest?.root ?? '')}. ${report.parameters.source}`,
    },
    bytesPerParameter: null,
    components: sumComponents(all),
    topology: report.topology,
    ranks: [],
    files: all.flatMap((item) => item.report.files.map((file) => ({ ...file, path: item.place(file.path) }))),
    tensorCount,
    optimizerMatch: report.optimizerMatch,
    storedTwice: sumStoredTwice(all),
    facts: report.facts.map((fact) => ({ ...fact, path: newestPlaced.place(fact.path) })),
    objects: report.objects.map((object) => ({ ...object, path: newestPlaced.place(object.path) })),
    findings: gatherFindings(placed, rest, finished.length === 0 ? [...found, { code: 'run-without-checkpoint' }] : found),
    checks: {
      done: union(all.map((item) => item.report.checks.done)),
      notDone: union(all.map((item) => item.report.checks.notDone)),
    },
    resume: report.resume,
    pickleImports: sumImports(all),
    io: { bytesRead: 0, reads: 0, elapsedMs: 0 },
  };
}

function placedMember({ root, report, checkpoint }: ReadMember): Placed {
  const isFile = checkpoint.files === 1 && report.files[0]?.path === root.slice(root.lastIndexOf('/') + 1);
  return { report, place: (path) => (isFile ? root : path === '' ? root : joinPath(root, path)) };
}

function sumComponents(all: readonly Placed[]): CheckpointReport['components'] {
  const sums: CheckpointReport['components'] = {};
  for (const component of componentIds) {
    for (const { report } of all) {
      const totals = report.components[component];
      if (totals !== undefined) sums[component] = addTotals(sums[component], totals);
    }
  }
  return sums;
}

function addTotals(sum: ComponentTotals | undefined, totals: ComponentTotals): ComponentTotals {
  if (sum === undefined) return { ...totals, ...(totals.parts === undefined ? {} : { parts: { ...totals.parts } }) };
  const parts = { ...sum.parts };
  for (const [part, bytes] of Object.entries(totals.parts ?? {}))
    parts[part as keyof typeof parts] = (parts[part as keyof typeof parts] ?? 0) + bytes;
  return {
    tensorBytes: sum.tensorBytes + totals.tensorBytes,
    otherBytes: sum.otherBytes + totals.otherBytes,
    logicalBytes: sum.logicalBytes + totals.logicalBytes,
    tensors: sum.tensors + totals.tensors,
    files: sum.files + totals.files,
    ...(Object.keys(parts).length === 0 ? {} : { parts }),
  };
}

function sumStoredTwice(all: readonly Placed[]): CheckpointReport['storedTwice'] {
  const items = all.flatMap(({ report, place }) =>
    report.storedTwice.items.map((item) => ({ ...item, paths: item.paths.map((path) => place(path)) })),
  );
  return { bytes: items.reduce((sum, item) => sum + item.bytes, 0), items };
}

function sumImports(all: readonly Placed[]): PickleImport[] {
  const imports = new Map<string, PickleImport>();
  for (const { report, place } of all) {
    for (const item of report.pickleImports) {
      const known = imports.get(item.name);
      const paths = item.paths.map((path) => place(path));
      imports.set(
        item.name,
        known === undefined
          ? { ...item, paths }
          : { ...known, files: known.files + item.files, paths: [...known.paths, ...paths].slice(0, limits.findingsPerCode) },
      );
    }
  }
  return [...imports.values()];
}

/** Findings of all checkpoints, each with the checkpoint as its path where it had none; what concerns the directory as such is the run. */
function gatherFindings(members: readonly Placed[], rest: CheckpointReport, found: readonly Finding[]): FindingReport[] {
  const ofMembers = members.flatMap(({ report, place }) =>
    report.findings.map((finding) => ({ ...finding, path: place(finding.path ?? '') })),
  );
  const ofRest = rest.findings.filter(({ code }) => code !== 'layout-unknown' && code !== 'nothing-here');
  const own = found.map(describeFinding);
  const counts = new Map<string, number>();
  const kept = [...own, ...ofRest, ...ofMembers].filter(({ code }) => {
    const count = (counts.get(code) ?? 0) + 1;
    counts.set(code, count);
    return count <= limits.findingsPerCode;
  });
  const order = ['error', 'warning', 'note'];
  return kept.sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
}

function union(lists: readonly string[][]): string[] {
  return [...new Set(lists.flat())];
}
