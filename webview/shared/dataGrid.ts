import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { baseStyles } from './baseStyles.js';
import { layoutColumns, type ColumnLayout } from './columnLayout.js';
import { changeOfItem, columnItems, type ColumnChoice } from './columnMenu.js';
import { allowedWidthPx, ColumnResize, contentWidthsPx } from './columnResize.js';
import { fillStyles } from './componentColor.js';
import { copyFromGrid, type CopyExtent } from './copyRows.js';
import { cssProperties } from './cssProperties.js';
import { dataGridStyles } from './dataGridStyles.js';
import { onResize } from './elementControllers.js';
import { countWords, renderGridBar, type BarActs } from './gridBar.js';
import { placeOf, renderRow, type RowActs, type TreePlace } from './gridCells.js';
import { nextSort, type GridColumn, type GridSort } from './gridColumn.js';
import { emitGridEvent } from './gridEvents.js';
import { GridCursor } from './gridCursor.js';
import { renderHeading, type HeaderActs } from './gridHeader.js';
import { handleGridKey, type KeyedGrid } from './gridKeys.js';
import { ArrangedRows } from './gridRows.js';
import type { GridSearch } from './gridSearch.js';
import { firstPosition, initialGridState, type GridState } from './gridState.js';
import { labelWidthPx } from './labelWidth.js';
import { middleTextStyles } from './middleText.js';
import { quietButtonStyles } from './quietButtonStyles.js';
import type { RowSource } from './rowSource.js';
import { VirtualRows } from './virtualRows.js';

const rowHeightPx = 26;
const headerHeightPx = 30;
/**
 * A table of any length, which keeps only the rows in view in the document. It has either all its rows, and then sorts and searches them itself,
 * or a source that fetches them. Events: `grid-view` (rows in view), `grid-sort` (of a source), `grid-active`, `grid-open` and `grid-toggle` of a
 * tree (`RowAt`), `grid-close`; those of `GridEvents` go to the panel.
 */
@customElement('stowage-data-grid')
export class DataGrid<Row = unknown> extends LitElement {
  static override styles = [baseStyles, fillStyles, quietButtonStyles, middleTextStyles, dataGridStyles];

  /** For the panel's state. */
  @property({ attribute: false }) name = '';
  @property({ attribute: false }) label = '';
  /** What a row is, for the line above the table: `file`. */
  @property({ attribute: false }) noun = 'row';
  @property({ attribute: false }) columns: GridColumn<Row>[] = [];
  @property({ attribute: false }) rows: readonly Row[] | null = null;
  /** Rows in all, where its owner has left out some. */
  @property({ attribute: false }) total: number | null = null;
  /** Of tables whose rows have bytes: their sum is said above the table. */
  @property({ attribute: false }) bytesOf: ((row: Row) => number) | null = null;
  @property({ attribute: false }) source: RowSource<Row> | null = null;
  @property({ attribute: false }) state: GridState = initialGridState;
  /** Of a source, which sorts by itself; else that of the state, or this one until the reader has chosen another. */
  @property({ attribute: false }) sort: GridSort | null = null;
  /** Said in place of columns that are the same in all rows of a source, by their ids. */
  @property({ attribute: false }) constants: Readonly<Record<string, unknown>> = {};
  @property({ attribute: false }) treePlace: ((row: Row) => TreePlace) | null = null;
  @property({ attribute: false }) emptyText = '';
  /** Whether the table takes what its container leaves and scrolls by itself; else the page scrolls. */
  @property({ type: Boolean, reflect: true }) fills = false;

  @state() private headerStop = 0;
  @state() private roomPx = 0;
  @query('.table') private table!: HTMLElement | null;
  @query('stowage-grid-search') private searchField!: GridSearch | null;

  private readonly virtual = new VirtualRows(this, {
    rowHeightPx,
    headerHeightPx,
    table: () => this.table,
    scrolls: () => this.fills,
  });
  private readonly cursor = new GridCursor(this, {
    count: () => this.count,
    virtual: this.virtual,
    kept: () => this.state.position,
    onActive: (index) => this.emit('grid-active', { index, row: this.rowAt(index) }),
    onRest: (position) => this.change({ position }),
  });
  private readonly resizing = new ColumnResize<Row>(this, (id, widthPx) => this.setWidth(id, widthPx));
  private readonly arranged = new ArrangedRows<Row>();
  private layout: ColumnLayout<Row> = { columns: [], tracks: '', leastPx: 0 };
  private lastView = '';

  constructor() {
    super();
    onResize(this, ({ width }) => (this.roomPx = Math.max(0, Math.floor(width) - 2)));
  }

  /** Forgets selection and position: the rows are others now. */
  reset(): void {
    this.cursor.reset();
  }

  override focus(): void {
    this.table?.focus();
  }

  /** Puts the caret into the search of a table that has its rows. Answers false where there is none. */
  focusSearch(): boolean {
    void this.searchField?.focusSearch();
    return this.searchField !== null;
  }

  /** Goes to the first row that fits, among those that are shown. Answers false where none does. */
  goToRow(fits: (row: Row) => boolean): boolean {
    const index = this.arranged.rows.findIndex(fits);
    if (index === -1) return false;
    this.focus();
    this.cursor.goTo(index, false);
    return true;
  }

  /** Copies the cell, the row or the rows that the reader is at. */
  async copy(extent: CopyExtent): Promise<void> {
    const { source, cursor } = this;
    const { columns } = this.layout;
    const copied = await copyFromGrid(extent, {
      columns: this.columns.filter(({ id }) => !this.arranged.omitted.empty.has(id)),
      column: columns[Math.min(cursor.activeColumn, columns.length - 1)],
      row: this.rowAt(cursor.active),
      ranges: cursor.selection.toRanges(),
      fetchRows: source?.fetchRows ?? ((from, to) => this.arranged.rows.slice(from, to)),
    });
    if (copied === null) return;
    if ('refused' in copied) emitGridEvent(this, 'grid-say', copied.refused);
    else emitGridEvent(this, 'grid-copy', copied);
  }

  /** Makes the row and the cell at which a menu was opened the active ones. Answers false where it was opened elsewhere. */
  activateAt(path: readonly EventTarget[]): boolean {
    const place = this.placeOf(path);
    // The menu key happens at the table itself: it is about the active row.
    if (place === null) return this.count > 0 && path[0] === this.table;
    const { cursor } = this;
    cursor.activateCell(place);
    if (!cursor.selection.has(place.index)) cursor.select((selection) => selection.selectOnly(place.index));
    return true;
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('rows') || changed.has('columns') || changed.has('state') || changed.has('sort')) this.arrange(changed);
    this.layout = layoutColumns({
      columns: this.columns,
      state: this.state,
      dropped: this.dropped(),
      roomPx: this.roomPx,
      labelPx: ({ label }) => labelWidthPx(this, label),
    });
  }

  override render(): TemplateResult {
    const { columns, tracks, leastPx } = this.layout;
    const { count, virtual } = this;
    virtual.setCount(count);
    const { from, to } = virtual;
    const bodyPx = Math.max(virtual.totalHeightPx, count === 0 ? 2 * rowHeightPx : 0);
    const isActiveShown = this.cursor.active >= from && this.cursor.active < to;
    const indexes = Array.from({ length: to - from }, (_, offset) => from + offset);
    return html`${this.renderBar()}
      <div
        class="table"
        role=${this.treePlace === null ? 'grid' : 'treegrid'}
        tabindex="0"
        aria-label=${this.label}
        aria-rowcount=${count + 1}
        aria-colcount=${columns.length}
        aria-multiselectable="true"
        aria-activedescendant=${isActiveShown ? `row-${this.cursor.active}` : nothing}
        @keydown=${this.onKey}
        @scroll=${this.cursor.keepPosition}
        ${cssProperties({ '--tracks': tracks, '--least': `${leastPx}px` })}
      >
        <div class="row header" role="row" aria-rowindex="1">
          ${columns.map((column, index) => this.renderHeading(column, index))}
        </div>
        ${
          count === 0
            ? html`<div role="row" aria-rowindex="2" class="empty muted"><div role="gridcell">${this.words()}</div></div>`
            : html`<div class="space" role="rowgroup" ${cssProperties({ height: `${bodyPx}px` })}>
                <div class="window" role="presentation" ${cssProperties({ transform: `translateY(${from * rowHeightPx}px)` })}>
                  ${indexes.map((index) => this.renderRow(index))}
                </div>
              </div>`
        }
      </div>`;
  }

  override updated(): void {
    const { from, to } = this.virtual;
    const view = `${from}-${to}-${this.source?.version ?? 0}`;
    if (view === this.lastView) return;
    this.lastView = view;
    this.emit('grid-view', { from, to });
  }

  private get count(): number {
    return this.source?.count ?? this.arranged.rows.length;
  }

  private rowAt(index: number): Row | undefined {
    return this.source === null ? this.arranged.rows[index] : this.source.rowAt(index);
  }

  /** Of a table that has its rows: those that match its search, in its order. */
  private arrange(changed: PropertyValues<this>): void {
    if (this.rows === null) return;
    const before = changed.get('state');
    const isSame = before !== undefined && before.sort === this.state.sort && before.search === this.state.search;
    if (isSame && !changed.has('rows') && !changed.has('columns') && !changed.has('sort')) return;
    const { search, sort } = this.state;
    this.arranged.arrange(this.rows, this.columns, { search, sort: sort ?? this.sort, bytesOf: this.bytesOf });
  }

  private dropped(): ReadonlySet<string> {
    return new Set([...this.arranged.omitted.constant, ...this.arranged.omitted.empty, ...Object.keys(this.constants)]);
  }

  private shownSort(): GridSort | null {
    return this.source === null ? (this.state.sort ?? this.sort) : this.sort;
  }

  private words(): string {
    return this.state.search === '' ? this.emptyText : 'No row matches. Shorten the search.';
  }

  private renderBar(): TemplateResult {
    const { rows, arranged, source, bytesOf } = this;
    const counts = {
      shown: arranged.rows.length,
      all: this.total ?? rows?.length ?? 0,
      noun: this.noun,
      bytes: bytesOf === null ? null : arranged.bytes,
    };
    return renderGridBar(
      {
        search: rows === null ? null : { text: this.state.search, label: `Search ${this.label.toLowerCase()}` },
        count: source === null ? countWords(counts) : null,
        constants: this.constantWords(),
        selectedCount: this.cursor.selection.count,
        columnItems: columnItems(this.columnChoice()),
      },
      this.barActs,
    );
  }

  private readonly barActs: BarActs = {
    search: (text) => this.onSearch(text),
    copySelected: () => void this.copy('rows'),
    chooseColumnItem: (item) => this.onColumnItem(item),
  };

  private constantWords(): unknown[] {
    const [first] = this.rows ?? [];
    const { shown } = this.state;
    return this.columns.flatMap((column): unknown[] => {
      if (shown[column.id] === true) return [];
      if (column.id in this.constants) return [this.constants[column.id]];
      return first !== undefined && this.arranged.omitted.constant.has(column.id) ? [column.constant?.(first)] : [];
    });
  }

  private renderHeading(column: GridColumn<Row>, index: number): TemplateResult {
    const isStop = index === Math.min(this.headerStop, this.layout.columns.length - 1);
    return renderHeading(column, { index, isStop }, this.shownSort(), this.headerActs);
  }

  private readonly headerActs: HeaderActs<Row> = {
    sort: (column) => this.onSort(column),
    focus: (index) => (this.headerStop = index),
    key: (event, index) => this.onHeaderKey(event, index),
    drag: (event, column) => this.resizing.begin(event, column),
    fit: (column) => this.fit([column]),
  };

  private renderRow(index: number): TemplateResult {
    const row = this.rowAt(index);
    const isActive = index === this.cursor.active;
    return renderRow(
      {
        index,
        row,
        columns: this.layout.columns,
        isActive,
        activeColumn: this.treePlace === null ? this.cursor.activeColumn : null,
        isSelected: this.cursor.selection.has(index),
        place: row === undefined ? undefined : this.treePlace?.(row),
      },
      this.acts,
    );
  }

  private readonly acts: RowActs = {
    click: (event, index) => this.onClick(event, index),
    open: (index) => this.open(index),
    toggle: (index) => this.emit('grid-toggle', { index, row: this.rowAt(index) }),
  };

  private readonly onKey = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget) return;
    if (handleGridKey(event, this.keyed())) event.preventDefault();
  };

  private keyed(): KeyedGrid {
    const { cursor, count, treePlace } = this;
    const { active, selection } = cursor;
    const row = this.rowAt(active);
    return {
      active,
      count,
      rowsPerPage: this.virtual.rowsPerPage,
      hasSelection: selection.count > 0,
      place: treePlace === null ? null : row === undefined ? undefined : treePlace(row),
      goTo: (to, isExtending) => cursor.goTo(to, isExtending),
      moveCell: (by) => cursor.moveCell(by, this.layout.columns.length - 1),
      open: () => this.open(active),
      toggle: () => this.acts.toggle(active),
      selectActive: () => cursor.select(() => selection.toggle(active)),
      selectAll: () => cursor.select(() => selection.selectAll(count)),
      copy: (extent) => void this.copy(extent),
      close: () => this.emit('grid-close', null),
    };
  }

  private onHeaderKey(event: KeyboardEvent, index: number): void {
    const { columns } = this.layout;
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const column = columns[index];
    if (by === 0 || column === undefined) return;
    event.preventDefault();
    if (event.shiftKey) {
      this.resizing.step(event, column, by);
      return;
    }
    this.headerStop = Math.min(columns.length - 1, Math.max(0, index + by));
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>('.sort[tabindex="0"]')?.focus());
  }

  private onSort(column: GridColumn<Row>): void {
    const sort = nextSort(this.shownSort(), column);
    this.reset();
    if (this.source === null) this.change({ sort, position: firstPosition });
    else this.emit('grid-sort', sort);
  }

  private onSearch(search: string): void {
    this.reset();
    this.change({ search, position: firstPosition });
  }

  private columnChoice(): ColumnChoice<Row> {
    return { columns: this.columns, shown: this.layout.columns, empty: this.arranged.omitted.empty };
  }

  private onColumnItem(item: string): void {
    const change = changeOfItem(item, this.columnChoice(), this.state);
    if (change === 'fit') this.fit(this.layout.columns.slice(1));
    else this.change(change);
  }

  private setWidth(id: string, widthPx: number): void {
    this.change({ widthsPx: { ...this.state.widthsPx, [id]: allowedWidthPx(widthPx) } });
  }

  /** Makes columns as wide as what is in them. */
  private fit(columns: readonly GridColumn<Row>[]): void {
    const { table, layout } = this;
    if (table === null) return;
    const widthsPx = contentWidthsPx(table, layout.columns.length);
    const fitted = columns.map((column) => [column.id, allowedWidthPx(widthsPx[layout.columns.indexOf(column)] ?? 0)] as const);
    this.change({ widthsPx: { ...this.state.widthsPx, ...Object.fromEntries(fitted) } });
  }

  private onClick(event: MouseEvent, index: number): void {
    const place = this.placeOf(event.composedPath());
    if (place !== null) this.cursor.activateCell(place);
    this.cursor.selectByClick(event, index);
  }

  private open(index: number): void {
    const row = this.rowAt(index);
    const place = row === undefined ? undefined : this.treePlace?.(row);
    if (place === undefined || place.isExpanded === null) this.emit('grid-open', { index, row });
    else this.emit('grid-toggle', { index, row });
  }

  private placeOf(path: readonly EventTarget[]): { index: number; column: number } | null {
    return placeOf(path.slice(0, path.indexOf(this)));
  }

  private change(change: Partial<GridState>): void {
    emitGridEvent(this, 'grid-state', { table: this.name, state: { ...this.state, ...change } });
  }

  private emit(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-data-grid': DataGrid;
  }
}
