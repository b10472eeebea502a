import type { ComparedCheckpoint, SideName } from '../../core/comparison/comparedCheckpoint.js';
import type { ComparedReports } from '../../core/comparison/compareReports.js';
import { isSame } from '../../core/comparison/compareReports.js';
import type { ComparisonFinding, ComparisonReport } from '../../core/comparison/comparisonReport.js';
import { pairFindings } from '../../core/comparison/values/pairFindings.js';
import { planPairs, type PlannedSide } from '../../core/comparison/values/planPairs.js';
import { valueDifferences } from '../../core/comparison/values/valueDifferences.js';
import type { FileEntry } from '../../core/files/fileTree.js';
import { describeFinding } from '../../core/findings/describeFindings.js';
import type { ValuesProgress } from '../../core/values/valuesReport.js';
import type { Sample } from '../../core/values/valueTask.js';
import type { Hooks, Platform } from '../platform.js';

/**
 * The report with the values of the tensors that both have.
 * @throws FormatError `cancelled`, `io`
 */
export async function compareValues(
  platform: Pick<Platform, 'readPairs' | 'openTree'>,
  { a, b, compared }: { a: ComparedCheckpoint; b: ComparedCheckpoint; compared: ComparedReports },
  sample: Sample | undefined,
  { signal, onProgress }: Hooks<ValuesProgress>,
): Promise<ComparisonReport> {
  const { match, report } = compared;
  const [own, other] = [plannedSide(a), plannedSide(b)];
  const plan = planPairs(match, own, other, sample);
  const before = { a: await entriesOf(a, signal), b: await entriesOf(b, signal) };
  let bytesRead = 0;
  const onBytes = (bytes: number): void => {
    bytesRead += bytes;
    onProgress?.({ bytesRead, totalBytes: plan.totalBytes });
  };
  const reading = { a: a.opened, b: b.opened, tasks: plan.tasks };
  const results = await platform.readPairs(reading, { signal, onBytes });
  const differences = valueDifferences({ match, a: own, b: other, plan, results, sample });
  const findings = [
    ...report.findings,
    ...(await changesOf(platform, a, 'a', before.a, signal)),
    ...(await changesOf(platform, b, 'b', before.b, signal)),
    ...pairFindings(results, match, own, other, sample !== undefined),
  ];
  const io = { ...report.io, bytesRead: report.io.bytesRead + differences.valuesCompared.bytesRead };
  const whole = { ...report, ...differences, findings, io };
  return { ...whole, isSame: isSame(whole) };
}

function plannedSide({ report, table, opened }: ComparedCheckpoint): PlannedSide {
  return { table, files: report.files.map(({ path }) => ({ path: opened.place(path) })), layout: report.layout };
}

async function entriesOf({ opened }: ComparedCheckpoint, signal: AbortSignal | undefined): Promise<readonly FileEntry[]> {
  return (await opened.tree.list(signal)).entries;
}

/** Reading takes long: what was written meanwhile is noted. */
async function changesOf(
  platform: Pick<Platform, 'openTree'>,
  { opened }: ComparedCheckpoint,
  side: SideName,
  before: readonly FileEntry[],
  signal: AbortSignal | undefined,
): Promise<ComparisonFinding[]> {
  const after = new Map((await (await platform.openTree(opened.path)).list(signal)).entries.map((entry) => [entry.path, entry]));
  const changed = before.filter(({ path, sizeBytes, modifiedMs }) => {
    const now = after.get(path);
    return now?.sizeBytes !== sizeBytes || now.modifiedMs !== modifiedMs;
  });
  const [first] = changed;
  if (first === undefined) return [];
  return [{ ...describeFinding({ code: 'changed-while-compared', facts: { files: changed.length, first: first.path } }), side }];
}
