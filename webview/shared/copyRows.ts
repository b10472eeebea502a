import { counted } from '../../src/core/text/quantities.js';
import { formatCount } from '../../src/core/text/units.js';
import type { GridColumn } from './gridColumn.js';
import { toTsv, tsvLine } from './tsv.js';

/** More than this does not belong on a clipboard. */
export const maximumCopiedRows = 50_000;

/** Rows [from, to), fetched where they are not here. */
export type FetchRows<Row> = (from: number, to: number) => readonly Row[] | Promise<readonly Row[]>;

/** Rows as tab-separated text below a line of labels; or why not. */
export async function copyRows<Row>(
  columns: readonly GridColumn<Row>[],
  ranges: readonly [from: number, to: number][],
  fetchRows: FetchRows<Row>,
): Promise<{ text: string; what: string } | { refused: string }> {
  const count = ranges.reduce((sum, [from, to]) => sum + to - from, 0);
  if (count > maximumCopiedRows) {
    return { refused: `${formatCount(count)} rows are too many to copy. Narrow the table, or save it with Export.` };
  }
  const rows: Row[] = [];
  for (const [from, to] of ranges) {
    for (const row of await fetchRows(from, to)) rows.push(row);
  }
  const text = toTsv(
    columns.map(({ label }) => label),
    rows.map((row) => valuesOf(columns, row)),
  );
  return { text, what: counted(rows.length, 'row') };
}

/** One row as a line of tab-separated text. */
export function rowText<Row>(columns: readonly GridColumn<Row>[], row: Row): string {
  return tsvLine(valuesOf(columns, row));
}

function valuesOf<Row>(columns: readonly GridColumn<Row>[], row: Row): (string | number)[] {
  return columns.map((column) => column.value(row) ?? '');
}
