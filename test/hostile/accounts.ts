import type { Report } from '../../src/core/inspection/report.js';

/** What is inconsistent in a report: sums that differ from the sizes of the files, and internal errors. Empty for a sound one. */
export function inconsistenciesOf(report: Report): string[] {
  const found: string[] = [];
  const total = totalOf(report);
  if (total !== report.totalBytes) found.push(`the parts sum to ${total} B, the report has ${report.totalBytes} B`);
  for (const { path, bytes, parts } of accountsOf(report)) {
    const sum = sumOf(parts);
    if (sum !== bytes) found.push(`${path}: the parts sum to ${sum} B, the file has ${bytes} B`);
  }
  for (const finding of report.findings) if (finding.code === 'internal-error') found.push(`internal error: ${finding.message}`);
  if (report.kind === 'checkpoint' && report.resume.verdict === 'broken' && !isNoticed(report))
    found.push('the verdict is broken and there is no error');
  return found;
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

/** Whether a report has a finding of severity error. */
export function isNoticed(report: Report): boolean {
  return report.findings.some((finding) => finding.severity === 'error');
}
