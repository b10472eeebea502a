import { expect } from 'vitest';
import { inspectCheckpoint } from '../../builders/inspectCheckpoint.js';
import type { FileTree } from '../../../src/core/files/fileTree.js';
import type { CheckpointReport } from '../../../src/core/report/checkpointReport.js';

/**
 * Inspects damaged or hostile files: there is always a report, its sums are exact, and nothing went wrong in an unforeseen way.
 * Throws what is not a FormatError, so that a test fails on it.
 */
export async function inspectHostile(tree: FileTree): Promise<CheckpointReport> {
  const { report } = await inspectCheckpoint(tree, { path: tree.rootName });
  const components = Object.values(report.components).reduce((sum, totals) => sum + totals.tensorBytes + totals.otherBytes, 0);
  if (components !== report.totalBytes) expect(components).toBe(report.totalBytes);
  for (const file of report.files) {
    const bytes = Object.values(file.components).reduce((sum, part) => sum + part, 0);
    if (bytes !== file.bytes) expect(bytes, file.path).toBe(file.bytes);
  }
  const unforeseen = report.findings.filter((finding) => finding.code === 'internal-error');
  if (unforeseen.length > 0) expect(unforeseen).toEqual([]);
  return report;
}

/** Whether anything of the report says that something is wrong. */
export function isNoticed(report: CheckpointReport): boolean {
  return report.findings.some((finding) => finding.severity === 'error');
}
