import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, query, state } from 'lit/decorators.js';
import type { CollectionReport } from '../../src/core/inspection/collection/collectionReport.js';
import type { Report } from '../../src/core/inspection/report.js';
import type { TensorFacets } from '../../src/core/tensors/tensorQuery.js';
import type {
  InspectionFailure,
  InspectionProgress,
  TensorValuesState,
  ValuesState,
  VerificationState,
} from '../../src/protocol/messages.js';
import { baseStyles } from '../shared/baseStyles.js';
import { isFindKey } from '../shared/findKey.js';
import { onGridEvent } from '../shared/gridEvents.js';
import { PanelController } from '../shared/panelController.js';
import { TableMenu } from '../shared/tableMenu.js';
import { saidStyles } from '../shared/saidStyles.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import '../collection/collectionView.js';
import '../dataset/datasetView.js';
import '../panel/failureView.js';
import '../panel/loadingView.js';
import { exportReport } from './exportReport.js';
import { emitPanelEvent, onPanelEvent } from '../panel/panelEvents.js';
import { pageFrameStyles } from '../panel/pageFrameStyles.js';
import type { ReportHost } from '../panel/reportHost.js';
import '../checkpoint/checkpointView.js';
import { initialViewState, restoreViewState, type ReportViewState, type TabId } from '../panel/viewState.js';

type Phase =
  | { kind: 'loading'; name: string; path: string }
  | { kind: 'report'; name: string; report: Report; refreshing: boolean }
  | { kind: 'failed'; failure: InspectionFailure };

/** A report's view, whatever it is of. */
type TabbedView = HTMLElementTagNameMap['stowage-report-view' | 'stowage-dataset-view' | 'stowage-collection-view'];

/** The report panel: follows the host's events from the first frame to the report, and carries out what its parts ask for. */
@customElement('stowage-report')
export class StowageReport extends LitElement {
  static override styles = [baseStyles, saidStyles, pageFrameStyles];

  @state() private phase: Phase = { kind: 'loading', name: '', path: '' };
  @state() private progress: InspectionProgress | null = null;
  @state() private verification: VerificationState = { kind: 'none' };
  @state() private values: ValuesState = { kind: 'none' };
  @state() private tensorValues: TensorValuesState = { row: null, state: { kind: 'none' } };
  @state() private facets: TensorFacets | null = null;
  /** The report whose facets are asked for. */
  private facetsRead: Report | null = null;
  @query('stowage-report-view, stowage-dataset-view, stowage-collection-view') private reportView!: TabbedView | null;
  private readonly panel = new PanelController<ReportHost, ReportViewState>(this, { restore: restoreViewState });
  private readonly tableMenu = new TableMenu(this);
  private path = '';

  /** Takes the connection, restores where the reader stood, and tells the host that the page is ready. */
  connect(host: ReportHost): void {
    this.panel.connect(host);
    const { endpoint } = host;
    endpoint.on('source', ({ uri }) => this.panel.keepSource(uri));
    endpoint.on('started', ({ path, name }) => this.onStarted(path, name));
    endpoint.on('progress', (progress) => (this.progress = progress));
    endpoint.on('verification', (state) => (this.verification = state));
    endpoint.on('showTab', (change) => this.showTab(change));
    endpoint.on('values', (state) => (this.values = state));
    endpoint.on('tensorValues', (state) => (this.tensorValues = state));
    endpoint.on('report', ({ name, report }) => this.onReport(name, report));
    endpoint.on('failed', (failure) => this.onFailed(failure));
    endpoint.on('copyFromTable', ({ extent }) => void this.tableMenu.table?.copy(extent));
    this.listen(host);
    endpoint.send('ready', {});
  }

  override render(): TemplateResult {
    return html`<main>${this.renderPhase()}</main>
      ${this.panel.renderSaid()}`;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('keydown', this.onDocumentKey);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('keydown', this.onDocumentKey);
  }

  private renderPhase(): TemplateResult | typeof nothing {
    const { phase } = this;
    const { connection, view } = this.panel;
    if (connection === null) return nothing;
    switch (phase.kind) {
      case 'loading':
        return html`<stowage-loading-view
          .name=${phase.name}
          .path=${phase.path}
          .progress=${this.progress}
        ></stowage-loading-view>`;
      case 'failed':
        return html`<stowage-failure-view .failure=${phase.failure}></stowage-failure-view>`;
      case 'report':
        if (phase.report.kind === 'collection')
          return html`<stowage-collection-view
            .name=${phase.name}
            .report=${phase.report}
            .tables=${view.tables}
            .refreshing=${phase.refreshing ? (this.progress ?? true) : false}
          ></stowage-collection-view>`;
        if (phase.report.kind === 'dataset')
          return html`<stowage-dataset-view
            .name=${phase.name}
            .report=${phase.report}
            .view=${view}
            .verification=${this.verification}
            .refreshing=${phase.refreshing ? (this.progress ?? true) : false}
          ></stowage-dataset-view>`;
        return html`<stowage-report-view
          .name=${phase.name}
          .report=${phase.report}
          .facets=${this.facets}
          .view=${view}
          .host=${connection}
          .verification=${this.verification}
          .values=${this.values}
          .tensorValues=${this.tensorValues}
          .refreshing=${phase.refreshing ? (this.progress ?? true) : false}
        ></stowage-report-view>`;
    }
  }

  private onStarted(path: string, name: string): void {
    this.progress = null;
    // Positions in another report mean nothing in this one.
    if (this.panel.view.path !== path) this.panel.changeView(initialViewState(path));
    const { phase } = this;
    const again = phase.kind === 'report' && this.path === path;
    this.phase = again ? { ...phase, refreshing: true } : { kind: 'loading', name, path };
    this.path = path;
    document.title = visibleText(name);
  }

  private onReport(name: string, report: Report): void {
    this.phase = { kind: 'report', name, report, refreshing: false };
    this.facets = null;
    this.facetsRead = null;
  }

  /** Once for each report, and only where its tensors are looked at: counting passes over all of them. */
  private async readFacets(): Promise<void> {
    const { phase } = this;
    if (phase.kind !== 'report' || this.facetsRead === phase.report) return;
    this.facetsRead = phase.report;
    const request = this.panel.connection?.endpoint.request('tensorFacets', {});
    const facets = await this.panel.attempt('The filters could not be read', request);
    if (this.facetsRead === phase.report) this.facets = facets ?? null;
  }

  private onFailed(failure: InspectionFailure): void {
    const { phase } = this;
    if (failure.code === 'cancelled' && phase.kind === 'report') {
      // Who cancels a second look still wants the first.
      this.phase = { ...phase, refreshing: false };
      this.panel.say('Cancelled: this is the earlier report.');
    } else this.phase = { kind: 'failed', failure };
  }

  private listen(host: ReportHost): void {
    const { endpoint } = host;
    onPanelEvent(this, 'panel-tab', (tab) => this.showTab({ tab }));
    onPanelEvent(this, 'panel-query', (query) => this.panel.changeView({ query }));
    onPanelEvent(this, 'panel-tensors-shown', () => void this.readFacets());
    onPanelEvent(this, 'panel-state', (change) => this.panel.changeView(change));
    onPanelEvent(this, 'panel-component', (component) => {
      const { sort } = this.panel.view.query;
      this.showTab({
        tab: 'tensors',
        openTensor: null,
        query: { components: [component], ...(sort === undefined ? {} : { sort }) },
      });
    });
    onPanelEvent(this, 'panel-rank', (fileRank) => this.showTab({ tab: 'files', fileRank }));
    onPanelEvent(this, 'panel-say', (text) => this.panel.say(text));
    onPanelEvent(
      this,
      'panel-file',
      (file) => void this.panel.attempt('The file could not be opened', endpoint.request('openFile', file)),
    );
    onPanelEvent(
      this,
      'panel-checkpoint',
      (part) => void this.panel.attempt('It could not be inspected', endpoint.request('inspectCheckpoint', part)),
    );
    onPanelEvent(this, 'panel-copy', ({ text, what }) => {
      void this.panel.attempt('Nothing was copied', endpoint.request('copyText', { text }), () => `Copied: ${what}`);
    });
    onGridEvent(this, 'grid-copy', (copied) => emitPanelEvent(this, 'panel-copy', copied));
    onGridEvent(this, 'grid-say', (text) => this.panel.say(text));
    onGridEvent(this, 'grid-state', ({ table, state }) =>
      this.panel.changeView({ tables: { ...this.panel.view.tables, [table]: state } }),
    );
    onPanelEvent(this, 'panel-reveal', () => void this.panel.attempt('Not shown', endpoint.request('reveal', {})));
    onPanelEvent(this, 'panel-export', (kind) => {
      const exported = exportReport(endpoint, kind, this.panel.view.query);
      void this.panel.attempt('Not saved', exported, (done) => done ?? '');
    });
    onPanelEvent(
      this,
      'panel-refresh',
      (options) => void this.panel.attempt('Not inspected again', endpoint.request('refresh', options ?? {})),
    );
    onPanelEvent(
      this,
      'panel-tokenizer',
      () => void this.panel.attempt('The tokenizer was not taken', endpoint.request('chooseTokenizer', {})),
    );
    onPanelEvent(this, 'panel-verify', (params) => {
      this.showTab({ tab: 'integrity' });
      void this.panel.attempt('Not verified', endpoint.request('verify', params));
    });
    onPanelEvent(
      this,
      'panel-verify-cancel',
      () => void this.panel.attempt('Not cancelled', endpoint.request('cancelVerification', {})),
    );
    onPanelEvent(
      this,
      'panel-copy-verification',
      () =>
        void this.panel.attempt(
          'Nothing was copied',
          endpoint.request('copyVerification', {}),
          () => 'Copied: what was verified as Markdown',
        ),
    );
    onPanelEvent(this, 'panel-values-scan', () => void this.panel.attempt('Not scanned', endpoint.request('scanValues', {})));
    onPanelEvent(
      this,
      'panel-values-cancel',
      () => void this.panel.attempt('Not cancelled', endpoint.request('cancelValues', {})),
    );
    onPanelEvent(
      this,
      'panel-copy-values',
      () => void this.panel.attempt('Nothing was copied', endpoint.request('copyValues', {}), () => 'Copied: values as Markdown'),
    );
    onPanelEvent(
      this,
      'panel-tensor-values',
      (params) => void this.panel.attempt('Not read', endpoint.request('readTensorValues', params)),
    );
    onPanelEvent(
      this,
      'panel-tensor-values-cancel',
      () => void this.panel.attempt('Not cancelled', endpoint.request('cancelTensorValues', {})),
    );
    onPanelEvent(this, 'panel-plan', () => void this.panel.attempt('No plan was opened', endpoint.request('plan', {})));
    onPanelEvent(
      this,
      'panel-bandwidth',
      () => void this.panel.attempt('No check was opened', endpoint.request('checkBandwidth', {})),
    );
    onPanelEvent(this, 'panel-compare', () => void this.panel.attempt('Nothing was compared', endpoint.request('compare', {})));
    onPanelEvent(this, 'panel-cancel', () => void this.panel.attempt('Not cancelled', endpoint.request('cancel', {})));
  }

  /** `/` and Ctrl+F go to the search of the table that is shown; where none is, to that of the report's first table. */
  private readonly onDocumentKey = (event: KeyboardEvent): void => {
    const { phase, reportView } = this;
    if (!isFindKey(event) || phase.kind !== 'report' || reportView === null) return;
    event.preventDefault();
    if (reportView.focusSearch() || phase.report.kind === 'collection') return;
    this.panel.changeView({ tab: searchedTab(phase.report) });
    void this.updateComplete.then(async () => {
      await this.reportView?.focusTab();
      // What is within the tab is rendered by then, however deep it is.
      setTimeout(() => this.reportView?.focusSearch());
    });
  };

  private showTab(change: Partial<ReportViewState>): void {
    this.panel.changeView(change);
    void this.updateComplete.then(() => this.reportView?.focusTab());
  }
}

/** The first table of a report that has none in front. */
function searchedTab(report: Exclude<Report, CollectionReport>): TabId {
  if (report.kind === 'dataset') return report.shards.length > 0 ? 'shards' : 'files';
  return report.tensorCount > 0 ? 'tensors' : 'files';
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-report': StowageReport;
  }
}
