/** Findings in words: what it is, why it matters, what to do. */
import { limits } from '../bytes/limits.js';
import { severities, type FindingDefinition } from './defineFinding.js';
import type { Finding, FindingCode, FindingReport } from './finding.js';
import { findingTable } from './findingTable.js';
import { formatCount } from '../text/units.js';

/** A finding as it is reported. */
export function describeFinding(finding: Finding): FindingReport {
  const { severity, words } = definitions[finding.code];
  return {
    code: finding.code,
    severity,
    path: finding.path ?? null,
    offset: finding.offset ?? null,
    // The facts are those of the code by the type of findings, which cannot be followed through the table.
    ...words(finding.facts as never),
  };
}

/** Errors first; of each kind no more than people read, with a last line that counts the rest. */
export function describeFindings(findings: readonly Finding[]): FindingReport[] {
  const byCode = new Map<string, Finding[]>();
  for (const finding of findings) {
    const same = byCode.get(finding.code) ?? [];
    byCode.set(finding.code, same);
    same.push(finding);
  }
  const reports = [...byCode.values()].flatMap((same) => {
    const shown = same.slice(0, limits.findingsPerCode).map(describeFinding);
    const rest = same.length - shown.length;
    const [first] = shown;
    if (rest > 0 && first !== undefined)
      shown.push({ ...first, path: null, offset: null, message: `${formatCount(rest)} more of the same kind.` });
    return shown;
  });
  return reports.sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
}

const definitions: Readonly<Record<FindingCode, Pick<FindingDefinition<never>, 'severity' | 'words'>>> = findingTable;
