/** When a pipeline's step fails: findings of a severity, or of certain codes. */
import type { Severity } from '../../core/findings/defineFinding.js';
import type { Report } from '../../core/inspection/report.js';

export interface FailOn {
  /** This severity and worse ones. */
  severity?: Exclude<Severity, 'note'>;
  codes?: readonly string[];
}

/** Whether the report, or a part of a collection, has such a finding. */
export function failsOn(report: Report, { severity, codes = [] }: FailOn): boolean {
  const severities: readonly Severity[] = severity === undefined ? [] : severity === 'error' ? ['error'] : ['error', 'warning'];
  const isIn = (found: readonly { severity: Severity; code: string }[]): boolean =>
    found.some((finding) => severities.includes(finding.severity) || codes.includes(finding.code));
  if (isIn(report.findings)) return true;
  if (report.kind !== 'collection') return false;
  return report.parts.some(
    ({ findings, findingCodes }) =>
      severities.some((each) => (findings[each] ?? 0) > 0) || findingCodes.some((code) => codes.includes(code)),
  );
}
