import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import type { EstimateCell, EstimateColumn, EstimateTable } from '../../src/core/pages/estimate/estimateTables.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { baseStyles } from '../shared/baseStyles.js';
import type { DataGrid } from '../shared/dataGrid.js';
import type { RowAt } from '../shared/rowSource.js';
import '../shared/dataGrid.js';
import type { GridColumn } from '../shared/gridColumn.js';
import { initialGridState, type GridStates } from '../shared/gridState.js';
import { fileText } from '../shared/fileText.js';
import { gridViewStyles } from '../shared/gridViewStyles.js';
import { middleText } from '../shared/middleText.js';
import { emitEstimateEvent } from './estimateEvents.js';

type Row = EstimateCell[];

/** A table of an estimate. Rows that are somewhere in the config open it there. */
@customElement('stowage-estimate-table')
export class EstimateTableView extends LitElement {
  static override styles = [
    baseStyles,
    gridViewStyles,
    css`
      .note {
        margin-top: 6px;
        max-width: 92ch;
        overflow-wrap: anywhere;
      }
    `,
  ];

  @property({ attribute: false }) table!: EstimateTable;
  @property({ attribute: false }) tables: GridStates = {};
  /** Where its rows are in the config; empty where they are nowhere in it. */
  @property({ attribute: false }) offsets: readonly number[] = [];
  @property({ type: Boolean, reflect: true }) fills = false;
  @query('stowage-data-grid') private grid!: DataGrid<Row> | null;
  private columns: GridColumn<Row>[] = [];

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('table') || changed.has('offsets'))
      this.columns = this.table.columns.map((column, index) => this.columnOf(column, index));
  }

  override render(): TemplateResult {
    const { id, noun, caption, rows, notes = [] } = this.table;
    return html`<stowage-data-grid
        .name=${id}
        .label=${caption}
        .noun=${noun}
        .columns=${this.columns}
        .rows=${rows}
        .state=${this.tables[id] ?? initialGridState}
        .fills=${this.fills}
        @grid-open=${({ detail: { row } }: CustomEvent<RowAt<Row>>) => row !== undefined && this.open(row)}
      ></stowage-data-grid>
      ${notes.map((note) => html`<p class="note muted">${fileText(note)}</p>`)}`;
  }

  /** Puts the caret into the search. */
  focusSearch(): boolean {
    return this.grid?.focusSearch() === true;
  }

  private columnOf({ id, label, kind }: EstimateColumn, index: number): GridColumn<Row> {
    const cellOf = (row: Row): EstimateCell => row[index] ?? { value: null, text: '' };
    return {
      id,
      label,
      widthPx: widthsPx[id] ?? (kind === 'number' ? 110 : 160),
      isNumber: kind === 'number',
      worth: worths[id] ?? 1,
      value: (row) => cellOf(row).value,
      cell: (row) => this.renderCell(cellOf(row), kind, index === 0 ? this.offsetOf(row) : undefined),
      title: (row) => visibleText(cellOf(row).text),
    };
  }

  private renderCell({ text }: EstimateCell, kind: EstimateColumn['kind'], offset: number | undefined): unknown {
    if (offset !== undefined)
      return html`<button
        class="link mono cell-link"
        tabindex="-1"
        title="Open the config there"
        @click=${() => this.show(offset)}
      >
        ${middleText(text)}
      </button>`;
    if (kind === 'number') return text === '' ? nothing : text;
    return kind === 'name' ? html`<span class="mono">${middleText(text)}</span>` : middleText(text);
  }

  private offsetOf(row: Row): number | undefined {
    return this.offsets[this.table.rows.indexOf(row)];
  }

  private open(row: Row): void {
    const offset = this.offsetOf(row);
    if (offset !== undefined) this.show(offset);
  }

  private show(offset: number): void {
    emitEstimateEvent(this, 'estimate-open', offset);
  }
}

/** Of columns that are not as wide as others of their kind, in pixels. */
const widthsPx: Readonly<Record<string, number>> = {
  part: 170,
  dtype: 90,
  bytesPerParameter: 150,
  bytes: 140,
  size: 90,
  tensor: 280,
  copies: 90,
  parameters: 150,
  module: 280,
  value: 220,
  about: 180,
  why: 300,
};

/** Columns that stay where there is no room for all. */
const worths: Readonly<Record<string, number>> = {
  size: Infinity,
  parameters: Infinity,
  value: Infinity,
  bytesPerParameter: 3,
  bytes: 0,
};

declare global {
  interface HTMLElementTagNameMap {
    'stowage-estimate-table': EstimateTableView;
  }
}
