import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import '@vscode-elements/elements/dist/vscode-icon/index.js';
import type { CollectionReport } from '../../src/core/inspection/collection/collectionReport.js';
import type { Report } from '../../src/core/inspection/report.js';
import { formatBytes, formatShare } from '../../src/core/text/units.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { baseStyles } from '../shared/baseStyles.js';
import { exactBytes } from '../shared/byteText.js';
import type { DataGrid } from '../shared/dataGrid.js';
import type { RowAt } from '../shared/rowSource.js';
import '../shared/dataGrid.js';
import { fileText } from '../shared/fileText.js';
import { gridViewStyles } from '../shared/gridViewStyles.js';
import type { GridColumn } from '../shared/gridColumn.js';
import { initialGridState, type GridStates } from '../shared/gridState.js';
import { middleText } from '../shared/middleText.js';
import { quietButtonStyles } from '../shared/quietButtonStyles.js';
import { fileRowsOf, type FileRow } from './fileRows.js';
import { emitPanelEvent } from './panelEvents.js';

/** All files with what is in them. Enter or a double click opens one. */
@customElement('stowage-files-view')
export class FilesView extends LitElement {
  static override styles = [baseStyles, quietButtonStyles, gridViewStyles];

  @property({ attribute: false }) report!: Exclude<Report, CollectionReport>;
  @property({ attribute: false }) tables: GridStates = {};
  /** Only the files of this rank are shown, where there is one of that name. */
  @property({ attribute: false }) rank: string | null = null;
  @property({ type: Boolean, reflect: true }) fills = false;
  @query('stowage-data-grid') private grid!: DataGrid<FileRow>;
  private rows: readonly FileRow[] = [];

  override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('report') && !changed.has('rank')) return;
    const files = fileRowsOf(this.report);
    const ofRank = this.rank === null ? [] : files.filter(({ rank }) => rank === this.rank);
    this.rows = ofRank.length > 0 ? ofRank : files;
  }

  override render(): TemplateResult {
    const { report, rank, rows } = this;
    return html`<stowage-data-grid
      .name=${'files'}
      .label=${'Files'}
      .noun=${'file'}
      .columns=${this.columns}
      .rows=${rows}
      .total=${report.files.length}
      .bytesOf=${({ bytes }: FileRow) => bytes}
      .state=${this.tables['files'] ?? initialGridState}
      .sort=${bytesFirst}
      .fills=${this.fills}
      .emptyText=${'There are no files here.'}
      @grid-open=${({ detail: { row } }: CustomEvent<RowAt<FileRow>>) => row !== undefined && emitPanelEvent(this, 'panel-file', { path: row.path, offsetBytes: null })}
    >
      ${
        rows.length < report.files.length && rank !== null
          ? html`<button
              slot="filters"
              class="chip on"
              title="Show all files"
              @click=${() => emitPanelEvent(this, 'panel-state', { fileRank: null })}
            >
              <span class="clip">rank ${fileText(rank)}</span><vscode-icon name="close" size="12"></vscode-icon>
            </button>`
          : nothing
      }
    </stowage-data-grid>`;
  }

  /** Puts the caret into the search. */
  focusSearch(): boolean {
    return this.grid.focusSearch();
  }

  private readonly columns: GridColumn<FileRow>[] = [
    {
      id: 'path',
      label: 'file',
      widthPx: 250,
      value: ({ path, link }) => (link === undefined ? path : `${path} → ${link}`),
      cell: ({ path, link }) => html`<span class="mono">${middleText(link === undefined ? path : `${path} → ${link}`)}</span>`,
      title: ({ path, link }) => visibleText(link === undefined ? path : `${path} → ${link}`),
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
      id: 'share',
      label: 'share',
      widthPx: 74,
      isNumber: true,
      value: ({ bytes }) => (this.report.totalBytes === 0 ? null : bytes / this.report.totalBytes),
      cell: ({ bytes }) => (this.report.totalBytes === 0 ? '–' : formatShare(bytes / this.report.totalBytes)),
    },
    {
      id: 'format',
      label: 'format',
      widthPx: 120,
      worth: 1,
      value: ({ format }) => format,
      title: ({ format }) => visibleText(format),
      constant: ({ format }) => html`all <bdi>${visibleText(format)}</bdi>`,
    },
    {
      id: 'role',
      label: 'what it is for',
      widthPx: 185,
      worth: 2,
      value: ({ role }) => role,
      title: ({ role }) => visibleText(role),
      constant: ({ role }) => html`all <bdi>${visibleText(role)}</bdi>`,
    },
    {
      id: 'parts',
      label: 'what its bytes are',
      widthPx: 250,
      worth: 2,
      value: (file) => partWords(file).join(', '),
      cell: partsOf,
      title: (file) => partWords(file).join(', '),
    },
  ];
}

const bytesFirst = { column: 'bytes', descending: true };

function partsOf(file: FileRow): TemplateResult[] {
  return file
    .parts()
    .map(({ label, fill }, index) => html`${index === 0 ? '' : ', '}<span class="swatch fill ${fill}"></span>${label}`);
}

function partWords(file: FileRow): string[] {
  return file.parts().map(({ label, bytes }) => `${label} ${formatBytes(bytes)}`);
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-files-view': FilesView;
  }
}
