/** Findings in the order in which they are shown, and how many there are of each severity. */
import { severities, type Severity } from '../findings/defineFinding.js';
import type { FindingReport } from '../findings/finding.js';
import { counted } from '../text/quantities.js';

/** What a report found, and what it checked. */
export interface CheckedFindings {
  findings: readonly FindingReport[];
  checks: { done: readonly string[]; notDone: readonly string[] };
}

/** A finding, or a line that counts others. */
type Counted = Pick<FindingReport, 'severity' | 'more'>;

/** Errors first, then warnings, then notes; within one severity as reported. */
export function sortedFindings<Found extends { severity: Severity }>(report: { findings: readonly Found[] }): Found[] {
  return severities.flatMap((severity) => report.findings.filter((finding) => finding.severity === severity));
}

/** How many findings of each severity there are, the worst first, none left out that is there. */
export function severityCounts(report: { findings: readonly Counted[] }): { severity: Severity; count: number; text: string }[] {
  return severities
    .map((severity) => ({ severity, count: countOf(report.findings, severity) }))
    .filter(({ count }) => count > 0)
    .map(({ severity, count }) => ({ severity, count, text: counted(count, severity) }));
}

/** A line that counts others stands for these. */
function countOf(findings: readonly Counted[], severity: Severity): number {
  return findings.reduce((sum, finding) => (finding.severity === severity ? sum + (finding.more ?? 1) : sum), 0);
}

/** `1 error, 2 notes`, or `No problems in 5 checks; 2 checks not done`. */
export function findingCounts({ findings, checks }: CheckedFindings): string {
  const counts = severityCounts({ findings }).map(({ text }) => text);
  return counts.length === 0 ? checksInWords(checks) : counts.join(', ');
}

/** `5 checks, 2 not done`: the same where there is little room. */
export function checkCounts({ done, notDone }: CheckedFindings['checks']): string {
  const checks = done.length === 0 ? 'no checks' : counted(done.length, 'check');
  return notDone.length === 0 ? checks : `${checks}, ${notDone.length} not done`;
}

/** `No problems in 5 checks; 2 checks not done`: of a report without findings. */
export function checksInWords({ done, notDone }: CheckedFindings['checks']): string {
  const clean = done.length === 0 ? 'No checks were done' : `No problems in ${counted(done.length, 'check')}`;
  return notDone.length === 0 ? clean : `${clean}; ${counted(notDone.length, 'check')} not done`;
}

/** The gravest of what is said; `fine` where nothing is the matter. */
export function gravest(all: readonly (Severity | 'fine')[]): Severity | 'fine' {
  return severities.find((severity) => all.includes(severity)) ?? 'fine';
}
