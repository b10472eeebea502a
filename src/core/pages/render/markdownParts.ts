/** What all reports in Markdown have in common: findings, files, and lists that end. */
import { markdownCode, markdownText } from '../../text/displayText.js';
import type { Severity } from '../../findings/defineFinding.js';
import { passedBefore } from '../verification/loggedChecks.js';
import { findingCounts, mostSevere, type CheckedFindings } from '../findingCounts.js';
import { formatCount } from '../../text/units.js';

/** Rows that are listed before the rest is counted: Markdown is for pasting into an issue or a chat. */
export const MAX_ROWS = 40;

/** Rows of a list, and how many more there are. */
export function capped<T>(items: readonly T[], row: (item: T) => string): string[] {
  const rows = items.slice(0, MAX_ROWS).map(row);
  return items.length > MAX_ROWS ? [...rows, '', `${formatCount(items.length - MAX_ROWS)} more.`] : rows;
}

/** Findings, the worst first, and how many more of each severity there are. */
export function cappedFindings<Found extends { code: string; severity: Severity; more?: number }>(
  findings: readonly Found[],
  row: (finding: Found) => string,
): string[] {
  const { shown, rest } = mostSevere(findings, MAX_ROWS);
  return [...shown.map(row), ...(rest === '' ? [] : ['', `${rest}.`])];
}

export function findingsSection(report: CheckedFindings): string[] {
  return [
    `### Findings: ${findingCounts(report)}`,
    '',
    ...cappedFindings(report.findings, (finding) => {
      const where =
        finding.path === null
          ? ''
          : ` ${markdownCode(finding.path)}${finding.offset === null ? '' : ` at ${formatCount(finding.offset)}`}`;
      return `- **${finding.severity}**${where}: ${markdownText(finding.message)} ${markdownText(finding.effect)} ${markdownText(finding.advice)}`;
    }),
    ...passedBefore(report).flatMap((text) => ['', markdownText(text)]),
    ...(report.checks.notDone.length === 0 ? [] : ['', `Not checked: ${report.checks.notDone.map(markdownText).join('; ')}.`]),
    '',
  ];
}

export function filesSection(files: readonly { path: string; bytes: number; role: string }[]): string[] {
  return [
    '### Files',
    '',
    '| file | bytes | what |',
    '| --- | ---: | --- |',
    ...capped(files, (file) => `| ${markdownCode(file.path)} | ${formatCount(file.bytes)} | ${markdownText(file.role)} |`),
    '',
  ];
}
