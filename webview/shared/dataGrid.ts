import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import '@vscode-elements/elements/dist/vscode-icon/index.js';
import { counted } from '../../src/core/text/quantities.js';
import { formatBytes, formatCount } from '../../src/core/text/units.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { baseStyles } from './baseStyles.js';
import { layoutColumns, type ColumnLayout } from './columnLayout.js';
import { ColumnResize } from './columnResize.js';
import { fillStyles } from './componentColor.js';
import { copyRows, rowText, type FetchRows } from './copyRows.js';
import { cssProperties } from './cssProperties.js';
import { dataGridStyles } from './dataGridStyles.js';
import { onResize } from './elementControllers.js';
import { constantColumns, nextSort, type GridColumn, type GridSort } from './gridColumn.js';
import { emitGridEvent } from './gridEvents.js';
import { rowAfterKey } from './gridKeys.js';
import { searchRows, sortRows } from './gridRows.js';
import './gridSearch.js';
import type { GridSearch } from './gridSearch.js';
import { columnWidthsPx, firstPosition, initialGridState, type GridPosition, type GridState } from './gridState.js';
import { labelWidthPx } from './labelWidth.js';
import type { MenuItem } from './menuButton.js';
import './menuButton.js';
import { middleTextStyles } from './middleText.js';
import { quietButtonStyles } from './quietButtonStyles.js';
import { RowSelection } from './rowSelection.js';
import { VirtualRows } from './virtualRows.js';

/** Rows that are somewhere else, and here only around what is in view. */
export interface RowSource<Row> {
  count: number;
  /** Undefined until the row has been fetched. */
  rowAt(index: number): Row | undefined;
  fetchRows: FetchRows<Row>;
  /** Grows whenever `rowAt` may answer differently. */
  version: number;
}

/** Where a row is in a tree; null for `isExpanded` has no rows below it. */
export interface TreePlace {
  level: number;
  position: number;
  siblings: number;
  /** Its parent's place among the rows; null at the top. */
  parent: number | null;
  isExpanded: boolean | null;
}

/** A row that an event is about; undefined until it has been fetched. */
export interface RowAt<Row> {
  index: number;
  row: Row | undefined;
}

/** What is copied: the cell, its row, or the rows that are selected. */
export type CopyExtent = 'cell' | 'row' | 'rows';

const rowHeightPx = 26;
const headerHeightPx = 30;
/** Columns are made wider or narrower by this much with each key. */
const resizeStepPx = 16;
/** A position is told to the panel when the reader has come to rest. */
const restMs = 120;

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

  @state() private active = 0;
  @state() private activeColumn = 0;
  @state() private headerStop = 0;
  @state() private roomPx = 0;
  @state() private selectedCount = 0;
  @query('.table') private table!: HTMLElement | null;
  @query('stowage-grid-search') private searchField!: GridSearch | null;

  private readonly selection = new RowSelection();
  private readonly virtual = new VirtualRows(this, {
    rowHeightPx,
    headerHeightPx,
    table: () => this.table,
    scrolls: () => this.fills,
  });
  private readonly resizing = new ColumnResize<Row>(this, (id, widthPx) => this.setWidth(id, widthPx));
  private shownRows: readonly Row[] = [];
  private shownBytes = 0;
  private omitted: { constant: ReadonlySet<string>; empty: ReadonlySet<string> } = { constant: new Set(), empty: new Set() };
  private layout: ColumnLayout<Row> = { columns: [], tracks: '', leastPx: 0 };
  private lastView = '';
  private restTimer: ReturnType<typeof setTimeout> | undefined;
  /** What the state said when the table came into the page; null once that is restored. */
  private pending: GridPosition | null = null;

  constructor() {
    super();
    onResize(this, ({ width }) => (this.roomPx = Math.max(0, Math.floor(width) - 2)));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.pending = this.state.position;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.restTimer);
  }

  /** Forgets selection and position: the rows are others now. */
  reset(): void {
    this.pending = null;
    this.selection.clear();
    this.active = 0;
    this.selectedCount = 0;
    this.virtual.topPx = 0;
    this.requestUpdate();
    this.keepPosition();
  }

  override focus(): void {
    this.table?.focus();
  }

  /** Puts the caret into the search of a table that has its rows. Answers false where there is none. */
  focusSearch(): boolean {
    void this.searchField?.focusSearch();
    return this.searchField !== null;
  }

  /** Copies the cell, the row or the rows that the reader is at. */
  async copy(extent: CopyExtent): Promise<void> {
    const row = this.rowAt(this.active);
    const { columns } = this.layout;
    const column = columns[Math.min(this.activeColumn, columns.length - 1)];
    if (extent === 'rows') return this.copyRanges(this.selection.toRanges());
    if (row === undefined || column === undefined) return undefined;
    const text = extent === 'row' ? rowText(this.copied(), row) : visibleText(String(column.value(row) ?? ''));
    emitGridEvent(this, 'grid-copy', { text, what: extent === 'row' ? counted(1, 'row') : `the ${column.label}` });
    return undefined;
  }

  /** Makes the row and the cell at which a menu was opened the active ones. Answers false where it was opened elsewhere. */
  activateAt(path: readonly EventTarget[]): boolean {
    const place = this.placeOf(path);
    // The menu key happens at the table itself: it is about the active row.
    if (place === null) return this.count > 0 && path[0] === this.table;
    this.activateCell(place);
    if (!this.selection.has(place.index)) this.select(() => this.selection.selectOnly(place.index));
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
    const isActiveShown = this.active >= from && this.active < to;
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
        aria-activedescendant=${isActiveShown ? `row-${this.active}` : nothing}
        @keydown=${this.onKey}
        @scroll=${this.keepPosition}
        ${cssProperties({ '--tracks': tracks, '--least': `${leastPx}px` })}
      >
        <div class="row header" role="row" aria-rowindex="1">
          ${columns.map((column, index) => this.renderHeader(column, index))}
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
    this.restorePosition();
    const { from, to } = this.virtual;
    const view = `${from}-${to}-${this.source?.version ?? 0}`;
    if (view === this.lastView) return;
    this.lastView = view;
    this.emit('grid-view', { from, to });
  }

  private get count(): number {
    return this.source?.count ?? this.shownRows.length;
  }

  private rowAt(index: number): Row | undefined {
    return this.source === null ? this.shownRows[index] : this.source.rowAt(index);
  }

  /** Of a table that has its rows: those that match its search, in its order. */
  private arrange(changed: PropertyValues<this>): void {
    if (this.rows === null) return;
    const before = changed.get('state');
    const isSame = before !== undefined && before.sort === this.state.sort && before.search === this.state.search;
    if (isSame && !changed.has('rows') && !changed.has('columns') && !changed.has('sort')) return;
    this.omitted = constantColumns(this.columns, this.rows);
    const found = searchRows(this.rows, this.columns, this.state.search);
    this.shownRows = sortRows(found, this.columns, this.state.sort ?? this.sort);
    const { bytesOf } = this;
    this.shownBytes = bytesOf === null ? 0 : found.reduce((sum, row) => sum + bytesOf(row), 0);
  }

  private dropped(): ReadonlySet<string> {
    return new Set([...this.omitted.constant, ...this.omitted.empty, ...Object.keys(this.constants)]);
  }

  private shownSort(): GridSort | null {
    return this.source === null ? (this.state.sort ?? this.sort) : this.sort;
  }

  private words(): string {
    return this.state.search === '' ? this.emptyText : 'No row matches. Shorten the search.';
  }

  private renderBar(): TemplateResult {
    const { selectedCount } = this;
    return html`<div class="bar">
      <slot name="filters"></slot>
      ${
        this.rows === null
          ? nothing
          : html`<stowage-grid-search
              .text=${this.state.search}
              .label=${`Search ${this.label.toLowerCase()}`}
              @grid-search=${(event: CustomEvent<string>) => this.onSearch(event.detail)}
            ></stowage-grid-search>`
      }
      <span class="said num muted"
        >${this.source === null ? this.renderCount() : html`<slot name="said"></slot>`}${this.renderConstants()}</span
      >
      <span class="grow"></span>
      ${
        selectedCount < 2
          ? nothing
          : html`<button class="quiet" @click=${() => void this.copy('rows')}>Copy ${counted(selectedCount, 'row')}</button>`
      }
      <stowage-menu-button
        label="Columns"
        .items=${this.columnItems()}
        @menu-choose=${(event: CustomEvent<string>) => this.onColumnItem(event.detail)}
      ></stowage-menu-button>
    </div>`;
  }

  private renderCount(): string {
    const { bytesOf, shownRows } = this;
    const all = this.total ?? this.rows?.length ?? 0;
    const words = `${shownRows.length === all ? '' : `${formatCount(shownRows.length)} of `}${counted(all, this.noun)}`;
    return bytesOf === null ? words : `${words}, ${formatBytes(this.shownBytes)}`;
  }

  /** `all bf16`: what columns would say that are left out. */
  private renderConstants(): unknown {
    const [first] = this.rows ?? [];
    const { shown } = this.state;
    const said = this.columns.flatMap((column): unknown[] => {
      if (shown[column.id] === true) return [];
      if (column.id in this.constants) return [this.constants[column.id]];
      return first !== undefined && this.omitted.constant.has(column.id) ? [column.constant?.(first)] : [];
    });
    return said.map((words) => html` · ${words}`);
  }

  private renderHeader(column: GridColumn<Row>, index: number): TemplateResult {
    const sort = this.shownSort();
    const sorted = sort?.column === column.id ? (sort.descending ? 'descending' : 'ascending') : 'none';
    return html`<div
      class="cell ${column.isNumber === true ? 'end' : ''}"
      role="columnheader"
      aria-sort=${sorted}
      data-column=${column.id}
    >
      <button
        class="sort ${sorted}"
        tabindex=${index === Math.min(this.headerStop, this.layout.columns.length - 1) ? 0 : -1}
        title=${`${column.label}: Enter sorts, arrow keys move, Shift and arrow keys resize`}
        @click=${() => this.onSort(column)}
        @focus=${() => (this.headerStop = index)}
        @keydown=${(event: KeyboardEvent) => this.onHeaderKey(event, index)}
      >
        <span class="clip">${column.label}</span
        ><span class="arrow" aria-hidden="true">${sorted === 'none' ? '' : sorted === 'descending' ? '↓' : '↑'}</span>
      </button>
      <span
        class="grip"
        aria-hidden="true"
        @pointerdown=${(event: PointerEvent) => this.resizing.begin(event, column)}
        @dblclick=${() => this.fit(column)}
      ></span>
    </div>`;
  }

  private renderRow(index: number): TemplateResult {
    const row = this.rowAt(index);
    const isSelected = this.selection.has(index);
    const place = row === undefined ? undefined : this.treePlace?.(row);
    return html`<div
      class="row ${index === this.active ? 'active' : ''} ${isSelected ? 'selected' : ''}"
      role="row"
      id=${`row-${index}`}
      aria-rowindex=${index + 2}
      aria-selected=${isSelected}
      aria-level=${place?.level ?? nothing}
      aria-posinset=${place?.position ?? nothing}
      aria-setsize=${place?.siblings ?? nothing}
      aria-expanded=${place?.isExpanded ?? nothing}
      @click=${(event: MouseEvent) => this.onClick(event, index)}
      @dblclick=${() => this.open(index)}
    >
      ${this.layout.columns.map((column, at) => this.renderCell(column, row, { index, at, place }))}
    </div>`;
  }

  private renderCell(
    column: GridColumn<Row>,
    row: Row | undefined,
    { index, at, place }: { index: number; at: number; place: TreePlace | undefined },
  ): TemplateResult {
    const isActive = index === this.active && at === this.activeColumn && this.treePlace === null;
    const title = row === undefined ? undefined : column.title?.(row);
    return html`<div
      class="cell ${column.isNumber === true ? 'end num' : ''} ${isActive ? 'current' : ''} ${place === undefined || at > 0 ? '' : 'node'}"
      role=${at === 0 ? 'rowheader' : 'gridcell'}
      title=${title === undefined || title === '' ? nothing : title}
    >
      ${at > 0 || place === undefined ? nothing : this.renderTwist(place, index)}${
        row === undefined
          ? html`<span class="muted" aria-label="not read yet">…</span>`
          : column.cell === undefined
            ? textOf(column.value(row))
            : column.cell(row)
      }
    </div>`;
  }

  private renderTwist({ level, isExpanded }: TreePlace, index: number): TemplateResult {
    return html`<span
      class="twist"
      aria-hidden="true"
      ${cssProperties({ '--level': String(level - 1) })}
      @click=${(event: Event) => {
        if (isExpanded === null) return;
        event.stopPropagation();
        this.emit('grid-toggle', { index, row: this.rowAt(index) });
      }}
      >${
        isExpanded === null
          ? nothing
          : html`<vscode-icon name=${isExpanded ? 'chevron-down' : 'chevron-right'} size="14"></vscode-icon>`
      }</span
    >`;
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget) return;
    const hasCommand = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    const to = hasCommand ? null : rowAfterKey(event.key, this.active, Math.min(this.count, 1e6), this.virtual.rowsPerPage);
    if (to !== null) this.goTo(to, event.shiftKey);
    else if (this.count > 0 && !hasCommand && (event.key === 'ArrowLeft' || event.key === 'ArrowRight'))
      this.onSideways(event.key === 'ArrowRight');
    else if (event.key === 'Enter' && this.count > 0) this.open(this.active);
    else if (event.key === ' ' && this.count > 0) this.select(() => this.selection.toggle(this.active));
    else if (hasCommand && key === 'a') this.select(() => this.selection.selectAll(this.count));
    else if (hasCommand && key === 'c' && event.shiftKey) void this.copy('cell');
    else if (hasCommand && key === 'c' && this.selection.count > 0) void this.copy('rows');
    else if (event.key === 'Escape') this.emit('grid-close', null);
    else return;
    event.preventDefault();
  };

  /** In a list to the next cell; in a tree as the pattern of tree grids has it: open, then down; close, then up. */
  private onSideways(isRight: boolean): void {
    if (this.treePlace === null) {
      const last = this.layout.columns.length - 1;
      this.activeColumn = Math.min(last, Math.max(0, this.activeColumn + (isRight ? 1 : -1)));
      return;
    }
    const row = this.rowAt(this.active);
    if (row === undefined) return;
    const { isExpanded, parent } = this.treePlace(row);
    if (isExpanded !== null && isExpanded !== isRight) this.emit('grid-toggle', { index: this.active, row });
    else if (isRight && isExpanded === true) this.goTo(this.active + 1, false);
    else if (!isRight && parent !== null) this.goTo(parent, false);
  }

  private goTo(index: number, isExtending: boolean): void {
    this.activate(index);
    this.select(() => (isExtending ? this.selection.extendTo(index) : this.selection.selectOnly(index)));
    this.virtual.scrollToRow(index);
  }

  private onHeaderKey(event: KeyboardEvent, index: number): void {
    const { columns } = this.layout;
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const column = columns[index];
    if (by === 0 || column === undefined) return;
    event.preventDefault();
    if (event.shiftKey) {
      const header = (event.currentTarget as HTMLElement).closest('.cell');
      this.setWidth(column.id, (header?.getBoundingClientRect().width ?? column.widthPx) + by * resizeStepPx);
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

  private columnItems(): MenuItem[] {
    const shown = new Set(this.layout.columns.map(({ id }) => id));
    const [, ...others] = this.columns;
    return [
      ...others
        .filter(({ id }) => !this.omitted.empty.has(id))
        .map(({ id, label }) => ({ id: `column:${id}`, label, checked: shown.has(id) })),
      { id: 'fit', label: 'Fit columns to their content' },
      { id: 'reset', label: 'Reset columns' },
    ];
  }

  private onColumnItem(item: string): void {
    if (item === 'fit') this.fitAll();
    else if (item === 'reset') this.change({ widthsPx: {}, shown: {} });
    else {
      const id = item.slice('column:'.length);
      const isShown = this.layout.columns.some((column) => column.id === id);
      this.change({ shown: { ...this.state.shown, [id]: !isShown } });
    }
  }

  private setWidth(id: string, widthPx: number): void {
    const { least, most } = columnWidthsPx;
    this.change({ widthsPx: { ...this.state.widthsPx, [id]: Math.round(Math.min(most, Math.max(least, widthPx))) } });
  }

  private fit(column: GridColumn<Row>): void {
    this.setWidth(column.id, this.contentWidthPx(this.layout.columns.indexOf(column)));
  }

  private fitAll(): void {
    const fitted = this.layout.columns.slice(1).map((column, index) => [column.id, this.contentWidthPx(index + 1)] as const);
    this.change({ widthsPx: { ...this.state.widthsPx, ...Object.fromEntries(fitted) } });
  }

  /** What the widest cell of a column needs, its header included, of the rows that are in the document. */
  private contentWidthPx(at: number): number {
    const { table } = this;
    if (table === null) return columnWidthsPx.least;
    const tracks = table.style.getPropertyValue('--tracks');
    table.style.setProperty('--tracks', this.layout.columns.map(() => 'max-content').join(' '));
    const cells = Array.from(table.querySelectorAll('.row'), (row) => row.children[at]);
    const widest = cells.reduce((most, cell) => Math.max(most, cell?.getBoundingClientRect().width ?? 0), 0);
    table.style.setProperty('--tracks', tracks);
    return Math.ceil(widest);
  }

  private onClick(event: MouseEvent, index: number): void {
    const place = this.placeOf(event.composedPath());
    if (place !== null) this.activateCell(place);
    this.select(() => {
      if (event.shiftKey) this.selection.extendTo(index);
      else if (event.ctrlKey || event.metaKey) this.selection.toggle(index);
      else this.selection.selectOnly(index);
    });
  }

  private open(index: number): void {
    const row = this.rowAt(index);
    const place = row === undefined ? undefined : this.treePlace?.(row);
    if (place === undefined || place.isExpanded === null) this.emit('grid-open', { index, row });
    else this.emit('grid-toggle', { index, row });
  }

  /** The row and the column at which an event happened. */
  private placeOf(path: readonly EventTarget[]): { index: number; column: number } | null {
    const within = path.slice(0, path.indexOf(this)).filter((target) => target instanceof HTMLElement);
    const row = within.find(({ id }) => id.startsWith('row-'));
    if (row === undefined) return null;
    const cell = within.find(({ parentElement }) => parentElement === row);
    return {
      index: Number(row.id.slice('row-'.length)),
      column: cell === undefined ? 0 : Array.from(row.children).indexOf(cell),
    };
  }

  private activateCell({ index, column }: { index: number; column: number }): void {
    this.activeColumn = column;
    this.activate(index);
  }

  private activate(index: number): void {
    if (index === this.active) return;
    this.active = index;
    this.emit('grid-active', { index, row: this.rowAt(index) });
  }

  private select(change: () => void): void {
    change();
    this.selectedCount = this.selection.count;
    this.requestUpdate();
    this.keepPosition();
  }

  /** All columns that have something in them, the hidden ones too. */
  private copied(): GridColumn<Row>[] {
    return this.columns.filter(({ id }) => !this.omitted.empty.has(id));
  }

  private async copyRanges(ranges: [number, number][]): Promise<void> {
    const fetchRows = this.source?.fetchRows ?? ((from: number, to: number) => this.shownRows.slice(from, to));
    try {
      const copied = await copyRows(this.copied(), ranges, fetchRows);
      if ('refused' in copied) emitGridEvent(this, 'grid-say', copied.refused);
      else emitGridEvent(this, 'grid-copy', copied);
    } catch (error) {
      emitGridEvent(
        this,
        'grid-say',
        `Nothing was copied: ${visibleText(error instanceof Error ? error.message : String(error))}`,
      );
    }
  }

  private change(change: Partial<GridState>): void {
    emitGridEvent(this, 'grid-state', { table: this.name, state: { ...this.state, ...change } });
  }

  private readonly keepPosition = (): void => {
    clearTimeout(this.restTimer);
    if (this.pending !== null) return;
    this.restTimer = setTimeout(() => this.change({ position: this.position() }), restMs);
  };

  private position(): GridPosition {
    return { topPx: this.virtual.topPx, active: this.active, selected: this.selection.toRanges() };
  }

  /** Once there are rows, and the room that they take. */
  private restorePosition(): void {
    const { pending } = this;
    if (pending === null || this.count === 0 || this.virtual.to === 0) return;
    this.pending = null;
    this.active = Math.min(pending.active, this.count - 1);
    this.selection.restore(pending.selected, this.count);
    this.selectedCount = this.selection.count;
    this.virtual.topPx = pending.topPx;
  }

  private emit(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

function textOf(value: string | number | null): unknown {
  if (value === null) return nothing;
  return typeof value === 'number' ? formatCount(value) : html`<bdi>${visibleText(value)}</bdi>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-data-grid': DataGrid;
  }
}
