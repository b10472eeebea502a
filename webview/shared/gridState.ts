import type { GridSort } from './gridColumn.js';

/** Where the reader is in a table. */
export interface GridPosition {
  /** Of the first row in view, in pixels. */
  topPx: number;
  active: number;
  /** Half-open ranges of selected rows. */
  selected: [from: number, to: number][];
}

/** How the reader has set up a table, and where they are in it. Survives a reload of the page; holds nothing that was read from files. */
export interface GridState {
  sort: GridSort | null;
  /** Widths of columns that were resized, in pixels. */
  widthsPx: Readonly<Record<string, number>>;
  /** Columns that were hidden or shown by hand. */
  shown: Readonly<Record<string, boolean>>;
  search: string;
  position: GridPosition;
}

/** States of tables by their names. */
export type GridStates = Readonly<Record<string, GridState>>;

export const firstPosition: GridPosition = { topPx: 0, active: 0, selected: [] };

export const initialGridState: GridState = { sort: null, widthsPx: {}, shown: {}, search: '', position: firstPosition };

/** Narrowest and widest that a column is made, in pixels. */
export const columnWidthsPx = { least: 48, most: 4_000 };

/** Reads states that an earlier version of the page may have written: whatever does not fit is left out. */
export function restoreGridStates(saved: unknown): GridStates {
  return Object.fromEntries(Object.entries(recordOf(saved)).map(([table, state]) => [table, restoreGridState(recordOf(state))]));
}

/** A sort that was saved, or null for anything else. */
export function restoreSort(saved: unknown): GridSort | null {
  const { column, descending } = recordOf(saved);
  return typeof column === 'string' ? { column, descending: descending === true } : null;
}

function restoreGridState(from: Record<string, unknown>): GridState {
  const position = recordOf(from['position']);
  const isWidth = (value: unknown): value is number => isCount(value) && value <= columnWidthsPx.most;
  return {
    sort: restoreSort(from['sort']),
    widthsPx: entriesOf(from['widthsPx'], isWidth),
    shown: entriesOf(from['shown'], (value) => typeof value === 'boolean'),
    search: typeof from['search'] === 'string' ? from['search'] : '',
    position: {
      topPx: isCount(position['topPx']) ? position['topPx'] : 0,
      active: isCount(position['active']) ? position['active'] : 0,
      selected: rangesOf(position['selected']),
    },
  };
}

function rangesOf(saved: unknown): [number, number][] {
  if (!Array.isArray(saved)) return [];
  const isRange = (range: unknown): range is [number, number] =>
    Array.isArray(range) && range.length === 2 && range.every(isCount) && Number(range[0]) < Number(range[1]);
  const ranges = saved.filter(isRange);
  const isOrdered = ranges.every(([from], index) => index === 0 || from >= (ranges[index - 1]?.[1] ?? 0));
  return isOrdered ? ranges : [];
}

function entriesOf<Value>(saved: unknown, fits: (value: unknown) => value is Value): Record<string, Value> {
  return Object.fromEntries(Object.entries(recordOf(saved)).filter((entry): entry is [string, Value] => fits(entry[1])));
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
