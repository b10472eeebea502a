/** What a scan of all tensors found, for the panel: the answer, the findings, and a row for each tensor, what matters first. */
import type { FindingReport } from '../../findings/finding.js';
import type { ValuesReport } from '../../values/valuesReport.js';
import type { ExactNumber } from '../../values/valueSummary.js';
import { logOutcomeWords } from '../verification/loggedChecks.js';
import { headline, notReadWords, sparkline, whatMattersFirst } from './valuesPage.js';

export interface ScannedTensor {
  name: string;
  /** With * for codes that are stored, before any scale. */
  dtype: string;
  shape: string;
  nan: number;
  inf: number;
  /** Of all values that were read; null of none. */
  zeroShare: number | null;
  min: ExactNumber | null;
  max: ExactNumber | null;
  mean: number | null;
  std: number | null;
  /** As blocks of text. */
  histogram: string;
  /** Where the first value is that is not finite, or where the tensor begins; null for one without bytes. */
  path: string | null;
  offsetBytes: number | null;
}

export interface ScannedValues {
  decision: string;
  severity: 'error' | 'note' | 'fine';
  /** The first ones. */
  findings: Pick<FindingReport, 'severity' | 'message' | 'path' | 'offset'>[];
  moreFindings: number;
  /** A sentence for each reason why tensors were not read. */
  notRead: string[];
  /** Whether it was entered into the log, a sentence; none where that was not asked for. */
  logged: string[];
  tensors: ScannedTensor[];
  /** All of them that were read. */
  total: number;
}

/** Rows that a page gets, some 300 bytes each. */
const mostRows = 10_000;
/** Findings that stand above the table. */
const mostFindings = 20;

export function scannedValues(report: ValuesReport): ScannedValues {
  const { tensors, notRead, findings } = report;
  const worst = findings.some(({ severity }) => severity === 'error') ? 'error' : 'note';
  return {
    decision: headline(report),
    severity: findings.length + notRead.length === 0 ? 'fine' : worst,
    findings: findings.slice(0, mostFindings).map(({ severity, message, path, offset }) => ({ severity, message, path, offset })),
    moreFindings: Math.max(0, findings.length - mostFindings),
    notRead: notReadWords(report),
    logged: logOutcomeWords(report.log),
    tensors: whatMattersFirst(tensors)
      .slice(0, mostRows)
      .map(({ name, dtype, basis, shape, count, zeros, nan, inf, min, max, mean, std, histogram, path, first }) => ({
        name,
        dtype: `${dtype}${basis === 'codes' ? '*' : ''}`,
        shape: `[${shape.join(', ')}]`,
        zeroShare: count === 0 ? null : zeros / count,
        ...{ nan, inf, min, max, mean, std },
        histogram: histogram === null ? '' : sparkline(histogram),
        path: first?.path ?? path,
        offsetBytes: first?.offset ?? null,
      })),
    total: tensors.length,
  };
}
