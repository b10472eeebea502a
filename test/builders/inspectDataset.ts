import { inspect, type InspectOptions } from '../../src/core/inspection/inspect.js';
import type { DatasetReport } from '../../src/core/datasets/datasetReport.js';
import { memoryTree, type MemoryFile, type ReadLog } from './memoryTree.js';

/** Inspects files in memory, which have to be a dataset. */
export async function inspectDataset(
  files: Readonly<Record<string, MemoryFile>>,
  log?: ReadLog,
  options: Partial<InspectOptions> = {},
): Promise<DatasetReport> {
  const { report } = await inspect(memoryTree('data', files, log), { path: 'data', ...options });
  if (report.kind !== 'dataset') throw new Error(`this is a ${report.kind}`);
  return report;
}

/** Codes of the findings, each once. */
export function codesOf(report: DatasetReport): string[] {
  return [...new Set(report.findings.map(({ code }) => code))];
}
