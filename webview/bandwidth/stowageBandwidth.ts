import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { checkErrorCodes, type CheckErrorCode } from '../../src/core/bandwidth/checkError.js';
import type { CheckPreview } from '../../src/core/bandwidth/checkPreview.js';
import type { CheckSettings } from '../../src/core/bandwidth/checkSettings.js';
import type { CheckProgress } from '../../src/core/bandwidth/measurement.js';
import { withProgress } from '../../src/core/bandwidth/progressCurve.js';
import { writePlanFile } from '../../src/core/planning/inputs/writePlanFile.js';
import { bandwidthCharts } from '../../src/core/pages/bandwidth/bandwidthCharts.js';
import { chartSvg } from '../../src/core/pages/charts/chartSvg.js';
import { renderBandwidthMarkdown } from '../../src/core/pages/bandwidth/bandwidthMarkdown.js';
import type { BandwidthReport } from '../../src/core/bandwidth/bandwidthReport.js';
import { checkErrorInWords } from '../../src/core/pages/bandwidth/checkErrorWords.js';
import { writeHistory } from '../../src/core/bandwidth/bandwidthHistory.js';
import { historyCsv } from '../../src/core/pages/bandwidth/historyTable.js';
import { readBandwidthReport } from '../../src/core/bandwidth/readBandwidthReport.js';
import { planOfBandwidth } from '../../src/core/planning/sources/planOfBandwidth.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import type { BandwidthExport, ChartFile, CheckState } from '../../src/protocol/messages.js';
import { baseStyles } from '../shared/baseStyles.js';
import { onDisclosure } from '../shared/disclosure.js';
import { fileText } from '../shared/fileText.js';
import { headerStyles } from '../shared/headerStyles.js';
import { restoreOpened, type Opened } from '../shared/openedState.js';
import { PanelController } from '../shared/panelController.js';
import { inputsPageStyles } from '../shared/inputsPageStyles.js';
import { saidStyles } from '../shared/saidStyles.js';
import type { SkeletonRow } from '../shared/skeleton.js';
import '../shared/skeleton.js';
import { onBandwidthEvent, type CheckAction } from './bandwidthEvents.js';
import type { BandwidthHost } from './bandwidthHost.js';
import './checkFailureView.js';
import './historyView.js';
import './previewView.js';
import './resultView.js';
import { phaseInWords } from './runningView.js';
import './runningView.js';
import { hiddenKeys, type TypedKey } from './settingFields.js';
import './settingsView.js';

/** The settings and what follows from them, below each other as in a narrow page. */
const rows: readonly SkeletonRow[] = [{ heightPx: 96 }, { heightPx: 160 }];

/** Beside a result that is saved as Markdown. */
const chartFolder = 'bandwidth-charts';

/** How long after the last key the host is asked what a check would write, in milliseconds. */
const pauseMs = 200;

/** The bandwidth panel: what would be written, how it goes, what it means, and how it was before. */
@customElement('stowage-bandwidth')
export class StowageBandwidth extends LitElement {
  static override styles = [
    baseStyles,
    headerStyles,
    saidStyles,
    inputsPageStyles,
    css`
      .target {
        min-width: 0;
      }
      .body {
        margin-top: 14px;
      }
      @container (min-width: 760px) {
        .columns {
          grid-template-columns: 270px minmax(0, 1fr);
        }
      }
    `,
  ];

  @state() private settings: CheckSettings | null = null;
  @state() private check: CheckState = { phase: 'before' };
  @state() private preview: CheckPreview | null = null;
  /** Why there is no preview; empty where there is one. */
  @state() private problem = '';
  @state() private isStale = true;
  @state() private isStarting = false;
  @state() private isCancelling = false;
  @state() private history: readonly BandwidthReport[] = [];
  /** The checkpoint that was last named. */
  private known: string | null = null;
  private readonly wrong = new Set<TypedKey>();
  private readonly panel = new PanelController<BandwidthHost, { opened: Opened }>(this, {
    restore: (saved) => ({ opened: restoreOpened(saved) }),
    errorText: inWords,
  });
  private asked: AbortController | null = null;
  private previewTimer: ReturnType<typeof setTimeout> | undefined;

  /** Takes the connection, restores what was opened, and tells the host that the page is ready. */
  connect(host: BandwidthHost): void {
    this.panel.connect(host);
    const { endpoint } = host;
    endpoint.on('opened', ({ settings, state }) => this.onOpened(settings, state));
    endpoint.on('progress', (progress) => this.onProgress(progress));
    endpoint.on('done', ({ report }) => this.onEnd({ phase: 'done', report }));
    endpoint.on('failed', (failure) => this.onEnd({ phase: 'failed', failure }));
    endpoint.on('history', ({ reports }) => {
      this.history = reports.map(readBandwidthReport).filter((report) => report !== null);
    });
    this.listen();
    endpoint.send('ready', {});
  }

  override render(): TemplateResult {
    const { settings } = this;
    return html`<main>
        <header>
          <h1>Bandwidth check</h1>
          <span class="target muted mono wrap">${settings === null ? nothing : fileText(settings.target)}</span>
        </header>
        <div class="body">
          ${settings === null ? html`<stowage-skeleton .rows=${rows}></stowage-skeleton>` : this.renderPhase(settings)}
        </div>
        ${
          this.check.phase === 'running'
            ? nothing
            : html`<stowage-check-history .reports=${this.history} .opened=${this.panel.view.opened}></stowage-check-history>`
        }
      </main>
      <div class="visually-hidden" role="status">${this.announced()}</div>
      ${this.panel.renderSaid()}`;
  }

  private renderPhase(settings: CheckSettings): TemplateResult {
    const { check } = this;
    switch (check.phase) {
      case 'before':
        return this.renderBefore(settings);
      case 'running':
        return html`<stowage-check-running
          .progress=${check.progress}
          .seconds=${settings.seconds}
          .isCancelling=${this.isCancelling}
          .opened=${this.panel.view.opened}
        ></stowage-check-running>`;
      case 'done':
        return html`<stowage-check-result .report=${check.report} .opened=${this.panel.view.opened}></stowage-check-result>`;
      case 'failed':
        return html`<stowage-check-failure .failure=${check.failure}></stowage-check-failure>`;
    }
  }

  private renderBefore(settings: CheckSettings): TemplateResult {
    return html`<div class="columns">
      <stowage-check-settings .settings=${settings} .known=${this.known} .preview=${this.preview}></stowage-check-settings>
      <stowage-check-preview
        .preview=${this.preview}
        .problem=${this.problem}
        .isStale=${this.isStale}
        .isStarting=${this.isStarting}
        .measuredBytesPerSecond=${fastestOf(this.history.at(-1))}
      ></stowage-check-preview>
    </div>`;
  }

  /** What a screen reader announces: the phase when it changes, the answer when there is one. */
  private announced(): string {
    const { check } = this;
    if (check.phase === 'running') return this.isCancelling ? 'Cancelling' : phaseInWords(check.progress.at(-1));
    return check.phase === 'done' ? visibleText(check.report.verdict.sentences[0] ?? '') : '';
  }

  private listen(): void {
    onBandwidthEvent(this, 'check-settings', (change) => this.change(change));
    onBandwidthEvent(this, 'check-problem', ({ key, isWrong }) => this.onProblem(key, isWrong));
    onBandwidthEvent(this, 'check-choose', (purpose) => void this.choose(purpose));
    onBandwidthEvent(this, 'check-remove-left', (path) => void this.removeLeft(path));
    onBandwidthEvent(this, 'check-action', (action) => void this.act(action));
    onBandwidthEvent(this, 'check-save', (what) => void this.save(what));
    onDisclosure(this, ({ id, isOpen }) => this.panel.changeView({ opened: { ...this.panel.view.opened, [id]: isOpen } }));
    window.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && this.check.phase === 'running' && !event.defaultPrevented) void this.act('cancel');
    });
  }

  private onOpened(settings: CheckSettings, check: CheckState): void {
    this.settings = settings;
    this.known = settings.replayOf;
    this.check = check;
    this.isCancelling = false;
    if (check.phase === 'before') void this.askPreview();
  }

  private onProgress(progress: CheckProgress): void {
    const before = this.check.phase === 'running' ? this.check.progress : [];
    this.check = { phase: 'running', progress: withProgress(before, progress) };
  }

  private onEnd(check: CheckState): void {
    this.check = check;
    this.isCancelling = false;
  }

  private change(change: Partial<CheckSettings>): void {
    if (this.settings === null) return;
    this.settings = { ...this.settings, ...change };
    // An input that is no longer shown must not block Start.
    for (const key of hiddenKeys(this.settings)) this.wrong.delete(key);
    if (change.replayOf !== undefined && change.replayOf !== null) this.known = change.replayOf;
    this.isStale = true;
    clearTimeout(this.previewTimer);
    this.previewTimer = setTimeout(() => void this.askPreview(), pauseMs);
  }

  /** A check starts only with what is shown. */
  private onProblem(key: TypedKey, isWrong: boolean): void {
    const wasWrong = this.wrong.has(key);
    if (isWrong) this.wrong.add(key);
    else this.wrong.delete(key);
    if (isWrong) this.isStale = true;
    else if (wasWrong) this.change({});
  }

  private async askPreview(): Promise<void> {
    const { settings } = this;
    const { connection } = this.panel;
    if (settings === null || connection === null || this.wrong.size > 0) return;
    this.asked?.abort();
    const asked = new AbortController();
    this.asked = asked;
    this.isStale = true;
    try {
      const preview = await connection.endpoint.request('preview', { settings }, asked.signal);
      if (asked.signal.aborted) return;
      this.preview = preview;
      this.problem = '';
      this.isStale = settings !== this.settings || this.wrong.size > 0;
    } catch (error) {
      if (!asked.signal.aborted) this.problem = inWords(error);
    }
  }

  private async choose(purpose: 'target' | 'replayOf'): Promise<void> {
    const path = await this.panel.attempt(
      'Nothing was chosen',
      this.panel.connection?.endpoint.request('chooseDirectory', { purpose }),
    );
    if (path == null) return;
    if (purpose === 'target') this.preview = null;
    this.change(purpose === 'target' ? { target: path } : { replayOf: path, sizeBytes: null });
  }

  private async removeLeft(path: string): Promise<void> {
    await this.panel.attempt('Not removed', this.panel.connection?.endpoint.request('removeLeft', { path }), () => 'Removed');
    await this.askPreview();
  }

  private async act(action: CheckAction): Promise<void> {
    const endpoint = this.panel.connection?.endpoint;
    switch (action) {
      case 'start':
        return this.start();
      case 'cancel':
        this.isCancelling = true;
        await this.panel.attempt('Not cancelled', endpoint?.request('cancel', {}));
        return;
      case 'again':
        this.check = { phase: 'before' };
        return this.askPreview();
      case 'preview':
        return this.askPreview();
      case 'streams':
        return this.checkWithStreams();
      case 'sustained':
        this.check = { phase: 'before' };
        return this.change({ isSustained: true });
      case 'plan':
      case 'copy':
        if (this.check.phase !== 'done') return;
        await (action === 'plan' ? this.openPlan(this.check.report) : this.copy(this.check.report));
    }
  }

  /** The settings once more, with as many streams as the sweep found enough, and without another sweep. */
  private checkWithStreams(): void {
    const streams = this.check.phase === 'done' ? this.check.report.sweep?.recommended.streams : undefined;
    if (streams === undefined) return;
    this.check = { phase: 'before' };
    this.change({ streams, sweepStreams: null });
  }

  private async start(): Promise<void> {
    const { settings, preview } = this;
    if (settings === null || preview === null || this.isStale || this.isStarting) return;
    this.isStarting = true;
    // What is shown is what is agreed to: no more is written, also where the standard would have become more.
    const agreed = { ...settings, spaceBytes: settings.spaceBytes ?? preview.space.bytes };
    const isStarted = await this.panel.attempt(
      'Not started',
      this.panel.connection?.endpoint.request('start', { settings: agreed }),
    );
    this.isStarting = false;
    if (isStarted === true && this.check.phase === 'before') this.check = { phase: 'running', progress: [] };
  }

  private async openPlan(report: BandwidthReport): Promise<void> {
    const text = writePlanFile(planOfBandwidth(report));
    await this.panel.attempt('No plan was opened', this.panel.connection?.endpoint.request('plan', { text }));
  }

  private async copy(report: BandwidthReport): Promise<void> {
    const text = renderBandwidthMarkdown(report);
    await this.panel.attempt(
      'Nothing was copied',
      this.panel.connection?.endpoint.request('copyText', { text }),
      () => 'Copied: the result as Markdown',
    );
  }

  private async save(what: BandwidthExport): Promise<void> {
    const text = this.textOf(what);
    if (text === null) return;
    const charts = what === 'report.md' ? this.charts() : [];
    await this.panel.attempt(
      'Not saved',
      this.panel.connection?.endpoint.request('save', { what, text, folder: chartFolder, charts }),
      (name) => (name === null ? '' : `Saved: ${visibleText(name)}`),
    );
  }

  /** Of the result, as files beside its Markdown. */
  private charts(): ChartFile[] {
    if (this.check.phase !== 'done') return [];
    return bandwidthCharts(this.check.report).map((chart) => ({ name: `${chart.id}.svg`, svg: chartSvg(chart) }));
  }

  private textOf(what: BandwidthExport): string | null {
    if (what === 'history.json') return writeHistory(this.history);
    if (what === 'history.csv') return historyCsv(this.history);
    if (this.check.phase !== 'done') return null;
    const { report } = this.check;
    return what === 'report.json' ? `${JSON.stringify(report, null, 2)}\n` : renderBandwidthMarkdown(report, chartFolder);
  }
}

function fastestOf(report: BandwidthReport | undefined): number | null {
  return report === undefined ? null : Math.max(report.write.medianBytesPerSecond, report.read.medianBytesPerSecond);
}

/** Errors of a check have words of their own; those of the connection and the editor are words already. */
function inWords(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  const known = checkErrorCodes.find((name): name is CheckErrorCode => name === code);
  return known === undefined ? String(message) : checkErrorInWords(known, String(message));
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-bandwidth': StowageBandwidth;
  }
}
