/** What one of the checks of loading found. */
import type { LoadCheckId, LoadCheckItem, LoadVerdict } from '../checkpoints/loadReport.js';
import type { Finding } from '../findings/finding.js';

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
