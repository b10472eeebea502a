/** What all reports in a terminal have in common: colours and findings. */
import type { FindingReport } from '../../findings/finding.js';
import { passedBefore } from '../verification/loggedChecks.js';
import { findingCounts, mostSevere, type CheckedFindings } from '../findingCounts.js';
import { visibleText } from '../../text/visibleText.js';

export interface TerminalOptions {
  /** Columns to fill. */
  width: number;
  /** Whether ANSI colours may be used. */
  color: boolean;
}

const MAX_FINDINGS = 20;
export const RESET = '\u001b[0m';
const codes = { bold: '\u001b[1m', dim: '\u001b[2m', red: '\u001b[31m', yellow: '\u001b[33m' };

export type Paint = (style: keyof typeof codes, text: string) => string;

/** Gives text a style, where colours may be used. */
export function painter(color: boolean): Paint {
  return (style, text) => (color ? `${codes[style]}${text}${RESET}` : text);
}

/** The findings with their number above them. */
export function findingsBlock(report: CheckedFindings, paint: Paint): string[] {
  const { shown, rest } = mostSevere(report.findings, MAX_FINDINGS);
  return [
    `Findings: ${findingCounts(report)}`,
    ...shown.flatMap((finding) => findingLines(finding, paint)),
    ...(rest === '' ? [] : [`  ${rest}: see --json`]),
    ...passedBefore(report),
    ...notCheckedLine(report),
  ];
}

function notCheckedLine({ checks: { notDone } }: CheckedFindings): string[] {
  return notDone.length === 0 ? [] : [`Not checked: ${notDone.map(visibleText).join('; ')}`];
}

function findingLines(finding: FindingReport, paint: Paint): string[] {
  const style = finding.severity === 'error' ? 'red' : finding.severity === 'warning' ? 'yellow' : 'dim';
  const where =
    finding.path === null ? '' : ` ${visibleText(finding.path)}${finding.offset === null ? '' : `:${finding.offset}`}`;
  return [
    `  ${paint(style, finding.severity)}${where}: ${visibleText(finding.message)}`,
    `    ${visibleText(finding.effect)} ${visibleText(finding.advice)}`,
  ];
}
