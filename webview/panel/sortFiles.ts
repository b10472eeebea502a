import type { FileRow } from './fileRows.js';
import type { ReportViewState } from './viewState.js';

type Sortable = Pick<FileRow, 'path' | 'bytes' | 'format' | 'role'>;

const byName = new Intl.Collator('en', { numeric: true });

/** Files in the asked order; equal ones by path, so that the order is the same every time. */
export function sortFiles<File extends Sortable>(
  files: readonly File[],
  { column, descending }: ReportViewState['fileSort'],
): File[] {
  const sign = descending ? -1 : 1;
  return [...files].sort((a, b) => sign * compare(a, b, column) || byName.compare(a.path, b.path));
}

function compare(a: Sortable, b: Sortable, column: string): number {
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
