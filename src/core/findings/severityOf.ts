import type { Severity } from './defineFinding.js';
import type { Finding } from './finding.js';
import { findingTable } from './findingTable.js';

/** How severe a finding is: that of its code, and less for damage to a file that loading does not open. */
export function severityOf({ code, aside }: Pick<Finding, 'code' | 'aside'>): Severity {
  const { severity } = findingTable[code];
  if (aside === undefined || severity === 'note') return severity;
  return aside === 'unused' ? 'note' : 'warning';
}
