import { telemetryReport, type TelemetryReport } from '../../core/runs/telemetry/telemetryReport.js';
import { readTelemetry } from '../../core/runs/telemetry/inputs/readTelemetry.js';
import { columnNames, type NamedColumns } from '../../core/runs/telemetry/inputs/sampleColumns.js';
import { telemetryPage } from '../../core/pages/runs/telemetryPage.js';
import { listed } from '../../core/text/quantities.js';
import { jobOfTelemetry } from '../../core/runs/jobs/job.js';
import type { Hooks, Platform } from '../platform.js';
import { jobsAnswer, type JobsAnswer } from './jobsAnswer.js';
import { ofPath } from '../ofPath.js';
import { InputError } from '../useCaseError.js';
import type { RunsInTelemetryInput } from '../useCaseInputs.js';

/**
 * The saves and jobs in a time series of what a file system wrote and read.
 * @throws InputError for columns that are none; PathError where the file cannot be used
 */
export async function runsInTelemetry(
  platform: Platform,
  { path, columns = {} }: RunsInTelemetryInput,
  { signal }: Hooks = {},
): Promise<JobsAnswer<TelemetryReport>> {
  const report = await reportOf(platform, path, namedColumns(columns), signal);
  return jobsAnswer(report, telemetryPage(report), report.jobs.map(jobOfTelemetry));
}

function namedColumns(columns: Readonly<Record<string, string>>): NamedColumns {
  const named: NamedColumns = {};
  for (const [name, label] of Object.entries(columns)) {
    const known = columnNames.find((column) => column === name);
    if (known === undefined) throw InputError.ofInput('columns', `takes ${listed(columnNames)}`, name);
    named[known] = label;
  }
  return named;
}

async function reportOf(
  platform: Platform,
  path: string,
  columns: NamedColumns,
  signal: AbortSignal | undefined,
): Promise<TelemetryReport> {
  return ofPath(path, 'cannot be read', async () =>
    telemetryReport(path, await readTelemetry(await platform.openTree(path), columns, signal)),
  );
}
