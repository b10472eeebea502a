import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import '@vscode-elements/elements/dist/vscode-icon/index.js';
import type { CollectionReport } from '../../src/core/inspection/collection/collectionReport.js';
import { usageHeads, usageRowsOf } from '../../src/core/pages/collection/cachePage.js';
import {
  collectionHeadlineOf,
  collectionSubtitle,
  partRowsOf,
  loadLines,
  passedLines,
  uncheckedLines,
  type PartRow,
} from '../../src/core/pages/collection/collectionPage.js';
import { collectionVerdict } from '../../src/core/pages/reportVerdict.js';
import type { CacheReport } from '../../src/core/inspection/hubCache/cacheReport.js';
import type { InspectionProgress } from '../../src/protocol/messages.js';
import { exportMenu } from '../panel/exportMenu.js';
import '../panel/findingsView.js';
import '../panel/headlineView.js';
import { emitPanelEvent } from '../panel/panelEvents.js';
import '../panel/reportFooter.js';
import '../panel/reportHeader.js';
import { reportViewStyles } from '../panel/reportViewStyles.js';
import { baseStyles } from '../shared/baseStyles.js';
import { exactBytes } from '../shared/byteText.js';
import type { DataGrid } from '../shared/dataGrid.js';
import type { RowAt } from '../shared/rowSource.js';
import '../shared/dataGrid.js';
import type { GridColumn } from '../shared/gridColumn.js';
import { initialGridState, type GridStates } from '../shared/gridState.js';
import { middleText } from '../shared/middleText.js';
import { visibleText } from '../../src/core/text/visibleText.js';

/** Several things under one directory: a row for each, which opens its own report. */
@customElement('stowage-collection-view')
export class CollectionView extends LitElement {
  static override styles = [
    baseStyles,
    reportViewStyles,
    css`
      section {
        margin: 18px 0;
      }
      .num {
        white-space: nowrap;
      }
    `,
  ];

  @property({ attribute: false }) name = '';
  @property({ attribute: false }) report!: CollectionReport;
  /** While the same path is inspected again: how far it is, or true until that is known. */
  @property({ attribute: false }) refreshing: InspectionProgress | boolean = false;

  @property({ attribute: false }) tables: GridStates = {};
  @query('stowage-data-grid') private grid!: DataGrid | null;
  private rows: readonly PartRow[] = [];

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('report')) this.rows = partRowsOf(this.report);
  }

  override render(): TemplateResult {
    const { report } = this;
    const { size, binarySize, what, more } = collectionHeadlineOf(report);
    return html`<stowage-report-header
        .name=${this.name}
        .path=${report.path}
        .subtitle=${collectionSubtitle(report)}
        .exports=${exportMenu(report, {})}
        .refreshing=${this.refreshing}
        .isPlanned=${false}
      ></stowage-report-header>
      <stowage-headline
        .verdict=${collectionVerdict(report)}
        .totalBytes=${report.totalBytes}
        .size=${size}
        .binarySize=${binarySize}
        .answer=${what}
        .more=${more}
      ></stowage-headline>
      ${report.parts.length === 0 ? nothing : html`<section aria-label="Parts">${this.renderParts()}</section>`}
      ${report.cache === undefined ? nothing : this.renderUsage(report.cache)}
      ${loadLines(report).map((line) => html`<p class="muted">${line}</p>`)}
      ${
        report.findings.length === 0
          ? [...passedLines(report), ...uncheckedLines(report)].map((line) => html`<p class="muted">${line}</p>`)
          : html`<stowage-findings-view .report=${report}></stowage-findings-view>`
      }
      <stowage-report-footer .report=${report}></stowage-report-footer>`;
  }

  /** To the parts: where a reader who came by keyboard goes on. */
  async focusTab(): Promise<void> {
    await this.updateComplete;
    this.grid?.focus();
  }

  /** Puts the caret into the search. */
  focusSearch(): boolean {
    return this.grid?.focusSearch() === true;
  }

  private renderParts(): TemplateResult {
    return html`<stowage-data-grid
      .name=${'parts'}
      .label=${'Parts'}
      .noun=${'part'}
      .columns=${this.columns}
      .rows=${this.rows}
      .state=${this.tables['parts'] ?? initialGridState}
      @grid-open=${({ detail: { row } }: CustomEvent<RowAt<PartRow>>) => row !== undefined && this.open(row)}
    ></stowage-data-grid>`;
  }

  /** What the bytes of a cache are. */
  private renderUsage(cache: CacheReport): TemplateResult {
    const [what, size, files] = usageHeads;
    return html`<section aria-label="Bytes of the cache" class="scroll-x">
      <table>
        <thead>
          <tr>
            <th scope="col">${what}</th>
            <th scope="col" class="end">${size}</th>
            <th scope="col" class="end">${files}</th>
          </tr>
        </thead>
        <tbody>
          ${usageRowsOf(cache).map(
            (row) =>
              html`<tr>
                <th scope="row">${row.label}</th>
                <td class="end num" title=${exactBytes(row.bytes)}>${row.size}</td>
                <td class="end num">${row.files}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </section>`;
  }

  /** Columns that no part has anything for are left out by the table. */
  private readonly columns: GridColumn<PartRow>[] = [
    {
      id: 'part',
      label: 'part',
      widthPx: 220,
      value: nameOfPart,
      cell: (row) => this.renderName(row),
      title: ({ path }) => visibleText(path),
    },
    { id: 'what', label: 'what', widthPx: 230, value: ({ what }) => what, title: ({ what }) => what },
    {
      id: 'size',
      label: 'size',
      widthPx: 88,
      isNumber: true,
      worth: Infinity,
      value: ({ bytes }) => bytes,
      cell: ({ size }) => size,
      title: ({ bytes }) => exactBytes(bytes),
    },
    { id: 'own', label: 'only here', widthPx: 88, isNumber: true, value: ({ order }) => order.own, cell: ({ own }) => own },
    { id: 'step', label: 'step', widthPx: 80, isNumber: true, value: ({ order }) => order.step },
    {
      id: 'state',
      label: 'resume',
      widthPx: 130,
      worth: 2,
      value: ({ state }) => state,
      cell: ({ state }) => html`${state === 'fails' ? badSign : nothing}${state}`,
    },
    {
      id: 'findings',
      label: 'findings',
      widthPx: 150,
      value: ({ findings }) => findings,
      order: ({ order }) => order.findings,
      cell: ({ findings }) => html`${findings.includes('error') ? badSign : nothing}${findings}`,
    },
    {
      id: 'holds',
      label: 'holds',
      widthPx: 150,
      isNumber: true,
      value: ({ holds }) => holds,
      order: ({ order, holds }) => (holds === '' ? null : order.holds),
    },
    {
      id: 'written',
      label: 'written (UTC)',
      widthPx: 172,
      worth: 1,
      value: ({ written }) => written,
    },
    { id: 'owner', label: 'owner', widthPx: 100, value: ({ owner }) => owner, constant: ({ owner }) => `all of ${owner}` },
  ];

  private renderName(row: PartRow): TemplateResult {
    const { path, label } = row;
    return html`<button
      class="link mono cell-link"
      tabindex="-1"
      title=${label === undefined ? 'Open its report' : `Open the report of ${visibleText(path)}`}
      @click=${() => this.open(row)}
    >
      ${middleText(nameOfPart(row))}
    </button>`;
  }

  private open({ path, opens }: PartRow): void {
    emitPanelEvent(this, 'panel-checkpoint', opens === undefined ? { path } : { path, part: opens });
  }
}

const badSign = html`<vscode-icon class="bad" name="error" size="14"></vscode-icon> `;

function nameOfPart({ label, path, part }: PartRow): string {
  if (label !== undefined) return label;
  const name = path === '' ? 'the files here' : path;
  return part === undefined ? name : `${name} (${part})`;
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-collection-view': CollectionView;
  }
}
