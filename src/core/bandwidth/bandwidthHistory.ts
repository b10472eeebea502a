/** Earlier checks of a directory, as they are kept. What is in a report is checked by who shows it. */
import { limits } from '../bytes/limits.js';

/** A text that reads back; the newest of the reports where there are too many. */
export function writeHistory(reports: readonly unknown[]): string {
  const kept = reports.slice(-limits.bandwidthHistory);
  return `${JSON.stringify({ schemaVersion: 1, kind: 'bandwidth-history', reports: kept }, null, 2)}\n`;
}

/** Empty for what is no history: a damaged file must not stand in the way of a check. */
export function readHistory(text: string): unknown[] {
  try {
    const history: unknown = JSON.parse(text);
    const reports = typeof history === 'object' && history !== null && 'reports' in history ? history.reports : null;
    return Array.isArray(reports) ? reports.slice(-limits.bandwidthHistory) : [];
  } catch {
    return [];
  }
}
