import * as vscode from 'vscode';
import type { RunsReport } from '../../core/runs/runsReport.js';
import type { Inspector, Workers } from '../../platform/inspector.js';
import type { ReportPanelEvents, RunPanelEvents, RunPanelRequests } from '../../protocol/messages.js';
import type { RpcHandlers } from '../../protocol/rpc.js';
import { displayPath, nameOf, targetOf, type FileReach } from '../inspectedPath.js';
import type { Log } from '../log.js';
import { panelHtml, webviewRoot } from '../panels/panelHtml.js';
import { WebviewEndpoint } from '../panels/webviewEndpoint.js';
import { reveal } from '../report/reveal.js';
import { FollowedFolder } from './followedFolder.js';

export interface RunPanelServices {
  extensionUri: vscode.Uri;
  workers: Workers;
  reach: FileReach;
  log: Log;
  openReport(uri: vscode.Uri): void;
  openRun(uri: vscode.Uri): void;
  /** Opens a plan by the text of its file. */
  openPlan(text: string): Promise<void>;
  checkBandwidth(uri: vscode.Uri): Promise<void>;
  /** A panel has listed its directory. */
  onDidList(): void;
}

/** One panel with the runs below a directory. Ends with its panel. */
export class RunPanel implements vscode.Disposable {
  /** What was listed last. */
  report: RunsReport | null = null;
  private readonly endpoint: WebviewEndpoint<RunPanelEvents>;
  private readonly closed: vscode.Disposable;
  private inspector: Inspector | undefined;
  private followed: FollowedFolder | undefined;
  /** What the status bar says while a run is followed. */
  private underWay: { text: string; isStalled: boolean } | null = null;
  /** Of several listings under way only the newest is shown. */
  private newest = 0;

  constructor(
    readonly uri: vscode.Uri,
    readonly panel: vscode.WebviewPanel,
    private readonly services: RunPanelServices,
  ) {
    this.endpoint = new WebviewEndpoint(panel.webview, this.handlers(), () => this.onReady());
    panel.webview.options = { enableScripts: true, enableForms: false, localResourceRoots: [webviewRoot(services.extensionUri)] };
    this.closed = panel.onDidDispose(() => this.dispose());
    panel.webview.html = panelHtml('run', panel.webview, services.extensionUri);
  }

  /** Has the page copy of the table in which its context menu was opened. */
  copyFromTable(extent: ReportPanelEvents['copyFromTable']['extent']): void {
    this.endpoint.send('copyFromTable', { extent });
  }

  /** Lists again whenever files are written, until this is taken back or the panel is closed. */
  follow(isFollowed: boolean): void {
    this.followed?.dispose();
    this.followed = isFollowed ? new FollowedFolder(this.uri, () => this.send()) : undefined;
    void this.send();
  }

  dispose(): void {
    this.newest += 1;
    this.followed?.dispose();
    this.inspector?.dispose();
    this.endpoint.dispose();
    this.closed.dispose();
  }

  private onReady(): void {
    this.endpoint.send('source', { uri: this.uri.toString() });
    void this.send();
  }

  /** Never rejects. */
  private async send(): Promise<void> {
    const { uri, followed } = this;
    this.newest += 1;
    const turn = this.newest;
    const [name, path] = [nameOf(uri), displayPath(uri)];
    try {
      const { endpoint } = this.running();
      const report = await endpoint.request('runs', { isFollowed: followed !== undefined });
      this.underWay = await endpoint.request('underWay', {});
      if (turn !== this.newest) return;
      this.report = report;
      const isFollowed = followed !== undefined;
      this.endpoint.send('runs', { name, path, report, isFollowed, underWay: this.underWay?.text ?? '' });
      followed?.say(name, this.underWay);
      this.services.onDidList();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.services.log.error(`runs below ${uri.path}: ${message}`);
      if (turn === this.newest) this.endpoint.send('failed', { name, path, message });
    }
  }

  /** Starts over when the last one died. */
  private running(): Inspector {
    if (this.inspector !== undefined) return this.inspector;
    const { workers, reach, log } = this.services;
    const inspector = workers.startInspector(targetOf(this.uri, reach));
    inspector.onDidDie(({ detail }) => {
      log.error(`the listing of ${this.uri.path} died: ${detail}`);
      this.inspector = undefined;
    });
    this.inspector = inspector;
    return inspector;
  }

  private handlers(): RpcHandlers<RunPanelRequests> {
    const { uri, services } = this;
    const below = (path: string): vscode.Uri => (path === '' ? uri : vscode.Uri.joinPath(uri, path));
    return {
      copyMarkdown: async () => this.copy(await this.running().endpoint.request('runsMarkdown', {})),
      copyText: ({ text }) => this.copy(text),
      reveal: () => reveal(uri),
      checkBandwidth: async () => (await services.checkBandwidth(uri), null),
      inspectCheckpoint: ({ path }) => (services.openReport(below(path)), null),
      openRun: ({ path }) => (services.openRun(below(path)), null),
      plan: async (run) => (await services.openPlan(await this.running().endpoint.request('planOfRun', run)), null),
      refresh: async () => (await this.send(), null),
      follow: ({ isFollowed }) => (this.follow(isFollowed), null),
    };
  }

  private async copy(text: string): Promise<null> {
    await vscode.env.clipboard.writeText(text);
    return null;
  }
}
