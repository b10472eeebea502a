import * as vscode from 'vscode';
import type { CheckSettings } from '../../core/bandwidth/checkSettings.js';
import type { CheckProgress } from '../../core/bandwidth/measurement.js';
import { withProgress } from '../../core/bandwidth/progressCurve.js';
import type { BandwidthChecker } from '../../platform/bandwidth/bandwidthChecker.js';
import type { BandwidthPanelEvents, BandwidthPanelRequests, CheckState } from '../../protocol/messages.js';
import { RpcError, type RpcHandlers } from '../../protocol/rpc.js';
import type { Log } from '../log.js';
import { panelHtml, webviewRoot } from '../panels/panelHtml.js';
import { WebviewEndpoint } from '../panels/webviewEndpoint.js';
import type { BegunCheck } from './begunCheck.js';
import type { CheckHistory } from './checkHistory.js';
import { checkFailure } from './checkFailure.js';
import { isStillWanted } from './confirmCheck.js';
import { chooseDirectory } from './chooseDirectory.js';
import { saveCheckExport } from './saveCheckExport.js';

export interface BandwidthPanelServices {
  extensionUri: vscode.Uri;
  checker(): BandwidthChecker;
  history: CheckHistory;
  begun: BegunCheck;
  log: Log;
  openPlan(text: string): Promise<void>;
  /** The directory that is being measured in this window, by any panel; null while none is. */
  running: { target: string | null };
}

/** One panel and the check that it shows. Closing it cancels the check, which removes what it wrote. */
export class BandwidthPanel implements vscode.Disposable {
  private readonly _onDidChange = new vscode.EventEmitter<CheckState>();
  readonly onDidChange = this._onDidChange.event;
  state: CheckState = { phase: 'before' };
  /** Settles when no check of this panel runs any more and all that it wrote is removed. */
  ended: Promise<void> = Promise.resolve();
  isClosed = false;
  private readonly endpoint: WebviewEndpoint<BandwidthPanelEvents>;
  private abort: AbortController | null = null;
  /** Only what a preview has shown may be removed. */
  private removable = new Set<string>();
  private readonly subscriptions: vscode.Disposable[] = [this._onDidChange];

  constructor(
    readonly panel: vscode.WebviewPanel,
    public settings: CheckSettings,
    private readonly services: BandwidthPanelServices,
  ) {
    this.endpoint = new WebviewEndpoint(panel.webview, this.handlers(), () => this.onReady());
    panel.webview.options = { enableScripts: true, enableForms: false, localResourceRoots: [webviewRoot(services.extensionUri)] };
    this.subscriptions.push(panel.onDidDispose(() => this.dispose()));
    panel.webview.html = panelHtml('bandwidth', panel.webview, services.extensionUri);
  }

  cancel(): void {
    this.abort?.abort();
  }

  dispose(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    if (this.abort !== null) void this.tellAfterClose();
    this.cancel();
    this.endpoint.dispose();
    for (const subscription of this.subscriptions.splice(0)) subscription.dispose();
  }

  /** The panel is closed: a notification reports how its check ended. */
  private async tellAfterClose(): Promise<void> {
    const { target } = this.settings;
    await this.ended;
    if (this.state.phase !== 'failed') return;
    const { code, detail } = this.state.failure;
    if (code === 'cancelled')
      void vscode.window.showInformationMessage(
        vscode.l10n.t('The bandwidth check of {0} was cancelled with its panel. All that it had written was removed.', target),
      );
    else
      void vscode.window.showWarningMessage(
        vscode.l10n.t('The bandwidth check of {0} failed: {1}. See the Stowage log.', target, detail),
      );
  }

  private onReady(): void {
    this.endpoint.send('opened', { settings: this.settings, state: this.state });
    void this.sendHistory();
  }

  private async sendHistory(): Promise<void> {
    this.endpoint.send('history', { reports: await this.services.history.of(this.settings.target) });
  }

  private become(state: CheckState): void {
    this.state = state;
    if (!this.isClosed) this._onDidChange.fire(state);
  }

  private handlers(): RpcHandlers<BandwidthPanelRequests> {
    const { services } = this;
    return {
      preview: ({ settings }, signal) => this.preview(settings, signal),
      start: ({ settings }) => this.start(settings),
      cancel: () => (this.cancel(), null),
      chooseDirectory: ({ purpose }) => chooseDirectory(purpose, this.settings.target),
      removeLeft: async ({ path }) => {
        if (!this.removable.has(path)) throw new RpcError('not-listed', 'no preview has named this');
        await services.checker().removeLeft(path);
        return null;
      },
      plan: async ({ text }) => (await services.openPlan(text), null),
      save: (files) => saveCheckExport(this.settings.target, files),
      copyText: async ({ text }) => (await vscode.env.clipboard.writeText(text), null),
    };
  }

  private async preview(settings: CheckSettings, signal: AbortSignal): ReturnType<BandwidthChecker['preview']> {
    if (this.state.phase === 'running') throw new RpcError('busy', vscode.l10n.t('A check is running.'));
    const isElsewhere = settings.target !== this.settings.target;
    this.settings = settings;
    if (this.state.phase !== 'before') this.become({ phase: 'before' });
    if (isElsewhere) void this.sendHistory();
    const preview = await this.services.checker().preview(settings, signal);
    this.removable = new Set(preview.facts.others.filter(({ state }) => state === 'left').map(({ path }) => path));
    return preview;
  }

  /** False where the user thought better of it. */
  private async start(settings: CheckSettings): Promise<boolean> {
    if (!vscode.workspace.isTrusted)
      throw new RpcError('not-trusted', vscode.l10n.t('Bandwidth checks write files: trust the workspace first.'));
    this.refuseSecond();
    const { refusal, warnings } = await this.services.checker().preview(settings);
    if (refusal !== null) throw new RpcError(refusal.code, refusal.detail);
    if (!(await isStillWanted(settings.target, warnings))) return false;
    // Others may have begun meanwhile, or the panel may have been closed.
    this.refuseSecond();
    if (this.isClosed) return false;
    this.ended = this.run(settings);
    return true;
  }

  private refuseSecond(): void {
    const { target } = this.services.running;
    if (target === null) return;
    throw new RpcError(
      'busy',
      vscode.l10n.t('A bandwidth check of {0} is running: two at once would slow each other down.', target),
    );
  }

  /** Never rejects. */
  private async run(settings: CheckSettings): Promise<void> {
    const { running, begun, log } = this.services;
    const { target } = settings;
    const abort = new AbortController();
    this.abort = abort;
    running.target = target;
    this.become({ phase: 'running', progress: [] });
    try {
      await begun.begin(target);
      const report = await this.services.checker().check(settings, (next) => this.onProgress(next), abort.signal);
      await begun.end();
      log.info(`${target}: writes ${report.write.medianBytesPerSecond} B/s, reads ${report.read.medianBytesPerSecond} B/s`);
      this.become({ phase: 'done', report });
    } catch (error) {
      const failure = checkFailure(error);
      // What is still there is offered for removal at the next start.
      if (failure.code !== 'not-removed') await begun.end();
      if (failure.code !== 'cancelled') log.error(`${target}: ${failure.code}: ${failure.detail}`);
      this.become({ phase: 'failed', failure });
    } finally {
      this.abort = null;
      running.target = null;
    }
    await this.tellEnd();
  }

  private async tellEnd(): Promise<void> {
    const { state } = this;
    if (state.phase === 'failed') this.endpoint.send('failed', state.failure);
    if (state.phase !== 'done') return;
    this.endpoint.send('done', { report: state.report });
    await this.keep(state.report);
  }

  /** A result stays one where it cannot be kept. */
  private async keep(report: Parameters<CheckHistory['add']>[1]): Promise<void> {
    try {
      this.endpoint.send('history', { reports: await this.services.history.add(this.settings.target, report) });
    } catch (error) {
      this.services.log.error(`${this.settings.target}: the result was not kept: ${String(error)}`);
    }
  }

  private onProgress(next: CheckProgress): void {
    if (this.state.phase === 'running') this.state = { phase: 'running', progress: withProgress(this.state.progress, next) };
    this.endpoint.send('progress', next);
  }
}
