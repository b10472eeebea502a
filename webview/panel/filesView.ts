import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import '@vscode-elements/elements/dist/vscode-icon/index.js';
import type { CollectionReport } from '../../src/core/inspection/collection/collectionReport.js';
import type { Report } from '../../src/core/inspection/report.js';
import { formatBytes, formatCount, formatShare } from '../../src/core/text/units.js';
import { baseStyles } from '../shared/baseStyles.js';
import { exactBytes } from '../shared/byteText.js';
import { counted } from '../../src/core/text/quantities.js';
import type { DataGrid, GridColumn } from '../shared/dataGrid.js';
import '../shared/dataGrid.js';
import { fileText } from '../shared/fileText.js';
import { gridHintStyles } from '../shared/gridHintStyles.js';
import { quietButtonStyles } from '../shared/quietButtonStyles.js';
import { toTsv } from '../shared/tsv.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { emitPanelEvent } from './panelEvents.js';
import { fileRowsOf, type FileRow } from './fileRows.js';
import { sortFiles } from './sortFiles.js';
import type { ReportViewState } from './viewState.js';

/** All files with what is in them. Enter or a double click opens one. */
@customElement('stowage-files-view')
export class FilesView extends LitElement {
  static override styles = [baseStyles, quietButtonStyles, gridHintStyles];

  @property({ attribute: false }) report!: Exclude<Report, CollectionReport>;
  @property({ attribute: false }) sort!: ReportViewState['fileSort'];
  /** Only the files of this rank are shown, where there is one of that name. */
  @property({ attribute: false }) rank: string | null = null;
  @query('stowage-data-grid') private grid!: DataGrid<FileRow>;
  private rows: FileRow[] = [];
  private sorted: FileRow[] = [];

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('report')) this.rows = fileRowsOf(this.report);
    const { rows: files } = this;
    const ofRank = this.rank === null ? [] : files.filter(({ rank }) => rank === this.rank);
    this.sorted = sortFiles(ofRank.length > 0 ? ofRank : files, this.sort);
  }

  override render(): TemplateResult {
    const { report, rank } = this;
    const isFiltered = this.sorted.length < report.files.length;
    return html`<div class="hint muted">
        ${
          isFiltered && rank !== null
            ? html`<button
                class="chip on"
                title="Show all files"
                @click=${() => emitPanelEvent(this, 'panel-state', { fileRank: null })}
              >
                <span class="clip">rank ${fileText(rank)}</span><vscode-icon name="close" size="12"></vscode-icon>
              </button>`
            : nothing
        }
        <span
          >${isFiltered ? `${formatCount(this.sorted.length)} of ` : ''}${counted(report.files.length, 'file')},
          ${formatBytes(this.sorted.reduce((sum, { bytes }) => sum + bytes, 0))}. Enter opens a file, Ctrl+C copies the selected
          rows.</span
        >
      </div>
      <stowage-data-grid
        .label=${'Files'}
        .columns=${this.columns}
        .count=${this.sorted.length}
        .rowAt=${(index: number) => this.sorted[index]}
        .sort=${this.sort}
        .emptyText=${'There are no files here.'}
        @grid-sort=${(event: CustomEvent<string>) => this.onSort(event.detail)}
        @grid-open=${(event: CustomEvent<number>) => this.onOpen(event.detail)}
        @grid-copy=${(event: CustomEvent<[number, number][]>) => this.onCopy(event.detail)}
      ></stowage-data-grid>`;
  }

  private readonly columns: GridColumn<FileRow>[] = [
    {
      id: 'path',
      label: 'file',
      width: 250,
      sortable: true,
      cell: ({ path, link }) =>
        html`<span class="mono">${fileText(path)}${link === undefined ? '' : html` → ${fileText(link)}`}</span>`,
      title: ({ path, link }) => visibleText(link === undefined ? path : `${path} → ${link}`),
    },
    {
      id: 'bytes',
      label: 'bytes',
      width: 90,
      alignEnd: true,
      sortable: true,
      cell: ({ bytes }) => formatBytes(bytes),
      title: ({ bytes }) => exactBytes(bytes),
    },
    {
      id: 'share',
      label: 'share',
      width: 74,
      alignEnd: true,
      cell: ({ bytes }) => (this.report.totalBytes === 0 ? '–' : formatShare(bytes / this.report.totalBytes)),
    },
    {
      id: 'format',
      label: 'format',
      width: 120,
      sortable: true,
      cell: ({ format }) => fileText(format),
      title: ({ format }) => visibleText(format),
    },
    {
      id: 'role',
      label: 'what it is for',
      width: 185,
      sortable: true,
      cell: ({ role }) => fileText(role),
      title: ({ role }) => visibleText(role),
    },
    { id: 'parts', label: 'what its bytes are', width: 250, cell: partsOf, title: (file) => partWords(file).join(', ') },
  ];

  private onSort(column: string): void {
    const { sort } = this;
    const natural = column === 'bytes';
    const descending = sort.column === column ? !sort.descending : natural;
    this.grid.reset();
    emitPanelEvent(this, 'panel-state', { fileSort: { column, descending } });
  }

  private onOpen(index: number): void {
    const file = this.sorted[index];
    if (file !== undefined) emitPanelEvent(this, 'panel-file', { path: file.path, offsetBytes: null });
  }

  private onCopy(ranges: [number, number][]): void {
    const files = ranges.flatMap(([from, to]) => this.sorted.slice(from, to));
    const rows = files.map((file) => [file.path, file.bytes, file.format, file.role, partWords(file).join(', ')]);
    emitPanelEvent(this, 'panel-copy', {
      text: toTsv(['file', 'bytes', 'format', 'role', 'parts'], rows),
      what: counted(rows.length, 'row'),
    });
  }
}

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
