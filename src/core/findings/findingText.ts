/** Findings in words: what it is, why it matters, what to do. */
import { findingSeverities, type Finding, type FindingCode, type FindingReport } from './finding.js';
import { checkpointFindingWords } from './checkpointFindingWords.js';
import { datasetFindingWords } from './datasetFindingWords.js';
import type { FactText, FindingWords } from './findingWords.js';
import { formatBytes, formatCount } from '../text/units.js';

/** A finding as it is reported. */
export function describeFinding(finding: Finding): FindingReport {
  const words = wordsOf[finding.code]((name) => factText(finding, name));
  return {
    code: finding.code,
    severity: findingSeverities[finding.code],
    path: finding.path ?? null,
    offset: finding.offset ?? null,
    ...words,
  };
}

function factText(finding: Finding, name: string): string {
  const value = finding.facts?.[name];
  if (value === undefined) return '?';
  if (typeof value === 'string') return value;
  return name.toLowerCase().endsWith('bytes') ? `${formatBytes(value)} (${formatCount(value)} bytes)` : formatCount(value);
}

const wordsOf: Record<FindingCode, (fact: FactText) => FindingWords> = { ...checkpointFindingWords, ...datasetFindingWords };
