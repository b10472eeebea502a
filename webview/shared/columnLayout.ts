import type { GridColumn } from './gridColumn.js';
import type { GridState } from './gridState.js';

/** The part of a table that names have at least. */
const nameShare = 0.45;
/** Names of narrow tables, in pixels. */
const leastNamePx = 120;

export interface ColumnLayout<Row> {
  columns: GridColumn<Row>[];
  /** For `grid-template-columns`. */
  tracks: string;
  /** What the columns need at least; the table scrolls sideways where there is less. */
  leastPx: number;
}

export interface ColumnLayoutInput<Row> {
  columns: readonly GridColumn<Row>[];
  state: Pick<GridState, 'widthsPx' | 'shown'>;
  /** Columns that are not shown unless the reader asks for them. */
  dropped: ReadonlySet<string>;
  /** Of the table; 0 while it is not known. */
  roomPx: number;
  /** What a column's label needs. */
  labelPx(column: GridColumn<Row>): number;
}

/**
 * Which columns are shown, and how wide. The first has the names: it has at least 45 % of the table and all that is left over. Where that leaves
 * too little for the others, those that are worth least are left out, except those of infinite worth and those that the reader asked for.
 */
export function layoutColumns<Row>({ columns, state, dropped, roomPx, labelPx }: ColumnLayoutInput<Row>): ColumnLayout<Row> {
  const { widthsPx, shown } = state;
  const [name, ...others] = columns;
  if (name === undefined) return { columns: [], tracks: '', leastPx: 0 };
  const widthOf = (column: GridColumn<Row>): number =>
    widthsPx[column.id] ?? Math.max(column.widthPx, Math.ceil(labelPx(column)));
  const sum = (of: readonly GridColumn<Row>[]): number => of.reduce((total, column) => total + widthOf(column), 0);
  const setNamePx = widthsPx[name.id];
  const namePx = setNamePx ?? Math.max(leastNamePx, Math.floor(roomPx * nameShare));
  const shownOthers = others.filter(({ id }) => shown[id] ?? !dropped.has(id));
  const fitting = roomPx === 0 ? shownOthers : fittingColumns(shownOthers, roomPx - namePx, sum, shown);
  const nameTrack = setNamePx === undefined ? `minmax(${namePx}px, 1fr)` : `${setNamePx}px`;
  return {
    columns: [name, ...fitting],
    tracks: [nameTrack, ...fitting.map((column) => `${widthOf(column)}px`)].join(' '),
    leastPx: namePx + sum(fitting),
  };
}

/** Those that have to be there, and of the others, beginning with what is worth most, each that has room beside them. */
function fittingColumns<Row>(
  columns: readonly GridColumn<Row>[],
  roomPx: number,
  sum: (of: readonly GridColumn<Row>[]) => number,
  shown: GridState['shown'],
): GridColumn<Row>[] {
  const isFixed = ({ id, worth }: GridColumn<Row>): boolean => worth === Infinity || shown[id] === true;
  const fitting = new Set(columns.filter(isFixed));
  let usedPx = sum([...fitting]);
  for (const column of columns.filter((one) => !isFixed(one)).sort((a, b) => (b.worth ?? 0) - (a.worth ?? 0))) {
    const widthPx = sum([column]);
    if (usedPx + widthPx > roomPx) continue;
    usedPx += widthPx;
    fitting.add(column);
  }
  return columns.filter((column) => fitting.has(column));
}
