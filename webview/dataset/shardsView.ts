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
import { counted } from '../../src/core/text/quantities.js';
import type { DataGrid, GridColumn } from '../shared/dataGrid.js';
import '../shared/dataGrid.js';
import { fileText } from '../shared/fileText.js';
import { gridHintStyles } from '../shared/gridHintStyles.js';
import { quietButtonStyles } from '../shared/quietButtonStyles.js';
import { toTsv } from '../shared/tsv.js';
import { shardRowsOf, sortShards, type ShardOrder, type ShardRow } from './shardRows.js';

/** All shards, with the odd ones marked. Enter or a double click opens the file. */
@customElement('stowage-shards-view')
export class ShardsView extends LitElement {
  static override styles = [baseStyles, quietButtonStyles, gridHintStyles];

  @property({ attribute: false }) report!: DatasetReport;
  @property({ attribute: false }) sort: ShardOrder | null = null;
  @property({ attribute: false }) oddOnly = false;
  @query('stowage-data-grid') private grid!: DataGrid<ShardRow>;
  private rows: ShardRow[] = [];
  private odd: ShardRow[] = [];
  private shown: readonly ShardRow[] = [];

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('report')) {
      this.rows = shardRowsOf(this.report.shards);
      this.odd = this.rows.filter(({ odd }) => odd !== null);
    }
    this.shown = sortShards(this.oddOnly && this.odd.length > 0 ? this.odd : this.rows, this.sort);
  }

  override render(): TemplateResult {
    const { odd, rows, shown } = this;
    const on = this.oddOnly && odd.length > 0;
    return html`<div class="hint muted">
        ${
          odd.length === 0
            ? nothing
            : html`<button class="chip ${on ? 'on' : ''}" aria-pressed=${on} @click=${() => this.onFilter(!on)}>
                odd ones: ${formatCount(odd.length)}
              </button>`
        }
        <span
          >${on ? `${formatCount(shown.length)} of ` : ''}${counted(rows.length, 'shard')}. Enter opens a shard, Ctrl+C copies the
          selected rows.</span
        >
      </div>
      <stowage-data-grid
        .label=${'Shards'}
        .columns=${this.columns()}
        .count=${shown.length}
        .rowAt=${(index: number) => shown[index]}
        .sort=${this.sort}
        .emptyText=${'There are no shards here.'}
        @grid-sort=${(event: CustomEvent<string>) => this.onSort(event.detail)}
        @grid-open=${(event: CustomEvent<number>) => this.onOpen(event.detail)}
        @grid-copy=${(event: CustomEvent<[number, number][]>) => this.onCopy(event.detail)}
      ></stowage-data-grid>`;
  }

  /** Columns that no shard has a value for are left out. */
  private columns(): GridColumn<ShardRow>[] {
    const { shards } = this.report;
    const has = (key: 'split' | 'logicalBytes' | 'samples' | 'tokens'): boolean => shards.some((shard) => shard[key] !== null);
    return [
      pathColumn,
      ...(has('split') ? [splitColumn] : []),
      bytesColumn,
      ...(has('logicalBytes') ? [logicalColumn] : []),
      ...(has('samples') ? [countColumn('samples', 'samples', 110)] : []),
      ...(has('tokens') ? [countColumn('tokens', 'tokens', 150)] : []),
      ...(has('tokens') && has('samples') ? [perSampleColumn] : []),
      oddColumn,
    ];
  }

  private onFilter(oddShards: boolean): void {
    this.grid.reset();
    emitPanelEvent(this, 'panel-state', { oddShards });
  }

  private onSort(column: string): void {
    const natural = column !== 'path' && column !== 'split';
    const descending = this.sort?.column === column ? !this.sort.descending : natural;
    this.grid.reset();
    emitPanelEvent(this, 'panel-state', { shardSort: { column, descending } });
  }

  private onOpen(index: number): void {
    const shard = this.shown[index];
    if (shard !== undefined) emitPanelEvent(this, 'panel-file', { path: shard.path, offsetBytes: null });
  }

  private onCopy(ranges: [number, number][]): void {
    const rows = ranges
      .flatMap(([from, to]) => this.shown.slice(from, to))
      .map(({ path, split, bytes, samples, tokens, odd }) => [
        path,
        split ?? '',
        bytes,
        samples ?? '',
        tokens ?? '',
        odd === null ? '' : oddityInWords(odd),
      ]);
    const text = toTsv(['shard', 'split', 'bytes', 'samples', 'tokens', 'odd'], rows);
    emitPanelEvent(this, 'panel-copy', { text, what: counted(rows.length, 'row') });
  }
}

const pathColumn: GridColumn<ShardRow> = {
  id: 'path',
  label: 'shard',
  width: 220,
  sortable: true,
  cell: ({ path }) => html`<span class="mono">${fileText(path)}</span>`,
  title: ({ path }) => visibleText(path),
};

const splitColumn: GridColumn<ShardRow> = {
  id: 'split',
  label: 'split',
  width: 100,
  sortable: true,
  cell: ({ split }) => (split === null ? '' : fileText(split)),
  title: ({ split }) => visibleText(split ?? ''),
};

const bytesColumn: GridColumn<ShardRow> = {
  id: 'bytes',
  label: 'bytes',
  width: 90,
  alignEnd: true,
  sortable: true,
  cell: ({ bytes }) => formatBytes(bytes),
  title: ({ bytes }) => exactBytes(bytes),
};

const logicalColumn: GridColumn<ShardRow> = {
  id: 'logicalBytes',
  label: 'uncompressed',
  width: 130,
  alignEnd: true,
  sortable: true,
  cell: ({ logicalBytes }) => (logicalBytes === null ? '' : formatBytes(logicalBytes)),
  title: ({ logicalBytes }) => (logicalBytes === null ? '' : exactBytes(logicalBytes)),
};

const perSampleColumn: GridColumn<ShardRow> = {
  id: 'tokensPerSample',
  label: 'tokens/sample',
  width: 132,
  alignEnd: true,
  sortable: true,
  cell: ({ tokensPerSample: mean }) => (mean === null ? '' : Number.isInteger(mean) ? formatCount(mean) : mean.toFixed(1)),
};

const oddColumn: GridColumn<ShardRow> = {
  id: 'odd',
  label: 'odd',
  width: 170,
  cell: ({ odd }) =>
    odd === null ? '' : html`<vscode-icon name="warning" size="12"></vscode-icon> <span>${oddityInWords(odd)}</span>`,
  title: ({ odd }) => (odd === null ? '' : oddityInWords(odd)),
};

function countColumn(id: 'samples' | 'tokens', label: string, width: number): GridColumn<ShardRow> {
  return {
    id,
    label,
    width,
    alignEnd: true,
    sortable: true,
    cell: (row) => (row[id] === null ? '' : formatCount(row[id])),
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-shards-view': ShardsView;
  }
}
