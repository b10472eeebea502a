import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import '@vscode-elements/elements/dist/vscode-icon/index.js';
import { baseStyles } from './baseStyles.js';
import { fillStyles } from './componentColor.js';
import { cssProperties } from './cssProperties.js';
import { dataGridStyles } from './dataGridStyles.js';
import { rowAfterKey } from './gridKeys.js';
import { RowSelection } from './rowSelection.js';
import { VirtualRows } from './virtualRows.js';

export interface GridColumn<Row> {
  id: string;
  label: string;
  /** Pixels; the first column takes what is left over. */
  width: number;
  alignEnd?: boolean;
  sortable?: boolean;
  cell(row: Row): unknown;
  /** Shown on hover: the exact value, or all of a clipped text. */
  title?(row: Row): string;
}

export interface GridSort {
  column: string;
  descending: boolean;
}

const rowHeight = 26;
const headerHeight = 30;

/**
 * A table of any length that keeps only the rows in view in the document. Rows may be missing (`rowAt` gives undefined) until they have
 * been fetched. Events: `grid-view` (rows in view), `grid-sort` (column id), `grid-active` (row), `grid-open` (row), `grid-close`,
 * `grid-copy` (ranges), `grid-select` (how many).
 */
@customElement('stowage-data-grid')
export class DataGrid<Row = unknown> extends LitElement {
  static override styles = [baseStyles, fillStyles, dataGridStyles];

  @property({ attribute: false }) columns: GridColumn<Row>[] = [];
  @property({ attribute: false }) count = 0;
  @property({ attribute: false }) rowAt: (index: number) => Row | undefined = () => undefined;
  @property({ attribute: false }) sort: GridSort | null = null;
  @property({ attribute: false }) label = '';
  @property({ attribute: false }) emptyText = '';
  /** Bumped by the owner when `rowAt` gives other rows than before. */
  @property({ attribute: false }) version = 0;
  @state() private active = 0;
  @query('.scroller') private scroller!: HTMLElement | null;

  private readonly selection = new RowSelection();
  private readonly rows = new VirtualRows(this, { rowHeight, headerHeight, scroller: () => this.scroller });
  private lastView = '';

  /** Forgets selection and position: the rows are others now. */
  reset(): void {
    this.selection.clear();
    this.active = 0;
    this.rows.scrollToTop();
    this.emitSelection();
  }

  override focus(): void {
    this.scroller?.focus();
  }

  override render(): TemplateResult {
    this.rows.setCount(this.count);
    const items = this.rows.items;
    const tracks = this.columns.map(({ width }, index) => (index === 0 ? `minmax(${width}px, 1fr)` : `${width}px`)).join(' ');
    const width = this.columns.reduce((sum, column) => sum + column.width, 0);
    const body = Math.max(this.rows.totalHeight, this.count === 0 ? 2 * rowHeight : 0);
    const activeShown = items.some(({ index }) => index === this.active);
    return html`<div
      class="scroller"
      role="grid"
      tabindex="0"
      aria-label=${this.label}
      aria-rowcount=${this.count + 1}
      aria-colcount=${this.columns.length}
      aria-multiselectable="true"
      aria-activedescendant=${activeShown ? `row-${this.active}` : nothing}
      @keydown=${this.onKey}
      ${cssProperties({ '--tracks': tracks, '--width': `${width}px`, '--rows': `${body + headerHeight + 2}px` })}
    >
      <div class="row header" role="row" aria-rowindex="1">${this.columns.map((column) => this.renderHeader(column))}</div>
      ${
        this.count === 0
          ? html`<div role="row" aria-rowindex="2" class="empty muted"><div role="gridcell">${this.emptyText}</div></div>`
          : html`<div class="space" role="rowgroup" ${cssProperties({ height: `${body}px` })}>
              <div class="window" role="presentation" ${cssProperties({ transform: `translateY(${items[0]?.start ?? 0}px)` })}>
                ${items.map(({ index }) => this.renderRow(index))}
              </div>
            </div>`
      }
    </div>`;
  }

  override updated(): void {
    const items = this.rows.items;
    const from = items[0]?.index ?? 0;
    const to = (items.at(-1)?.index ?? -1) + 1;
    const view = `${from}-${to}-${this.version}`;
    if (view === this.lastView) return;
    this.lastView = view;
    this.emit('grid-view', { from, to });
  }

  private renderHeader(column: GridColumn<Row>): TemplateResult {
    const sorted = this.sort?.column === column.id ? (this.sort.descending ? 'descending' : 'ascending') : 'none';
    const label = html`<span class="clip">${column.label}</span>`;
    return html`<div
      class="cell ${column.alignEnd === true ? 'end' : ''}"
      role="columnheader"
      aria-sort=${column.sortable === true ? sorted : nothing}
    >
      ${
        column.sortable === true
          ? html`<button class="sort ${sorted}" @click=${() => this.emit('grid-sort', column.id)}>
              ${label}<span class="arrow" aria-hidden="true"
                >${sorted === 'none' ? '' : sorted === 'descending' ? '↓' : '↑'}</span
              >
            </button>`
          : label
      }
    </div>`;
  }

  private renderRow(index: number): TemplateResult {
    const row = this.rowAt(index);
    const selected = this.selection.has(index);
    return html`<div
      class="row ${index === this.active ? 'active' : ''} ${selected ? 'selected' : ''}"
      role="row"
      id=${`row-${index}`}
      aria-rowindex=${index + 2}
      aria-selected=${selected}
      @click=${(event: MouseEvent) => this.onClick(event, index)}
      @dblclick=${() => this.emit('grid-open', index)}
    >
      ${this.columns.map((column) => this.renderCell(column, row))}
    </div>`;
  }

  private renderCell(column: GridColumn<Row>, row: Row | undefined): TemplateResult {
    return html`<div
      class="cell ${column.alignEnd === true ? 'end num' : ''}"
      role="gridcell"
      title=${row === undefined || column.title === undefined ? nothing : column.title(row)}
    >
      ${row === undefined ? html`<span class="muted" aria-label="not read yet">…</span>` : column.cell(row)}
    </div>`;
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    // The header's sort buttons keep their own keys.
    if (event.target !== event.currentTarget && (event.key === 'Enter' || event.key === ' ')) return;
    const command = event.ctrlKey || event.metaKey;
    const to = command ? null : rowAfterKey(event.key, this.active, Math.min(this.count, 1e6), this.rows.rowsPerPage);
    if (to !== null) {
      this.activate(to);
      if (event.shiftKey) this.selection.extendTo(to);
      else this.selection.selectOnly(to);
      this.rows.scrollToRow(to);
      this.emitSelection();
    } else if (event.key === 'Enter' && this.count > 0) this.emit('grid-open', this.active);
    else if (event.key === ' ' && this.count > 0) this.select(() => this.selection.toggle(this.active));
    else if (command && event.key.toLowerCase() === 'a') this.select(() => this.selection.selectAll(this.count));
    else if (command && event.key.toLowerCase() === 'c' && this.selection.count > 0)
      this.emit('grid-copy', this.selection.toRanges());
    else if (event.key === 'Escape') this.emit('grid-close', null);
    else return;
    event.preventDefault();
  };

  private onClick(event: MouseEvent, index: number): void {
    this.activate(index);
    this.select(() => {
      if (event.shiftKey) this.selection.extendTo(index);
      else if (event.ctrlKey || event.metaKey) this.selection.toggle(index);
      else this.selection.selectOnly(index);
    });
  }

  private activate(index: number): void {
    if (index === this.active) return;
    this.active = index;
    this.emit('grid-active', index);
  }

  private select(change: () => void): void {
    change();
    this.requestUpdate();
    this.emitSelection();
  }

  /** Copies what is selected; for the owner's button. */
  copySelection(): void {
    if (this.selection.count > 0) this.emit('grid-copy', this.selection.toRanges());
  }

  private emitSelection(): void {
    this.emit('grid-select', this.selection.count);
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
