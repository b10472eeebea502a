import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, query, state } from 'lit/decorators.js';
import type { Report } from '../../src/core/inspection/report.js';
import type { TensorFacets } from '../../src/core/tensors/tensorQuery.js';
import type { InspectionFailure, InspectionProgress } from '../../src/protocol/messages.js';
import { baseStyles } from '../shared/baseStyles.js';
import { saidStyles } from '../shared/saidStyles.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import '../dataset/datasetView.js';
import '../panel/failureView.js';
import '../panel/loadingView.js';
import { exportReport } from './exportReport.js';
import { onPanelEvent } from '../panel/panelEvents.js';
import type { ReportHost } from '../panel/reportHost.js';
import { stowageReportStyles } from './stowageReportStyles.js';
import '../checkpoint/checkpointView.js';
import { initialViewState, restoreViewState, type ReportViewState } from '../panel/viewState.js';

type Phase =
  | { kind: 'loading'; name: string }
  | { kind: 'report'; name: string; report: Report; refreshing: boolean }
  | { kind: 'failed'; failure: InspectionFailure };

/** A report's view, whatever it is of. */
type TabbedView = HTMLElementTagNameMap['stowage-report-view' | 'stowage-dataset-view'];

/** The report panel: follows the host's events from the first frame to the report, and carries out what its parts ask for. */
@customElement('stowage-report')
export class StowageReport extends LitElement {
  static override styles = [baseStyles, saidStyles, stowageReportStyles];

  @state() private phase: Phase = { kind: 'loading', name: '' };
  @state() private progress: InspectionProgress | null = null;
  @state() private facets: TensorFacets | null = null;
  @state() private view: ReportViewState = initialViewState('');
  /** The last thing worth saying; shown for a while and read out. */
  @state() private said = '';
  @query('stowage-report-view, stowage-dataset-view') private reportView!: TabbedView | null;
  private host: ReportHost | undefined;
  private path = '';
  private sayTimer: ReturnType<typeof setTimeout> | undefined;

  /** Takes the connection, restores where the reader stood, and tells the host that the page is ready. */
  connect(host: ReportHost): void {
    this.host = host;
    this.view = restoreViewState(host.readState());
    const { endpoint } = host;
    endpoint.on('started', ({ path, name }) => this.onStarted(path, name));
    endpoint.on('progress', (progress) => (this.progress = progress));
    endpoint.on('report', ({ name, report }) => this.onReport(name, report));
    endpoint.on('failed', (failure) => this.onFailed(failure));
    this.listen(host);
    endpoint.send('ready', {});
  }

  override render(): TemplateResult {
    return html`<main>${this.renderPhase()}</main>
      <div class="said ${this.said === '' ? '' : 'shown'}" role="status">${this.said}</div>`;
  }

  private renderPhase(): TemplateResult | typeof nothing {
    const { phase } = this;
    if (this.host === undefined) return nothing;
    switch (phase.kind) {
      case 'loading':
        return html`<stowage-loading-view .name=${phase.name} .progress=${this.progress}></stowage-loading-view>`;
      case 'failed':
        return html`<stowage-failure-view .failure=${phase.failure}></stowage-failure-view>`;
      case 'report':
        if (phase.report.kind === 'dataset')
          return html`<stowage-dataset-view
            .name=${phase.name}
            .report=${phase.report}
            .view=${this.view}
            .refreshing=${phase.refreshing ? (this.progress ?? true) : false}
          ></stowage-dataset-view>`;
        return html`<stowage-report-view
          .name=${phase.name}
          .report=${phase.report}
          .facets=${this.facets}
          .view=${this.view}
          .host=${this.host}
          .refreshing=${phase.refreshing ? (this.progress ?? true) : false}
        ></stowage-report-view>`;
    }
  }

  private onStarted(path: string, name: string): void {
    this.progress = null;
    // Positions in another report mean nothing in this one.
    if (this.view.path !== path) this.changeView(initialViewState(path));
    const { phase } = this;
    const again = phase.kind === 'report' && this.path === path;
    this.phase = again ? { ...phase, refreshing: true } : { kind: 'loading', name };
    this.path = path;
    document.title = visibleText(name);
  }

  private onReport(name: string, report: Report): void {
    this.phase = { kind: 'report', name, report, refreshing: false };
    this.facets = null;
    if (report.kind === 'dataset') return;
    this.host?.endpoint.request('tensorFacets', {}).then(
      (facets) => (this.facets = facets),
      (error: unknown) => this.say(`The filters could not be read: ${messageOf(error)}`),
    );
  }

  private onFailed(failure: InspectionFailure): void {
    const { phase } = this;
    if (failure.code === 'cancelled' && phase.kind === 'report') {
      // Who cancels a second look still wants the first.
      this.phase = { ...phase, refreshing: false };
      this.say('Cancelled: this is the earlier report.');
    } else this.phase = { kind: 'failed', failure };
  }

  private listen(host: ReportHost): void {
    const { endpoint } = host;
    onPanelEvent(this, 'panel-tab', (tab) => this.showTab({ tab }));
    onPanelEvent(this, 'panel-query', (query) => this.changeView({ query }));
    onPanelEvent(this, 'panel-state', (change) => this.changeView(change));
    onPanelEvent(this, 'panel-component', (component) => {
      const { sort } = this.view.query;
      this.showTab({ tab: 'tensors', query: { components: [component], ...(sort === undefined ? {} : { sort }) } });
    });
    onPanelEvent(this, 'panel-rank', (fileRank) => this.showTab({ tab: 'files', fileRank }));
    onPanelEvent(this, 'panel-say', (text) => this.say(text));
    onPanelEvent(
      this,
      'panel-file',
      (file) => void this.attempt('The file could not be opened', endpoint.request('openFile', file)),
    );
    onPanelEvent(
      this,
      'panel-checkpoint',
      (path) => void this.attempt('The checkpoint could not be inspected', endpoint.request('inspectCheckpoint', { path })),
    );
    onPanelEvent(this, 'panel-copy', ({ text, what }) => {
      void this.attempt('Nothing was copied', endpoint.request('copyText', { text }), () => `Copied: ${what}`);
    });
    onPanelEvent(this, 'panel-export', (kind) => {
      void exportReport(endpoint, kind, this.view.query).then(
        (said) => said !== null && this.say(said),
        (error: unknown) => this.say(`Not saved: ${messageOf(error)}`),
      );
    });
    onPanelEvent(
      this,
      'panel-refresh',
      (options) => void this.attempt('Not inspected again', endpoint.request('refresh', options ?? {})),
    );
    onPanelEvent(
      this,
      'panel-tokenizer',
      () => void this.attempt('The tokenizer was not taken', endpoint.request('chooseTokenizer', {})),
    );
    onPanelEvent(this, 'panel-plan', () => void this.attempt('No plan was opened', endpoint.request('plan', {})));
    onPanelEvent(this, 'panel-bandwidth', () => void this.attempt('No check was opened', endpoint.request('checkBandwidth', {})));
    onPanelEvent(this, 'panel-cancel', () => void this.attempt('Not cancelled', endpoint.request('cancel', {})));
  }

  private async attempt(failure: string, request: Promise<unknown>, done?: () => string): Promise<void> {
    try {
      await request;
      if (done !== undefined) this.say(done());
    } catch (error) {
      this.say(`${failure}: ${messageOf(error)}`);
    }
  }

  private changeView(change: Partial<ReportViewState>): void {
    this.view = { ...this.view, ...change };
    this.host?.writeState(this.view);
  }

  private showTab(change: Partial<ReportViewState>): void {
    this.changeView(change);
    void this.updateComplete.then(() => this.reportView?.focusTab());
  }

  private say(text: string): void {
    this.said = text;
    clearTimeout(this.sayTimer);
    this.sayTimer = setTimeout(() => (this.said = ''), 6000);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-report': StowageReport;
  }
}
