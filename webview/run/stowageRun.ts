import { html, LitElement, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import type { ReportedRun, RunsReport } from '../../src/core/runs/runsReport.js';
import type { RunPanelEvents } from '../../src/protocol/messages.js';
import '../panel/headlineView.js';
import { emitPanelEvent, onPanelEvent } from '../panel/panelEvents.js';
import { pageFrameStyles } from '../panel/pageFrameStyles.js';
import '../panel/reportHeader.js';
import { baseStyles } from '../shared/baseStyles.js';
import { onDisclosure } from '../shared/disclosure.js';
import { onGridEvent } from '../shared/gridEvents.js';
import { PanelController } from '../shared/panelController.js';
import { saidStyles } from '../shared/saidStyles.js';
import type { SkeletonRow } from '../shared/skeleton.js';
import '../shared/skeleton.js';
import { TableMenu } from '../shared/tableMenu.js';
import { onRunEvent } from './runEvents.js';
import type { RunHost } from './runHost.js';
import { restoreRunViewState, type RunViewState } from './runViewState.js';
import './runView.js';
import './runsView.js';

/** What the panel shows of a directory: its runs, or why there are none to be seen. */
type Shown = RunPanelEvents['runs'] | RunPanelEvents['failed'];

/** The headline, the charts and a table. */
const rows: readonly SkeletonRow[] = [{ heightPx: 84 }, { heightPx: 240 }, { heightPx: 220 }];

/** The panel of runs: shows what the host sends whenever it has listed the directory. */
@customElement('stowage-run')
export class StowageRun extends LitElement {
  static override styles = [baseStyles, saidStyles, pageFrameStyles];

  @state() private shown: Shown | null = null;
  /** The names of the one of several runs in the directory itself that is open; null where all are shown. */
  @state() private chosen: string | null = null;
  private readonly panel = new PanelController<RunHost, RunViewState>(this, { restore: restoreRunViewState });
  private readonly tableMenu = new TableMenu(this);

  /** Takes the connection, restores where the reader stood, and tells the host that the page is ready. */
  connect(host: RunHost): void {
    this.panel.connect(host);
    const { endpoint } = host;
    endpoint.on('source', ({ uri }) => this.panel.keepSource(uri));
    endpoint.on('runs', (shown) => this.show(shown));
    endpoint.on('failed', (shown) => this.show(shown));
    endpoint.on('copyFromTable', ({ extent }) => void this.tableMenu.table?.copy(extent));
    this.listen(host);
    endpoint.send('ready', {});
  }

  override render(): TemplateResult {
    return html`<main>${this.renderShown()}</main>
      ${this.panel.renderSaid()}`;
  }

  private renderShown(): TemplateResult {
    const { shown } = this;
    if (shown === null) return html`<stowage-skeleton .rows=${rows}></stowage-skeleton>`;
    if ('message' in shown) return renderFailure(shown);
    const { name, path, report, isFollowed, underWay } = shown;
    const run = this.chosenRun(report);
    if (run === undefined)
      return html`<stowage-runs-view .name=${name} .path=${path} .report=${report} .view=${this.panel.view}></stowage-runs-view>`;
    return html`<stowage-run-view
      .name=${name}
      .path=${path}
      .run=${run}
      .isFollowed=${isFollowed}
      .underWay=${underWay}
      .view=${this.panel.view}
    ></stowage-run-view>`;
  }

  private show(shown: Shown): void {
    this.shown = shown;
    document.title = visibleText(shown.name);
  }

  private listen({ endpoint }: RunHost): void {
    const { panel } = this;
    onRunEvent(this, 'run-open', ({ path, names }) => {
      if (path === '') this.chosen = names;
      else void panel.attempt('Not opened', endpoint.request('openRun', { path }));
    });
    onRunEvent(this, 'run-leave', () => (this.chosen = null));
    onRunEvent(
      this,
      'run-follow',
      (isFollowed) => void panel.attempt('Not followed', endpoint.request('follow', { isFollowed })),
    );
    onPanelEvent(this, 'panel-checkpoint', (one) => void panel.attempt('Not opened', endpoint.request('inspectCheckpoint', one)));
    onPanelEvent(this, 'panel-refresh', () => void panel.attempt('Not listed', endpoint.request('refresh', {})));
    onPanelEvent(this, 'panel-reveal', () => void panel.attempt('Not shown', endpoint.request('reveal', {})));
    onPanelEvent(this, 'panel-plan', () => void panel.attempt('No plan was opened', endpoint.request('plan', this.runPlace())));
    onPanelEvent(
      this,
      'panel-bandwidth',
      () => void panel.attempt('No check was opened', endpoint.request('checkBandwidth', {})),
    );
    onPanelEvent(this, 'panel-copy', ({ text, what }) => {
      void panel.attempt('Nothing was copied', endpoint.request('copyText', { text }), () => `Copied: ${what}`);
    });
    onPanelEvent(this, 'panel-export', () => {
      void panel.attempt('Nothing was copied', endpoint.request('copyMarkdown', {}), () => 'Copied: the saves as Markdown');
    });
    onDisclosure(this, ({ id, isOpen }) => panel.changeView({ opened: { ...panel.view.opened, [id]: isOpen } }));
    onGridEvent(this, 'grid-copy', (copied) => emitPanelEvent(this, 'panel-copy', copied));
    onGridEvent(this, 'grid-say', (text) => panel.say(text));
    onGridEvent(this, 'grid-state', ({ table, state: setUp }) =>
      panel.changeView({ tables: { ...panel.view.tables, [table]: setUp } }),
    );
  }

  /** The only run, or the one of the directory itself that was opened. */
  private chosenRun({ runs }: RunsReport): ReportedRun | undefined {
    if (runs.length === 1) return runs[0];
    return this.chosen === null ? undefined : runs.find(({ path, names }) => path === '' && names === this.chosen);
  }

  private runPlace(): Pick<ReportedRun, 'path' | 'names'> {
    const { shown } = this;
    const run = shown !== null && 'report' in shown ? this.chosenRun(shown.report) : undefined;
    return { path: run?.path ?? '', names: run?.names ?? null };
  }
}

/** In the same place as runs. */
function renderFailure({ name, path, message }: RunPanelEvents['failed']): TemplateResult {
  const verdict = { severity: 'error' as const, text: 'The directory could not be listed:', more: visibleText(message) };
  return html`<stowage-report-header .name=${name} .path=${path} .isPlanned=${false}></stowage-report-header>
    <stowage-headline .verdict=${verdict}></stowage-headline>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-run': StowageRun;
  }
}
