import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import type { CheckpointReport } from '../../src/core/checkpoints/checkpointReport.js';
import {
  isFiltered,
  type ModuleRow,
  type TensorDetail,
  type TensorFacets,
  type TensorQuery,
  type TensorRow,
} from '../../src/core/tensors/tensorQuery.js';
import { counted } from '../../src/core/text/quantities.js';
import { formatBytes, formatCount } from '../../src/core/text/units.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import type { TensorValuesState } from '../../src/protocol/messages.js';
import { emitPanelEvent } from '../panel/panelEvents.js';
import type { ReportHost } from '../panel/reportHost.js';
import { withoutFilters, withSort } from '../panel/tensorFilter.js';
import type { ReportViewState } from '../panel/viewState.js';
import { baseStyles } from '../shared/baseStyles.js';
import { exactBytes } from '../shared/byteText.js';
import type { DataGrid } from '../shared/dataGrid.js';
import type { RowAt, RowSource } from '../shared/rowSource.js';
import '../shared/dataGrid.js';
import type { GridColumn, GridSort } from '../shared/gridColumn.js';
import { initialGridState, type GridStates } from '../shared/gridState.js';
import { gridViewStyles } from '../shared/gridViewStyles.js';
import { quietButtonStyles } from '../shared/quietButtonStyles.js';
import { maximumVirtualRows } from '../shared/virtualRows.js';
import { constantTensorColumns, moduleColumns, tensorColumns } from './tensorColumns.js';
import './tensorDetailView.js';
import './tensorFilters.js';
import type { TensorFilters } from './tensorFilters.js';
import { TensorPages } from './tensorPages.js';
import { tensorsViewStyles } from './tensorsViewStyles.js';

type Shape = ReportViewState['tensorsAs'];
/** The rows of either, whatever they are asked for by. */
type ShownPages<Row> =
  | Pick<TensorPages<never, Row>, 'rowAt' | 'rows' | 'show' | 'count' | 'matching' | 'matchingBytes' | 'failure' | 'version'>
  | undefined;
interface ModuleQuery {
  query: TensorQuery;
  toggled: string[];
}

/** All tensors, as a list or as a tree of modules: search, filters, a table that pages its rows from the host, and one tensor's details. */
@customElement('stowage-tensors-view')
export class TensorsView extends LitElement {
  static override styles = [baseStyles, quietButtonStyles, gridViewStyles, tensorsViewStyles];

  @property({ attribute: false }) report!: CheckpointReport;
  @property({ attribute: false }) facets: TensorFacets | null = null;
  @property({ attribute: false }) query: TensorQuery = {};
  @property({ attribute: false }) shape: Shape = 'list';
  @property({ attribute: false }) toggled: string[] = [];
  /** Row of the tensor whose details are open from the beginning. */
  @property({ attribute: false }) openTensor: number | null = null;
  @property({ attribute: false }) values!: TensorValuesState;
  @property({ attribute: false }) tables: GridStates = {};
  @property({ attribute: false }) host!: ReportHost;
  @property({ type: Boolean, reflect: true }) fills = false;
  @state() private detail: TensorDetail | null = null;
  @state() private detailFailure: string | null = null;
  @state() private detailOpen = false;
  /** Once it has shown numbers of the tensor. */
  @state() private isDetailWide = false;
  @query('stowage-data-grid') private grid!: DataGrid | null;
  @query('stowage-tensor-filters') private filters!: TensorFilters | null;

  private list: TensorPages<TensorQuery, TensorRow> | undefined;
  private modules: TensorPages<ModuleQuery, ModuleRow> | undefined;
  private detailRequest: AbortController | undefined;
  private pendingDetail: number | null = null;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.forget();
    this.detailRequest?.abort();
  }

  protected override firstUpdated(): void {
    if (this.openTensor !== null && this.openTensor < this.report.tensorCount) this.readDetail(this.openTensor);
  }

  override willUpdate(changed: PropertyValues<this>): void {
    const isOther = changed.has('query') || changed.has('report');
    if (changed.has('report') || changed.has('shape')) this.forget();
    if (this.shape === 'list') this.updateList(isOther);
    else this.updateModules(isOther, changed.has('toggled'));
  }

  override render(): TemplateResult {
    if (this.report.tensorCount === 0) return html`<p class="nothing muted">No tensors were found in what could be read.</p>`;
    return html`${
      this.shape === 'list'
        ? this.renderGrid('tensors', tensorColumns, this.list, null)
        : this.renderGrid('modules', moduleColumns, this.modules, (row: ModuleRow) => row)
    }
    ${
      this.detailOpen
        ? html`<stowage-tensor-detail
            .detail=${this.detail}
            .failure=${this.detailFailure}
            .values=${this.values}
            .host=${this.host}
            ?wide=${this.isDetailWide}
            @detail-wide=${() => (this.isDetailWide = true)}
            @detail-close=${() => this.closeDetail()}
          ></stowage-tensor-detail>`
        : nothing
    }`;
  }

  /** Puts the caret into the search. */
  focusSearch(): boolean {
    this.filters?.focusSearch();
    return this.filters !== null;
  }

  private renderGrid<Row extends { row: number | null }>(
    name: string,
    columns: GridColumn<Row>[],
    pages: ShownPages<Row>,
    treePlace: ((row: Row) => ModuleRow) | null,
  ): TemplateResult {
    const facets = this.report.tensorCount > 1 ? this.facets : null;
    return html`<stowage-data-grid
      .name=${name}
      .label=${treePlace === null ? 'Tensors' : 'Modules'}
      .noun=${'tensor'}
      .columns=${columns}
      .source=${this.sourceOf(pages)}
      .sort=${this.query.sort ?? null}
      .state=${this.tables[name] ?? initialGridState}
      .constants=${facets === null ? {} : constantTensorColumns(facets)}
      .treePlace=${treePlace}
      .fills=${this.fills}
      .emptyText=${this.emptyText(pages)}
      @grid-view=${({ detail: { from, to } }: CustomEvent<{ from: number; to: number }>) => pages?.show(from, to)}
      @grid-sort=${(event: CustomEvent<GridSort | null>) => emitPanelEvent(this, 'panel-query', withSort(this.query, event.detail))}
      @grid-open=${(event: CustomEvent<RowAt<Row>>) => this.openDetail(event.detail)}
      @grid-active=${(event: CustomEvent<RowAt<Row>>) => this.detailOpen && this.openDetail(event.detail)}
      @grid-toggle=${(event: CustomEvent<RowAt<Row & ModuleRow>>) => this.toggle(event.detail.row)}
      @grid-close=${() => this.closeDetail()}
    >
      <stowage-tensor-filters slot="filters" .query=${this.query} .facets=${this.facets}
        >${this.renderShapes()}</stowage-tensor-filters
      >
      <span slot="said">${this.renderSaid(pages)}</span>
    </stowage-data-grid>`;
  }

  private renderShapes(): TemplateResult {
    const button = (shape: Shape, label: string): TemplateResult =>
      html`<button
        class="quiet"
        aria-pressed=${this.shape === shape}
        @click=${() => emitPanelEvent(this, 'panel-state', { tensorsAs: shape })}
      >
        ${label}
      </button>`;
    return html`<div class="shapes" role="group" aria-label="Show tensors as">
      ${button('list', 'List')}${button('modules', 'Modules')}
    </div>`;
  }

  private renderSaid(pages: ShownPages<unknown>): TemplateResult {
    const total = this.report.tensorCount;
    const { matching = 0, matchingBytes = 0, count = 0, failure = null, version = 0 } = pages ?? {};
    if (failure !== null)
      return html`<span role="status">The rows could not be read: ${visibleText(failure)}</span>
        <button class="link" @click=${() => this.requestAgain()}>Try again</button>`;
    const shown = matching === total ? counted(total, 'tensor') : `${formatCount(matching)} of ${counted(total, 'tensor')}`;
    return html`<span role="status"
        >${version === 0 ? 'Reading rows' : html`${shown} · <span title=${exactBytes(matchingBytes)}>${formatBytes(matchingBytes)}</span>`}</span
      >${count > maximumVirtualRows ? ` · the first ${formatCount(maximumVirtualRows)} are shown: filter to see the others` : nothing}
      ${
        isFiltered(this.query)
          ? html`<button class="link" @click=${() => emitPanelEvent(this, 'panel-query', withoutFilters(this.query))}>
              Clear filters
            </button>`
          : nothing
      }`;
  }

  private sourceOf<Row>(pages: ShownPages<Row>): RowSource<Row> {
    // Until the first rows are here the places of a list are, so that the table does not jump.
    const isRead = pages !== undefined && pages.version > 0;
    const count = isRead ? pages.count : this.shape === 'list' ? this.report.tensorCount : 0;
    return {
      count,
      rowAt: (index) => pages?.rowAt(index),
      fetchRows: (from, to) => pages?.rows(from, to, new AbortController().signal) ?? [],
      version: pages?.version ?? 0,
    };
  }

  private emptyText(pages: ShownPages<unknown>): string {
    if (pages === undefined || pages.version === 0) return '';
    return isFiltered(this.query) ? 'No tensor matches. Clear a filter or shorten the search.' : 'There are no tensors.';
  }

  private updateList(isOther: boolean): void {
    const isFirst = this.list === undefined;
    this.list ??= new TensorPages(
      (query, from, count, signal) => this.host.endpoint.request('tensorPage', { query, from, count }, signal),
      () => this.onRows(),
    );
    if (isFirst || isOther) this.list.setQuery(this.query);
    if (!isFirst && isOther) this.grid?.reset();
  }

  private updateModules(isOther: boolean, isToggled: boolean): void {
    const isFirst = this.modules === undefined;
    this.modules ??= new TensorPages(
      ({ query, toggled }, from, count, signal) =>
        this.host.endpoint.request('modulePage', { query, toggled, from, count }, signal),
      () => this.onRows(),
    );
    const query = { query: this.query, toggled: this.toggled };
    if (isFirst || isOther) this.modules.setQuery(query);
    else if (isToggled) this.modules.setQuery(query, this.modules.firstShown);
    if (!isFirst && isOther) this.grid?.reset();
  }

  private requestAgain(): void {
    this.forget();
    this.requestUpdate();
  }

  private forget(): void {
    this.list?.dispose();
    this.modules?.dispose();
    this.list = undefined;
    this.modules = undefined;
  }

  private onRows(): void {
    this.requestUpdate();
    if (this.facets === null) emitPanelEvent(this, 'panel-tensors-shown', null);
    // A row that was opened before it was here.
    const row = this.pendingDetail === null ? undefined : (this.list ?? this.modules)?.rowAt(this.pendingDetail);
    if (this.pendingDetail !== null && row !== undefined) this.openDetail({ index: this.pendingDetail, row });
  }

  private toggle(row: ModuleRow | undefined): void {
    if (row === undefined) return;
    const { toggled } = this;
    const toggledModules = toggled.includes(row.id) ? toggled.filter((id) => id !== row.id) : [...toggled, row.id];
    emitPanelEvent(this, 'panel-state', { toggledModules });
  }

  private openDetail({ index, row }: RowAt<{ row: number | null }>): void {
    // A module has no details of its own.
    if (row?.row === null) return;
    this.detailOpen = true;
    this.pendingDetail = row === undefined ? index : null;
    this.detailRequest?.abort();
    if (row === undefined) return;
    emitPanelEvent(this, 'panel-state', { openTensor: row.row });
    this.readDetail(row.row);
  }

  private readDetail(row: number): void {
    this.detailOpen = true;
    const request = new AbortController();
    this.detailRequest = request;
    this.host.endpoint.request('tensorDetail', { row }, request.signal).then(
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
    this.isDetailWide = false;
    this.detail = null;
    this.pendingDetail = null;
    this.detailRequest?.abort();
    emitPanelEvent(this, 'panel-state', { openTensor: null });
    this.grid?.focus();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-tensors-view': TensorsView;
  }
}
