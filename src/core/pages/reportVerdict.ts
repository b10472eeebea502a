/** The line that a report opens with: whether it is well, and what is the matter if not. */
import type { CheckpointReport } from '../checkpoints/checkpointReport.js';
import type { DatasetReport } from '../datasets/datasetReport.js';
import type { Severity } from '../findings/defineFinding.js';
import type { FindingReport } from '../findings/finding.js';
import type { CollectionReport } from '../inspection/collection/collectionReport.js';
import { visibleText } from '../text/visibleText.js';
import { headlineOf } from './checkpoint/headline.js';
import { partFindings } from './collection/collectionPage.js';
import { findingCounts, gravest, severityCounts, sortedFindings } from './findingCounts.js';

export interface ReportVerdict {
  /** The gravest of what is said; `fine` where nothing is the matter, as far as it was checked. */
  severity: Severity | 'fine';
  /** One sentence. */
  text: string;
  /** What it rests on or what to do; empty for most. */
  more: string;
}

/** `Resume: complete.`, or `Resume: fails (2 errors).` with the first of the errors. */
export function checkpointVerdict(report: CheckpointReport): ReportVerdict {
  const { verdict, elsewhere } = headlineOf(report);
  const worst = worstOf(report.findings);
  const problem = worst !== null && worst.severity !== 'note' ? sentence(worst.message) : '';
  return {
    severity: gravest([severityOfVerdict(report.resume.verdict), worst?.severity ?? 'fine']),
    text: verdict,
    more: [problem, elsewhere].filter((text) => text !== '').join(' '),
  };
}

/** `No problems in 5 checks; 2 checks not done`, or how many findings and the first of them. */
export function datasetVerdict(report: DatasetReport): ReportVerdict {
  const worst = worstOf(report.findings);
  return {
    severity: worst?.severity ?? 'fine',
    text: `${findingCounts(report)}.`,
    more: worst === null ? '' : sentence(worst.message),
  };
}

/** What is the matter with the directory as a whole, then how many findings its parts have. */
export function collectionVerdict(report: CollectionReport): ReportVerdict {
  const ofParts = report.parts.flatMap(({ findings: { error = 0, warning = 0 } }): (Severity | 'fine')[] => [
    error > 0 ? 'error' : warning > 0 ? 'warning' : 'fine',
  ]);
  const parts = report.parts.length === 0 ? '' : partFindings(report);
  const own = severityCounts(report).filter(({ severity }) => severity !== 'note');
  const worst = worstOf(report.findings);
  if (own.length === 0 || worst === null) return { severity: gravest(ofParts), text: parts, more: '' };
  return {
    severity: gravest([worst.severity, ...ofParts]),
    text: `${own.map(({ text }) => text).join(', ')} here.`,
    more: `${sentence(worst.message)} ${parts}`,
  };
}

/** A state that resumes only in part is worth a look; what holds no training state is not at fault. */
function severityOfVerdict(verdict: CheckpointReport['resume']['verdict']): Severity | 'fine' {
  switch (verdict) {
    case 'broken':
      return 'error';
    case 'partial':
    case 'unknown':
      return 'warning';
    case 'none':
    case 'state-only':
      return 'note';
    case 'complete':
    case 'weights-only':
      return 'fine';
  }
}

/** A finding's message with a full stop. */
function sentence(message: string): string {
  const text = visibleText(message);
  return text.endsWith('.') ? text : `${text}.`;
}

function worstOf(findings: readonly FindingReport[]): FindingReport | null {
  return sortedFindings({ findings })[0] ?? null;
}
