import * as vscode from 'vscode';
import { checkSettings } from '../../app/bandwidth/checkSettings.js';
import type { BandwidthChecker } from '../../platform/bandwidth/bandwidthChecker.js';
import type { BandwidthApi } from '../api.js';
import { panelIds } from '../ids.js';
import type { Log } from '../log.js';
import { nameOf } from '../inspectedPath.js';
import { webviewRoot } from '../panels/panelHtml.js';
import { panelIcon } from '../panels/panelIcon.js';
import { BandwidthPanel, type BandwidthPanelServices } from './bandwidthPanel.js';
import { BegunCheck, offerLeftovers } from './begunCheck.js';
import { CheckHistory } from './checkHistory.js';

/** All panels of bandwidth checks, one a directory, and the worker that they share. One check runs at a time. */
export class BandwidthPanels implements vscode.Disposable {
  private readonly panels = new Set<BandwidthPanel>();
  private readonly services: BandwidthPanelServices;
  private readonly _onDidChange = new vscode.EventEmitter<void>();
  /** A panel was opened, changed or closed. */
  readonly onDidChange = this._onDidChange.event;
  private started: BandwidthChecker | null = null;

  constructor(
    context: vscode.ExtensionContext,
    private readonly startChecker: () => BandwidthChecker,
    log: Log,
    openPlan: (text: string) => Promise<void>,
  ) {
    this.services = {
      extensionUri: context.extensionUri,
      checker: () => this.checker(),
      history: new CheckHistory(context),
      begun: new BegunCheck(context.workspaceState),
      log,
      openPlan,
      running: { target: null },
    };
  }

  /**
   * Shows the panel of a directory: the one that there is, or a new one.
   * @param replayOf the checkpoint to replay; null for a size alone
   */
  open(target: string, replayOf: string | null): BandwidthPanel {
    // One that was closed stays known until its check has removed what it wrote.
    const existing = this.all().find(({ settings, isClosed }) => settings.target === target && !isClosed);
    if (existing !== undefined) {
      existing.panel.reveal();
      return existing;
    }
    const name = nameOf(vscode.Uri.file(target));
    const panel = vscode.window.createWebviewPanel(
      panelIds.bandwidth,
      vscode.l10n.t('Bandwidth of {0}', name === '/' ? target : name),
      vscode.ViewColumn.Active,
      { enableScripts: true, localResourceRoots: [webviewRoot(this.services.extensionUri)] },
    );
    panel.iconPath = panelIcon(this.services.extensionUri);
    const session = new BandwidthPanel(panel, checkSettings({ target, replayOf }), this.services);
    this.panels.add(session);
    session.onDidChange(() => this._onDidChange.fire());
    panel.onDidDispose(() => void this.forget(session));
    this._onDidChange.fire();
    return session;
  }

  all(): BandwidthPanel[] {
    return [...this.panels];
  }

  api(): BandwidthApi {
    return {
      onDidChange: this.onDidChange,
      panels: () => this.all().map(({ settings, panel, state }) => ({ target: settings.target, title: panel.title, state })),
    };
  }

  /** What a crash left behind is offered for removal. */
  async offerLeftovers(): Promise<void> {
    const { begun, log } = this.services;
    if (begun.target() === null) return;
    await offerLeftovers(begun, this.checker(), log);
    this.endIdleChecker();
  }

  /** Cancels what runs, and settles when it is removed: the editor waits some seconds for that. */
  async stop(): Promise<void> {
    for (const panel of this.all()) panel.cancel();
    await Promise.all(this.all().map(({ ended }) => ended));
  }

  dispose(): void {
    for (const { panel } of this.all()) panel.dispose();
    this._onDidChange.dispose();
  }

  private async forget(session: BandwidthPanel): Promise<void> {
    // The worker is still removing what the check wrote.
    await session.ended;
    this.panels.delete(session);
    this._onDidChange.fire();
    this.endIdleChecker();
  }

  private checker(): BandwidthChecker {
    return (this.started ??= this.startChecker());
  }

  private endIdleChecker(): void {
    if (this.panels.size > 0) return;
    this.started?.dispose();
    this.started = null;
  }
}
