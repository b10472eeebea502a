/** A table of words, ready to be shown in the panel, in Markdown and in a terminal. */

export interface TableColumn {
  label: string;
  isNumber: boolean;
}

/** Every row has a cell for each column. A cell that is empty says nothing. */
export interface PageTable {
  id: string;
  caption: string;
  columns: TableColumn[];
  rows: string[][];
  /** Below the table: dates of prices, what is left out. */
  note: string;
}
