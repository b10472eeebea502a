import { constantColumns, type GridColumn, type GridSort } from './gridColumn.js';

const byName = new Intl.Collator('en', { numeric: true });

/** Rows in the asked order; without one in their own. Equal rows keep their own order, those without the value come last either way. */
export function sortRows<Row>(rows: readonly Row[], columns: readonly GridColumn<Row>[], sort: GridSort | null): readonly Row[] {
  const column = columns.find(({ id }) => id === sort?.column);
  if (sort === null || column === undefined) return rows;
  const sign = sort.descending ? -1 : 1;
  return rows
    .map((row) => ({ row, value: orderOf(column, row) }))
    .sort((a, b) => compare(a.value, b.value, sign))
    .map(({ row }) => row);
}

/** Rows in which each word of the search occurs in some column. */
export function searchRows<Row>(rows: readonly Row[], columns: readonly GridColumn<Row>[], search: string): readonly Row[] {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const text = columns
      .map((column) => String(column.value(row) ?? ''))
      .join('\n')
      .toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function orderOf<Row>(column: GridColumn<Row>, row: Row): string | number | null {
  const order = column.order === undefined ? column.value(row) : column.order(row);
  return order === '' ? null : order;
}

function compare(a: string | number | null, b: string | number | null, sign: number): number {
  if (a === null || b === null) return (a === null ? 1 : 0) - (b === null ? 1 : 0);
  return sign * (typeof a === 'number' && typeof b === 'number' ? a - b : byName.compare(String(a), String(b)));
}

/** The rows of a table that has them all: those that match its search, in its order. */
export class ArrangedRows<Row> {
  rows: readonly Row[] = [];
  bytes = 0;
  /** Columns that say the same in all rows, or nothing. */
  omitted: { constant: ReadonlySet<string>; empty: ReadonlySet<string> } = { constant: new Set(), empty: new Set() };

  arrange(
    all: readonly Row[],
    columns: GridColumn<Row>[],
    { search, sort, bytesOf }: { search: string; sort: GridSort | null; bytesOf: ((row: Row) => number) | null },
  ): void {
    this.omitted = constantColumns(columns, all);
    const found = searchRows(all, columns, search);
    this.rows = sortRows(found, columns, sort);
    this.bytes = bytesOf === null ? 0 : found.reduce((sum, row) => sum + bytesOf(row), 0);
  }
}
