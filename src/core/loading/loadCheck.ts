/** What one of the checks of loading found. */
import type { LoadCheckId, LoadCheckItem, LoadVerdict } from '../checkpoints/loadReport.js';
import type { Finding } from '../findings/finding.js';
import { capitalized } from '../text/capitalized.js';

export interface LoadCheck {
  /** `unknown` where nothing that decides was compared. */
  verdict: LoadVerdict;
  /** Why it is not `loads`, in one sentence; empty where it is. */
  why: string;
  checked: LoadCheckId[];
  notChecked: LoadCheckItem[];
  findings: Finding[];
  /** What was compared, each in one clause, for the report's list of checks. */
  done: string[];
}

/** A check that has nothing to compare. */
export const nothingToCheck: LoadCheck = { verdict: 'loads', why: '', checked: [], notChecked: [], findings: [], done: [] };

/** Why something is not known, as a sentence; a name of a file stays as it is. @param detail a clause */
export function openInWords(detail: string): string {
  return `${detail.startsWith('config.json') ? detail : capitalized(detail)}.`;
}

const order = ['loads', 'unknown', 'loads-with-warnings', 'fails'] as const;

/** The worst verdict stays, with its reason. */
export function worsen(check: LoadCheck, verdict: LoadCheck['verdict'], why: string): void {
  if (order.indexOf(verdict) <= order.indexOf(check.verdict)) return;
  check.verdict = verdict;
  check.why = why;
}
