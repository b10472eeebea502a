import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import type { CheckpointReport } from '../../src/core/checkpoints/checkpointReport.js';
import { formatBytes, formatCount } from '../../src/core/text/units.js';
import type { TensorColumn, TensorDetail, TensorFacets, TensorQuery } from '../../src/core/tensors/tensorQuery.js';
import { baseStyles } from '../shared/baseStyles.js';
import { exactBytes } from '../shared/byteText.js';
import { counted } from '../../src/core/text/quantities.js';
import type { DataGrid } from '../shared/dataGrid.js';
import '../shared/dataGrid.js';
import { quietButtonStyles } from '../shared/quietButtonStyles.js';
import { twoColumnStyles } from '../shared/twoColumnStyles.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { maximumVirtualRows } from '../shared/virtualRows.js';
import { copyTensorRows } from './copyTensorRows.js';
import { emitPanelEvent } from '../panel/panelEvents.js';
import type { ReportHost } from '../panel/reportHost.js';
import { tensorColumns } from './tensorColumns.js';
import './tensorDetailView.js';
import { isFiltered, nextSort, withoutFilters } from '../panel/tensorFilter.js';
import './tensorFilters.js';
import type { TensorFilters } from './tensorFilters.js';
import { TensorPages } from './tensorPages.js';
import { decodeTensorRows, type TensorRow } from './tensorRow.js';
import { tensorsViewStyles } from './tensorsViewStyles.js';

/** All tensors: search, filters, a table that pages its rows from the host, and one tensor's details beside it. */
@customElement('stowage-tensors-view')
export class TensorsView extends LitElement {
  static override styles = [baseStyles, quietButtonStyles, twoColumnStyles, tensorsViewStyles];

  @property({ attribute: false }) report!: CheckpointReport;
  @property({ attribute: false }) facets: TensorFacets | null = null;
  @property({ attribute: false }) query: TensorQuery = {};
  @property({ attribute: false }) host!: ReportHost;
  @state() private detail: TensorDetail | null = null;
  @state() private detailFailure: string | null = null;
  @state() private detailOpen = false;
  @state() private selected = 0;
  @query('stowage-data-grid') private grid!: DataGrid<TensorRow> | null;
  @query('stowage-tensor-filters') private filters!: TensorFilters | null;

  private pages: TensorPages | undefined;
  private detailRequest: AbortController | undefined;
  private pendingDetail: number | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('keydown', this.onDocumentKey);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('keydown', this.onDocumentKey);
    this.pages?.dispose();
    this.pages = undefined;
    this.detailRequest?.abort();
  }

  override willUpdate(changed: PropertyValues<this>): void {
    const first = this.pages === undefined;
    this.pages ??= new TensorPages(
      (query, from, count, signal) => this.host.endpoint.request('tensorPage', { query, from, count }, signal),
      decodeTensorRows,
      () => this.onRows(),
    );
    if (!first && !changed.has('query') && !changed.has('report')) return;
    this.pages.setQuery(this.query);
    this.grid?.reset();
  }

  override render(): TemplateResult {
    const { pages } = this;
    if (this.report.tensorCount === 0) return html`<p class="nothing muted">No tensors were found in what could be read.</p>`;
    // Until the first rows are here their places are, so that the table does not jump.
    const count = pages === undefined || pages.version === 0 ? this.report.tensorCount : pages.matching;
    return html`<stowage-tensor-filters .query=${this.query} .facets=${this.facets}></stowage-tensor-filters>
      ${this.renderSummary()}
      <div class="two ${this.detailOpen ? 'open' : ''}">
        <stowage-data-grid
          .label=${'Tensors'}
          .columns=${tensorColumns}
          .count=${count}
          .rowAt=${(index: number) => pages?.rowAt(index)}
          .version=${pages?.version ?? 0}
          .sort=${this.query.sort ?? null}
          .emptyText=${this.emptyText()}
          @grid-view=${(event: CustomEvent<{ from: number; to: number }>) => pages?.show(event.detail.from, event.detail.to)}
          @grid-sort=${(event: CustomEvent<TensorColumn>) => emitPanelEvent(this, 'panel-query', nextSort(this.query, event.detail))}
          @grid-open=${(event: CustomEvent<number>) => this.openDetail(event.detail)}
          @grid-active=${(event: CustomEvent<number>) => this.detailOpen && this.openDetail(event.detail)}
          @grid-close=${() => this.closeDetail()}
          @grid-select=${(event: CustomEvent<number>) => (this.selected = event.detail)}
          @grid-copy=${(event: CustomEvent<[number, number][]>) => void this.copy(event.detail)}
        ></stowage-data-grid>
        ${
          this.detailOpen
            ? html`<stowage-tensor-detail
                .detail=${this.detail}
                .failure=${this.detailFailure}
                @detail-close=${() => this.closeDetail()}
              ></stowage-tensor-detail>`
            : nothing
        }
      </div>`;
  }

  private renderSummary(): TemplateResult {
    const { pages } = this;
    const total = this.report.tensorCount;
    const matching = pages?.matching ?? 0;
    const shown = matching === total ? counted(total, 'tensor') : `${formatCount(matching)} of ${counted(total, 'tensor')}`;
    return html`<div class="summary">
      <span class="num" role="status">
        ${
          pages?.failure != null
            ? html`The rows could not be read: ${visibleText(pages.failure)}
                <button class="link" @click=${() => pages.setQuery(this.query)}>Try again</button>`
            : pages === undefined || pages.version === 0
              ? 'Reading rows'
              : html`${shown} · <span title=${exactBytes(pages.matchingBytes)}>${formatBytes(pages.matchingBytes)}</span>`
        }
        ${matching > maximumVirtualRows ? `· the first ${formatCount(maximumVirtualRows)} are shown: filter to see the others` : nothing}
      </span>
      ${
        isFiltered(this.query)
          ? html`<button class="link" @click=${() => emitPanelEvent(this, 'panel-query', withoutFilters(this.query))}>
              Clear filters
            </button>`
          : nothing
      }
      <span class="grow"></span>
      <button class="quiet" ?disabled=${this.selected === 0} @click=${() => this.grid?.copySelection()}>
        ${this.selected === 0 ? 'Copy selected rows' : `Copy ${counted(this.selected, 'row')}`}
      </button>
    </div>`;
  }

  private emptyText(): string {
    if (this.pages === undefined || this.pages.version === 0) return '';
    return isFiltered(this.query) ? 'No tensor matches. Clear a filter or shorten the search.' : 'There are no tensors.';
  }

  private onRows(): void {
    this.requestUpdate();
    // A row that was opened before it was here.
    if (this.pendingDetail !== null) this.openDetail(this.pendingDetail);
  }

  private openDetail(index: number): void {
    const row = this.pages?.rowAt(index);
    this.detailOpen = true;
    this.pendingDetail = row === undefined ? index : null;
    this.detailRequest?.abort();
    if (row === undefined) return;
    const request = new AbortController();
    this.detailRequest = request;
    this.host.endpoint.request('tensorDetail', { row: row.row }, request.signal).then(
      (detail) => {
        this.detail = detail;
        this.detailFailure = null;
      },
      (error: unknown) => {
        if (!request.signal.aborted) this.detailFailure = error instanceof Error ? error.message : String(error);
      },
    );
  }

  private closeDetail(): void {
    if (!this.detailOpen) return;
    this.detailOpen = false;
    this.detail = null;
    this.pendingDetail = null;
    this.detailRequest?.abort();
    this.grid?.focus();
  }

  private async copy(ranges: [number, number][]): Promise<void> {
    if (this.pages === undefined) return;
    try {
      const copied = await copyTensorRows(this.pages, ranges);
      if ('refused' in copied) emitPanelEvent(this, 'panel-say', copied.refused);
      else emitPanelEvent(this, 'panel-copy', copied);
    } catch (error) {
      emitPanelEvent(this, 'panel-say', `Nothing was copied: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /** `/` goes to the search from anywhere but a text field. */
  private readonly onDocumentKey = (event: KeyboardEvent): void => {
    const typing = event.composedPath().some((target) => target instanceof HTMLInputElement);
    if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.filters?.focusSearch();
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-tensors-view': TensorsView;
  }
}
