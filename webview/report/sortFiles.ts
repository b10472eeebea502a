import type { FileReport } from '../../src/core/report/checkpointReport.js';
import type { ReportViewState } from './viewState.js';

const byName = new Intl.Collator('en', { numeric: true });

/** Files in the asked order; equal ones by path, so that the order is the same every time. */
export function sortFiles(files: FileReport[], { column, descending }: ReportViewState['fileSort']): FileReport[] {
  const sign = descending ? -1 : 1;
  return [...files].sort((a, b) => sign * compare(a, b, column) || byName.compare(a.path, b.path));
}

function compare(a: FileReport, b: FileReport, column: string): number {
  switch (column) {
    case 'bytes':
      return a.bytes - b.bytes;
    case 'format':
      return byName.compare(a.format, b.format);
    case 'role':
      return byName.compare(a.role, b.role);
    default:
      return byName.compare(a.path, b.path);
  }
}
