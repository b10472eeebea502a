import type { TemplateResult } from 'lit';

/** A column of `stowage-data-grid`. */
export interface GridColumn<Row> {
  id: string;
  label: string;
  /** In pixels, until the reader sets another. The first column takes what is left over. */
  widthPx: number;
  /** Numbers: aligned at their end, the largest first where they are sorted. */
  isNumber?: boolean;
  /** Where the table is too narrow for all columns, those that are worth least are left out; 0 unless given, and Infinity for never. */
  worth?: number;
  /** What rows are copied with, and sorted by unless `order` is given: exact, null when absent. */
  value(row: Row): string | number | null;
  /** What rows are sorted by where the value is words. */
  order?(row: Row): string | number | null;
  /** What is shown in place of the value. */
  cell?(row: Row): unknown;
  /** Shown on hover: the exact value, or all of a shortened text. */
  title?(row: Row): string;
  /** Said above the table in place of a column that has the same value in all rows; without it the column is always shown. */
  constant?(row: Row): string | TemplateResult;
}

export interface GridSort {
  column: string;
  descending: boolean;
}

/** What a click on a header asks for: the column's natural direction, then the other, then the table's own order again. */
export function nextSort(sort: GridSort | null, { id, isNumber = false }: GridColumn<never>): GridSort | null {
  if (sort?.column !== id) return { column: id, descending: isNumber };
  return sort.descending === isNumber ? { column: id, descending: !isNumber } : null;
}

/** Columns that have the same value in all rows, which is said once; those that have none at all. */
export function constantColumns<Row>(
  columns: readonly GridColumn<Row>[],
  rows: readonly Row[],
): { constant: ReadonlySet<string>; empty: ReadonlySet<string> } {
  const constant = new Set<string>();
  const empty = new Set<string>();
  const [first] = rows;
  for (const column of columns.slice(1)) {
    if (first === undefined) break;
    const value = column.value(first);
    if (!rows.every((row) => column.value(row) === value)) continue;
    if (value === null || value === '') empty.add(column.id);
    else if (column.constant !== undefined && rows.length > 1) constant.add(column.id);
  }
  return { constant, empty };
}
