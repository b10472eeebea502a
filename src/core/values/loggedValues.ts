import type { LoggedValues } from '../findings/loggedCheck.js';
import { isOfMissingData } from './missingData.js';
import type { ValuesReport } from './valuesReport.js';

/** What a log has of a reading of all values. */
export function loggedValues({ tensors, notRead, findings, bytesRead }: ValuesReport): LoggedValues {
  const damaged = findings.filter(({ code }) => code === 'values-not-finite');
  return {
    what: 'values',
    tensors: tensors.length,
    notRead: notRead.length,
    notFinite: damaged.reduce((sum, { more }) => sum + (more ?? 1), 0),
    errors: findings.filter(isOfMissingData).length,
    bytesRead,
  };
}
