/** Findings in the order in which they are shown, and how many there are of each severity. */
import type { Severity } from '../findings/defineFinding.js';
import type { FindingReport } from '../findings/finding.js';
import { counted } from '../text/quantities.js';

const severities: readonly Severity[] = ['error', 'warning', 'note'];

/** Errors first, then warnings, then notes; within one severity as reported. */
export function sortedFindings(report: { findings: readonly FindingReport[] }): FindingReport[] {
  return severities.flatMap((severity) => report.findings.filter((finding) => finding.severity === severity));
}

/** How many findings of each severity there are, the worst first, none left out that is there. */
export function severityCounts(report: {
  findings: readonly FindingReport[];
}): { severity: Severity; count: number; text: string }[] {
  return severities
    .map((severity) => ({ severity, count: report.findings.filter((finding) => finding.severity === severity).length }))
    .filter(({ count }) => count > 0)
    .map(({ severity, count }) => ({ severity, count, text: counted(count, severity) }));
}
