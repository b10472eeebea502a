import type { GridColumn } from './gridColumn.js';
import type { GridState } from './gridState.js';
import type { MenuItem } from './menuButton.js';

/** What is shown of a table's columns. */
export interface ColumnChoice<Row> {
  columns: readonly GridColumn<Row>[];
  shown: readonly GridColumn<Row>[];
  /** Columns without anything in them. */
  empty: ReadonlySet<string>;
}

const ofColumn = 'column:';

/** The menu of a table's columns. The first one, which names the row, stays. */
export function columnItems<Row>({ columns, shown, empty }: ColumnChoice<Row>): MenuItem[] {
  const shownIds = new Set(shown.map(({ id }) => id));
  return [
    ...columns
      .slice(1)
      .filter(({ id }) => !empty.has(id))
      .map(({ id, label }) => ({ id: `${ofColumn}${id}`, label, checked: shownIds.has(id) })),
    { id: 'fit', label: 'Fit columns to their content' },
    { id: 'reset', label: 'Reset columns' },
  ];
}

/** What an item of the menu changes. 'fit': the widths follow from what is in the document. */
export function changeOfItem<Row>(item: string, { shown }: ColumnChoice<Row>, state: GridState): Partial<GridState> | 'fit' {
  if (item === 'fit') return 'fit';
  if (item === 'reset') return { widthsPx: {}, shown: {} };
  const id = item.slice(ofColumn.length);
  return { shown: { ...state.shown, [id]: !shown.some((column) => column.id === id) } };
}
