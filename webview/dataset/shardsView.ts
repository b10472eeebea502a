import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import '@vscode-elements/elements/dist/vscode-icon/index.js';
import type { DatasetReport } from '../../src/core/datasets/datasetReport.js';
import { oddityInWords } from '../../src/core/pages/dataset/shardSummary.js';
import { formatBytes, formatCount } from '../../src/core/text/units.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { emitPanelEvent } from '../panel/panelEvents.js';
import { baseStyles } from '../shared/baseStyles.js';
import { exactBytes } from '../shared/byteText.js';
import type { DataGrid } from '../shared/dataGrid.js';
import type { RowAt } from '../shared/rowSource.js';
import '../shared/dataGrid.js';
import { fileText } from '../shared/fileText.js';
import type { GridColumn } from '../shared/gridColumn.js';
import { initialGridState, type GridStates } from '../shared/gridState.js';
import { gridViewStyles } from '../shared/gridViewStyles.js';
import { middleText } from '../shared/middleText.js';
import { quietButtonStyles } from '../shared/quietButtonStyles.js';
import { shardRowsOf, type ShardRow } from './shardRows.js';

/** All shards, with the odd ones marked. Enter or a double click opens the file. */
@customElement('stowage-shards-view')
export class ShardsView extends LitElement {
  static override styles = [baseStyles, quietButtonStyles, gridViewStyles];

  @property({ attribute: false }) report!: DatasetReport;
  @property({ attribute: false }) tables: GridStates = {};
  @property({ attribute: false }) oddOnly = false;
  @property({ type: Boolean, reflect: true }) fills = false;
  @query('stowage-data-grid') private grid!: DataGrid<ShardRow>;
  private rows: readonly ShardRow[] = [];
  private odd: readonly ShardRow[] = [];

  override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('report')) return;
    this.rows = shardRowsOf(this.report.shards);
    this.odd = this.rows.filter(({ odd }) => odd !== null);
  }

  override render(): TemplateResult {
    const { odd, rows } = this;
    const on = this.oddOnly && odd.length > 0;
    return html`<stowage-data-grid
      .name=${'shards'}
      .label=${'Shards'}
      .noun=${'shard'}
      .columns=${columns}
      .rows=${on ? odd : rows}
      .total=${rows.length}
      .bytesOf=${({ bytes }: ShardRow) => bytes}
      .state=${this.tables['shards'] ?? initialGridState}
      .fills=${this.fills}
      .emptyText=${'There are no shards here.'}
      @grid-open=${({ detail: { row } }: CustomEvent<RowAt<ShardRow>>) =>
        row !== undefined && emitPanelEvent(this, 'panel-file', { path: row.path, offsetBytes: null })}
    >
      ${
        odd.length === 0
          ? nothing
          : html`<button slot="filters" class="chip ${on ? 'on' : ''}" aria-pressed=${on} @click=${() => this.onFilter(!on)}>
              odd ones: ${formatCount(odd.length)}
            </button>`
      }
    </stowage-data-grid>`;
  }

  /** Puts the caret into the search. */
  focusSearch(): boolean {
    return this.grid.focusSearch();
  }

  private onFilter(oddShards: boolean): void {
    this.grid.reset();
    emitPanelEvent(this, 'panel-state', { oddShards });
  }
}

/** Those that no shard has a value for are left out by the table. */
const columns: GridColumn<ShardRow>[] = [
  {
    id: 'path',
    label: 'shard',
    widthPx: 220,
    value: ({ path }) => path,
    cell: ({ path }) => html`<span class="mono">${middleText(path)}</span>`,
    title: ({ path }) => visibleText(path),
  },
  {
    id: 'split',
    label: 'split',
    widthPx: 100,
    value: ({ split }) => split,
    cell: ({ split }) => (split === null ? '' : fileText(split)),
    title: ({ split }) => visibleText(split ?? ''),
    constant: ({ split }) => html`all of split ${fileText(split ?? '')}`,
  },
  {
    id: 'bytes',
    label: 'bytes',
    widthPx: 90,
    isNumber: true,
    worth: Infinity,
    value: ({ bytes }) => bytes,
    cell: ({ bytes }) => formatBytes(bytes),
    title: ({ bytes }) => exactBytes(bytes),
  },
  {
    id: 'logicalBytes',
    label: 'uncompressed',
    widthPx: 110,
    isNumber: true,
    value: ({ logicalBytes }) => logicalBytes,
    cell: ({ logicalBytes }) => (logicalBytes === null ? '' : formatBytes(logicalBytes)),
    title: ({ logicalBytes }) => (logicalBytes === null ? '' : exactBytes(logicalBytes)),
  },
  { id: 'samples', label: 'samples', widthPx: 100, worth: 1, isNumber: true, value: ({ samples }) => samples },
  { id: 'tokens', label: 'tokens', widthPx: 130, worth: 1, isNumber: true, value: ({ tokens }) => tokens },
  {
    id: 'tokensPerSample',
    label: 'tokens/sample',
    widthPx: 120,
    isNumber: true,
    value: ({ tokensPerSample }) => tokensPerSample,
    cell: ({ tokensPerSample: mean }) => (mean === null ? '' : Number.isInteger(mean) ? formatCount(mean) : mean.toFixed(1)),
  },
  {
    id: 'odd',
    label: 'odd',
    widthPx: 170,
    worth: Infinity,
    value: ({ odd }) => (odd === null ? null : oddityInWords(odd)),
    cell: ({ odd }) =>
      odd === null ? '' : html`<vscode-icon name="warning" size="12"></vscode-icon> <span>${oddityInWords(odd)}</span>`,
    title: ({ odd }) => (odd === null ? '' : oddityInWords(odd)),
  },
];

declare global {
  interface HTMLElementTagNameMap {
    'stowage-shards-view': ShardsView;
  }
}
