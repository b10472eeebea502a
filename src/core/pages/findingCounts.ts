/** Findings in the order in which they are shown, and how many there are of each severity. */
import { severities, type Severity } from '../findings/defineFinding.js';
import type { FindingReport } from '../findings/finding.js';
import type { LoggedCheck } from '../findings/loggedCheck.js';
import { counted } from '../text/quantities.js';
import { formatCount } from '../text/units.js';

/** What a report found, and what it checked. */
export interface CheckedFindings {
  findings: readonly FindingReport[];
  checks: { done: readonly string[]; notDone: readonly string[] };
  loggedChecks?: readonly LoggedCheck[];
}

/** A finding, or a line that counts others. */
type Counted = Pick<FindingReport, 'severity' | 'more'>;

/** Errors first, then warnings, then notes; within one severity as reported. */
export function sortedFindings<Found extends { severity: Severity }>(report: { findings: readonly Found[] }): Found[] {
  return severities.flatMap((severity) => report.findings.filter((finding) => finding.severity === severity));
}

/** What a list with room for `most` findings shows, in the order in which they are shown, and what it leaves out. */
export interface ShownFindings<Found> {
  shown: Found[];
  /** `32 more (2 errors, 30 notes)`; empty where nothing is left out. */
  rest: string;
}

/** The worst findings, of each code one before a second: no number of others keeps an error of another kind out of sight. */
export function mostSevere<Found extends Counted & { code: string }>(
  findings: readonly Found[],
  most: number,
): ShownFindings<Found> {
  const sorted = sortedFindings({ findings });
  if (sorted.length <= most) return { shown: sorted, rest: '' };
  const seen = new Map<string, number>();
  const ranked = sorted.map((finding) => {
    const nth = seen.get(finding.code) ?? 0;
    seen.set(finding.code, nth + 1);
    return { finding, rank: severities.indexOf(finding.severity), nth };
  });
  const firstErrors = ranked.filter(({ finding, nth }) => finding.severity === 'error' && nth === 0).length;
  ranked.sort((a, b) => a.rank - b.rank || a.nth - b.nth);
  const kept = new Set(ranked.slice(0, Math.max(most, firstErrors)).map(({ finding }) => finding));
  return { shown: sorted.filter((finding) => kept.has(finding)), rest: restOf(sorted.filter((finding) => !kept.has(finding))) };
}

/** `32 more (2 errors, 30 notes)`; empty without any. */
function restOf(findings: readonly Counted[]): string {
  if (findings.length === 0) return '';
  const count = findings.reduce((sum, { more = 1 }) => sum + more, 0);
  return `${formatCount(count)} more (${countsInWords(findings)})`;
}

/** `2 errors, 30 notes`; empty without any. */
export function countsInWords(findings: readonly Counted[]): string {
  return severityCounts({ findings })
    .map(({ text }) => text)
    .join(', ');
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
  return countsInWords(findings) || checksInWords(checks);
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
