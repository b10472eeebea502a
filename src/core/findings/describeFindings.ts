/** Findings in words: what it is, why it matters, what to do. */
import { limits } from '../bytes/limits.js';
import { callRank } from './callRank.js';
import { severities, type FindingDefinition, type FindingWords } from './defineFinding.js';
import type { Finding, FindingCode, FindingReport } from './finding.js';
import { findingTable } from './findingTable.js';
import { unexpectedCall } from './pickleFindings.js';
import { severityOf } from './severityOf.js';
import { formatCount } from '../text/units.js';

/** A finding as it is reported. */
export function describeFinding(finding: Finding): FindingReport {
  const { words } = definitions[finding.code];
  return {
    code: finding.code,
    severity: severityOf(finding),
    path: finding.path ?? null,
    offset: finding.offset ?? null,
    // The facts are those of the code by the type of findings, which cannot be followed through the table.
    ...words(finding.facts as never),
    ...(finding.aside === undefined ? {} : asideWords[finding.aside]),
  };
}

/** What is said of damage to files that loading does not open, in place of what it would cost in others. */
const asideWords: Readonly<Record<NonNullable<Finding['aside']>, Pick<FindingWords, 'effect' | 'advice'>>> = {
  unused: {
    effect: 'Loading does not open this file: the checkpoint is not affected.',
    advice: 'Delete it, or copy it again from its source.',
  },
  other: {
    effect: 'The checkpoint loads from its other files. Programs that open this one fail.',
    advice: 'Copy it again from its source, or delete it if no program needs it.',
  },
};

/** Errors first; of each kind no more than people read, with a last line that counts the rest. */
export function describeFindings(findings: readonly Finding[]): FindingReport[] {
  const perCode = new Map<FindingCode, number>();
  const described: FindingReport[] = [];
  const last = new Map<FindingCode, FindingReport>();
  for (const finding of mostSevereCallsFirst(asideLast(findings))) {
    const count = (perCode.get(finding.code) ?? 0) + 1;
    perCode.set(finding.code, count + (finding.more ?? 0));
    // Words are made of those that are shown: there may be a million others.
    if (count <= limits.findingsPerCode) {
      const report = describeFinding(finding);
      described.push(report);
      last.set(finding.code, report);
    }
  }
  return limitFindings([...described, ...rest(perCode, last)]);
}

/** The same findings; of a code those that concern loading come before those that do not, as the first ones are shown. */
function asideLast(findings: readonly Finding[]): readonly Finding[] {
  const aside = findings.filter(isAside);
  return aside.length === 0 ? findings : [...findings.filter((finding) => !isAside(finding)), ...aside];
}

function isAside({ aside }: Finding): boolean {
  return aside !== undefined;
}

/** The same findings; unexpected calls by what they do, as the first ones are shown. */
function mostSevereCallsFirst(findings: readonly Finding[]): readonly Finding[] {
  const calls = findings.filter((finding) => finding.code === 'pickle-calls-unexpected');
  if (calls.length <= limits.findingsPerCode) return findings;
  const others = findings.filter((finding) => finding.code !== 'pickle-calls-unexpected');
  return [...calls.sort((a, b) => callRank(a.facts.call) - callRank(b.facts.call)), ...others];
}

/** A line for each code that counts the findings beyond those that are shown. */
function rest(perCode: ReadonlyMap<FindingCode, number>, last: ReadonlyMap<FindingCode, FindingReport>): FindingReport[] {
  return [...last].flatMap(([code, finding]) => {
    const more = (perCode.get(code) ?? 0) - limits.findingsPerCode;
    return more > 0 ? [{ ...finding, more }] : [];
  });
}

/** The same of findings in words. Of each code the first ones stay, of unexpected calls those that do most; lines that count others are added up. */
export function limitFindings(findings: readonly FindingReport[]): FindingReport[] {
  const byCode = new Map<string, FindingReport[]>();
  for (const finding of findings) {
    const same = byCode.get(finding.code) ?? [];
    byCode.set(finding.code, same);
    same.push(finding);
  }
  return [...byCode.values()].flatMap(limited).sort(bySeverity);
}

function bySeverity(a: FindingReport, b: FindingReport): number {
  return severities.indexOf(a.severity) - severities.indexOf(b.severity);
}

function limited(same: readonly FindingReport[]): FindingReport[] {
  const listed = same.filter(({ more }) => more === undefined);
  if (listed.length > limits.findingsPerCode) listed.sort((a, b) => bySeverity(a, b) || callRankOf(a) - callRankOf(b));
  const shown = listed.slice(0, limits.findingsPerCode);
  const more = same.reduce((sum, finding) => sum + (finding.more ?? 0), listed.length - shown.length);
  const first = shown[0] ?? same[0];
  if (more > 0 && first !== undefined)
    shown.push({ ...first, path: null, offset: null, message: `${formatCount(more)} more of the same kind.`, more });
  return shown;
}

function callRankOf({ code, message }: FindingReport): number {
  return code === 'pickle-calls-unexpected' ? callRank(message.slice(unexpectedCall.length)) : 0;
}

const definitions: Readonly<Record<FindingCode, Pick<FindingDefinition<never>, 'words'>>> = findingTable;
