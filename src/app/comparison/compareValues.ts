import type { ComparedCheckpoint } from '../../core/comparison/comparedCheckpoint.js';
import type { ComparedReports } from '../../core/comparison/compareReports.js';
import { isSame } from '../../core/comparison/compareReports.js';
import type { ComparisonReport } from '../../core/comparison/comparisonReport.js';
import { pairFindings } from '../../core/comparison/values/pairFindings.js';
import { planPairs, type PlannedSide } from '../../core/comparison/values/planPairs.js';
import { valueDifferences } from '../../core/comparison/values/valueDifferences.js';
import type { ValuesProgress } from '../../core/values/valuesReport.js';
import type { Sample } from '../../core/values/valueTask.js';
import type { Hooks, Platform } from '../platform.js';

/**
 * The report with the values of the tensors that both have.
 * @throws FormatError `cancelled`, `io`
 */
export async function compareValues(
  platform: Pick<Platform, 'readPairs'>,
  { a, b, compared }: { a: ComparedCheckpoint; b: ComparedCheckpoint; compared: ComparedReports },
  sample: Sample | undefined,
  { signal, onProgress }: Hooks<ValuesProgress>,
): Promise<ComparisonReport> {
  const { match, report } = compared;
  const [own, other] = [plannedSide(a), plannedSide(b)];
  const plan = planPairs(match, own, other, sample);
  let bytesRead = 0;
  const onBytes = (bytes: number): void => {
    bytesRead += bytes;
    onProgress?.({ bytesRead, totalBytes: plan.totalBytes });
  };
  const reading = { a: a.opened, b: b.opened, tasks: plan.tasks };
  const results = await platform.readPairs(reading, { signal, onBytes });
  const differences = valueDifferences({ match, a: own, b: other, plan, results, sample });
  const findings = [...report.findings, ...pairFindings(results, match, own, other, sample !== undefined)];
  const io = { ...report.io, bytesRead: report.io.bytesRead + differences.valuesCompared.bytesRead };
  const whole = { ...report, ...differences, findings, io };
  return { ...whole, isSame: isSame(whole) };
}

function plannedSide({ report, table, opened }: ComparedCheckpoint): PlannedSide {
  return { table, files: report.files.map(({ path }) => ({ path: opened.place(path) })), layout: report.layout };
}
