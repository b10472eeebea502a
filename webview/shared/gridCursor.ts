import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { GridPosition } from './gridState.js';
import { RowSelection } from './rowSelection.js';
import type { VirtualRows } from './virtualRows.js';

/** A position is told to the panel when the reader has come to rest. */
const restMs = 120;

/** What a cursor moves in. */
export interface CursorHost {
  count(): number;
  virtual: VirtualRows;
  /** What the panel has kept from before. */
  kept(): GridPosition;
  /** Another row is the active one. */
  onActive(index: number): void;
  onRest(position: GridPosition): void;
}

/** Where the reader is in a table: the active row and cell, what is selected, how far it is scrolled. */
export class GridCursor implements ReactiveController {
  active = 0;
  activeColumn = 0;
  readonly selection = new RowSelection();
  private restTimer: ReturnType<typeof setTimeout> | undefined;
  /** What the panel had kept when the table came into the page; null once that is restored. */
  private pending: GridPosition | null = null;

  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly grid: CursorHost,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    this.pending = this.grid.kept();
  }

  hostDisconnected(): void {
    clearTimeout(this.restTimer);
  }

  /** Once there are rows, and the room that they take. */
  hostUpdated(): void {
    const { pending, grid } = this;
    const count = grid.count();
    if (pending === null || count === 0 || grid.virtual.to === 0) return;
    this.pending = null;
    this.active = Math.min(pending.active, count - 1);
    this.selection.restore(pending.selected, count);
    grid.virtual.topPx = pending.topPx;
    this.host.requestUpdate();
  }

  /** To the first row of other rows. */
  reset(): void {
    this.pending = null;
    this.selection.clear();
    this.active = 0;
    this.grid.virtual.topPx = 0;
    this.host.requestUpdate();
    this.keepPosition();
  }

  goTo(index: number, isExtending: boolean): void {
    this.activate(index);
    this.select((selection) => (isExtending ? selection.extendTo(index) : selection.selectOnly(index)));
    this.grid.virtual.scrollToRow(index);
  }

  activateCell({ index, column }: { index: number; column: number }): void {
    this.activeColumn = column;
    this.host.requestUpdate();
    this.activate(index);
  }

  /** @param last the last column */
  moveCell(by: 1 | -1, last: number): void {
    this.activeColumn = Math.min(last, Math.max(0, this.activeColumn + by));
    this.host.requestUpdate();
  }

  select(change: (selection: RowSelection) => void): void {
    change(this.selection);
    this.host.requestUpdate();
    this.keepPosition();
  }

  /** Selects as a click does, with the keys that are held. */
  selectByClick({ shiftKey, ctrlKey, metaKey }: MouseEvent, index: number): void {
    this.select((selection) => {
      if (shiftKey) selection.extendTo(index);
      else if (ctrlKey || metaKey) selection.toggle(index);
      else selection.selectOnly(index);
    });
  }

  readonly keepPosition = (): void => {
    clearTimeout(this.restTimer);
    if (this.pending !== null) return;
    this.restTimer = setTimeout(() => this.grid.onRest(this.position()), restMs);
  };

  private position(): GridPosition {
    return { topPx: this.grid.virtual.topPx, active: this.active, selected: this.selection.toRanges() };
  }

  private activate(index: number): void {
    if (index === this.active) return;
    this.active = index;
    this.host.requestUpdate();
    this.grid.onActive(index);
  }
}
