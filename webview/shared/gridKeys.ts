import type { CopyExtent } from './copyRows.js';
import type { TreePlace } from './gridCells.js';

/** What the keys of a table are about. */
export interface KeyedGrid {
  active: number;
  count: number;
  rowsPerPage: number;
  hasSelection: boolean;
  /** Of the active row: in a tree, unless it has not been fetched; null in a list. */
  place: TreePlace | null | undefined;
  goTo(row: number, isExtending: boolean): void;
  moveCell(by: 1 | -1): void;
  /** Opens the active row. */
  open(): void;
  /** Expands or collapses the active row. */
  toggle(): void;
  selectActive(): void;
  selectAll(): void;
  copy(extent: CopyExtent): void;
  close(): void;
}

/** More rows than these are not walked by keys: a page has no room for them. */
const walkedRows = 1e6;

/** Does what a key means; false for one that means nothing here. */
export function handleGridKey(event: KeyboardEvent, grid: KeyedGrid): boolean {
  const hasCommand = event.ctrlKey || event.metaKey;
  const hasRows = grid.count > 0;
  const key = event.key.toLowerCase();
  const to = hasCommand ? null : rowAfterKey(event.key, grid.active, Math.min(grid.count, walkedRows), grid.rowsPerPage);
  if (to !== null) grid.goTo(to, event.shiftKey);
  else if (hasRows && !hasCommand && (event.key === 'ArrowLeft' || event.key === 'ArrowRight'))
    goSideways(event.key === 'ArrowRight', grid);
  else if (hasRows && event.key === 'Enter') grid.open();
  else if (hasRows && event.key === ' ') grid.selectActive();
  else if (hasCommand && key === 'a') grid.selectAll();
  else if (hasCommand && key === 'c' && event.shiftKey) grid.copy('cell');
  else if (hasCommand && key === 'c' && grid.hasSelection) grid.copy('rows');
  else if (event.key === 'Escape') grid.close();
  else return false;
  return true;
}

/** In a list to the next cell; in a tree as the pattern of tree grids has it: open, then down; close, then up. */
function goSideways(isRight: boolean, grid: KeyedGrid): void {
  const { place } = grid;
  if (place === null) grid.moveCell(isRight ? 1 : -1);
  if (place === null || place === undefined) return;
  const { isExpanded, parent } = place;
  if (isExpanded !== null && isExpanded !== isRight) grid.toggle();
  else if (isRight && isExpanded === true) grid.goTo(grid.active + 1, false);
  else if (!isRight && parent !== null) grid.goTo(parent, false);
}

/** Where a key moves the active row of a table or tree; null when the key is none of these. Rows that do not exist are never returned. */
export function rowAfterKey(key: string, active: number, count: number, page: number): number | null {
  if (count === 0) return null;
  const clamp = (row: number): number => Math.min(count - 1, Math.max(0, row));
  switch (key) {
    case 'ArrowDown':
      return clamp(active + 1);
    case 'ArrowUp':
      return clamp(active - 1);
    case 'PageDown':
      return clamp(active + page);
    case 'PageUp':
      return clamp(active - page);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}
