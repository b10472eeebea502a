import { expect } from 'vitest';
import { inspect } from '../../src/core/inspection/inspect.js';
import type { FileTree } from '../../src/core/files/fileTree.js';
import type { CheckpointReport } from '../../src/core/checkpoints/checkpointReport.js';
import type { Report } from '../../src/core/inspection/report.js';
import { checkpointOf } from '../builders/inspectCheckpoint.js';

/**
 * Inspects damaged or hostile files: there is always a report, its sums are exact, and nothing went wrong in an unforeseen way.
 * Throws what is not a FormatError, so that a test fails on it.
 */
export async function inspectHostile(tree: FileTree): Promise<CheckpointReport> {
  return checkpointOf(await inspectAnyHostile(tree));
}

/** The same where damage may turn a dataset into a checkpoint, or the reverse. */
export async function inspectAnyHostile(tree: FileTree): Promise<Report> {
  const { report } = await inspect(tree, { path: tree.rootName });
  const total = totalOf(report);
  if (total !== report.totalBytes) expect(total).toBe(report.totalBytes);
  for (const { path, bytes, parts } of accountsOf(report)) {
    const sum = sumOf(parts);
    if (sum !== bytes) expect(sum, path).toBe(bytes);
  }
  const unforeseen = report.findings.filter((finding) => finding.code === 'internal-error');
  if (unforeseen.length > 0) expect(unforeseen).toEqual([]);
  if (report.kind === 'checkpoint' && report.resume.verdict === 'broken' && !isNoticed(report))
    expect(report.findings, 'a verdict of broken comes with an error').toContainEqual({ severity: 'error' });
  return report;
}

function totalOf(report: Report): number {
  if (report.kind === 'dataset') return sumOf(report.bytes);
  if (report.kind === 'collection') return report.parts.reduce((sum, { totalBytes }) => sum + totalBytes, report.other.bytes);
  return Object.values(report.components).reduce((sum, totals) => sum + totals.tensorBytes + totals.otherBytes, 0);
}

function accountsOf(report: Report): { path: string; bytes: number; parts: Partial<Record<string, number>> }[] {
  if (report.kind === 'dataset') return report.files.map(({ path, bytes, kinds }) => ({ path, bytes, parts: kinds }));
  if (report.kind === 'collection') return [];
  return report.files.map(({ path, bytes, components }) => ({ path, bytes, parts: components }));
}

function sumOf(parts: Partial<Record<string, number>>): number {
  return Object.values(parts).reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0);
}

/** Whether anything of the report says that something is wrong. */
export function isNoticed(report: Report): boolean {
  return report.findings.some((finding) => finding.severity === 'error');
}
