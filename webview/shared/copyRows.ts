import { counted } from '../../src/core/text/quantities.js';
import { formatCount } from '../../src/core/text/units.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import type { GridColumn } from './gridColumn.js';
import { toTsv, tsvLine } from './tsv.js';

/** More than this does not belong on a clipboard. */
export const maximumCopiedRows = 50_000;

/** What is copied: the cell, its row, or the rows that are selected. */
export type CopyExtent = 'cell' | 'row' | 'rows';

/** Rows [from, to), fetched where they are not here. */
export type FetchRows<Row> = (from: number, to: number) => readonly Row[] | Promise<readonly Row[]>;

/** What a reader is at. */
interface CopiedPlace<Row> {
  /** All columns that have something in them, the hidden ones too. */
  columns: readonly GridColumn<Row>[];
  column: GridColumn<Row> | undefined;
  row: Row | undefined;
  ranges: readonly [from: number, to: number][];
  fetchRows: FetchRows<Row>;
}

type Copied = { text: string; what: string } | { refused: string };

/** The cell, the row or the selected rows as text, or why not; null where the row is not here yet. */
export async function copyFromGrid<Row>(
  extent: CopyExtent,
  { columns, column, row, ranges, fetchRows }: CopiedPlace<Row>,
): Promise<Copied | null> {
  if (extent === 'rows') {
    return copyRows(columns, ranges, fetchRows).catch((error: unknown) => ({
      refused: `Nothing was copied: ${visibleText(error instanceof Error ? error.message : String(error))}`,
    }));
  }
  if (row === undefined || column === undefined) return null;
  if (extent === 'row') return { text: rowText(columns, row), what: counted(1, 'row') };
  return { text: visibleText(String(column.value(row) ?? '')), what: `the ${column.label}` };
}

/** Rows as tab-separated text below a line of labels; or why not. */
export async function copyRows<Row>(
  columns: readonly GridColumn<Row>[],
  ranges: readonly [from: number, to: number][],
  fetchRows: FetchRows<Row>,
): Promise<Copied> {
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
