import type { FetchRows } from './copyRows.js';

/** Rows that are somewhere else, and here only around what is in view. */
export interface RowSource<Row> {
  count: number;
  /** Undefined until the row has been fetched. */
  rowAt(index: number): Row | undefined;
  fetchRows: FetchRows<Row>;
  /** Grows whenever `rowAt` may answer differently. */
  version: number;
}

/** A row that an event is about; undefined until it has been fetched. */
export interface RowAt<Row> {
  index: number;
  row: Row | undefined;
}
